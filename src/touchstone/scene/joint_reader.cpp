#include "touchstone/scene/joint_reader.h"

#include <cassert>
#include <cmath>
#include <set>

#include "touchstone/math/checks.h"
#include "touchstone/scene/body_reader.h"
#include "touchstone/scene/names.h"
#include "touchstone/scene/pose_reader.h"
#include "touchstone/scene/scene_keys.h"
#include "touchstone/stepping/build_world.h"

namespace touchstone {
namespace {

/// In the order of JointKind; in the plane there are the first three.
const std::vector<std::string> kKinds = {"fixed",     "revolute",  "prismatic", "cylindrical",
                                         "spherical", "universal", "planar"};
constexpr int kKindsInPlane = 3;
/// Cosine between the axes of a universal joint: more is a mistake, less is rounded numbers.
constexpr double kCross = 1e-6;

template <int D>
JointKind read_joint_kind(const Field& field);

template <>
JointKind read_joint_kind<2>(const Field& field) {
  const std::vector<std::string> kinds(kKinds.begin(), kKinds.begin() + kKindsInPlane);
  return static_cast<JointKind>(read_choice(field, kinds, "kind of joint in the plane"));
}
template <>
JointKind read_joint_kind<3>(const Field& field) {
  return static_cast<JointKind>(read_choice(field, kKinds, "kind of joint"));
}

template <int D>
Vec<D> read_direction(const Field& field) {
  const Vec<D> axis = read_vector<D>(field, "numbers");
  const double length = axis.stableNorm();
  if (!(length > 0)) refuse(field, "expected a direction, got zero");
  return (axis / length).normalized();
}

// ---- the axes of the joint's frame in the world ----------------------------------------------------------

template <int D>
Mat<D> read_axes(const Field& field, JointKind kind);

/// In the plane only a slide has a direction: x.
template <>
Mat<2> read_axes<2>(const Field& field, JointKind kind) {
  const auto given = optional_member(field, "axis");
  if (kind != JointKind::prismatic) {
    if (given) refuse(*given, "in the plane only a prismatic joint has an axis");
    return Mat<2>::Identity();
  }
  const Vec<2> x = read_direction<2>(required(field, "axis", "the direction of the slide"));
  return joint_frame_axes<2>(kind, x, x);
}

Mat<3> universal_axes(const Field& field) {
  const Field second = required(field, "axis_2", "the second axis, across the first");
  const Vec<3> x = read_direction<3>(required(field, "axis", "the first axis"));
  const Vec<3> y = read_direction<3>(second);
  if (std::abs(x.dot(y)) > kCross) refuse(second, "expected an axis across the first");
  return joint_frame_axes<3>(JointKind::universal, x, y);
}

template <>
Mat<3> read_axes<3>(const Field& field, JointKind kind) {
  if (kind == JointKind::universal) return universal_axes(field);
  if (const auto second = optional_member(field, "axis_2"))
    refuse(*second, "only a universal joint has two axes");
  const bool any = kind == JointKind::fixed || kind == JointKind::spherical;
  if (any && !field.value.contains("axis")) return Mat<3>::Identity();
  const Vec<3> z = read_direction<3>(required(field, "axis", "a direction in the world"));
  return joint_frame_axes<3>(kind, z, z);
}

// ---- frames ----------------------------------------------------------------------------------------------

template <int D>
Pose<D> pose_of(const World<D>& world, int body) {
  return body < 0 ? Pose<D>() : world.bodies[body].X_WB();
}

template <int D>
void read_frames(const Field& field, const Field& frames, Joint<D>& joint) {
  for (const char* key : {"position", "axis", "axis_2"}) {
    if (const auto member = optional_member(field, key)) refuse(*member, "\"frames\" tell this already");
  }
  if (!frames.value.is_array() || frames.value.size() != 2) refuse_value(frames, "a list of two poses");
  for (int i = 0; i < 2; ++i) check_keys(frames.element(i), pose_keys(D));
  joint.X_AJ = read_pose<D>(frames.element(0));
  joint.X_BJ = read_pose<D>(frames.element(1));
}

/// Both frames lie where the joint is in the world at the start: its values count from there.
template <int D>
void place_joint(const Field& field, const World<D>& world, Joint<D>& joint) {
  const Pose<D> X_WA = pose_of(world, joint.body_A), X_WB = pose_of(world, joint.body_B);
  const auto position = optional_member(field, "position");
  const Pose<D> X_WJ{read_axes<D>(field, joint.kind),
                     position ? read_vector<D>(*position, "coordinates") : X_WB.p};
  assert(is_rotation<D>(X_WJ.R));
  joint.X_AJ = relative_pose(X_WA, X_WJ);
  joint.X_BJ = relative_pose(X_WB, X_WJ);
}

template <int D>
void read_joint_bodies(const Field& field, const World<D>& world, Joint<D>& joint) {
  const Field names = required(field, "bodies", "two names");
  if (!names.value.is_array() || names.value.size() != 2) refuse_value(names, "a list of two bodies");
  joint.body_A = read_body_name<D>(names.element(0), world, true);
  joint.body_B = read_body_name<D>(names.element(1), world, true);
  if (joint.body_A == joint.body_B) refuse(names, "expected two different bodies");
  const auto moves = [&](int body) { return body >= 0 && world.bodies[body].is_dynamic(); };
  if (!moves(joint.body_A) && !moves(joint.body_B)) refuse(names, "neither of the two moves by forces");
}

// ---- values ----------------------------------------------------------------------------------------------

double read_limit(const Field& field) {
  const bool endless = field.value.is_number_float() && std::isinf(field.value.get<double>());
  return endless ? field.value.get<double>() : read_number(field);
}

void read_limits(const Field& field, JointAxis& axis) {
  if (!field.value.is_array() || field.value.size() != 2)
    refuse_value(field, "the lowest and the highest value");
  axis.lower = read_limit(field.element(0));
  axis.upper = read_limit(field.element(1));
  if (!(axis.lower < axis.upper)) refuse(field, "expected the lower limit first");
}

void read_axis(const Field& field, JointAxis& axis, int dimension) {
  if (const auto limits = optional_member(field, "limits")) read_limits(*limits, axis);
  if (const auto bounce = optional_member(field, "limit_restitution")) {
    axis.bounce = read_not_negative(*bounce, "a number from 0 to 1");
    if (axis.bounce > 1) refuse_value(*bounce, "a number from 0 to 1");
  }
  if (const auto damping = optional_member(field, "damping"))
    axis.damping = read_not_negative(*damping, "a damping");
  if (const auto force = optional_member(field, "force")) axis.force = read_number(*force);
  const auto motor = optional_member(field, "motor");
  if (!motor) return;
  check_keys(*motor, keys_of("motor", dimension));
  axis.motor = true;
  axis.motor_rate = read_number(required(*motor, "rate", "the rate it holds"));
  if (const auto force = optional_member(*motor, "force"))
    axis.motor_force = read_not_negative(*force, "a force");
}

template <int D>
void read_joint_axes(const Field& field, Joint<D>& joint) {
  const int count = axis_count<D>(joint.kind);
  joint.axes.resize(count);
  joint.value.assign(count, 0);
  const auto axes = optional_member(field, "axes");
  for (const char* key : {"limits", "limit_restitution", "damping", "motor", "force"}) {
    const auto member = optional_member(field, key);
    if (member && axes) refuse(*member, "\"axes\" tell this already");
    if (member && count != 1) {
      refuse(*member, "the joint has " + std::to_string(count) + " values; tell it of each under \"axes\"");
    }
  }
  if (count == 1) read_axis(field, joint.axes[0], D);
  if (!axes) return;
  const bool fits = axes->value.is_array() && static_cast<int>(axes->value.size()) == count;
  if (!fits) refuse_value(*axes, "a list of " + std::to_string(count) + " maps");
  for (int i = 0; i < count; ++i) {
    check_keys(axes->element(i), keys_of("axis", D));
    read_axis(axes->element(i), joint.axes[i], D);
  }
}

template <int D>
Joint<D> read_joint(const Field& field, const World<D>& world, int number) {
  check_keys(field, keys_of("joint", D));
  Joint<D> joint;
  const auto name = optional_member(field, "name");
  joint.name = name ? read_text(*name, "a name") : "joint-" + std::to_string(number);
  joint.kind = read_joint_kind<D>(required(field, "kind", "such as revolute"));
  read_joint_bodies(field, world, joint);
  if (const auto frames = optional_member(field, "frames")) {
    read_frames(field, *frames, joint);
  } else {
    place_joint(field, world, joint);
  }
  read_joint_axes(field, joint);
  assert(static_cast<int>(joint.axes.size()) == axis_count<D>(joint.kind) &&
         joint.value.size() == joint.axes.size());
  if (const auto collide = optional_member(field, "collide")) joint.collide = read_flag(*collide);
  return joint;
}

// ---- controllers -----------------------------------------------------------------------------------------

void read_target(const Field& field, JointController& controller) {
  if (field.value.is_number()) {
    controller.times = {0}, controller.targets = {read_number(field)};
    return;
  }
  if (!field.value.is_array() || field.value.empty())
    refuse_value(field, "a number or a list of [time, value]");
  for (int i = 0; i < static_cast<int>(field.value.size()); ++i) {
    const Vec<2> point = read_vector<2>(field.element(i), "numbers (time, value)");
    if (i > 0 && !(point[0] > controller.times.back())) {
      refuse(field.element(i), "expected a time after the one before");
    }
    controller.times.push_back(point[0]);
    controller.targets.push_back(point[1]);
  }
}

template <int D>
void find_axis(const Field& field, const World<D>& world, JointController& controller) {
  std::vector<std::string> names;
  for (const Joint<D>& joint : world.joints) names.push_back(joint.name);
  controller.joint = read_choice(required(field, "joint", "the name of a joint"), names, "joint");
  const int count = static_cast<int>(world.joints[controller.joint].axes.size());
  if (count == 0) refuse(field.member("joint"), "the joint cannot move");
  const auto axis = optional_member(field, "axis");
  if (!axis) return;
  controller.axis = read_count(*axis, 0);
  if (controller.axis >= count)
    refuse(*axis, "the joint has " + std::to_string(count) + " values, from 0 on");
}

}  // namespace

template <int D>
void read_joints(const Field& list, World<D>& world) {
  if (!list.value.is_array()) refuse_value(list, "a list of joints");
  std::set<std::string> seen;
  for (int i = 0; i < static_cast<int>(list.value.size()); ++i) {
    Joint<D> joint = read_joint<D>(list.element(i), world, i + 1);
    if (!seen.insert(joint.name).second) {
      refuse(list.element(i), "there are two joints named " + in_quotes(joint.name));
    }
    world.joints.push_back(std::move(joint));
  }
}

template <int D>
void read_controllers(const Field& list, RunContent<D>& content) {
  if (!list.value.is_array()) refuse_value(list, "a list of controllers");
  for (int i = 0; i < static_cast<int>(list.value.size()); ++i) {
    const Field field = list.element(i);
    check_keys(field, keys_of("controller", D));
    JointController controller;
    find_axis(field, content.world, controller);
    read_target(required(field, "target", "a number, or a list of [time, value]"), controller);
    controller.kp = read_not_negative(required(field, "kp", "force per error"), "a gain");
    if (const auto kd = optional_member(field, "kd")) controller.kd = read_not_negative(*kd, "a gain");
    if (const auto most = optional_member(field, "max_force"))
      controller.max_force = read_not_negative(*most, "a force");
    assert(controller.times.size() == controller.targets.size() && !controller.times.empty());
    content.controllers.push_back(controller);
  }
}

template void read_joints(const Field&, World<2>&);
template void read_joints(const Field&, World<3>&);
template void read_controllers(const Field&, RunContent<2>&);
template void read_controllers(const Field&, RunContent<3>&);

}  // namespace touchstone
