// advance: an attempt becomes the state of the world, and the report tells what it was.

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "touchstone/dynamics/determinacy.h"
#include "touchstone/dynamics/sticking.h"
#include "touchstone/math/checks.h"
#include "touchstone/math/stopwatch.h"
#include "touchstone/stepping/attempt.h"
#include "touchstone/stepping/balance.h"
#include "touchstone/stepping/body_work.h"
#include "touchstone/stepping/impacts.h"
#include "touchstone/stepping/report_sums.h"

namespace touchstone {
namespace {

template <int D>
double joint_error(const World<D>& world) {
  double worst = 0;
  for (const Joint<D>& joint : world.joints) {
    for (const Row<D>& row : joint_equations<D>(joint, world.bodies).rows) {
      worst = std::max(worst, std::abs(row.offset));
    }
  }
  return worst;
}

template <int D>
std::vector<ContactForce<D>> contact_forces(const SolvedStep<D>& solved) {
  const auto& [set, assembly, found] = std::tie(solved.set, solved.assembly, solved.impulses);
  assert(assembly.row_of_contact.size() == set.unilateral.size());
  std::vector<ContactForce<D>> forces(set.unilateral.size());
  for (std::size_t i = 0; i < forces.size(); ++i) {
    const int contact = set.unilateral[i], row = assembly.row_of_contact[i];
    assert(is_index(contact, set.contacts.size()) && row < static_cast<int>(found.unilateral.size()));
    const double normal = row < 0 ? 0 : found.unilateral[row];
    forces[i] = {contact, normal, normal * set.contacts[contact].normal};
  }
  // A row's direction is the linear part of its G on the body that moves.
  const auto add = [&](const std::vector<Row<D>>& rows, const std::vector<RowNote>& notes,
                       const std::vector<double>& p) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (notes[i].kind != RowKind::friction) continue;
      const Vec<D> direction = rows[i].body_A >= 0 ? linear<D>(rows[i].G_A) : Vec<D>(-linear<D>(rows[i].G_B));
      assert(is_index(notes[i].index, forces.size()));
      forces[notes[i].index].impulse += p[i] * direction;
    }
  };
  add(assembly.equations.tangent, assembly.tangent, found.tangent);
  add(assembly.equations.bilateral, assembly.bilateral, found.bilateral);
  return forces;
}

/// [N m s] The angular momentum that a body loses on its path, or at its end, beside the impulses at its
/// start.
template <int D>
Spin<D> lost_turning(const Attempt<D>& attempt, int body) {
  if (attempt.swinging.contains(body)) return -attempt.swinging.end_kick[body];
  return attempt.steady.contains(body) ? attempt.steady.turning[body] : Spin<D>(Spin<D>::Zero());
}

/// Moves every body to the end of its path, and measures the joints.
template <int D>
void advance(const Attempt<D>& attempt, World<D>& world) {
  assert(attempt.paths.size() == world.bodies.size());
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    Body<D>& body = world.bodies[b];
    const Path<D>& path = attempt.paths[b];
    if (body.is_dynamic()) {
      body.velocity = end_velocity<D>(body, path, lost_turning(attempt, static_cast<int>(b)));
    } else {
      body.velocity = path.velocity;
    }
    if (body.kind == BodyKind::fixed) continue;
    body.position = path.centre_at(1), body.attitude = path.end;
  }
  world.time += attempt.h;
  ++world.steps;
  for (Joint<D>& joint : world.joints) measure_joint(joint, world.bodies);
}

/// [m/s] How fast a contact with Coulomb's friction slides at the end.
template <int D>
double sliding_speed(const SolvedStep<D>& solved, const FrictionGroup& group) {
  double squared = 0, most = 0;
  for (const double speed : slip_rates(solved.assembly, group, solved.impulses.V)) {
    squared += speed * speed, most = std::max(most, std::abs(speed));
  }
  return group.round ? std::sqrt(squared) : most;
}

/// Pairs of bodies that push each other with friction, and whether they slide.
template <int D>
std::map<std::pair<int, int>, bool> friction_pairs(const SolvedStep<D>& solved) {
  std::map<std::pair<int, int>, bool> pairs;
  const auto& [set, assembly, found] = std::tie(solved.set, solved.assembly, solved.impulses);
  for (std::size_t i = 0; i < set.unilateral.size(); ++i) {
    const int row = assembly.row_of_contact[i], g = assembly.group_of_contact[i];
    if (row < 0 || g < 0 || !(found.unilateral[row] > 0)) continue;
    const Contact<D>& contact = set.contacts[set.unilateral[i]];
    bool& slides = pairs[std::minmax(contact.body_A, contact.body_B)];
    slides = slides || sliding_speed(solved, assembly.equations.groups[g]) > kSlides;
  }
  return pairs;
}

/// Numbers of effort add up over the parts of a step, the worst residual and the least gap are those of all
/// parts, and the contacts those of the last.
template <int D>
void report_attempt(const Attempt<D>& attempt, StepReport<D>& report) {
  const SolvedStep<D>& solved = attempt.solved;
  report.pairs = static_cast<int>(attempt.pairs.size());
  report.contacts = static_cast<int>(solved.set.contacts.size());
  report.rows = solved.rows, report.islands = solved.islands;
  report.iterations += attempt.iterations, report.updates += attempt.updates;
  report.residual = std::max(report.residual, solved.residual);
  if (attempt.min_gap) report.min_gap = std::min(report.min_gap.value_or(*attempt.min_gap), *attempt.min_gap);
  report.ends = attempt.ends;
  const ChoiceReport earlier = std::exchange(report.choice, attempt.choice);
  report.choice.add_effort(earlier);
  add(attempt.notes, report.notes);
  add(attempt.times, report.times);
  report.friction.add(solved.friction);
  const auto pairs = friction_pairs(solved);
  report.pushing_pairs = static_cast<int>(pairs.size());
  report.sliding_pairs = static_cast<int>(
      std::count_if(pairs.begin(), pairs.end(), [](const auto& pair) { return pair.second; }));
  report.set = solved.set;
  report.forces = contact_forces(solved);
  report.flew.assign(attempt.paths.size(), false);
  for (std::size_t b = 0; b < attempt.paths.size(); ++b) {
    const bool falls = !attempt.paths[b].acceleration.isZero(0);
    report.flew[b] = falls || attempt.swinging.contains(static_cast<int>(b));
  }
}

}  // namespace

template <int D>
void commit(const Attempt<D>& attempt, const StepSettings& settings, World<D>& world, StepReport<D>& report) {
  assert(attempt.status == StepStatus::done);
  Stopwatch watch;
  const Energy before = energy(world);
  report.merged_impacts += count_merged_impacts(world, attempt);
  report.dulled_impacts += attempt.solved.dulled;
  report_attempt(attempt, report);
  if (settings.determinacy) report.undetermined = find_undetermined(attempt.solved);
  world.sticking = find_sticking(world.surfaces, attempt.solved);
  advance(attempt, world);
  report.energy = energy(world);
  add(energy_balance<D>(attempt, world, before, report.energy), report.balance);
  std::vector<BodyWork> works = body_works<D>(attempt, world);
  if (settings.correct_joints) {
    const std::vector<Body<D>> open = world.bodies;
    correct_joints(world.joints, world.bodies);
    report.ends.reset();
    for (std::size_t b = 0; b < works.size(); ++b)
      works[b].joints += kinetic_energy(world.bodies[b]) - kinetic_energy(open[b]);
  }
  add(works, report.works);
  report.joint_error = joint_error(world);
  report.times.advance += watch.lap();
}

template void commit(const Attempt<2>&, const StepSettings&, World<2>&, StepReport<2>&);
template void commit(const Attempt<3>&, const StepSettings&, World<3>&, StepReport<3>&);

}  // namespace touchstone
