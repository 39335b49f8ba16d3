#include "shape.h"

#include <nlohmann/json.hpp>

#include "touchstone/scene/names.h"
#include "touchstone/scene/shape_reader.h"

namespace touchstone::python {
namespace {

using nlohmann::json;

/// How far a matrix may be from a rotation: numbers that were written with six digits.
constexpr double kRotationSlack = 1e-6;

template <int D>
json list_of(const Vec<D>& x) {
  json made = json::array();
  for (const double component : x) made.push_back(component);
  return made;
}

template <int D>
json definition_of(const Polytope<D>& P) {
  json points = json::array();
  for (const Vec<D>& vertex : P.vertices()) points.push_back(list_of<D>(vertex));
  return {{"points", points}};
}
template <int D>
json definition_of(const Sphere<D>& sphere) {
  return {{"sphere", sphere.radius}};
}
template <int D>
json definition_of(const HalfSpace<D>& half) {
  const json plane = {{"normal", list_of<D>(half.plane.normal)}, {"offset", half.plane.offset}};
  return {{"half_space", plane}};
}

[[noreturn]] void wrong_dimension(const std::string& name, int is, int expected) {
  throw BadInput(name + ": is " + std::to_string(is) + "D; expected " + std::to_string(expected) + "D");
}

template <int D>
Mat<D> to_rotation(const Mat<D>& R, const std::string& name) {
  const bool proper =
      (R * R.transpose() - Mat<D>::Identity()).cwiseAbs().maxCoeff() <= kRotationSlack && R.determinant() > 0;
  if (!proper) throw BadInput(name + ": expected a rotation, without scaling, shear or mirror");
  return R;
}

template <int D>
Pose<D> pose_of_matrix(const Reals& T, const std::string& name) {
  const auto at = T.unchecked<2>();
  Pose<D> X;
  for (int i = 0; i < D; ++i) {
    for (int j = 0; j < D; ++j) X.R(i, j) = at(i, j);
    X.p[i] = at(i, D);
  }
  for (int j = 0; j <= D; ++j) {
    if (at(D, j) != (j == D))
      throw BadInput(name + ": expected zeros and a one in the last row of the matrix");
  }
  to_rotation<D>(X.R, name);
  return X;
}

}  // namespace

json PyShape::definition() const {
  if (!told.is_null()) return told;
  return std::visit(
      [](const auto& shared) { return std::visit([](const auto& s) { return definition_of(s); }, *shared); },
      shape);
}

std::optional<int> GivenShape::dimension() const {
  return made ? std::optional<int>(made->dimension()) : dimension_of_shape(definition);
}

GivenShape to_given_shape(py::handle value, const std::string& name) {
  if (py::isinstance<PyShape>(value)) return {&value.cast<const PyShape&>(), {}};
  if (py::isinstance<py::str>(value)) return {nullptr, shape_of_word(value.cast<std::string>(), name)};
  if (py::isinstance<py::dict>(value)) return {nullptr, to_json(value, name)};
  if (py::hasattr(value, "__fspath__")) return {nullptr, to_path(value, name)};
  const bool points =
      py::isinstance<py::array>(value) || py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value);
  if (!points) {
    throw py::type_error(
        name + ": expected a Shape, a dict, a text such as 'box:2,2,2', a mesh file or points, got " +
        shown(value));
  }
  const Reals reals = to_reals(value, name);
  if (reals.ndim() != 2 || (reals.shape(1) != 2 && reals.shape(1) != 3)) {
    throw BadInput(name + ": expected points of 2 or 3 numbers, got " + shown(value));
  }
  return {nullptr, {{"points", to_json(reals, name)}}};
}

template <int D>
SharedShape<D> make_shape(const GivenShape& given, const std::string& name) {
  if (!given.made) return std::make_shared<const Shape<D>>(read_shape<D>(given.definition, name, ""));
  if (given.made->dimension() != D) wrong_dimension(name, given.made->dimension(), D);
  return std::get<SharedShape<D>>(given.made->shape);
}

PyShape make_py_shape(const GivenShape& given, int dimension, const std::string& name) {
  if (given.made && given.made->dimension() == dimension) return *given.made;
  if (dimension == 2) return {make_shape<2>(given, name), given.definition};
  return {make_shape<3>(given, name), given.definition};
}

std::optional<int> dimension_of_given_pose(py::handle value, const std::string& name) {
  if (value.is_none()) return std::nullopt;
  if (py::isinstance<PyPose>(value)) return value.cast<const PyPose&>().dimension();
  if (py::isinstance<py::dict>(value)) return dimension_of_pose(to_json(value, name));
  const Reals reals = to_reals(value, name);
  const bool position = reals.ndim() == 1 && (reals.size() == 2 || reals.size() == 3);
  const bool matrix =
      reals.ndim() == 2 && reals.shape(0) == reals.shape(1) && (reals.shape(0) == 3 || reals.shape(0) == 4);
  if (position) return static_cast<int>(reals.size());
  if (matrix) return static_cast<int>(reals.shape(0)) - 1;
  throw BadInput(name + ": expected a Pose, a dict, a position or a matrix, got " + shown(value));
}

template <int D>
Pose<D> to_pose(py::handle value, const std::string& name) {
  const std::optional<int> told = dimension_of_given_pose(value, name);
  if (told && *told != D) wrong_dimension(name, *told, D);
  if (value.is_none()) return {};
  if (py::isinstance<PyPose>(value)) return std::get<Pose<D>>(value.cast<const PyPose&>().pose);
  if (py::isinstance<py::dict>(value)) return read_pose<D>(to_json(value, name), name);
  const Reals reals = to_reals(value, name);
  if (reals.ndim() == 2) return pose_of_matrix<D>(reals, name);
  return {Mat<D>::Identity(), to_vector<D>(value, name)};
}

#define TOUCHSTONE_INSTANTIATE(D)                                               \
  template SharedShape<D> make_shape<D>(const GivenShape&, const std::string&); \
  template Pose<D> to_pose<D>(py::handle, const std::string&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone::python
