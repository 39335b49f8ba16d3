// Joint, and the list of a simulation's joints.

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>

#include "handles.h"

#include <nlohmann/json.hpp>
#include "module.h"
#include "touchstone/record/recording_details.h"
#include "touchstone/scene/names.h"
#include "touchstone/stepping/pose_joint.h"

namespace touchstone::python {
namespace {

template <class Action>
auto with_joint(const JointHandle& handle, const Action& action) {
  return with_world(handle.link.get(), [&](auto& world) {
    if (handle.index >= static_cast<int>(world.joints.size()))
      throw py::index_error("the joint is not there");
    return action(world, world.joints[handle.index]);
  });
}

template <int D>
std::string body_name(const World<D>& world, int body) {
  return body < 0 ? "world" : world.bodies[body].name;
}

/// One number per axis of the joint; a single number does for a joint with one.
VectorX to_axes(py::handle value, const std::string& name, std::size_t count) {
  const bool endless = name == "lower" || name == "upper" || name == "motor_force";
  const Reals reals = to_reals(value, name, endless ? Range::unbounded : Range::finite);
  const bool fits = reals.ndim() <= 1 && static_cast<std::size_t>(reals.size()) == count;
  if (fits) return Eigen::Map<const VectorX>(reals.data(), reals.size());
  throw BadInput(name + ": expected " + std::to_string(count) + " numbers, one per axis, got " +
                 shown(value));
}

/// As the reader of scenes does. Limits are set one after the other: the one that makes room goes first.
void check_axis(const JointAxis& axis, const std::string& name) {
  if (axis.damping < 0) throw BadInput(name + ": expected no number below zero");
  if (axis.motor_force < 0) throw BadInput(name + ": expected no number below zero");
  if (axis.lower < axis.upper) return;
  throw BadInput(
      name +
      ": expected the lower limit below the upper one; to move both, set first the one that makes room");
}

template <class Read>
py::array from_axes(const std::vector<JointAxis>& axes, const Read& read) {
  VectorX x(axes.size());
  for (std::size_t i = 0; i < axes.size(); ++i) x[i] = read(axes[i]);
  return from_vector(x, true);
}

/// The length of the vector of the joint's equations that are not fulfilled.
template <int D>
double error_of(const World<D>& world, const Joint<D>& joint) {
  double sum = 0;
  for (const Row<D>& row : joint_equations<D>(joint, world.bodies).rows) sum += row.offset * row.offset;
  return std::sqrt(sum);
}

template <int D>
py::array rates_of(const World<D>& world, const Joint<D>& joint) {
  const std::vector<double> rates = joint_rates<D>(joint, world.bodies);
  return from_vector(Eigen::Map<const VectorX>(rates.data(), rates.size()), true);
}

template <int D>
py::array values_of(const Joint<D>& joint) {
  return from_vector(Eigen::Map<const VectorX>(joint.value.data(), joint.value.size()), true);
}

/// Moves what hangs on the joint, or gives it a velocity.
void set_values(const JointHandle& handle, py::handle value, const std::string& name) {
  with_joint(handle, [&](auto& world, auto& joint) {
    const VectorX x = to_axes(value, name, joint.axes.size());
    const std::span<const double> numbers(x.data(), static_cast<std::size_t>(x.size()));
    try {
      if (name == "value") {
        set_joint_values(world, handle.index, numbers);
      } else {
        set_joint_rates(world, handle.index, numbers);
      }
    } catch (const std::invalid_argument& error) {
      throw BadInput(error.what());
    }
  });
}

#define GET(expression)                                 \
  [](const JointHandle& h) {                            \
    return with_joint(h, [](auto& world, auto& joint) { \
      (void)world;                                      \
      return expression;                                \
    });                                                 \
  }
#define AXIS(field, doc)                                                                                 \
  def_property(                                                                                          \
      #field,                                                                                            \
      GET(from_axes(joint.axes, [](const JointAxis& axis) { return static_cast<double>(axis.field); })), \
      [](const JointHandle& h, py::handle value) {                                                       \
        with_joint(h, [&](auto&, auto& joint) {                                                          \
          const VectorX x = to_axes(value, #field, joint.axes.size());                                   \
          std::vector<JointAxis> axes = joint.axes;                                                      \
          for (std::size_t i = 0; i < axes.size(); ++i) axes[i].field = x[i];                            \
          for (const JointAxis& axis : axes) check_axis(axis, #field);                                   \
          joint.axes = std::move(axes);                                                                  \
        });                                                                                              \
      },                                                                                                 \
      doc)

std::string joint_text(const JointHandle& handle) {
  return with_joint(handle, [](auto& world, auto& joint) {
    return "Joint(" + in_quotes(joint.name) + ", " + text_of(joint.kind) + " of " +
           in_quotes(body_name(world, joint.body_A)) + " and " + in_quotes(body_name(world, joint.body_B)) +
           ")";
  });
}

void bind_joint(py::module_& m) {
  py::class_<JointHandle>(
      m, "Joint",
      R"(A joint of a simulation. Values, rates and forces are arrays with one number per axis (degree of freedom).)",
      py::custom_type_setup(collectable<JointHandle, kVisitLink<JointHandle>>))
      .def_readonly("index", &JointHandle::index, "place in the simulation's joints")
      .def_property_readonly("name", GET(joint.name), "its name in the scene")
      .def_property_readonly("kind", GET(std::string(text_of(joint.kind))),
                             "fixed, revolute, prismatic, cylindrical, spherical, universal or planar")
      .def_property_readonly(
          "bodies", GET(py::make_tuple(body_name(world, joint.body_A), body_name(world, joint.body_B))),
          "names of its bodies; \"world\" for none")
      .def_property(
          "value", GET(values_of(joint)),
          [](const JointHandle& h, py::handle value) { set_values(h, value, "value"); },
          "way [m] or angle [rad] per axis, full turns counted. Assigning moves all that hangs on the joint")
      .def_property(
          "rate", GET(rates_of(world, joint)),
          [](const JointHandle& h, py::handle value) { set_values(h, value, "rate"); },
          "[m/s or rad/s] per axis. Assigning moves all that hangs on the joint")
      .def_property_readonly("error", GET(error_of(world, joint)),
                             "how far it is open: length of the vector of its equations [m, rad]")
      .AXIS(force, "along each axis in the next step [N or N m]: the joint torque of a revolute joint")
      .AXIS(damping, "force per rate, against the motion [N s/m or N m s]")
      .AXIS(lower, "lower limit of each value [m or rad]")
      .AXIS(upper, "upper limit of each value [m or rad]")
      .AXIS(bounce, "restitution of the limits, 0 to 1; only runs to an accuracy know it")
      .def_property(
          "motor",
          GET(std::any_of(joint.axes.begin(), joint.axes.end(),
                          [](const JointAxis& axis) { return axis.motor; })),
          [](const JointHandle& h, bool on) {
            with_joint(h, [&](auto&, auto& joint) {
              for (JointAxis& axis : joint.axes) axis.motor = on;
            });
          },
          "is a motor on? Assigning switches those of all axes")
      .AXIS(motor_rate, "rate that the motor holds [m/s or rad/s]")
      .AXIS(motor_force, "most that the motor gives [N or N m]")
      .def("__repr__", &joint_text);
}

std::vector<std::string> joint_names(const JointList& list) {
  return with_world(list.link.get(), [](auto& world) { return names_of(world.joints); });
}

std::size_t joint_count(const JointList& list) {
  return with_world(list.link.get(), [](auto& world) { return world.joints.size(); });
}

void bind_joint_list(py::module_& m) {
  py::class_<JointList>(
      m, "Joints", "The joints of a simulation, by number or by name: sim.joints[0], sim.joints[\"hinge\"].",
      py::custom_type_setup(collectable<JointList, kVisitLink<JointList>>))
      .def("__len__", [](const JointList& list) { return joint_count(list); })
      .def(
          "__getitem__",
          [](const JointList& list, py::handle key) {
            return JointHandle{list.link, with_world(list.link.get(), [&](auto& world) {
                                 return place_in(world.joints, key, "joint");
                               })};
          },
          py::arg("key"))
      .def("__iter__",
           [](const JointList& list) {
             py::list all;
             const std::size_t count = joint_count(list);
             for (std::size_t i = 0; i < count; ++i) all.append(JointHandle{list.link, static_cast<int>(i)});
             return py::iter(all);
           })
      .def(
          "__contains__",
          [](const JointList& list, const std::string& name) {
            const auto names = joint_names(list);
            return std::find(names.begin(), names.end(), name) != names.end();
          },
          py::arg("name"))
      .def_property_readonly(
          "names", [](const JointList& list) { return from_json(nlohmann::json(joint_names(list))); },
          "their names, in order")
      .def("_ipython_key_completions_",
           [](const JointList& list) { return from_json(nlohmann::json(joint_names(list))); })
      .def("__repr__", [](const JointList& list) {
        return "Joints(" + py::repr(from_json(nlohmann::json(joint_names(list)))).cast<std::string>() + ")";
      });
}

#undef AXIS
#undef GET

}  // namespace

void bind_joints(py::module_& m) {
  bind_joint(m);
  bind_joint_list(m);
}

}  // namespace touchstone::python
