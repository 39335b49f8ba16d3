#include "convert.h"

#include <cmath>

#include "shape.h"
#include "touchstone/scene/bad_input.h"

namespace touchstone::python {
namespace {

using nlohmann::json;

/// Values within values: deeper is a value that holds itself.
constexpr int kDeepest = 64;
constexpr std::size_t kLongestShown = 60;

[[noreturn]] void wrong_kind(py::handle value, const std::string& name, const std::string& expected) {
  throw py::type_error(name + ": expected " + expected + ", got " + shown(value));
}
[[noreturn]] void wrong_value(py::handle value, const std::string& name, const std::string& expected) {
  throw BadInput(name + ": expected " + expected + ", got " + shown(value));
}

/// The value as an array of whatever it holds; null where numpy cannot make one.
py::array as_array(py::handle value) {
  py::array made = py::array::ensure(value);
  if (!made) PyErr_Clear();
  return made;
}

bool is_real(const py::array& array) {
  const char kind = array.dtype().kind();
  return kind == 'f' || kind == 'i' || kind == 'u';
}

std::string count_of(int n, const char* what) { return std::to_string(n) + " " + what; }

/// numpy's own flag, NPY_ARRAY_WRITEABLE.
void freeze(py::array& array) {
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
}

}  // namespace

std::string shown(py::handle value) {
  if (py::isinstance<py::array>(value)) {
    return "an array of shape " + py::str(value.attr("shape")).cast<std::string>();
  }
  std::string text = py::repr(value).cast<std::string>();
  if (text.size() > kLongestShown) text = text.substr(0, kLongestShown) + "...";
  return text;
}

Reals to_reals(py::handle value, const std::string& name, Range range) {
  const py::array any = as_array(value);
  const bool numbers = any && (is_real(any) || any.size() == 0);
  if (!numbers) wrong_kind(value, name, "real numbers");
  Reals reals = Reals::ensure(any);
  if (!reals) throw py::error_already_set();
  for (py::ssize_t i = 0; i < reals.size(); ++i) {
    const double x = reals.data()[i];
    if (std::isnan(x) || (range == Range::finite && std::isinf(x))) {
      throw BadInput(name + ": expected " + (range == Range::finite ? "finite " : "") + "numbers, got " +
                     std::to_string(x));
    }
  }
  return reals;
}

double to_real(py::handle value, const std::string& name) {
  const Reals reals = to_reals(value, name);
  if (reals.ndim() != 0) wrong_value(value, name, "a number");
  return *reals.data();
}

VectorX to_numbers(py::handle value, const std::string& name) {
  const Reals reals = to_reals(value, name);
  if (reals.ndim() != 1) wrong_value(value, name, "a list of numbers");
  return Eigen::Map<const VectorX>(reals.data(), reals.size());
}

namespace {

ProblemMatrix sparse_matrix(py::handle value, const std::string& name) {
  const py::object coo = value.attr("tocoo")();
  const py::tuple shape = coo.attr("shape");
  const VectorX data = to_numbers(coo.attr("data"), name);
  const VectorX rows = to_numbers(coo.attr("row"), name), cols = to_numbers(coo.attr("col"), name);
  std::vector<Eigen::Triplet<double>> entries;
  for (Eigen::Index i = 0; i < data.size(); ++i) {
    entries.emplace_back(static_cast<int>(rows[i]), static_cast<int>(cols[i]), data[i]);
  }
  SparseMatrix matrix(shape[0].cast<int>(), shape[1].cast<int>());
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

}  // namespace

ProblemMatrix to_matrix(py::handle value, const std::string& name) {
  if (py::hasattr(value, "tocoo")) return sparse_matrix(value, name);
  const Reals reals = to_reals(value, name);
  if (reals.ndim() != 2) wrong_value(value, name, "a matrix");
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return MatrixX(Eigen::Map<const RowMajor>(reals.data(), reals.shape(0), reals.shape(1)));
}

std::vector<bool> to_flags(py::handle value, const std::string& name) {
  const py::array array = as_array(value);
  const bool fits = array && array.ndim() == 1 && (array.dtype().kind() == 'b' || array.size() == 0);
  if (!fits) wrong_kind(value, name, "a list of True and False");
  std::vector<bool> flags;
  for (const py::handle flag : array) flags.push_back(py::bool_(py::reinterpret_borrow<py::object>(flag)));
  return flags;
}

template <int N>
Vec<N> to_vector(py::handle value, const std::string& name) {
  const Reals reals = to_reals(value, name);
  if (reals.ndim() != 1 || reals.size() != N) wrong_value(value, name, count_of(N, "numbers"));
  return Eigen::Map<const Vec<N>>(reals.data());
}

template <int D>
std::vector<Vec<D>> to_points(py::handle value, const std::string& name) {
  const Reals reals = to_reals(value, name);
  if (reals.ndim() != 2 || reals.shape(1) != D)
    wrong_value(value, name, "points of " + count_of(D, "numbers"));
  std::vector<Vec<D>> points(reals.shape(0));
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = Eigen::Map<const Vec<D>>(reals.data() + i * D);
  return points;
}

template <>
Spin<2> to_spin<2>(py::handle value, const std::string& name) {
  return Spin<2>(to_real(value, name));
}
template <>
Spin<3> to_spin<3>(py::handle value, const std::string& name) {
  return to_vector<3>(value, name);
}

std::string to_path(py::handle value, const std::string& name) {
  if (py::isinstance<py::str>(value)) return value.cast<std::string>();
  if (py::hasattr(value, "__fspath__")) return py::str(value.attr("__fspath__")()).cast<std::string>();
  wrong_kind(value, name, "a path");
}

py::array from_vector(const Eigen::Ref<const VectorX>& x, bool frozen) {
  py::array made = py::array_t<double>(x.size(), x.data());
  if (frozen) freeze(made);
  return made;
}

py::array from_matrix(const Eigen::Ref<const MatrixX>& M, bool frozen) {
  py::array_t<double> made({M.rows(), M.cols()});
  auto entry = made.mutable_unchecked<2>();
  for (Eigen::Index i = 0; i < M.rows(); ++i) {
    for (Eigen::Index j = 0; j < M.cols(); ++j) entry(i, j) = M(i, j);
  }
  if (frozen) freeze(made);
  return made;
}

template <int D>
py::array from_points(const std::vector<Vec<D>>& points) {
  py::array_t<double> made({static_cast<py::ssize_t>(points.size()), py::ssize_t{D}});
  for (std::size_t i = 0; i < points.size(); ++i) {
    Eigen::Map<Vec<D>>(made.mutable_data() + i * D) = points[i];
  }
  return made;
}

// ---- structured values -----------------------------------------------------------------------------------

namespace {

json json_at(py::handle value, const std::string& name, int depth);

json json_of_dict(py::handle value, const std::string& name, int depth) {
  json made = json::object();
  for (const auto& [key, member] : py::reinterpret_borrow<py::dict>(value)) {
    if (!py::isinstance<py::str>(key)) wrong_kind(key, name, "texts as keys");
    const std::string word = key.cast<std::string>();
    made[word] = json_at(member, name + "." + word, depth + 1);
  }
  return made;
}

json json_of_list(py::handle value, const std::string& name, int depth) {
  json made = json::array();
  for (const py::handle element : py::reinterpret_borrow<py::sequence>(value)) {
    made.push_back(json_at(element, name + "[" + std::to_string(made.size()) + "]", depth + 1));
  }
  return made;
}

json json_of_number(py::handle value, const std::string& name) {
  const double x = value.cast<double>();
  if (!std::isfinite(x)) wrong_value(value, name, "a finite number");
  return x;
}

json json_of_integer(py::handle value, const std::string& name) {
  try {
    return value.cast<std::int64_t>();
  } catch (const py::cast_error&) {
    wrong_value(value, name, "an integer of 64 bits");
  }
}

json json_at(py::handle value, const std::string& name, int depth) {
  if (depth > kDeepest) throw BadInput(name + ": is nested too deeply");
  if (value.is_none()) return nullptr;
  if (py::isinstance<PyShape>(value)) return value.cast<const PyShape&>().definition();
  if (py::isinstance<py::bool_>(value)) return value.cast<bool>();
  if (py::isinstance<py::str>(value)) return value.cast<std::string>();
  if (py::isinstance<py::int_>(value)) return json_of_integer(value, name);
  if (py::isinstance<py::float_>(value)) return json_of_number(value, name);
  if (py::isinstance<py::dict>(value)) return json_of_dict(value, name, depth);
  // Arrays and numbers of numpy know how to become lists and numbers of Python.
  if (py::hasattr(value, "tolist")) return json_at(value.attr("tolist")(), name, depth + 1);
  if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value))
    return json_of_list(value, name, depth);
  if (py::hasattr(value, "__fspath__")) return to_path(value, name);
  wrong_kind(value, name, "a number, text, list, dict, array or Shape");
}

}  // namespace

json to_json(py::handle value, const std::string& name) { return json_at(value, name, 0); }

py::object from_json(const json& value) {
  switch (value.type()) {
    case json::value_t::object: {
      py::dict made;
      for (const auto& [key, member] : value.items()) made[py::str(key)] = from_json(member);
      return made;
    }
    case json::value_t::array: {
      py::list made;
      for (const json& element : value) made.append(from_json(element));
      return made;
    }
    case json::value_t::string:
      return py::str(value.get<std::string>());
    case json::value_t::boolean:
      return py::bool_(value.get<bool>());
    case json::value_t::number_float:
      return py::float_(value.get<double>());
    case json::value_t::number_integer:
    case json::value_t::number_unsigned:
      return py::int_(value.get<std::int64_t>());
    default:
      return py::none();
  }
}

template Vec<2> to_vector<2>(py::handle, const std::string&);
template Vec<3> to_vector<3>(py::handle, const std::string&);
template Vec<4> to_vector<4>(py::handle, const std::string&);
template std::vector<Vec<2>> to_points<2>(py::handle, const std::string&);
template std::vector<Vec<3>> to_points<3>(py::handle, const std::string&);
template py::array from_points<2>(const std::vector<Vec<2>>&);
template py::array from_points<3>(const std::vector<Vec<3>>&);

}  // namespace touchstone::python
