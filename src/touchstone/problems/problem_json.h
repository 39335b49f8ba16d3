#pragma once
// Problems as JSON.

#include <string>
#include <string_view>

#include "touchstone/problems/problem_file.h"

namespace touchstone {

/// Throws ProblemFileError with the line or field, without the file's name.
StoredProblem problem_of_json(std::string_view text);
std::string json_of_problem(const StoredProblem& stored);

}  // namespace touchstone
