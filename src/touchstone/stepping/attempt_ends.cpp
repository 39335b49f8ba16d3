#include "touchstone/stepping/attempt_ends.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "touchstone/dynamics/canonical.h"
#include "touchstone/geometry/bounds.h"

namespace touchstone {
namespace {

/// Swept boxes are padded by kSettling g h^2, so that a resting body stays inside although the first try lets
/// it fall.
constexpr double kSettling = 4;

/// [m] What a body that tumbles over another goes in a few steps, however slow it is now: it reaches the
/// speed of a fall by its own size. Models that choose between features must see those that it comes to next;
/// with a margin of present speeds alone, piles exploded.
template <int D>
double way_of_a_tumble(const World<D>& world, double h) {
  constexpr double kSteps = 4;
  double largest = 0;
  for (const ContactShape<D>& part : world.shapes) {
    if (world.bodies[part.body].is_dynamic()) largest = std::max(largest, size_of(*part.shape));
  }
  return kSteps * h * std::sqrt(world.gravity.norm() * largest);
}

}  // namespace

template <int D>
StepInput<D> step_input(const World<D>& world, std::span<const Twist<D>> V, double h,
                        const StepSettings& settings) {
  assert(V.size() == world.bodies.size() && h > 0);
  // The error of a joint is closed within a whole step: in a part of one it would be shot.
  const double share = settings.joint_stabilisation * std::min(h / settings.h, 1.);
  StepInput<D> input{world.bodies,  V, world.joints, world.surfaces,
                     world.gravity, h, share,        settings.formulation};
  input.sticking = world.sticking;
  prepare(input);
  return input;
}

template <int D>
double first_margin(const World<D>& world, std::span<const Twist<D>> V, double h, const Stages<D>& stages) {
  assert(V.size() == world.bodies.size() && h > 0);
  if (stages.model->sweeps()) return kSettling * h * h * world.gravity.norm();
  if (stages.settings.margin > 0) return stages.settings.margin;
  const double margin = contact_margin(world, V, h);
  return stages.model->has_choices() ? std::max(margin, way_of_a_tumble(world, h)) : margin;
}

template <int D>
void split_forces(const Stages<D>& stages, const StepMemory<D>& last, Attempt<D>& attempt) {
  if (!stages.settings.split_forces || !stages.solve.islands.canonical || stages.solve.has_choices) return;
  attempt.memory.splits =
      split_canonically(attempt.solved, stages.settings.formulation, stages.settings.solve, last.splits);
}

template <int D>
Attempt<D> finished(Attempt<D> attempt, const Verdict& verdict, StepContacts<D>& contacts,
                    Measure<D>& measure) {
  if (attempt.status == StepStatus::done && verdict.word != Verdict::Word::holds) {
    attempt.status = StepStatus::not_converged, attempt.why = verdict.why, attempt.event = verdict.event;
  }
  assert(attempt.status != StepStatus::done || attempt.paths.size() == attempt.solved.assembly.local.size());
  attempt.pairs = measure.pairs();
  attempt.notes = contacts.notes();
  attempt.notes.push_back({"widened", measure.widened()});
  attempt.min_gap = verdict.lowest_gap;
  if (verdict.ends && measure.clearance()) {
    attempt.ends = verdict.ends;
    attempt.ends->clearance = *measure.clearance();
  }
  attempt.memory.tree = measure.take_tree();
  attempt.memory.model = contacts.memory();
  return attempt;
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                            \
  template StepInput<D> step_input(const World<D>&, std::span<const Twist<D>>, double, const StepSettings&); \
  template double first_margin(const World<D>&, std::span<const Twist<D>>, double, const Stages<D>&);        \
  template void split_forces(const Stages<D>&, const StepMemory<D>&, Attempt<D>&);                           \
  template Attempt<D> finished(Attempt<D>, const Verdict&, StepContacts<D>&, Measure<D>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
