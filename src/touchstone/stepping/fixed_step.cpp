#include "touchstone/stepping/fixed_step.h"

#include <cmath>

#include "touchstone/stepping/divide.h"
#include "touchstone/stepping/impacts.h"

namespace touchstone {
namespace {

/// [s] A multiple of the step stays one to the last bit: summed up, a million steps miss it by a thousand
/// times the round-off of one.
double next_time(double time, double h) {
  constexpr double kMultiple = 1e-6;  // of a step
  const double steps = std::round(time / h);
  return std::abs(time - steps * h) <= kMultiple * h ? (steps + 1) * h : time + h;
}

template <int D>
void forget_forces(World<D>& world) {
  for (Body<D>& body : world.bodies) body.force.setZero();
  for (Joint<D>& joint : world.joints) {
    for (JointAxis& axis : joint.axes) axis.force = 0, axis.servos.clear();
  }
}

/// The strikes that the attempt at the whole step merged are located, where they can be.
template <int D>
bool locate_impacts(const Attempt<D>& attempt, const Stages<D>& stages, World<D>& world,
                    StepMemory<D>& memory, StepReport<D>& report) {
  if (!may_strike_alone(world, attempt, stages)) return false;
  FoundImpacts<D> found = find_lone_impacts(world, stages, memory);
  if (attempt.status == StepStatus::done) found.whole = &attempt;
  return !found.impacts.empty() && step_with_impacts(found, stages, world, memory, report);
}

/// As a whole, or with impacts at their times, or divided.
template <int D>
bool make_step(const Stages<D>& stages, World<D>& world, StepMemory<D>& memory, StepReport<D>& report) {
  Attempt<D> attempt = attempt_step(world, stages.settings.h, stages, memory);
  if (locate_impacts(attempt, stages, world, memory, report)) return true;
  if (attempt.status != StepStatus::done) return divide_step(attempt, stages, world, memory, report);
  commit(attempt, stages.settings, world, report);
  memory = std::move(attempt.memory);
  return true;
}

}  // namespace

template <int D>
void make_fixed_step(const Stages<D>& stages, World<D>& world, StepMemory<D>& memory, StepReport<D>& report) {
  const double end = next_time(world.time, stages.settings.h);
  const long steps = world.steps + 1;
  if (!make_step(stages, world, memory, report)) return;
  forget_forces(world);
  world.time = end, world.steps = steps;
}

template void make_fixed_step(const Stages<2>&, World<2>&, StepMemory<2>&, StepReport<2>&);
template void make_fixed_step(const Stages<3>&, World<3>&, StepMemory<3>&, StepReport<3>&);

}  // namespace touchstone
