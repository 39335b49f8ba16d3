#include "touchstone/stepping/attempt_ends.h"

#include <cassert>

namespace touchstone {
namespace {

/// Swept boxes are padded by kSettling g h^2, so that a resting body stays inside although the first try lets
/// it fall.
constexpr double kSettling = 4;

}  // namespace

template <int D>
StepInput<D> step_input(const World<D>& world, std::span<const Twist<D>> V, double h,
                        const StepSettings& settings) {
  assert(V.size() == world.bodies.size() && h > 0);
  StepInput<D> input{
      world.bodies,        V, world.joints, world.surfaces, world.gravity, h, settings.joint_stabilisation,
      settings.formulation};
  prepare(input);
  return input;
}

template <int D>
double first_margin(const World<D>& world, std::span<const Twist<D>> V, double h, const Stages<D>& stages) {
  assert(V.size() == world.bodies.size() && h > 0);
  if (stages.model->sweeps()) return kSettling * h * h * world.gravity.norm();
  return stages.settings.margin > 0 ? stages.settings.margin : contact_margin(world, V, h);
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
  template Attempt<D> finished(Attempt<D>, const Verdict&, StepContacts<D>&, Measure<D>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
