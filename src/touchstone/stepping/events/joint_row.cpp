#include "touchstone/stepping/events/joint_row.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>

#include "touchstone/math/checks.h"
#include "touchstone/stepping/events/first_contact.h"

namespace touchstone {
namespace {

constexpr double kJointStep = 1e-3;  ///< [s] of differences, for bodies that move at 1 m/s, 1 rad/s
constexpr double kShortest = 1e-14;  ///< [s] a part of a step that is not made shorter
constexpr int kSamples = 32;         ///< of a step, where nothing is proved

/// The row of the value after the time `ahead` at the present velocities.
template <int D>
Row<D> axis_row(const World<D>& world, const Joint<D>& joint, int axis, const std::vector<Moving<D>>& bodies,
                double ahead) {
  Joint<D> alone;
  alone.kind = joint.kind, alone.X_AJ = joint.X_AJ, alone.X_BJ = joint.X_BJ;
  std::vector<Body<D>> two(2);
  const int which[] = {joint.body_A, joint.body_B};
  int* const places[] = {&alone.body_A, &alone.body_B};
  for (int side = 0; side < 2; ++side) {
    if (which[side] < 0) continue;
    assert(is_index(which[side], bodies.size()));
    *places[side] = side;
    Moving<D> m = bodies[which[side]];
    shift<D>(m, ahead * m.V);
    two[side].com = world.bodies[which[side]].com, two[side].position = m.x, two[side].attitude = m.attitude;
  }
  Row<D> row = joint_equations<D>(alone, two).axes[axis];
  row.body_A = joint.body_A, row.body_B = joint.body_B;
  return row;
}

/// A value that turns about one axis of both bodies: value'' = axis . (alpha_B - alpha_A).
template <int D>
bool is_plain_angle(const Joint<D>& joint, int axis) {
  return is_angle<D>(joint.kind, axis) && joint.kind != JointKind::universal;
}
template <int D>
bool is_way(const Joint<D>& joint, int axis) {
  return !is_angle<D>(joint.kind, axis) && joint.kind != JointKind::spherical;
}

Pace pace_of(const auto& view, int body) { return body < 0 ? Pace{} : view.pace(body); }

/// [m] From a body's centre of mass to the joint's frame on it.
template <int D>
double arm(const World<D>& world, int body, const Pose<D>& X_BJ) {
  return body < 0 ? 0 : (X_BJ.p - world.bodies[body].com).norm();
}

/// K >= |value''| over a part dt of the step. A way is k . d, with k carried by A, and d from A's frame to
/// B's:
///     |d''| + 2 w_A |d'| + (alpha_A + w_A^2) |d|,   d' and d'' of points that the bodies carry
template <int D>
double bend_bound(const StepView<D>& view, const Joint<D>& joint, int axis, double apart, double dt) {
  const World<D>& world = view.phase().flight().world();
  const Pace a = pace_of(view, joint.body_A), b = pace_of(view, joint.body_B);
  if (is_plain_angle(joint, axis)) return a.alpha + b.alpha;
  if (!is_way(joint, axis)) return std::numeric_limits<double>::infinity();
  const double ra = arm<D>(world, joint.body_A, joint.X_AJ), rb = arm<D>(world, joint.body_B, joint.X_BJ);
  const double speed = a.v + b.v + a.w * ra + b.w * rb;
  const double force = a.a + b.a + (a.alpha + a.w * a.w) * ra + (b.alpha + b.w * b.w) * rb;
  const double length = apart + speed * dt;
  return force + 2 * a.w * speed + (a.alpha + a.w * a.w) * length;
}

/// The search for one limit within a step.
template <int D>
class Reach {
 public:
  Reach(const StepView<D>& view, const ContactRow<D>& limit)
      : view_(view),
        limit_(limit),
        world_(view.phase().flight().world()),
        joint_(world_.joints[limit.joint]) {}

  struct Instant {
    double time, gap, speed;
    double apart;  ///< [m] the frames of the joint
  };
  Instant look(double time) const {
    const std::vector<Moving<D>> bodies = view_.at(time);
    const RowNow<D> now = row_now<D>(limit_, world_, bodies);
    const Vec<D> d = place(bodies, joint_.body_B, joint_.X_BJ) - place(bodies, joint_.body_A, joint_.X_AJ);
    return {time, now.gap, now.speed, d.norm()};
  }
  bool is_proved() const { return is_plain_angle(joint_, limit_.axis) || is_way(joint_, limit_.axis); }

  std::optional<double> first(const Instant& a, const Instant& b) const {
    assert(a.time <= b.time);
    const bool proved = is_proved();
    if (proved ? is_clear(a, b) : a.gap >= -kOverlap && b.gap >= -kOverlap) return {};
    if (b.time - a.time <= kShortest * std::max(1., std::abs(b.time)))
      return b.gap < -kOverlap ? std::optional(b.time) : std::nullopt;
    const Instant middle = look(0.5 * (a.time + b.time));
    if (const auto found = first(a, middle)) return found;
    return first(middle, b);
  }

 private:
  /// As for planes that bodies carry [first_contact.cpp].
  bool is_clear(const Instant& a, const Instant& b) const {
    const double dt = b.time - a.time;
    const double K = bend_bound(view_, joint_, limit_.axis, a.apart, dt);
    if (std::min(a.gap, b.gap) - K * dt * dt / 8 >= -kOverlap) return true;
    return a.gap >= -kOverlap && a.gap + a.speed * dt - K * dt * dt / 2 >= -kOverlap;
  }
  Vec<D> place(const std::vector<Moving<D>>& bodies, int body, const Pose<D>& X_BJ) const {
    return body < 0 ? X_BJ.p : bodies[body].pose() * Vec<D>(X_BJ.p - world_.bodies[body].com);
  }

  const StepView<D>& view_;
  const ContactRow<D>& limit_;
  const World<D>& world_;
  const Joint<D>& joint_;
};

template <int D>
ContactRow<D> limit_row(const Joint<D>& joint, int index, int axis, double sign) {
  const JointAxis& limits = joint.axes[axis];
  const double value = joint.value[axis];
  ContactRow<D> row;
  row.kind = TouchKind::limit, row.joint = index, row.axis = axis, row.sign = sign;
  row.bound = sign > 0 ? std::min(limits.lower, value) : std::max(limits.upper, value);
  row.P = joint.body_A, row.E = joint.body_B;
  row.point_P = row.point_E = row.along_P = row.along_E = Vec<D>::Zero();
  row.surface.bounce = limits.bounce;
  return row;
}

template <int D>
RowNow<D> limit_now(const ContactRow<D>& row, const World<D>& world, const std::vector<Moving<D>>& bodies) {
  const AxisNow<D> axis = axis_now<D>(world, row.joint, row.axis, bodies);
  RowNow<D> now;
  now.point = Vec<D>::Zero(), now.normal = Vec<D>::UnitX(), now.across = tangents<D>(now.normal);
  now.gap = row.sign * (axis.value - row.bound), now.speed = row.sign * axis.rate;
  now.bend = row.sign * axis.bend;
  now.N_P = row.sign * axis.row.G_A, now.N_E = row.sign * axis.row.G_B;
  now.T_P.setZero(), now.T_E.setZero(), now.slip.setZero(), now.slip_bend.setZero();
  return now;
}

}  // namespace

template <int D>
double continued(const Joint<D>& joint, int axis, double value) {
  if (!is_angle<D>(joint.kind, axis)) return value;
  const double turn = 2 * std::numbers::pi;
  return value + turn * std::round((joint.value[axis] - value) / turn);
}

template <int D>
AxisNow<D> axis_now(const World<D>& world, int joint, int axis, const std::vector<Moving<D>>& bodies) {
  const Joint<D>& J = world.joints[joint];
  const auto velocity = [&](int b) -> const Twist<D>& { return bodies[b].V; };
  const auto given = [&](int b) -> const Twist<D>& { return bodies[b].given; };
  AxisNow<D> now;
  now.row = axis_row<D>(world, J, axis, bodies, 0);
  now.value = continued(J, axis, now.row.offset);
  now.rate = rate_by(now.row, velocity), now.bend = rate_by(now.row, given);
  double fastest = 0;
  for (const int b : {J.body_A, J.body_B}) fastest = b < 0 ? fastest : std::max(fastest, bodies[b].V.norm());
  const double e = kJointStep / (1 + fastest);
  for (const auto& [steps, factor] : {std::pair{-2., 1.}, {-1., -8.}, {1., 8.}, {2., -1.}}) {
    now.bend += factor / (12 * e) * rate_by(axis_row<D>(world, J, axis, bodies, steps * e), velocity);
  }
  return now;
}

template <int D>
std::vector<ContactRow<D>> limit_rows(const World<D>& world) {
  std::vector<ContactRow<D>> rows;
  for (std::size_t j = 0; j < world.joints.size(); ++j) {
    const Joint<D>& joint = world.joints[j];
    for (std::size_t k = 0; k < joint.axes.size(); ++k) {
      const int index = static_cast<int>(j), axis = static_cast<int>(k);
      if (std::isfinite(joint.axes[k].lower)) rows.push_back(limit_row(joint, index, axis, 1));
      if (std::isfinite(joint.axes[k].upper)) rows.push_back(limit_row(joint, index, axis, -1));
    }
  }
  return rows;
}

template <int D>
RowNow<D> row_now(const ContactRow<D>& row, const World<D>& world, const std::vector<Moving<D>>& bodies) {
  if (row.kind == TouchKind::limit) return limit_now(row, world, bodies);
  return row_now<D>(row, bodies[row.P], bodies[row.E]);
}

template <int D>
double largest_turn(const StepView<D>& view) {
  double most = 0;
  for (const Joint<D>& joint : view.phase().flight().world().joints) {
    for (std::size_t k = 0; k < joint.axes.size(); ++k) {
      const JointAxis& axis = joint.axes[k];
      const bool asked = std::isfinite(axis.lower) || std::isfinite(axis.upper) || !axis.servos.empty();
      if (!asked || !is_angle<D>(joint.kind, static_cast<int>(k))) continue;
      most = std::max(most, pace_of(view, joint.body_A).w + pace_of(view, joint.body_B).w);
    }
  }
  return most * (view.end() - view.begin());
}

template <int D>
std::optional<double> first_reach(const StepView<D>& view, const ContactRow<D>& limit, double end) {
  const Reach<D> search(view, limit);
  auto before = search.look(view.begin());
  const int parts = search.is_proved() ? 1 : kSamples;
  for (int i = 1; i <= parts; ++i) {
    const auto now = search.look(i == parts ? end : view.begin() + (end - view.begin()) * i / parts);
    if (const auto found = search.first(before, now)) return found;
    before = now;
  }
  return {};
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                   \
  template double continued(const Joint<D>&, int, double);                                          \
  template AxisNow<D> axis_now(const World<D>&, int, int, const std::vector<Moving<D>>&);           \
  template std::vector<ContactRow<D>> limit_rows(const World<D>&);                                  \
  template RowNow<D> row_now(const ContactRow<D>&, const World<D>&, const std::vector<Moving<D>>&); \
  template double largest_turn(const StepView<D>&);                                                 \
  template std::optional<double> first_reach(const StepView<D>&, const ContactRow<D>&, double);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
