#pragma once
// Problems from files and to files: own JSON and HDF5, Siconos' text, FCLIB's HDF5. Formats: docs/solvers.md.

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "touchstone/solve/problem.h"

namespace touchstone {

/// The message names the file, the line or field, and what was expected there.
class ProblemFileError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class ProblemFormat {
  json,
  hdf5,    ///< own layout
  fclib,   ///< of the two friction problems only
  siconos  ///< text; LCP, MLCP and the local friction problem only
};

struct StoredProblem {
  Problem problem;
  std::optional<VectorX> solution;  ///< as Solution::z has it, where the file holds one
};

/// The format is seen from the content. `kind` (lcp, mlcp, friction) decides where a text could mean several;
/// empty: the first that fits. Throws ProblemFileError.
StoredProblem read_stored_problem(const std::filesystem::path& path, std::string_view kind = {});
Problem read_problem(const std::filesystem::path& path, std::string_view kind = {});

/// .json, .h5 (own), .hdf5 (FCLIB's for friction, else own), .dat (Siconos' text). Throws ProblemFileError.
ProblemFormat format_of(const std::filesystem::path& path, const Problem& problem);
/// Throws ProblemFileError, also for a problem that the format cannot hold.
void write_problem(const std::filesystem::path& path, const StoredProblem& stored, ProblemFormat format);
void write_problem(const std::filesystem::path& path, const Problem& problem,
                   const std::optional<VectorX>& solution = {});

}  // namespace touchstone
