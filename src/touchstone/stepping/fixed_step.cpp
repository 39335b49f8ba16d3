#include "touchstone/stepping/fixed_step.h"

#include "touchstone/stepping/divide.h"

namespace touchstone {
namespace {

template <int D>
void forget_forces(World<D>& world) {
  for (Body<D>& body : world.bodies) body.force.setZero();
  for (Joint<D>& joint : world.joints) {
    for (JointAxis& axis : joint.axes) axis.force = 0, axis.servos.clear();
  }
}

}  // namespace

template <int D>
void make_fixed_step(const Stages<D>& stages, World<D>& world, StepMemory<D>& memory, StepReport<D>& report) {
  const StepSettings& settings = stages.settings;
  const double end = world.time + settings.h;
  const long steps = world.steps + 1;
  Attempt<D> attempt = attempt_step(world, settings.h, stages, memory);
  if (attempt.status == StepStatus::done) {
    commit(attempt, settings, world, report);
    memory = std::move(attempt.memory);
  } else if (!divide_step(attempt, stages, world, memory, report)) {
    return;
  }
  forget_forces(world);
  world.time = end, world.steps = steps;
}

template void make_fixed_step(const Stages<2>&, World<2>&, StepMemory<2>&, StepReport<2>&);
template void make_fixed_step(const Stages<3>&, World<3>&, StepMemory<3>&, StepReport<3>&);

}  // namespace touchstone
