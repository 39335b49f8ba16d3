#include "touchstone/problems/problem_json.h"

#include <cassert>
#include <nlohmann/json.hpp>

#include "touchstone/problems/problem_file_fields.h"

namespace touchstone {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;
constexpr const char* kVersionKey = "touchstone_problem";

double number_of(const Json& value, const std::string& field) {
  if (!value.is_number()) refuse(field, "a number");
  return value.get<double>();
}

int index_of(const Json& value, const std::string& field) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > 0x7fffffff) refuse(field, "a whole number");
  return value.get<int>();
}

std::string at(const std::string& field, std::size_t i) { return field + "[" + std::to_string(i) + "]"; }

VectorX vector_of(const Json& value, const std::string& field) {
  if (!value.is_array()) refuse(field, "a list of numbers");
  VectorX vector(value.size());
  for (std::size_t i = 0; i < value.size(); ++i) vector[i] = number_of(value[i], at(field, i));
  return vector;
}

MatrixX dense_of(const Json& value, const std::string& field) {
  const std::size_t cols = value.empty() || !value[0].is_array() ? 0 : value[0].size();
  MatrixX matrix(value.size(), cols);
  for (std::size_t i = 0; i < value.size(); ++i) {
    const VectorX row = vector_of(value[i], at(field, i));
    if (row.size() != matrix.cols()) refuse(at(field, i), std::to_string(cols) + " numbers");
    matrix.row(i) = row;
  }
  return matrix;
}

SparseMatrix sparse_of(const Json& value, const std::string& field) {
  if (!value.contains("rows") || !value.contains("cols") || !value.contains("entries"))
    refuse(field, "{\"rows\", \"cols\", \"entries\": [[row, column, value], ...]}");
  const int rows = index_of(value["rows"], field + ".rows"), cols = index_of(value["cols"], field + ".cols");
  const Json& list = value["entries"];
  if (!list.is_array()) refuse(field + ".entries", "a list of [row, column, value]");
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string entry = at(field + ".entries", i);
    if (!list[i].is_array() || list[i].size() != 3) refuse(entry, "[row, column, value]");
    const int row = index_of(list[i][0], entry), col = index_of(list[i][1], entry);
    if (row >= rows || col >= cols) refuse(entry, "a row and a column of the matrix, counted from 0");
    entries.emplace_back(row, col, number_of(list[i][2], entry));
  }
  SparseMatrix matrix(rows, cols);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

class JsonFieldReader {
 public:
  explicit JsonFieldReader(const Json& object) : object_(object) {}

  void operator()(const std::string& name, int& part) { part = index_of(find(name), name); }
  void operator()(const std::string& name, VectorX& part) { part = vector_of(find(name), name); }
  void operator()(const std::string& name, ProblemMatrix& part) {
    const Json& value = find(name);
    if (value.is_object()) {
      part = sparse_of(value, name);
    } else if (value.is_array()) {
      part = dense_of(value, name);
    } else {
      refuse(name, "a list of rows or a sparse matrix");
    }
  }
  void operator()(const std::string& name, SparseMatrix& part) {
    ProblemMatrix matrix;
    (*this)(name, matrix);
    part = matrix.to_sparse();
  }
  void operator()(const std::string& name, std::vector<bool>& part) {
    const Json& value = find(name);
    if (!value.is_array()) refuse(name, "a list of true and false");
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (!value[i].is_boolean()) refuse(at(name, i), "true or false");
      part.push_back(value[i].get<bool>());
    }
  }

 private:
  const Json& find(const std::string& name) const {
    const auto found = object_.find(name);
    if (found == object_.end()) throw ProblemFileError("the field \"" + name + "\" is missing");
    return *found;
  }
  const Json& object_;
};

Json json_of(const VectorX& vector) { return std::vector<double>(vector.begin(), vector.end()); }

Json json_of(const MatrixX& matrix) {
  Json rows = Json::array();
  for (const auto& row : matrix.rowwise()) rows.push_back(json_of(VectorX(row.transpose())));
  return rows;
}

Json json_of(const SparseMatrix& matrix) {
  Json entries = Json::array();
  for (int i = 0; i < matrix.outerSize(); ++i) {
    for (SparseMatrix::InnerIterator entry(matrix, i); entry; ++entry)
      entries.push_back(Json::array({entry.row(), entry.col(), entry.value()}));
  }
  assert(static_cast<Eigen::Index>(entries.size()) == matrix.nonZeros());
  return {{"rows", matrix.rows()}, {"cols", matrix.cols()}, {"entries", entries}};
}

class JsonFieldWriter {
 public:
  explicit JsonFieldWriter(Json& object) : object_(object) {}

  void operator()(const std::string& name, int part) { object_[name] = part; }
  void operator()(const std::string& name, const VectorX& part) { object_[name] = json_of(part); }
  void operator()(const std::string& name, const SparseMatrix& part) { object_[name] = json_of(part); }
  void operator()(const std::string& name, const ProblemMatrix& part) {
    // A list of no rows would not tell how many columns there are.
    const bool listed = !part.is_sparse() && part.rows() > 0;
    object_[name] = listed ? json_of(part.dense()) : json_of(part.to_sparse());
  }
  void operator()(const std::string& name, const std::vector<bool>& part) { object_[name] = part; }

 private:
  Json& object_;
};

/// The reader's own words, with line and column, without its tag.
std::string trouble_of(const Json::exception& error) {
  const std::string text = error.what();
  const std::size_t place = text.find("at line ");
  return place == std::string::npos ? text : text.substr(place + 3);
}

Json object_of(std::string_view text) {
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    throw ProblemFileError("not JSON: " + trouble_of(error));
  }
}

}  // namespace

StoredProblem problem_of_json(std::string_view text) {
  const Json object = object_of(text);
  if (!object.is_object() || !object.contains(kVersionKey))
    throw ProblemFileError(std::string("expected an object with \"") + kVersionKey + "\": 1");
  if (object[kVersionKey] != kVersion) refuse(kVersionKey, "1: this program knows no other version");
  if (!object.contains("kind") || !object["kind"].is_string()) refuse("kind", "a text such as \"lcp\"");
  StoredProblem stored{empty_problem(object["kind"].get<std::string>()), {}};
  JsonFieldReader reader(object);
  std::visit([&](auto& problem) { visit_fields(reader, problem); }, stored.problem);
  if (object.contains("solution")) stored.solution = vector_of(object["solution"], "solution");
  return stored;
}

std::string json_of_problem(const StoredProblem& stored) {
  Json object = {{kVersionKey, kVersion}, {"kind", kind_of(stored.problem)}};
  JsonFieldWriter writer(object);
  Problem problem = stored.problem;
  std::visit([&](auto& p) { visit_fields(writer, p); }, problem);
  if (stored.solution) object["solution"] = json_of(*stored.solution);
  return object.dump() + "\n";
}

}  // namespace touchstone
