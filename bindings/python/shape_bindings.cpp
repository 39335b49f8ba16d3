// Shape and Pose.

#include <algorithm>

#include "module.h"

#include <nlohmann/json.hpp>
#include "shape.h"
#include "touchstone/geometry/bounds.h"
#include "touchstone/geometry/mass_properties.h"
#include "touchstone/geometry/mesh_file.h"
#include "touchstone/math/attitude.h"
#include "touchstone/scene/json_text.h"
#include "touchstone/scene/shape_reader.h"

namespace touchstone::python {
namespace {

using nlohmann::json;

template <class Action>
auto with_shape(const PyShape& shape, const Action& action) {
  return std::visit([&](const auto& shared) { return action(*shared); }, shape.shape);
}

/// The polytope, or a refusal that says what the shape is.
template <int D>
const Polytope<D>& polytope_of(const Shape<D>& shape, const char* what) {
  if (const Polytope<D>* P = touchstone::polytope_of(shape)) return *P;
  throw BadInput(std::string("a ") + name_of(shape) + " has no " + what);
}

int read_dimension(py::handle value) {
  if (!py::isinstance<py::int_>(value))
    throw py::type_error("dimension: expected 2 or 3, got " + shown(value));
  const long dimension = value.cast<long>();
  if (dimension != 2 && dimension != 3) throw BadInput("dimension: expected 2 or 3, got " + shown(value));
  return static_cast<int>(dimension);
}

PyShape new_shape(py::handle definition, py::handle dimension) {
  const GivenShape given = to_given_shape(definition, "shape");
  const int fallback = given.dimension().value_or(3);
  return make_py_shape(given, dimension.is_none() ? fallback : read_dimension(dimension), "shape");
}

template <int D>
PyShape shape_of(Polytope<D> P) {
  return {std::make_shared<const Shape<D>>(std::move(P)), {}};
}

std::vector<std::vector<int>> to_faces(py::handle value) {
  if (!py::isinstance<py::sequence>(value) || py::isinstance<py::str>(value)) {
    throw py::type_error("faces: expected lists of vertex numbers, got " + shown(value));
  }
  std::vector<std::vector<int>> faces;
  for (const py::handle face : py::reinterpret_borrow<py::sequence>(value)) {
    const VectorX loop = to_numbers(face, "faces[" + std::to_string(faces.size()) + "]");
    faces.emplace_back();
    for (const double index : loop) faces.back().push_back(static_cast<int>(index));
  }
  return faces;
}

PyShape shape_of_faces(py::handle points, py::handle faces) {
  const Reals reals = to_reals(points, "points");
  if (reals.ndim() == 2 && reals.shape(1) == 2) {
    return shape_of(Polytope<2>::from_faces(to_points<2>(points, "points"), to_faces(faces)));
  }
  return shape_of(Polytope<3>::from_faces(to_points<3>(points, "points"), to_faces(faces)));
}

const char* kind_of_shape(const PyShape& shape) {
  return with_shape(shape, [](const auto& s) { return name_of(s); });
}

template <int D>
py::array vertices_of(const Shape<D>& shape) {
  const auto vertices = polytope_of<D>(shape, "vertices").vertices();
  return from_points<D>({vertices.begin(), vertices.end()});
}

template <int D>
py::list faces_of(const Shape<D>& shape) {
  const Polytope<D>& P = polytope_of<D>(shape, "faces");
  py::list faces;
  for (int f = 0; f < P.facet_count(); ++f) {
    const auto loop = P.facet_vertices(f);
    faces.append(from_list(std::vector<int>(loop.begin(), loop.end())));
  }
  return faces;
}

template <int D>
py::array edges_of(const Shape<D>& shape) {
  const Polytope<D>& P = polytope_of<D>(shape, "edges");
  py::array_t<int> edges({py::ssize_t{P.edge_count()}, py::ssize_t{2}});
  auto at = edges.mutable_unchecked<2>();
  for (int e = 0; e < P.edge_count(); ++e) at(e, 0) = P.edge(e).tail, at(e, 1) = P.edge(e).head;
  return edges;
}

template <int D>
py::tuple planes_of(const Shape<D>& shape) {
  std::vector<Vec<D>> normals;
  std::vector<double> offsets;
  for (const Plane<D>& plane : polytope_of<D>(shape, "facets").facet_planes()) {
    normals.push_back(plane.normal), offsets.push_back(plane.offset);
  }
  return py::make_tuple(from_points<D>(normals), from_list(offsets));
}

template <int D>
MassProperties<D> mass_of(const Shape<D>& shape) {
  return find_mass_properties(polytope_of<D>(shape, "mass properties here: only polytopes have"));
}

std::string shape_text(const PyShape& shape) {
  std::string text = shape.definition().dump();
  constexpr std::size_t kLongest = 70;
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
  return "Shape(" + text + ", dimension=" + std::to_string(shape.dimension()) + ")";
}

// ---- poses -----------------------------------------------------------------------------------------------

PyPose new_pose(py::handle position, const py::kwargs& turned) {
  if (py::isinstance<PyPose>(position)) return position.cast<PyPose>();
  json value = to_json(turned, "pose");
  value.erase("dimension");
  if (!position.is_none()) value["position"] = to_json(position, "position");
  int dimension = dimension_of_pose(value).value_or(3);
  if (turned.contains("dimension")) dimension = read_dimension(turned["dimension"]);
  if (dimension == 2) return {read_pose<2>(value, "pose")};
  return {read_pose<3>(value, "pose")};
}

template <int D>
py::array matrix_of(const Pose<D>& X) {
  MatrixX T = MatrixX::Identity(D + 1, D + 1);
  T.topLeftCorner(D, D) = X.R;
  T.topRightCorner(D, 1) = X.p;
  return from_matrix(T);
}

py::object orientation_of(const Pose<2>& X) { return py::float_(Attitude<2>::from(X.R).angle); }
py::object orientation_of(const Pose<3>& X) {
  const Eigen::Quaterniond q = Attitude<3>::from(X.R).q;
  return from_vector(Vec<4>(q.w(), q.x(), q.y(), q.z()), true);
}

template <int D>
py::object product(const Pose<D>& X, py::handle other) {
  if (py::isinstance<PyPose>(other)) return py::cast(PyPose{X * to_pose<D>(other, "pose")});
  const Reals reals = to_reals(other, "point");
  if (reals.ndim() == 1) return from_vector(Vec<D>(X * to_vector<D>(other, "point")));
  std::vector<Vec<D>> points = to_points<D>(other, "points");
  for (Vec<D>& point : points) point = X * point;
  return from_points<D>(points);
}

template <class Action>
auto with_pose(const PyPose& pose, const Action& action) {
  return std::visit(action, pose.pose);
}

void bind_pose(py::module_& m) {
  py::class_<PyPose>(m, "Pose", R"(Where a frame lies in the world: p_world = rotation p + position.

Pose([0, 1]), Pose([0, 1], angle=0.3) in the plane; Pose([0, 0, 1]), Pose([0, 0, 1], quaternion=[w, x, y, z]),
axis_angle=[x, y, z, angle] or euler=[x, y, z] (R = Rz Ry Rx) in space. Lengths in metres, angles in radians.)")
      .def(py::init(&new_pose), py::arg("position") = py::none())
      .def_property_readonly("dimension", &PyPose::dimension, "2 or 3")
      .def_property_readonly(
          "position",
          [](const PyPose& X) { return with_pose(X, [](const auto& x) { return from_vector(x.p, true); }); },
          "origin of the frame in the world [m]")
      .def_property_readonly(
          "rotation",
          [](const PyPose& X) { return with_pose(X, [](const auto& x) { return from_matrix(x.R, true); }); },
          "rotation matrix; its columns are the axes of the frame in the world")
      .def_property_readonly(
          "orientation",
          [](const PyPose& X) { return with_pose(X, [](const auto& x) { return orientation_of(x); }); },
          "angle [rad] in the plane, unit quaternion (w, x, y, z) in space")
      .def_property_readonly(
          "matrix", [](const PyPose& X) { return with_pose(X, [](const auto& x) { return matrix_of(x); }); },
          "homogeneous matrix")
      .def(
          "inverse",
          [](const PyPose& X) { return with_pose(X, [](const auto& x) { return PyPose{x.inverse()}; }); },
          "The pose of the world in the frame.")
      .def(
          "__mul__",
          [](const PyPose& X, py::handle other) {
            return with_pose(X, [&](const auto& x) { return product(x, other); });
          },
          py::arg("other"), "Applied to a Pose, a point or an (n, D) array of points.")
      .def("__repr__", [](const PyPose& X) {
        return "Pose(" + py::repr(py::list(py::cast(X).attr("position"))).cast<std::string>() + ", " +
               py::repr(py::cast(X).attr("orientation")).cast<std::string>() + ")";
      });
}

}  // namespace

#define ON_SHAPE(function) \
  [](const PyShape& s) { return with_shape(s, [](const auto& shape) { return function(shape); }); }

void bind_shapes(py::module_& m) {
  bind_pose(m);
  py::class_<PyShape, std::shared_ptr<PyShape>>(
      m, "Shape", R"(A convex shape: a polygon or polyhedron, a ball, or a half-space.

Shape({"box": [2, 2, 2]}) and every other entry of shapes(); Shape("box:2,2,2"); Shape("part.obj"), a mesh file; Shape(points), the
hull of an (n, D) array. `dimension` is needed only where the definition does for both, as {"sphere": 1} does; then 3 is the default.)")
      .def(py::init(
               [](py::handle definition, py::handle dimension) { return new_shape(definition, dimension); }),
           py::arg("definition"), py::arg("dimension") = py::none())
      .def_static(
          "hull", [](py::handle points) { return new_shape(points, py::none()); }, py::arg("points"),
          "The convex hull of an (n, 2) or (n, 3) array of points [m].")
      .def_static("from_faces", &shape_of_faces, py::arg("points"), py::arg("faces"),
                  "The convex solid that a closed surface bounds; faces are loops of point numbers, "
                  "counter-clockwise seen from outside.")
      .def_static(
          "load", [](py::handle file) { return shape_of(load_polytope(to_path(file, "file"))); },
          py::arg("file"), "A convex polyhedron from a mesh file (OBJ, STL, PLY, OFF, .poly).")
      .def_property_readonly("dimension", &PyShape::dimension, "2 or 3")
      .def_property_readonly("kind", &kind_of_shape, "polytope, sphere or half-space")
      .def_property_readonly(
          "definition", [](const PyShape& s) { return from_json(s.definition()); }, "as a scene file says it")
      .def_property_readonly("vertices", ON_SHAPE(vertices_of), "(n, D) array [m], sorted by coordinates")
      .def_property_readonly("faces", ON_SHAPE(faces_of),
                             "loops of vertex numbers, one per facet; in the plane one pair per edge")
      .def_property_readonly("edges", ON_SHAPE(edges_of), "(n, 2) array of vertex numbers")
      .def_property_readonly(
          "planes", ON_SHAPE(planes_of),
          "(normals, offsets) of the facets; a point x is inside where all normals.x <= offsets")
      .def_property_readonly(
          "volume",
          [](const PyShape& s) {
            return with_shape(s, [](const auto& shape) { return mass_of(shape).volume; });
          },
          "[m^3], in the plane area [m^2]")
      .def_property_readonly(
          "centre",
          [](const PyShape& s) {
            return with_shape(s, [](const auto& shape) { return from_vector(mass_of(shape).centre, true); });
          },
          "centre of mass of the uniform solid [m]")
      .def(
          "inertia",
          [](const PyShape& s, double mass) {
            return with_shape(s,
                              [&](const auto& shape) { return from_matrix(mass_of(shape).inertia(mass)); });
          },
          py::arg("mass"), "Inertia about the centre for this mass [kg m^2]: 3x3, in the plane 1x1.")
      .def("__repr__", &shape_text);
}

}  // namespace touchstone::python
