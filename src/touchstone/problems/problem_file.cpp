#include "touchstone/problems/problem_file.h"

#include <algorithm>
#include <cassert>
#include <fstream>
#include <iterator>

#include "touchstone/problems/fclib.h"
#include "touchstone/problems/problem_file_fields.h"
#include "touchstone/problems/problem_file_hdf5.h"
#include "touchstone/problems/problem_json.h"
#include "touchstone/problems/siconos_text.h"
#include "touchstone/solve/problem_check.h"
#include "touchstone/store/array_file.h"

namespace touchstone {
namespace {

using std::filesystem::path;

/// The first bytes of every HDF5 file.
constexpr std::string_view kHdf5Mark = "\x89HDF\r\n\x1a\n";

std::string text_of(const path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in || std::filesystem::is_directory(path)) throw ProblemFileError("the file cannot be opened");
  return {std::istreambuf_iterator<char>(in), {}};
}

StoredProblem read_hdf5(const path& path) {
  const ArrayFile file = ArrayFile::open(path);
  if (holds_own_problem(file)) return problem_of_hdf5(file);
  if (holds_fclib_problem(file)) return problem_of_fclib(file);
  throw ProblemFileError(
      "an HDF5 file, but neither a problem of Touchstone's nor fclib_local or fclib_global");
}

StoredProblem read_any(const path& path, std::string_view kind) {
  const std::string text = text_of(path);
  if (text.starts_with(kHdf5Mark)) return read_hdf5(path);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) throw ProblemFileError("the file is empty");
  return text[first] == '{' ? problem_of_json(text) : StoredProblem{problem_of_siconos(text, kind), {}};
}

void write_text(const path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw ProblemFileError("the file cannot be written");
}

void write_any(const path& path, const StoredProblem& stored, ProblemFormat format) {
  if (format == ProblemFormat::json) return write_text(path, json_of_problem(stored));
  if (format == ProblemFormat::siconos) return write_text(path, siconos_of_problem(stored.problem));
  ArrayFile file = ArrayFile::create(path);
  format == ProblemFormat::fclib ? write_fclib(file, stored) : write_problem_hdf5(file, stored);
  file.close();
}

void check(const StoredProblem& stored) {
  check_problem(stored.problem);
  const int size = size_of(stored.problem);
  if (stored.solution && stored.solution->size() != size)
    throw ProblemFileError("solution: expected " + std::to_string(size) + " entries, got " +
                           std::to_string(stored.solution->size()));
}

Problem empty(std::size_t index) {
  Problem problems[] = {Lcp{}, Mlcp{}, FrictionProblem{}, GlobalFrictionProblem{}, Qp{}};
  static_assert(std::size(problems) == std::variant_size_v<Problem>);
  assert(index < std::size(problems));
  return problems[index];
}

/// Puts the file's name before what went wrong with it.
template <class Call>
auto with_name(const path& path, Call&& call) {
  try {
    return call();
  } catch (const StoreError& error) {
    throw ProblemFileError(error.what());  // names the file itself
  } catch (const std::invalid_argument& error) {
    throw ProblemFileError(path.string() + ": " + error.what());
  } catch (const ProblemFileError& error) {
    throw ProblemFileError(path.string() + ": " + error.what());
  }
}

}  // namespace

Problem empty_problem(std::string_view kind) {
  for (std::size_t i = 0; i < std::variant_size_v<Problem>; ++i) {
    if (kind_of(empty(i)) == kind) return empty(i);
  }
  throw ProblemFileError("kind: expected lcp, mlcp, friction, global-friction or qp, got \"" +
                         std::string(kind) + "\"");
}

StoredProblem read_stored_problem(const path& path, std::string_view kind) {
  return with_name(path, [&] {
    StoredProblem stored = read_any(path, kind);
    check(stored);
    return stored;
  });
}

Problem read_problem(const path& path, std::string_view kind) {
  return read_stored_problem(path, kind).problem;
}

ProblemFormat format_of(const path& path, const Problem& problem) {
  const std::string ending = path.extension().string();
  const bool friction = std::holds_alternative<FrictionProblem>(problem) ||
                        std::holds_alternative<GlobalFrictionProblem>(problem);
  if (ending == ".json") return ProblemFormat::json;
  if (ending == ".h5") return ProblemFormat::hdf5;
  if (ending == ".hdf5") return friction ? ProblemFormat::fclib : ProblemFormat::hdf5;
  if (ending == ".dat") return ProblemFormat::siconos;
  throw ProblemFileError(path.string() + ": expected a name that ends in .json, .h5, .hdf5 or .dat");
}

void write_problem(const path& path, const StoredProblem& stored, ProblemFormat format) {
  with_name(path, [&] {
    check(stored);
    StoredProblem local = stored;
    local.problem = without_joints(stored.problem, local.solution);
    write_any(path, local, format);
  });
}

void write_problem(const path& path, const Problem& problem, const std::optional<VectorX>& solution) {
  write_problem(path, {problem, solution}, format_of(path, problem));
}

}  // namespace touchstone
