#pragma once
// Shapes and poses as Python holds them: of either dimension.

#include <memory>
#include <optional>
#include <variant>

#include "convert.h"
#include "touchstone/geometry/shapes.h"
#include "touchstone/math/pose.h"

namespace touchstone::python {

template <int D>
using SharedShape = std::shared_ptr<const Shape<D>>;

struct PyShape {
  std::variant<SharedShape<2>, SharedShape<3>> shape;
  nlohmann::json told;  ///< its definition, where it was made from one

  int dimension() const { return shape.index() == 0 ? 2 : 3; }
  nlohmann::json definition() const;  ///< as a scene file says it
};

struct PyPose {
  std::variant<Pose<2>, Pose<3>> pose;

  int dimension() const { return pose.index() == 0 ? 2 : 3; }
};

/// A shape as it was given to a function: made already, or not yet, for its dimension may depend on others.
struct GivenShape {
  const PyShape* made = nullptr;
  nlohmann::json definition;

  std::optional<int> dimension() const;
};
/// From a Shape, a dict, a word such as "box:2,2,2", a mesh path or an array of points.
GivenShape to_given_shape(py::handle value, const std::string& name);
/// Throws BadInput where it is of another dimension.
template <int D>
SharedShape<D> make_shape(const GivenShape& given, const std::string& name);
PyShape make_py_shape(const GivenShape& given, int dimension, const std::string& name);

/// The dimension that a pose (None, Pose, dict, position, matrix) tells.
std::optional<int> dimension_of_given_pose(py::handle value, const std::string& name);
template <int D>
Pose<D> to_pose(py::handle value, const std::string& name);

}  // namespace touchstone::python
