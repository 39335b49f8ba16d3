#pragma once
// Values between Python and C++: numbers, arrays, structured values. Every function names the value in its
// messages ("position: expected 3 numbers, got an array of shape (2,)"); wrong kinds are a TypeError, wrong
// shapes and numbers a BadInput.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "touchstone/math/twist.h"
#include "touchstone/solve/problem_matrix.h"

namespace touchstone::python {

namespace py = pybind11;

using Reals = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// "an array of shape (2,)", "None", "'three'": what a user gave, for messages.
std::string shown(py::handle value);

/// An array of real numbers of any shape.
enum class Range { finite, unbounded };
Reals to_reals(py::handle value, const std::string& name, Range range = Range::finite);
double to_real(py::handle value, const std::string& name);
VectorX to_numbers(py::handle value, const std::string& name);
/// Rows of equal length; an object with `tocoo` (a sparse matrix of scipy) stays sparse.
ProblemMatrix to_matrix(py::handle value, const std::string& name);
std::vector<bool> to_flags(py::handle value, const std::string& name);
template <int N>
Vec<N> to_vector(py::handle value, const std::string& name);
template <int D>
std::vector<Vec<D>> to_points(py::handle value, const std::string& name);
/// A number in the plane, three in space.
template <int D>
Spin<D> to_spin(py::handle value, const std::string& name);
/// A path, from a text or an object that stands for one.
std::string to_path(py::handle value, const std::string& name);

/// A copy. `frozen`: read-only, because a value assigned to an element of the copy would be lost.
py::array from_vector(const Eigen::Ref<const VectorX>& x, bool frozen = false);
py::array from_matrix(const Eigen::Ref<const MatrixX>& M, bool frozen = false);
template <int D>
py::object from_spin(const Spin<D>& w) {
  return from_vector(w, true);
}
template <>
inline py::object from_spin<2>(const Spin<2>& w) {
  return py::float_(w[0]);
}
/// Rows of vectors as an (n, D) array.
template <int D>
py::array from_points(const std::vector<Vec<D>>& points);
template <class T>
py::array_t<T> from_list(const std::vector<T>& values) {
  return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
}

/// Structured values: dict, list, tuple, text, number, True, False, None, arrays, and Shapes, which become
/// their definitions.
nlohmann::json to_json(py::handle value, const std::string& name);
py::object from_json(const nlohmann::json& value);

}  // namespace touchstone::python
