#include "touchstone/stepping/swings.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <map>

#include "touchstone/dynamics/row_energy.h"
#include "touchstone/math/joined_sets.h"
#include "touchstone/stepping/body_work.h"
#include "touchstone/stepping/free_fall.h"

namespace touchstone {
namespace {

/// Of the change of speed by forces: smaller changes by impulses are round-off of solvers.
constexpr double kNothing = 1e-9;

/// Bodies whose motion is not known before, or that move by a script, move all that hangs on them.
template <int D>
bool rests(const World<D>& world, std::span<const Twist<D>> V, int body) {
  return body < 0 || world.bodies[body].is_dynamic() || V[body].isZero(0);
}

template <int D>
bool is_driven(const Joint<D>& joint) {
  return std::any_of(joint.axes.begin(), joint.axes.end(),
                     [](const JointAxis& axis) { return axis.motor || !axis.servos.empty(); });
}

template <int D, class Act>
void each_body(const Row<D>& row, const std::vector<int>& dynamic, const Act& act) {
  if (row.body_A >= 0) act(dynamic[row.body_A]);
  if (row.body_B >= 0) act(dynamic[row.body_B]);
}

}  // namespace

template <int D>
Swings<D>::Swings(const World<D>& world, std::span<const Twist<D>> V_start, double h, const Stages<D>& stages)
    : world_(world),
      V_start_(V_start),
      h_(h),
      share_(stages.settings.joint_stabilisation * std::min(h / stages.settings.h, 1.)) {
  if (flies_exactly(stages)) find_islands();
}

template <int D>
void Swings<D>::find_islands() {
  if (world_.joints.empty()) return;
  const auto is_dynamic = [&](int b) { return b >= 0 && world_.bodies[b].is_dynamic(); };
  const int count = static_cast<int>(world_.bodies.size());
  JoinedSets sets(count);
  for (const Joint<D>& joint : world_.joints) {
    if (is_dynamic(joint.body_A) && is_dynamic(joint.body_B)) sets.join(joint.body_A, joint.body_B);
  }
  std::map<int, Island> islands;  // by the first body
  for (int j = 0; j < static_cast<int>(world_.joints.size()); ++j) {
    const Joint<D>& joint = world_.joints[j];
    const int b = is_dynamic(joint.body_A) ? joint.body_A : joint.body_B;
    if (is_dynamic(b)) islands[sets.find(b)].joints.push_back(j);
  }
  island_of_.assign(count, -1);
  for (int b = 0; b < count; ++b) {
    const auto island = is_dynamic(b) ? islands.find(sets.find(b)) : islands.end();
    if (island != islands.end()) island->second.bodies.push_back(b);
  }
  for (auto& [first, island] : islands) {
    if (!may_swing(island)) continue;
    for (const int b : island.bodies) island_of_[b] = static_cast<int>(islands_.size());
    islands_.push_back(std::move(island));
  }
}

template <int D>
bool Swings<D>::may_swing(const Island& island) const {
  return std::all_of(island.joints.begin(), island.joints.end(), [&](int j) {
    const Joint<D>& joint = world_.joints[j];
    return !is_driven(joint) && rests(world_, V_start_, joint.body_A) &&
           rests(world_, V_start_, joint.body_B);
  });
}

template <int D>
void Swings<D>::make(Island& island) const {
  SwingInput<D> input;
  input.h = h_, input.joint_stabilisation = share_;
  std::map<int, int> local = {{-1, -1}};
  const auto add = [&](int b) {
    if (!local.emplace(b, static_cast<int>(input.bodies.size())).second) return;
    const Body<D>& body = world_.bodies[b];
    input.bodies.push_back(body);
    if (!body.is_dynamic()) input.bodies.back().velocity.setZero();
    input.external.push_back(body.force + twist<D>(body.mass * world_.gravity, Spin<D>::Zero()));
  };
  for (const int b : island.bodies) add(b);
  for (const int j : island.joints) {
    Joint<D> joint = world_.joints[j];
    if (joint.body_A >= 0) add(joint.body_A);
    if (joint.body_B >= 0) add(joint.body_B);
    joint.body_A = local[joint.body_A], joint.body_B = local[joint.body_B];
    input.joints.push_back(std::move(joint));
  }
  island.swing = swing(input);
}

/// Islands on which a contact, friction or a limit pushes do not swing.
template <int D>
void Swings<D>::find_pushed(const SolvedStep<D>& solved, const SteadyBodies<D>& steady) {
  const StepEquations<D>& eq = solved.assembly.equations;
  const std::vector<int>& dynamic = solved.assembly.dynamic;
  const auto hold = [&](int b) {
    if (island_of_[b] >= 0) held_[island_of_[b]] = true;
  };
  for (std::size_t b = 0; b < world_.bodies.size(); ++b) {
    if (steady.contains(static_cast<int>(b))) hold(static_cast<int>(b));
  }
  std::vector<double> push(eq.body_count(), 0.);  // [m/s]
  const auto add = [&](const Row<D>& row, double p) {
    if (row.body_A >= 0) push[row.body_A] += std::abs(p) * eq.apply_inverse_mass(row.body_A, row.G_A).norm();
    if (row.body_B >= 0) push[row.body_B] += std::abs(p) * eq.apply_inverse_mass(row.body_B, row.G_B).norm();
  };
  for (std::size_t i = 0; i < eq.unilateral.size(); ++i) add(eq.unilateral[i], solved.impulses.unilateral[i]);
  for (std::size_t i = 0; i < eq.tangent.size(); ++i) add(eq.tangent[i], solved.impulses.tangent[i]);
  for (int b = 0; b < eq.body_count(); ++b) {
    const double by_forces = eq.apply_inverse_mass(b, h_ * solved.assembly.external[b]).norm();
    if (!(push[b] <= kNothing * by_forces)) hold(dynamic[b]);
  }
  for (std::size_t i = 0; i < eq.bilateral.size(); ++i) {
    if (solved.assembly.bilateral[i].kind == RowKind::friction) each_body(eq.bilateral[i], dynamic, hold);
  }
}

/// Islands that would break a row on their way do not swing; true: there was one.
template <int D>
bool Swings<D>::hold_blocked(const SolvedStep<D>& solved, std::vector<Twist<D>>& drift) {
  const std::vector<int>& dynamic = solved.assembly.dynamic;
  bool held = false;
  for (const Row<D>& row : solved.assembly.equations.unilateral) {
    bool swings = false;
    each_body(row, dynamic, [&](int b) { swings = swings || (island_of_[b] >= 0 && !held_[island_of_[b]]); });
    if (!swings || rate(row, drift) + row.offset >= 0) continue;
    held = true;
    each_body(row, dynamic, [&](int b) {
      const int k = island_of_[b];
      if (k < 0 || held_[k]) return;
      held_[k] = true;
      for (const int member : islands_[k].bodies) {
        const int local = solved.assembly.local[member];
        drift[local] = solved.impulses.V[local];
      }
    });
  }
  return held;
}

template <int D>
void Swings<D>::take(const Island& island, SwingingBodies<D>& swinging, std::vector<Twist<D>>& V,
                     std::vector<Vec<D>>& falling) const {
  const std::size_t count = world_.bodies.size();
  swinging.on.resize(count, false), swinging.works.resize(count);
  swinging.V_end.resize(count, Twist<D>::Zero()), swinging.end_kick.resize(count, Spin<D>::Zero());
  for (std::size_t i = 0; i < island.bodies.size(); ++i) {
    const int b = island.bodies[i];
    swinging.on[b] = true, swinging.works[b] = island.swing->works[i];
    swinging.V_end[b] = island.swing->V_end[i], swinging.end_kick[b] = island.swing->end_kick[i];
    const Twist<D>&drift = island.swing->V_drift[i], &end = island.swing->V_end[i];
    falling[b] = 2 / h_ * linear<D>(Twist<D>(end - drift));
    V[b] = twist<D>(linear<D>(end), angular<D>(drift));
  }
}

template <int D>
SwingingBodies<D> Swings<D>::find(const SolvedStep<D>& solved, const SteadyBodies<D>& steady,
                                  std::vector<Twist<D>>& V, std::vector<Vec<D>>& falling) {
  if (islands_.empty()) return {};
  assert(V.size() == world_.bodies.size() && falling.size() == V.size());
  held_.assign(islands_.size(), false);
  find_pushed(solved, steady);
  std::vector<Twist<D>> drift = solved.impulses.V;
  for (std::size_t k = 0; k < islands_.size(); ++k) {
    if (held_[k]) continue;
    Island& island = islands_[k];
    if (!island.swing) make(island);
    held_[k] = !island.swing->settled;
    for (std::size_t i = 0; i < island.bodies.size() && !held_[k]; ++i)
      drift[solved.assembly.local[island.bodies[i]]] = island.swing->V_drift[i];
  }
  while (hold_blocked(solved, drift)) {
  }
  SwingingBodies<D> swinging;
  for (std::size_t k = 0; k < islands_.size(); ++k) {
    if (!held_[k]) take(islands_[k], swinging, V, falling);
  }
  return swinging;
}

template <int D>
std::optional<std::string> trouble_with_swings(const World<D>& world, const Attempt<D>& attempt,
                                               const StepSettings& settings) {
  constexpr double kMost = 1e-3;    // of the kinetic energies and of the work of all forces
  constexpr double kShortest = 64;  // a shorter part of a step is taken
  if (attempt.swinging.on.empty() || attempt.h <= settings.h / kShortest) return std::nullopt;
  const int count = static_cast<int>(world.bodies.size());
  JoinedSets sets(count);
  for (const Joint<D>& joint : world.joints) {
    const int a = joint.body_A, b = joint.body_B;
    if (a >= 0 && b >= 0 && attempt.swinging.contains(a) && attempt.swinging.contains(b)) sets.join(a, b);
  }
  const double tolerance = settings.model.gap_tolerance, speed = tolerance / settings.h;
  const double lift = world.gravity.norm() * tolerance + 0.5 * speed * speed;  // as contacts may [judge.cpp]
  std::vector<double> given(count, 0.), allowed(count, 0.);
  for (int b = 0; b < count; ++b) {
    if (!attempt.swinging.contains(b)) continue;
    const SwingWork& work = attempt.swinging.works[b];
    const double before = kinetic_energy(world.bodies[b]);
    const double done = work.external + work.motors + work.dampers;
    given[sets.find(b)] += work.joints;
    const double energies = 2 * before + work.joints + done + std::abs(done);
    allowed[sets.find(b)] += kMost * energies + world.bodies[b].mass * lift;
  }
  for (int b = 0; b < count; ++b) {
    if (given[b] <= allowed[b]) continue;
    char text[96];
    std::snprintf(text, sizeof text, "\" and what hangs on it %.3g J", given[b]);
    return "joints would give body \"" + world.bodies[b].name + text;
  }
  return std::nullopt;
}

#define TOUCHSTONE_INSTANTIATE(D)                                                             \
  template class Swings<D>;                                                                   \
  template std::optional<std::string> trouble_with_swings(const World<D>&, const Attempt<D>&, \
                                                          const StepSettings&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
