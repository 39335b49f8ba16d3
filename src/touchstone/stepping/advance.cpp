#include "touchstone/stepping/advance.h"

namespace touchstone {

template <int D>
void follow_scripts(World<D>& world, double h) {
  for (Body<D>& body : world.bodies) {
    if (body.kind == BodyKind::fixed) body.velocity.setZero();
    if (body.kind != BodyKind::scripted || !body.script) continue;
    Body<D> target = body;
    target.set_X_WB(body.script(world.time + h));
    const Spin<D> turn = turn_between(body.attitude, target.attitude);
    body.velocity = twist<D>((target.position - body.position) / h, turn / h);
  }
}

template <int D>
void advance(World<D>& world, const Assembly<D>& assembly, const StepImpulses<D>& found, double h) {
  for (std::size_t i = 0; i < assembly.dynamic.size(); ++i) {
    move_freely(world.bodies[assembly.dynamic[i]], found.V[i], h);
  }
  world.time += h;
  ++world.steps;
  for (Body<D>& body : world.bodies) {
    body.force.setZero();
    if (body.kind != BodyKind::scripted) continue;
    body.position += h * linear<D>(body.velocity);
    body.attitude = body.attitude.turned(h * angular<D>(body.velocity));
  }
  for (Joint<D>& joint : world.joints) {
    for (JointAxis& axis : joint.axes) axis.force = 0;
    measure_joint(joint, world.bodies);
  }
}

template void follow_scripts(World<2>&, double);
template void follow_scripts(World<3>&, double);
template void advance(World<2>&, const Assembly<2>&, const StepImpulses<2>&, double);
template void advance(World<3>&, const Assembly<3>&, const StepImpulses<3>&, double);

}  // namespace touchstone
