// Body, and the list of a simulation's bodies.

#include <algorithm>

#include "handles.h"

#include <nlohmann/json.hpp>
#include "module.h"
#include "report.h"
#include "shape.h"
#include "touchstone/record/recording_details.h"
#include "touchstone/scene/names.h"

namespace touchstone::python {

int find_place(py::handle key, const std::vector<std::string>& names, const char* what) {
  if (!py::isinstance<py::str>(key)) return find_number(key, names.size(), what);
  const std::string name = key.cast<std::string>();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<int>(found - names.begin());
  throw py::key_error("there is no " + std::string(what) + " " + in_quotes(name) +
                      (names.empty() ? "; there are none" : name_hint(name, names)));
}

int find_number(py::handle key, std::size_t size, const char* what) {
  const auto count = static_cast<Py_ssize_t>(size);
  if (!PyIndex_Check(key.ptr()))
    throw py::type_error(std::string("expected the number or the name of a ") + what + ", got " + shown(key));
  const Py_ssize_t given = PyNumber_AsSsize_t(key.ptr(), PyExc_IndexError);
  if (given == -1 && PyErr_Occurred()) throw py::error_already_set();
  const Py_ssize_t place = given < 0 ? given + count : given;
  if (place < 0 || place >= count) {
    throw py::index_error("there is no " + std::string(what) + " " + std::to_string(given) + "; there are " +
                          std::to_string(count));
  }
  return static_cast<int>(place);
}

namespace {

template <int D>
std::vector<Vec<D>> forces_on(PySimulation& simulation, const World<D>& world);

template <class Action>
auto with_body(const BodyHandle& handle, const Action& action) {
  return with_world(handle.link.get(), [&](auto& world) {
    if (handle.index >= static_cast<int>(world.bodies.size())) throw py::index_error("the body is not there");
    return action(world.bodies[handle.index]);
  });
}

// What differs between the plane and space, by overload.
py::object orientation_of(const Body<2>& body) { return py::float_(body.attitude.angle); }
py::object orientation_of(const Body<3>& body) {
  const Eigen::Quaterniond& q = body.attitude.q;
  return from_vector(Vec<4>(q.w(), q.x(), q.y(), q.z()), true);
}

// A function of a template argument that GET could not name.
template <int D>
Vec<D> linear_part(const Body<D>& body) {
  return linear<D>(body.velocity);
}
template <int D>
py::object spin_part(const Body<D>& body) {
  return from_spin<D>(angular<D>(body.velocity));
}
template <int D>
Vec<D> force_part(const Body<D>& body) {
  return linear<D>(body.force);
}
template <int D>
py::object torque_part(const Body<D>& body) {
  return from_spin<D>(angular<D>(body.force));
}

Attitude<2> to_attitude(const Body<2>&, py::handle value) { return {to_real(value, "orientation")}; }
Attitude<3> to_attitude(const Body<3>&, py::handle value) {
  const Vec<4> q = to_vector<4>(value, "orientation");
  if (q.norm() == 0) throw BadInput("orientation: expected a quaternion that is not zero");
  return {Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized()};
}

template <int D>
void set_position(Body<D>& body, py::handle value) {
  body.position = to_vector<D>(value, "position") + body.attitude.matrix() * body.com;
}
/// The body turns about the origin of its frame.
template <int D>
void set_orientation(Body<D>& body, py::handle value) {
  const Vec<D> origin = body.X_WB().p;
  body.attitude = to_attitude(body, value);
  body.position = origin + body.attitude.matrix() * body.com;
}
template <int D>
void set_velocity(Body<D>& body, py::handle value) {
  body.velocity = twist<D>(to_vector<D>(value, "velocity"), angular<D>(body.velocity));
}
template <int D>
void set_angular_velocity(Body<D>& body, py::handle value) {
  body.velocity = twist<D>(linear<D>(body.velocity), to_spin<D>(value, "angular_velocity"));
}
template <int D>
void set_force(Body<D>& body, py::handle value) {
  body.force = twist<D>(to_vector<D>(value, "force"), angular<D>(body.force));
}
template <int D>
void set_torque(Body<D>& body, py::handle value) {
  body.force = twist<D>(linear<D>(body.force), to_spin<D>(value, "torque"));
}
template <int D>
void add_force(Body<D>& body, py::handle force, py::handle point) {
  const Vec<D> at = point.is_none() ? body.position : to_vector<D>(point, "point");
  body.add_force(to_vector<D>(force, "force"), at);
}
template <int D>
void add_torque(Body<D>& body, py::handle torque) {
  body.force += twist<D>(Vec<D>::Zero(), to_spin<D>(torque, "torque"));
}
void set_mass(double& mass, py::handle value) {
  const double given = to_real(value, "mass");
  if (!(given > 0)) throw BadInput("mass: expected a positive number, got " + shown(value));
  mass = given;
}
template <int D>
void set_inertia(Body<D>& body, py::handle value) {
  const MatrixX J = to_matrix(value, "inertia").to_dense();
  constexpr int n = kSpinSize<D>;
  const bool fits =
      J.rows() == n && J.cols() == n && J.isApprox(J.transpose()) && J.determinant() > 0 && J.trace() > 0;
  if (!fits)
    throw BadInput("inertia: expected a symmetric positive " + std::to_string(n) + "x" + std::to_string(n) +
                   " matrix, got " + shown(value));
  body.inertia = J;
}

template <int D>
py::list parts_of(const World<D>& world, int body) {
  py::list parts;
  for (const ContactShape<D>& part : world.shapes) {
    if (part.body != body) continue;
    const Pose<D> X_BC{Mat<D>::Identity(), world.bodies[body].com};
    parts.append(py::make_tuple(PyShape{part.shape, {}}, PyPose{X_BC * part.X_CS}));
  }
  return parts;
}

std::string body_text(const BodyHandle& handle) {
  return with_body(handle, [](auto& body) {
    return "Body(" + in_quotes(body.name) + ", " + text_of(body.kind) + ", position=" +
           py::repr(from_vector(body.X_WB().p).attr("tolist")()).template cast<std::string>() + ")";
  });
}

#define GET(expression) \
  [](const BodyHandle& h) { return with_body(h, [](auto& body) { return expression; }); }
#define SET(function) \
  [](const BodyHandle& h, py::handle value) { with_body(h, [&](auto& body) { function(body, value); }); }

void bind_body(py::module_& m) {
  py::class_<BodyHandle>(
      m, "Body",
      R"(A body of a simulation. Arrays that it gives are copies that cannot be written to: assign whole ones.

Forces and torques hold for the next step.)",
      py::custom_type_setup(collectable<BodyHandle, kVisitLink<BodyHandle>>))
      .def_readonly("index", &BodyHandle::index, "place in the simulation's bodies")
      .def_property_readonly("name", GET(body.name), "its name in the scene")
      .def_property_readonly("kind", GET(std::string(text_of(body.kind))), "dynamic, fixed or scripted")
      .def_property(
          "mass", GET(body.mass),
          [](const BodyHandle& h, py::handle value) {
            with_body(h, [&](auto& body) { set_mass(body.mass, value); });
          },
          "[kg]")
      .def_property("inertia", GET(from_matrix(body.inertia, true)), SET(set_inertia),
                    "about the centre of mass, in body axes [kg m^2]: 3x3, in the plane 1x1")
      .def_property_readonly("com", GET(from_vector(body.com, true)), "centre of mass in the body frame [m]")
      .def_property_readonly("com_position", GET(from_vector(body.position, true)),
                             "centre of mass in the world [m]")
      .def_property("position", GET(from_vector(body.X_WB().p, true)), SET(set_position),
                    "origin of the body frame in the world [m]")
      .def_property("orientation", GET(orientation_of(body)), SET(set_orientation),
                    "angle [rad], full turns counted, in the plane; unit quaternion (w, x, y, z) in space")
      .def_property_readonly("rotation", GET(from_matrix(body.attitude.matrix(), true)),
                             "rotation matrix of the body axes")
      .def_property_readonly("pose", GET(PyPose{body.X_WB()}), "Pose of the body frame")
      .def_property("velocity", GET(from_vector(linear_part(body), true)), SET(set_velocity),
                    "of the centre of mass [m/s]")
      .def_property("angular_velocity", GET(spin_part(body)), SET(set_angular_velocity),
                    "[rad/s], world axes; a number in the plane")
      .def_property("force", GET(from_vector(force_part(body), true)), SET(set_force),
                    "on the centre of mass in the next step, besides gravity [N]")
      .def_property("torque", GET(torque_part(body)), SET(set_torque),
                    "in the next step [N m], world axes; a number in the plane")
      .def(
          "add_force",
          [](const BodyHandle& h, py::handle force, py::handle point) {
            with_body(h, [&](auto& body) { add_force(body, force, point); });
          },
          py::arg("force"), py::arg("point") = py::none(),
          "Adds a force [N] at a point of the world [m] (the centre of mass) for the next step.")
      .def(
          "add_torque",
          [](const BodyHandle& h, py::handle torque) {
            with_body(h, [&](auto& body) { add_torque(body, torque); });
          },
          py::arg("torque"), "Adds a torque [N m] for the next step.")
      .def_property_readonly(
          "contact_force",
          [](const BodyHandle& h) {
            PySimulation& simulation = h.link.get();
            return with_world(simulation, [&](auto& world) {
              if (h.index >= static_cast<int>(world.bodies.size()))
                throw py::index_error("the body is not there");
              return from_vector(forces_on(simulation, world)[h.index], true);
            });
          },
          "the force of all contacts on it in the last step [N]")
      .def_property_readonly(
          "parts",
          [](const BodyHandle& h) {
            return with_world(h.link.get(), [&](auto& world) { return parts_of(world, h.index); });
          },
          "its convex parts, as (Shape, Pose in the body frame)")
      .def("__repr__", &body_text);
}

/// One row per body.
template <class World, class Row>
py::array table(const World& world, int width, const Row& row) {
  MatrixX M(world.bodies.size(), width);
  for (std::size_t i = 0; i < world.bodies.size(); ++i) M.row(i) = row(world.bodies[i]).transpose();
  return from_matrix(M, true);
}

/// On each body in the last step, of all contacts [N].
template <int D>
std::vector<Vec<D>> forces_on(PySimulation& simulation, const World<D>& world) {
  return contact_forces(simulation.sim().report<D>(), world.bodies.size(), -1);
}

std::vector<std::string> body_names(const BodyList& list) {
  return with_world(list.link.get(), [](auto& world) { return names_of(world.bodies); });
}

std::size_t body_count(const BodyList& list) {
  return with_world(list.link.get(), [](auto& world) { return world.bodies.size(); });
}

void bind_body_list(py::module_& m) {
  py::class_<BodyList>(
      m, "Bodies", "The bodies of a simulation, by number or by name: sim.bodies[0], sim.bodies[\"crate\"].",
      py::custom_type_setup(collectable<BodyList, kVisitLink<BodyList>>))
      .def("__len__", [](const BodyList& list) { return body_count(list); })
      .def(
          "__getitem__",
          [](const BodyList& list, py::handle key) {
            return BodyHandle{list.link, with_world(list.link.get(), [&](auto& world) {
                                return place_in(world.bodies, key, "body");
                              })};
          },
          py::arg("key"))
      .def("__iter__",
           [](const BodyList& list) {
             py::list all;
             const std::size_t count = body_count(list);
             for (std::size_t i = 0; i < count; ++i) all.append(BodyHandle{list.link, static_cast<int>(i)});
             return py::iter(all);
           })
      .def(
          "__contains__",
          [](const BodyList& list, const std::string& name) {
            const auto names = body_names(list);
            return std::find(names.begin(), names.end(), name) != names.end();
          },
          py::arg("name"))
      .def_property_readonly(
          "names", [](const BodyList& list) { return from_json(nlohmann::json(body_names(list))); },
          "their names, in order")
      .def("_ipython_key_completions_",
           [](const BodyList& list) { return from_json(nlohmann::json(body_names(list))); })
      .def_property_readonly(
          "positions",
          [](const BodyList& list) {
            return with_world(list.link.get(), [](auto& world) {
              return table(world, static_cast<int>(world.gravity.size()),
                           [](const auto& body) { return body.X_WB().p; });
            });
          },
          "(n, D) array of all positions [m]; read-only: assign to each body")
      .def_property_readonly(
          "velocities",
          [](const BodyList& list) {
            return with_world(list.link.get(), [](auto& world) {
              const int d = static_cast<int>(world.gravity.size());
              return table(world, d, [d](const auto& body) { return VectorX(body.velocity.head(d)); });
            });
          },
          "(n, D) array of the velocities of all centres of mass [m/s]; read-only")
      .def_property_readonly(
          "contact_forces",
          [](const BodyList& list) {
            PySimulation& simulation = list.link.get();
            return with_world(simulation, [&]<int D>(World<D>& world) {
              const std::vector<Vec<D>> forces = forces_on(simulation, world);
              std::size_t i = 0;
              return table(world, D, [&](const auto&) { return forces[i++]; });
            });
          },
          "(n, D) array of the forces of all contacts on each body in the last step [N]; read-only")
      .def("__repr__", [](const BodyList& list) {
        return "Bodies(" + py::repr(from_json(nlohmann::json(body_names(list)))).cast<std::string>() + ")";
      });
}

#undef GET
#undef SET

}  // namespace

void bind_bodies(py::module_& m) {
  bind_body(m);
  bind_body_list(m);
}

}  // namespace touchstone::python
