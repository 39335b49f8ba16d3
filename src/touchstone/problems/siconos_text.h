#pragma once
// Siconos' text files of LCP, MLCP and friction problems; formats in docs/solvers.md.

#include <string>
#include <string_view>

#include "touchstone/problems/problem_file.h"

namespace touchstone {

/// `kind` is lcp, mlcp or friction; empty: the one whose head the text has. Throws ProblemFileError with the
/// line, without the file's name.
Problem problem_of_siconos(std::string_view text, std::string_view kind);
/// Dense. Throws ProblemFileError for kinds that Siconos' text does not know.
std::string siconos_of_problem(const Problem& problem);

}  // namespace touchstone
