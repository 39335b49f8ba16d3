#include "touchstone/stepping/judge_joints.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace touchstone {
namespace {

/// A part of a step that is shorter by this is taken whatever its joints do: a stiff drive moves them as far
/// in any part. The report tells the error, and a run warns of it.
constexpr double kShortest = 64;

/// [m] of the bodies that a joint joins; the larger.
template <int D>
double radius_of_gyration(const Joint<D>& joint, const std::vector<Body<D>>& bodies) {
  double largest = 0;
  for (const int b : {joint.body_A, joint.body_B}) {
    if (b < 0 || !bodies[b].is_dynamic()) continue;
    largest = std::max(largest, std::sqrt(bodies[b].inertia.trace() / bodies[b].mass));
  }
  return largest;
}

/// The worst |C| of a joint, lengths as shares of `length`.
template <int D>
double opening(const Joint<D>& joint, const std::vector<Body<D>>& bodies, double length) {
  double worst = 0;
  for (const Row<D>& row : joint_equations<D>(joint, bodies).rows) {
    const bool is_length = linear<D>(row.body_A >= 0 ? row.G_A : row.G_B).squaredNorm() > 0;
    worst = std::max(worst, std::abs(row.offset) / (is_length ? length : 1));
  }
  return worst;
}

/// How far the values of a joint lie beyond their limits, lengths as shares of `length`.
template <int D>
double excess(const Joint<D>& joint, double length) {
  double worst = 0;
  for (std::size_t i = 0; i < std::min(joint.axes.size(), joint.value.size()); ++i) {
    const double beyond =
        std::max(joint.axes[i].lower - joint.value[i], joint.value[i] - joint.axes[i].upper);
    const bool turns = joint.kind == JointKind::spherical || is_angle<D>(joint.kind, static_cast<int>(i));
    worst = std::max(worst, beyond / (turns ? 1 : length));
  }
  return worst;
}

template <int D>
std::vector<Body<D>> bodies_at_end(const World<D>& world, const Attempt<D>& attempt) {
  std::vector<Body<D>> bodies = world.bodies;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    bodies[b].position = attempt.paths[b].centre_at(1), bodies[b].attitude = attempt.paths[b].end;
  }
  return bodies;
}

template <int D>
std::optional<std::string> find_open(const World<D>& world, const Attempt<D>& attempt, double tolerance) {
  const std::vector<Body<D>> end = bodies_at_end(world, attempt);
  for (const Joint<D>& joint : world.joints) {
    const double length = radius_of_gyration(joint, world.bodies);
    if (length == 0) continue;  // nobody moves
    Joint<D> moved = joint;
    measure_joint(moved, end);
    const double open = opening(joint, end, length), beyond = excess(moved, length);
    const bool opens = open > tolerance && open > opening(joint, world.bodies, length);
    const bool passes = beyond > tolerance && beyond > excess(joint, length);
    if (!opens && !passes) continue;
    char text[96];
    std::snprintf(text, sizeof text, "\" would %s by %.2g of its bodies' radius of gyration or rad",
                  opens ? "open" : "pass its limit", opens ? open : beyond);
    return "joint \"" + joint.name + text;
  }
  return std::nullopt;
}

}  // namespace

template <int D>
std::optional<std::string> trouble_with_joints(const World<D>& world, const Attempt<D>& attempt,
                                               const StepSettings& settings) {
  const bool is_short = attempt.h <= settings.h / kShortest;
  if (world.joints.empty() || is_short) return std::nullopt;
  return find_open(world, attempt, settings.joint_tolerance);
}

template std::optional<std::string> trouble_with_joints(const World<2>&, const Attempt<2>&,
                                                        const StepSettings&);
template std::optional<std::string> trouble_with_joints(const World<3>&, const Attempt<3>&,
                                                        const StepSettings&);

}  // namespace touchstone
