#include "touchstone/problems/problem_file_hdf5.h"

#include <cassert>

#include "touchstone/problems/problem_file_fields.h"

namespace touchstone {
namespace {

constexpr const char* kFormat = "touchstone-problem";
constexpr std::int64_t kVersion = 1;

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

MatrixX read_dense(const ArrayFile& file, const std::string& name) {
  const Extents extents = file.extents(name);
  if (extents.size() != 2) refuse(name, "a matrix");
  const std::vector<double> values = file.read<double>(name);
  assert(values.size() == extents[0] * extents[1]);
  return Eigen::Map<const RowMajor>(values.data(), extents[0], extents[1]);
}

SparseMatrix read_sparse(const ArrayFile& file, const std::string& name) {
  const auto size = file.read<std::int32_t>(name + "/size");
  const auto row = file.read<std::int32_t>(name + "/row"), col = file.read<std::int32_t>(name + "/column");
  const auto value = file.read<double>(name + "/value");
  if (size.size() != 2 || size[0] < 0 || size[1] < 0) refuse(name + "/size", "rows and columns");
  if (row.size() != value.size() || col.size() != value.size())
    refuse(name, "as many rows, columns and values");
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (row[i] < 0 || row[i] >= size[0] || col[i] < 0 || col[i] >= size[1])
      refuse(name, "entry " + std::to_string(i) + " inside the matrix");
    entries.emplace_back(row[i], col[i], value[i]);
  }
  SparseMatrix matrix(size[0], size[1]);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

class Hdf5FieldReader {
 public:
  explicit Hdf5FieldReader(const ArrayFile& file) : file_(file) {}

  void operator()(const std::string& name, int& part) {
    const auto values = file_.read<std::int32_t>(name);
    if (values.size() != 1) refuse(name, "one number");
    part = values[0];
  }
  void operator()(const std::string& name, VectorX& part) { part = read_vector(file_, name); }
  void operator()(const std::string& name, SparseMatrix& part) {
    part =
        file_.is_group(name) ? read_sparse(file_, name) : ProblemMatrix(read_dense(file_, name)).to_sparse();
  }
  void operator()(const std::string& name, ProblemMatrix& part) {
    if (file_.is_group(name)) {
      part = read_sparse(file_, name);
    } else {
      part = read_dense(file_, name);
    }
  }
  void operator()(const std::string& name, std::vector<bool>& part) {
    for (const std::uint8_t flag : file_.read<std::uint8_t>(name)) part.push_back(flag != 0);
  }

 private:
  const ArrayFile& file_;
};

class Hdf5FieldWriter {
 public:
  explicit Hdf5FieldWriter(ArrayFile& file) : file_(file) {}

  void operator()(const std::string& name, int part) { file_.write_scalar<std::int32_t>(name, part); }
  void operator()(const std::string& name, const VectorX& part) { write_vector(file_, name, part); }
  void operator()(const std::string& name, const SparseMatrix& part) {
    std::vector<std::int32_t> row, col;
    std::vector<double> value;
    for (int i = 0; i < part.outerSize(); ++i) {
      for (SparseMatrix::InnerIterator entry(part, i); entry; ++entry) {
        row.push_back(static_cast<std::int32_t>(entry.row()));
        col.push_back(static_cast<std::int32_t>(entry.col()));
        value.push_back(entry.value());
      }
    }
    assert(static_cast<Eigen::Index>(value.size()) == part.nonZeros());
    file_.write(name + "/size", std::vector<std::int32_t>{int(part.rows()), int(part.cols())});
    file_.write(name + "/row", row);
    file_.write(name + "/column", col);
    file_.write(name + "/value", value);
  }
  void operator()(const std::string& name, const ProblemMatrix& part) {
    if (part.is_sparse()) return (*this)(name, part.sparse());
    const RowMajor rows = part.dense();
    file_.write(name, std::span<const double>(rows.data(), rows.size()),
                {static_cast<std::size_t>(rows.rows()), static_cast<std::size_t>(rows.cols())});
  }
  void operator()(const std::string& name, const std::vector<bool>& part) {
    file_.write(name, std::vector<std::uint8_t>(part.begin(), part.end()));
  }

 private:
  ArrayFile& file_;
};

}  // namespace

VectorX read_vector(const ArrayFile& file, const std::string& name) {
  const std::vector<double> values = file.read<double>(name);
  return Eigen::Map<const VectorX>(values.data(), values.size());
}

void write_vector(ArrayFile& file, const std::string& name, const VectorX& vector) {
  file.write(name, std::vector<double>(vector.begin(), vector.end()));
}

bool holds_own_problem(const ArrayFile& file) {
  return file.has_attribute("", "format") && file.attribute<std::string>("", "format") == kFormat;
}

StoredProblem problem_of_hdf5(const ArrayFile& file) {
  if (file.attribute<std::int64_t>("", "version") != kVersion)
    refuse("version", "1: this program knows no other");
  StoredProblem stored{empty_problem(file.attribute<std::string>("", "kind")), {}};
  Hdf5FieldReader reader(file);
  std::visit([&](auto& problem) { visit_fields(reader, problem); }, stored.problem);
  if (file.has("solution")) stored.solution = read_vector(file, "solution");
  return stored;
}

void write_problem_hdf5(ArrayFile& file, const StoredProblem& stored) {
  file.set_attribute("", "format", std::string(kFormat));
  file.set_attribute("", "version", kVersion);
  file.set_attribute("", "kind", kind_of(stored.problem));
  Hdf5FieldWriter writer(file);
  Problem problem = stored.problem;
  std::visit([&](auto& p) { visit_fields(writer, p); }, problem);
  if (stored.solution) write_vector(file, "solution", *stored.solution);
}

}  // namespace touchstone
