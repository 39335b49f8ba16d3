#include "touchstone/stepping/build_world.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <stdexcept>

#include "touchstone/dynamics/joint.h"
#include "touchstone/geometry/mass_properties.h"
#include "touchstone/math/checks.h"
#include "touchstone/math/pose_check.h"

namespace touchstone {
namespace {

/// Cosine between the axes of a universal joint: more is a mistake, less is rounded numbers.
constexpr double kCross = 1e-6;
/// Share by which a principal moment may exceed the sum of the two others, for numbers that were rounded.
constexpr double kTriangleSlack = 1e-6;

/// [m, rad] Beyond a limit by more is outside; less is round-off of the poses.
constexpr double kBeyondLimit = 1e-9;

/// Refuses a field of a thing: body "box": mass: expected a positive number.
struct Judge {
  std::string thing;

  [[noreturn]] void refuse(const std::string& message) const {
    throw std::invalid_argument(thing + ": " + message);
  }
  void expect(bool holds, const char* message) const {
    if (!holds) refuse(message);
  }
};

bool is_positive(double x) { return x > 0 && std::isfinite(x); }
bool is_not_negative(double x) { return x >= 0 && std::isfinite(x); }

// ---- bodies ----------------------------------------------------------------------------------------------

void check_inertia(const SpinMat<2>& inertia, const Judge& body) {
  body.expect(is_positive(inertia(0, 0)), "inertia: expected a positive number");
}
void check_inertia(const SpinMat<3>& inertia, const Judge& body) {
  body.expect(inertia.allFinite() && is_self_adjoint(inertia), "inertia: expected a symmetric matrix");
  const Vec<3> moments =
      Eigen::SelfAdjointEigenSolver<SpinMat<3>>(inertia, Eigen::EigenvaluesOnly).eigenvalues();
  body.expect(moments[0] > 0, "inertia: expected a positive definite matrix");
  body.expect(moments[2] <= (moments[0] + moments[1]) * (1 + kTriangleSlack),
              "inertia: one principal moment exceeds the sum of the other two; no body has such an inertia");
}

template <int D>
void check_motion(const BodySpec<D>& spec, const Judge& body) {
  const bool still = spec.velocity.isZero(0) && spec.angular_velocity.isZero(0);
  body.expect(spec.velocity.allFinite(), "velocity: expected finite numbers");
  body.expect(spec.angular_velocity.allFinite(), "angular_velocity: expected finite numbers");
  body.expect(spec.kind == BodyKind::dynamic || still,
              "velocity: a fixed or scripted body has none; scripted bodies move as .script says");
  const bool scripted = spec.kind == BodyKind::scripted;
  body.expect(scripted || !spec.script, "script: only a body of BodyKind::scripted has one");
  body.expect(!scripted || spec.script, "script: a scripted body needs one");
}

template <int D>
void check_body(const World<D>& world, const BodySpec<D>& spec, const Judge& body) {
  const char* trouble = trouble_with_pose<D>({spec.rotation, spec.position});
  if (trouble) body.refuse(std::string("position or rotation: ") + trouble);
  body.expect(!spec.mass || is_positive(*spec.mass), "mass: expected a positive number");
  body.expect(!spec.density || is_positive(*spec.density), "density: expected a positive number");
  body.expect(!spec.com || spec.com->allFinite(), "com: expected finite numbers");
  body.expect(spec.material >= 0 && spec.material < world.surfaces.count(),
              "material: there is no such material; add_material() gives its number");
  if (spec.inertia) check_inertia(*spec.inertia, body);
  check_motion(spec, body);
}

template <int D>
void check_part(const World<D>& world, const PartSpec<D>& part, const Judge& body) {
  body.expect(part.shape != nullptr, "a part has no shape");
  const char* trouble = trouble_with_pose<D>(part.X_BS);
  if (trouble) body.refuse(std::string("X_BS of a part: ") + trouble);
  const int material = part.material.value_or(0);
  body.expect(material >= 0 && material < world.surfaces.count(),
              "material of a part: there is no such material");
  body.expect(!part.density || is_positive(*part.density), "density of a part: expected a positive number");
}

/// Mass, centre and inertia from the parts, for all that the body does not tell by itself.
template <int D>
void weigh_parts(const std::vector<PartSpec<D>>& parts, const BodySpec<D>& spec, const Judge& judge,
                 Body<D>& body) {
  std::vector<MassPart<D>> masses;
  for (const PartSpec<D>& part : parts) {
    judge.expect(!std::holds_alternative<HalfSpace<D>>(*part.shape),
                 "a half-space has no end and no mass; make the body BodyKind::fixed");
    judge.expect(spec.mass || spec.density || part.density,
                 "its mass is missing: give .mass or .density, or make it BodyKind::fixed");
    masses.push_back({part.shape.get(), part.X_BS, part.density.value_or(spec.density.value_or(1))});
  }
  const MassProperties<D> sum = sum_masses<D>(masses);
  body.mass = spec.mass.value_or(sum.volume);
  judge.expect(is_positive(body.mass), "the mass of its shape is out of range");
  body.com = sum.centre;
  body.inertia = sum.inertia(body.mass);
  judge.expect(body.inertia.allFinite(), "the inertia of its shape is out of range");
}

template <int D>
void weigh(const std::vector<PartSpec<D>>& parts, const BodySpec<D>& spec, const Judge& judge,
           Body<D>& body) {
  if (body.is_dynamic() && parts.empty()) {
    judge.expect(spec.mass.has_value(), "mass: a body without a shape needs one");
    judge.expect(spec.inertia.has_value(), "inertia: a body without a shape needs one");
  }
  if (spec.mass) body.mass = *spec.mass;
  if (!parts.empty() && (body.is_dynamic() || spec.mass || spec.density)) {
    judge.expect(!spec.com || spec.inertia, "inertia: a body whose com is given needs one");
    weigh_parts(parts, spec, judge, body);
  }
  if (spec.com) body.com = *spec.com;
  if (spec.inertia) body.inertia = *spec.inertia;
}

template <int D>
ContactShape<D> contact_shape(const PartSpec<D>& part, const BodySpec<D>& spec, int body, const Vec<D>& com) {
  ContactShape<D> shape;
  shape.shape = part.shape, shape.body = body;
  shape.X_CS = {part.X_BS.R, part.X_BS.p - com};
  shape.material = part.material.value_or(spec.material);
  shape.group = spec.group, shape.collides = spec.collides;
  return shape;
}

// ---- joints ----------------------------------------------------------------------------------------------

template <int D>
void check_joint_bodies(const World<D>& world, const std::array<int, 2>& bodies, const Judge& joint) {
  const int count = static_cast<int>(world.bodies.size());
  for (int body : bodies) joint.expect(body >= kWorld && body < count, "bodies: there is no such body");
  joint.expect(bodies[0] != bodies[1], "bodies: expected two different bodies");
  const auto moves = [&](int body) { return body != kWorld && world.bodies[body].is_dynamic(); };
  joint.expect(moves(bodies[0]) || moves(bodies[1]), "bodies: neither of the two moves by forces");
}

template <int D>
Vec<D> unit(const Vec<D>& axis, const char* message, const Judge& joint) {
  const double length = axis.stableNorm();
  joint.expect(is_positive(length), message);
  return (axis / length).normalized();
}

/// Must a joint of this kind be told its axis?
template <int D>
bool needs_axis(JointKind kind) {
  if (D == 2) return kind == JointKind::prismatic;
  return kind != JointKind::fixed && kind != JointKind::spherical;
}

template <int D>
Mat<D> axes_in_world(JointKind kind, const JointSpec<D>& spec, const Judge& joint) {
  const bool two = kind == JointKind::universal, told = !spec.axis.isZero(0),
             told_second = !spec.second_axis.isZero(0);
  joint.expect(two || !told_second, "second_axis: only a universal joint has two axes");
  joint.expect(!two || told_second, "second_axis: a universal joint needs it");
  joint.expect(told || !needs_axis<D>(kind), "axis: a joint of this kind needs a direction in the world");
  if (!told) return Mat<D>::Identity();
  joint.expect(D == 3 || needs_axis<D>(kind), "axis: in the plane only a prismatic joint has one");
  const Vec<D> first = unit<D>(spec.axis, "axis: expected finite numbers", joint);
  if (!two) return joint_frame_axes<D>(kind, first, first);
  const Vec<D> second = unit<D>(spec.second_axis, "second_axis: expected finite numbers", joint);
  joint.expect(std::abs(first.dot(second)) <= kCross, "second_axis: expected an axis across the first");
  return joint_frame_axes<D>(kind, first, second);
}

template <int D>
void place_joint(const World<D>& world, const JointSpec<D>& spec, const Judge& judge, Joint<D>& joint) {
  if (spec.frames) {
    const bool alone = spec.position.isZero(0) && spec.axis.isZero(0) && spec.second_axis.isZero(0);
    judge.expect(alone, "frames: they tell position and axes already");
    for (const Pose<D>& X : *spec.frames) {
      const char* trouble = trouble_with_pose<D>(X);
      if (trouble) judge.refuse(std::string("frames: ") + trouble);
    }
    joint.X_AJ = (*spec.frames)[0], joint.X_BJ = (*spec.frames)[1];
    return;
  }
  const auto pose_of = [&](int body) { return body == kWorld ? Pose<D>() : world.bodies[body].X_WB(); };
  judge.expect(spec.position.allFinite(), "position: expected finite numbers");
  const Pose<D> X_WJ{axes_in_world<D>(joint.kind, spec, judge), spec.position};
  joint.X_AJ = relative_pose(pose_of(joint.body_A), X_WJ);
  joint.X_BJ = relative_pose(pose_of(joint.body_B), X_WJ);
}

template <int D>
std::size_t value_count(JointKind kind, const Judge& joint) try {
  return static_cast<std::size_t>(axis_count<D>(kind));
} catch (const std::invalid_argument& error) {
  joint.refuse(std::string("kind: ") + error.what());
}

void check_axis(const JointAxis& axis, const Judge& joint) {
  joint.expect(axis.lower < axis.upper, "axes: expected the lower limit below the upper");
  joint.expect(axis.bounce >= 0 && axis.bounce <= 1, "axes: bounce: expected a number from 0 to 1");
  joint.expect(is_not_negative(axis.damping), "axes: damping: expected a number from 0 on");
  joint.expect(std::isfinite(axis.motor_rate), "axes: motor_rate: expected a finite number");
  joint.expect(axis.motor_force >= 0, "axes: motor_force: expected a number from 0 on");
  joint.expect(std::isfinite(axis.force), "axes: force: expected a finite number");
}

/// The angle after so many full turns that it lies between the limits, or as it is if it never does.
double turned_into(double angle, double lower, double upper) {
  const double turn = 2 * std::numbers::pi;
  const double near = angle < lower ? lower : upper;
  const double turned = angle + turn * (angle < lower ? std::ceil((near - kBeyondLimit - angle) / turn)
                                                      : std::floor((near + kBeyondLimit - angle) / turn));
  return turned >= lower - kBeyondLimit && turned <= upper + kBeyondLimit ? turned : angle;
}

std::string short_number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", x + 0.0);  // no -0
  return text;
}

template <int D>
std::string joint_name(const World<D>& world, const std::string& name) {
  const Judge judge{"joint \"" + name + '"'};
  judge.expect(!name.empty(), "name: expected a text");
  judge.expect(world.find_joint(name) < 0, "name: there is a joint of this name already");
  return name;
}

template <int D>
std::string body_name(const World<D>& world, const std::string& name) {
  const Judge judge{"body \"" + name + '"'};
  judge.expect(!name.empty() && name != "world", "name: expected a text other than \"world\"");
  judge.expect(world.find_body(name) < 0, "name: there is a body of this name already");
  return name;
}

}  // namespace

template <int D>
int add_body(World<D>& world, const std::string& name, const std::vector<PartSpec<D>>& parts,
             const BodySpec<D>& spec) {
  const Judge judge{"body \"" + name + '"'};
  Body<D> body;
  body.name = body_name(world, name), body.kind = spec.kind;
  check_body(world, spec, judge);
  for (const PartSpec<D>& part : parts) check_part(world, part, judge);
  weigh(parts, spec, judge, body);
  body.set_X_WB({spec.rotation, spec.position});
  body.velocity = twist<D>(spec.velocity, spec.angular_velocity);
  body.script = spec.script;
  if (body.script) body.set_X_WB(body.script(world.time));
  assert(!body.is_dynamic() || (body.mass > 0 && is_self_adjoint(body.inertia)));
  const int index = static_cast<int>(world.bodies.size());
  for (const PartSpec<D>& part : parts) world.shapes.push_back(contact_shape(part, spec, index, body.com));
  world.bodies.push_back(std::move(body));
  return index;
}

template <>
Mat<2> joint_frame_axes<2>(JointKind, const Vec<2>& axis, const Vec<2>&) {
  assert(is_unit(axis));
  return (Mat<2>() << axis, -right_of(axis)).finished();
}

template <>
Mat<3> joint_frame_axes<3>(JointKind kind, const Vec<3>& axis, const Vec<3>& second) {
  assert(is_unit(axis) && (kind != JointKind::universal || is_unit(second)));
  if (kind != JointKind::universal) {
    const Vec<3> x = any_perpendicular(axis);
    return (Mat<3>() << x, axis.cross(x), axis).finished();
  }
  const Vec<3> z = axis.cross(second).normalized();
  return (Mat<3>() << axis, z.cross(axis), z).finished();
}

template <int D>
int add_joint(World<D>& world, const std::string& name, JointKind kind, const JointSpec<D>& spec) {
  const Judge judge{"joint \"" + name + '"'};
  Joint<D> joint;
  joint.name = joint_name(world, name), joint.kind = kind, joint.collide = spec.collide;
  const std::size_t count = value_count<D>(kind, judge);
  check_joint_bodies(world, spec.bodies, judge);
  joint.body_A = spec.bodies[0], joint.body_B = spec.bodies[1];
  place_joint(world, spec, judge, joint);
  if (!spec.axes.empty() && spec.axes.size() != count) {
    judge.refuse("axes: a joint of this kind has " + std::to_string(count) + " values, got " +
                 std::to_string(spec.axes.size()));
  }
  for (const JointAxis& axis : spec.axes) check_axis(axis, judge);
  joint.axes = spec.axes;
  joint.axes.resize(count);
  measure_joint(joint, world.bodies);
  assert(joint.value.size() == count && joint.axes.size() == count);
  if (const std::string trouble = limit_trouble(joint); !trouble.empty()) judge.refuse("axes: " + trouble);
  world.joints.push_back(std::move(joint));
  return static_cast<int>(world.joints.size()) - 1;
}

template <int D>
std::string limit_trouble(Joint<D>& joint) {
  assert(joint.axes.size() <= joint.value.size());
  for (std::size_t i = 0; i < joint.axes.size(); ++i) {
    const double lower = joint.axes[i].lower, upper = joint.axes[i].upper;
    double& value = joint.value[i];
    const auto is_outside = [&] { return value < lower - kBeyondLimit || value > upper + kBeyondLimit; };
    if (is_outside() && is_angle<D>(joint.kind, static_cast<int>(i)))
      value = turned_into(value, lower, upper);
    if (!is_outside()) continue;
    const std::string which = joint.axes.size() > 1 ? "value " + std::to_string(i) : "the value";
    return which + " is " + short_number(value) + " at the start, outside of its limits " +
           short_number(lower) + " to " + short_number(upper);
  }
  return "";
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                            \
  template int add_body(World<D>&, const std::string&, const std::vector<PartSpec<D>>&, const BodySpec<D>&); \
  template int add_joint(World<D>&, const std::string&, JointKind, const JointSpec<D>&);                     \
  template std::string limit_trouble(Joint<D>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
