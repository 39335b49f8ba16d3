#include "touchstone/problems/fclib.h"

#include <cassert>
#include <limits>

#include "touchstone/problems/problem_file_fields.h"
#include "touchstone/problems/problem_file_hdf5.h"

namespace touchstone {
namespace {

/// The field nz tells how a matrix is stored: -1 by columns, >= 0 that many triplets (as in CSparse), and ...
constexpr int kByRows = -2;

int read_int(const ArrayFile& file, const std::string& name) {
  const auto values = file.read<std::int32_t>(name);
  if (values.size() != 1) refuse(name, "one number");
  return values[0];
}

/// As the file has it: p and i are pointers and indices, or columns and rows of triplets.
struct StoredMatrix {
  std::string name;
  int rows = 0, cols = 0, nz = 0;
  std::vector<std::int32_t> p, i;
  std::vector<double> x;

  void add(std::vector<Eigen::Triplet<double>>& entries, int row, int col, double value) const {
    if (row < 0 || row >= rows || col < 0 || col >= cols)
      refuse(name, "entry " + std::to_string(entries.size()) + " inside the matrix");
    entries.emplace_back(row, col, value);
  }
};

StoredMatrix read_stored(const ArrayFile& file, const std::string& name) {
  StoredMatrix stored{name,
                      read_int(file, name + "/m"),
                      read_int(file, name + "/n"),
                      read_int(file, name + "/nz"),
                      file.read<std::int32_t>(name + "/p"),
                      file.read<std::int32_t>(name + "/i"),
                      file.read<double>(name + "/x")};
  if (stored.rows < 0 || stored.cols < 0) refuse(name, "m and n that are not negative");
  if (stored.nz < kByRows) refuse(name + "/nz", "-2 (rows), -1 (columns) or a number of triplets");
  return stored;
}

std::vector<Eigen::Triplet<double>> triplets_of(const StoredMatrix& stored) {
  assert(stored.nz >= 0);
  const auto count = static_cast<std::size_t>(stored.nz);
  if (stored.i.size() < count || stored.p.size() < count || stored.x.size() < count)
    refuse(stored.name, "nz entries in i, p and x");
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t k = 0; k < count; ++k) stored.add(entries, stored.i[k], stored.p[k], stored.x[k]);
  return entries;
}

std::vector<Eigen::Triplet<double>> compressed_entries(const StoredMatrix& stored) {
  assert(stored.nz == kByRows || stored.nz == -1);
  const int lines = stored.nz == kByRows ? stored.rows : stored.cols;
  const auto stock = static_cast<std::int32_t>(std::min(stored.i.size(), stored.x.size()));
  if (static_cast<int>(stored.p.size()) != lines + 1)
    refuse(stored.name + "/p", std::to_string(lines + 1) + " pointers");
  std::vector<Eigen::Triplet<double>> entries;
  for (int line = 0; line < lines; ++line) {
    if (stored.p[line] < 0 || stored.p[line + 1] > stock) refuse(stored.name + "/p", "pointers into i and x");
    for (int k = stored.p[line]; k < stored.p[line + 1]; ++k) {
      const bool by_rows = stored.nz == kByRows;
      stored.add(entries, by_rows ? line : stored.i[k], by_rows ? stored.i[k] : line, stored.x[k]);
    }
  }
  return entries;
}

SparseMatrix read_matrix(const ArrayFile& file, const std::string& name) {
  const StoredMatrix stored = read_stored(file, name);
  const auto entries = stored.nz >= 0 ? triplets_of(stored) : compressed_entries(stored);
  SparseMatrix matrix(stored.rows, stored.cols);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

void write_int(ArrayFile& file, const std::string& name, Eigen::Index value) {
  assert(value >= kByRows && value <= std::numeric_limits<std::int32_t>::max());
  file.write(name, std::vector<std::int32_t>{static_cast<std::int32_t>(value)});
}

/// As compressed rows, the order in which we hold it.
void write_matrix(ArrayFile& file, const std::string& name, SparseMatrix matrix) {
  matrix.makeCompressed();
  write_int(file, name + "/nzmax", matrix.nonZeros());
  write_int(file, name + "/m", matrix.rows());
  write_int(file, name + "/n", matrix.cols());
  write_int(file, name + "/nz", kByRows);
  const std::span<const int> p(matrix.outerIndexPtr(), matrix.rows() + 1);
  const std::span<const int> i(matrix.innerIndexPtr(), matrix.nonZeros());
  const std::span<const double> x(matrix.valuePtr(), matrix.nonZeros());
  file.write(name + "/p", p, {p.size()});
  file.write(name + "/i", i, {i.size()});
  file.write(name + "/x", x, {x.size()});
}

void write_info(ArrayFile& file, const std::string& group) {
  file.write_fixed_text(group + "/info/title", "Touchstone");
  file.write_fixed_text(group + "/info/description", "written by touchstone");
  file.write_fixed_text(group + "/info/math_info", "");
}

void refuse_equations(const ArrayFile& file, const std::string& group) {
  for (const char* name : {"V", "R", "G"}) {
    if (file.has(group + "/" + name))
      throw ProblemFileError(group + "/" + name + ": problems with equations are not read");
  }
}

StoredProblem read_local(const ArrayFile& file) {
  refuse_equations(file, "fclib_local");
  FrictionProblem problem;
  problem.dimension = read_int(file, "fclib_local/spacedim");
  problem.W = read_matrix(file, "fclib_local/W");
  problem.q = read_vector(file, "fclib_local/vectors/q");
  problem.mu = read_vector(file, "fclib_local/vectors/mu");
  StoredProblem stored{std::move(problem), {}};
  if (file.has("solution/r")) stored.solution = read_vector(file, "solution/r");
  return stored;
}

StoredProblem read_global(const ArrayFile& file) {
  refuse_equations(file, "fclib_global");
  GlobalFrictionProblem problem;
  problem.dimension = read_int(file, "fclib_global/spacedim");
  problem.M = read_matrix(file, "fclib_global/M");
  problem.H = read_matrix(file, "fclib_global/H");
  problem.f = read_vector(file, "fclib_global/vectors/f");
  problem.w = read_vector(file, "fclib_global/vectors/w");
  problem.mu = read_vector(file, "fclib_global/vectors/mu");
  StoredProblem stored{std::move(problem), {}};
  if (file.has("solution/r") && file.has("solution/v")) {
    const VectorX v = read_vector(file, "solution/v"), r = read_vector(file, "solution/r");
    stored.solution.emplace(v.size() + r.size()) << v, r;
  }
  return stored;
}

void write_local(ArrayFile& file, const FrictionProblem& problem, const std::optional<VectorX>& solution) {
  assert(problem.W.rows() == problem.q.size() && problem.q.size() == problem.dimension * problem.mu.size());
  write_int(file, "fclib_local/spacedim", problem.dimension);
  write_matrix(file, "fclib_local/W", problem.W.to_sparse());
  write_vector(file, "fclib_local/vectors/q", problem.q);
  write_vector(file, "fclib_local/vectors/mu", problem.mu);
  write_info(file, "fclib_local");
  if (!solution) return;
  assert(solution->size() == problem.q.size());
  write_vector(file, "solution/r", *solution);
  write_vector(file, "solution/u", problem.W * *solution + problem.q);
}

void write_global(ArrayFile& file, const GlobalFrictionProblem& problem,
                  const std::optional<VectorX>& solution) {
  assert(problem.H.rows() == problem.f.size() && problem.H.cols() == problem.w.size());
  write_int(file, "fclib_global/spacedim", problem.dimension);
  write_matrix(file, "fclib_global/M", problem.M);
  write_matrix(file, "fclib_global/H", problem.H);
  write_vector(file, "fclib_global/vectors/f", problem.f);
  write_vector(file, "fclib_global/vectors/w", problem.w);
  write_vector(file, "fclib_global/vectors/mu", problem.mu);
  write_info(file, "fclib_global");
  if (!solution) return;
  assert(solution->size() == problem.f.size() + problem.w.size());
  const VectorX v = solution->head(problem.f.size()), r = solution->tail(problem.w.size());
  write_vector(file, "solution/v", v);
  write_vector(file, "solution/r", r);
  write_vector(file, "solution/u", problem.H.transpose() * v + problem.w);
}

}  // namespace

bool holds_fclib_problem(const ArrayFile& file) {
  return file.has("fclib_local") || file.has("fclib_global");
}

StoredProblem problem_of_fclib(const ArrayFile& file) {
  return file.has("fclib_local") ? read_local(file) : read_global(file);
}

void write_fclib(ArrayFile& file, const StoredProblem& stored) {
  if (const auto* local = std::get_if<FrictionProblem>(&stored.problem)) {
    write_local(file, *local, stored.solution);
  } else if (const auto* global = std::get_if<GlobalFrictionProblem>(&stored.problem)) {
    write_global(file, *global, stored.solution);
  } else {
    throw ProblemFileError("FCLIB's layout holds friction problems only, not " + kind_of(stored.problem));
  }
}

}  // namespace touchstone
