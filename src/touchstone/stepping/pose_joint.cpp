#include "touchstone/stepping/pose_joint.h"

#include <Eigen/LU>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>
#include <string>

#include "touchstone/dynamics/joint.h"

namespace touchstone {
namespace {

template <int D>
[[noreturn]] void refuse(const Joint<D>& joint, const std::string& message) {
  throw std::invalid_argument("joint \"" + joint.name + "\": " + message);
}

/// The bodies that hang on one side of a joint.
struct Side {
  std::vector<bool> moves;  ///< per body
  bool held = false;        ///< by the world, or by a body that does not move by forces
  bool meets = false;       ///< the other side, by other joints
};

template <int D>
Side side_of(const World<D>& world, int joint, int first, int other) {
  Side side{std::vector<bool>(world.bodies.size(), false)};
  std::vector<int> open = {first};
  while (!open.empty()) {
    const int body = open.back();
    open.pop_back();
    if (body < 0 || !world.bodies[body].is_dynamic()) {
      side.held = true;
      continue;  // what else it holds stays where it is
    }
    if (side.moves[body]) continue;
    side.moves[body] = true;
    for (int j = 0; j < static_cast<int>(world.joints.size()); ++j) {
      const Joint<D>& next = world.joints[j];
      if (j != joint && next.body_A == body) open.push_back(next.body_B);
      if (j != joint && next.body_B == body) open.push_back(next.body_A);
    }
  }
  side.meets = other >= 0 && side.moves[other];
  return side;
}

/// The side that may be moved, and whether it is B's.
template <int D>
Side free_side(const World<D>& world, int joint, bool& of_B) {
  const Joint<D>& moved = world.joints[joint];
  Side side = side_of(world, joint, moved.body_B, moved.body_A);
  of_B = true;
  if (side.meets) refuse(moved, "is part of a loop; its value follows from those of the others");
  if (!side.held) return side;
  side = side_of(world, joint, moved.body_A, moved.body_B);
  of_B = false;
  if (side.held) refuse(moved, "both of its sides are held; its value follows from those of other joints");
  return side;
}

template <int D>
void check(const World<D>& world, int joint, std::span<const double> values, const char* what) {
  assert(joint >= 0 && joint < static_cast<int>(world.joints.size()));
  const Joint<D>& moved = world.joints[joint];
  if (values.size() != moved.axes.size()) {
    refuse(moved, "expected " + std::to_string(moved.axes.size()) + " " + what + ", got " +
                      std::to_string(values.size()));
  }
  const auto finite = [](double x) { return std::isfinite(x); };
  if (!std::all_of(values.begin(), values.end(), finite)) refuse(moved, "expected finite numbers");
}

/// The frame of B seen from that of A at these values [dynamics/joint.h].
Pose<2> motion_of(const Joint<2>& joint, std::span<const double> q) {
  const JointKind kind = joint.kind;
  if (kind == JointKind::revolute) return {rotation(q[0]), Vec<2>::Zero()};
  if (kind == JointKind::prismatic) return {Mat<2>::Identity(), Vec<2>(q[0], 0)};
  return {};
}
Pose<3> motion_of(const Joint<3>& joint, std::span<const double> q) {
  const auto turn = [](const Vec<3>& axis, double angle) { return rotation(axis, angle); };
  const Vec<3> x = Vec<3>::UnitX(), y = Vec<3>::UnitY(), z = Vec<3>::UnitZ();
  switch (joint.kind) {
    case JointKind::revolute:
      return {turn(z, q[0]), Vec<3>::Zero()};
    case JointKind::prismatic:
      return {Mat<3>::Identity(), q[0] * z};
    case JointKind::cylindrical:
      return {turn(z, q[1]), q[0] * z};
    case JointKind::spherical: {
      const Vec<3> v(q[0], q[1], q[2]);
      return {v.isZero(0) ? Mat<3>(Mat<3>::Identity()) : turn(v.normalized(), v.norm()), Vec<3>::Zero()};
    }
    case JointKind::universal:
      return {turn(x, q[0]) * turn(y, q[1]), Vec<3>::Zero()};
    case JointKind::planar:
      return {turn(z, q[2]), q[0] * x + q[1] * y};
    default:
      return {};
  }
}

void turn_body(Body<2>& body, const Mat<2>& R) { body.attitude.angle += std::atan2(R(1, 0), R(0, 0)); }
void turn_body(Body<3>& body, const Mat<3>& R) {
  body.attitude.q = (Eigen::Quaterniond(R) * body.attitude.q).normalized();
}
Spin<2> turned(const Spin<2>& w, const Mat<2>&) { return w; }
Spin<3> turned(const Spin<3>& w, const Mat<3>& R) { return R * w; }

template <int D>
Pose<D> frame_in_world(const World<D>& world, int body, const Pose<D>& X_BJ) {
  return body < 0 ? X_BJ : world.bodies[body].X_WB() * X_BJ;
}

}  // namespace

template <int D>
void set_joint_values(World<D>& world, int index, std::span<const double> values) {
  check(world, index, values, "values");
  const Joint<D> wanted = world.joints[index];
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double lower = wanted.axes[i].lower, upper = wanted.axes[i].upper;
    if (values[i] >= lower && values[i] <= upper) continue;
    refuse(wanted, std::to_string(values[i]) + " is outside of its limits " + std::to_string(lower) + " to " +
                       std::to_string(upper));
  }
  bool of_B = true;
  const Side side = free_side(world, index, of_B);
  // Where the moved frame must be, and from there how all that hangs on it goes.
  const Pose<D> X_WA = frame_in_world(world, wanted.body_A, wanted.X_AJ);
  const Pose<D> X_WB = frame_in_world(world, wanted.body_B, wanted.X_BJ);
  const Pose<D> motion = motion_of(wanted, values);
  const Pose<D> from = of_B ? X_WB : X_WA;
  const Pose<D> to = of_B ? X_WA * motion : X_WB * motion.inverse();
  const Pose<D> move = to * from.inverse();
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    if (!side.moves[b]) continue;
    Body<D>& body = world.bodies[b];
    body.position = move * body.position;
    turn_body(body, move.R);
    body.velocity = twist<D>(move.R * linear<D>(body.velocity), turned(angular<D>(body.velocity), move.R));
  }
  world.joints[index].value.assign(values.begin(), values.end());  // full turns count from there
  for (Joint<D>& joint : world.joints) measure_joint(joint, world.bodies);
}

template <int D>
void set_joint_rates(World<D>& world, int index, std::span<const double> rates) {
  check(world, index, rates, "rates");
  const Joint<D>& joint = world.joints[index];
  bool of_B = true;
  const Side side = free_side(world, index, of_B);
  const int mover = of_B ? joint.body_B : joint.body_A;
  const JointEquations<D> equations = joint_equations(joint, world.bodies);
  // Rows of the joint hold, rows of its values have the rates: as many as a body has velocities.
  Eigen::Matrix<double, kDof<D>, kDof<D>> G;
  Twist<D> change;
  assert(equations.rows.size() + equations.axes.size() == static_cast<std::size_t>(kDof<D>));
  const auto velocity = [&](int body) -> const Twist<D>& { return world.bodies[body].velocity; };
  for (int i = 0; i < kDof<D>; ++i) {
    const int held = static_cast<int>(equations.rows.size());
    const Row<D>& row = i < held ? equations.rows[i] : equations.axes[i - held];
    G.row(i) = (of_B ? row.G_B : row.G_A).transpose();
    change[i] = (i < held ? 0.0 : rates[i - held]) - rate_by(row, velocity);
  }
  const Twist<D> added = G.partialPivLu().solve(change);
  if (!added.allFinite()) refuse(joint, "its rates cannot be set here");
  const Vec<D> centre = world.bodies[mover].position;
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    if (!side.moves[b]) continue;
    Body<D>& body = world.bodies[b];
    const Vec<D> carried = spin_velocity<D>(angular<D>(added), body.position - centre);
    body.velocity += twist<D>(linear<D>(added) + carried, angular<D>(added));
  }
}

#define TOUCHSTONE_INSTANTIATE(D)                                          \
  template void set_joint_values(World<D>&, int, std::span<const double>); \
  template void set_joint_rates(World<D>&, int, std::span<const double>);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
