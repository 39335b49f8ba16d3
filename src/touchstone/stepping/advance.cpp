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
void move_body(Body<D>& body, const Twist<D>& velocity, const SteadyBodies<D>& steady, int index, double h) {
  if (steady.contains(index)) {
    move_steadily(body, velocity, steady.turning[index], h);
  } else {
    move_freely(body, velocity, h);
  }
}

template <int D>
std::vector<Twist<D>> velocities(const World<D>& world) {
  std::vector<Twist<D>> V;
  V.reserve(world.bodies.size());
  for (const Body<D>& body : world.bodies) V.push_back(body.velocity);
  return V;
}

template <int D>
std::vector<Twist<D>> velocities(const World<D>& world, const Assembly<D>& assembly,
                                 const std::vector<Twist<D>>& V) {
  std::vector<Twist<D>> all = velocities(world);
  for (std::size_t i = 0; i < V.size(); ++i) all[assembly.dynamic[i]] = V[i];
  return all;
}

template <int D>
void place_body(const World<D>& world, int b, const Twist<D>& velocity, const SteadyBodies<D>& steady,
                double h, Body<D>& moved) {
  moved.position = world.bodies[b].position, moved.attitude = world.bodies[b].attitude;
  if (moved.is_dynamic()) {
    move_body(moved, velocity, steady, b, h);
  } else {
    moved.position += h * linear<D>(velocity);
    moved.attitude = moved.attitude.turned(h * angular<D>(velocity));
  }
}

template <int D>
void move_bodies(const World<D>& world, const std::vector<Twist<D>>& V, const SteadyBodies<D>& steady,
                 double h, std::vector<Body<D>>& moved) {
  for (int b = 0; b < static_cast<int>(moved.size()); ++b) place_body(world, b, V[b], steady, h, moved[b]);
}

template <int D>
void advance(World<D>& world, const Assembly<D>& assembly, const StepImpulses<D>& found,
             const SteadyBodies<D>& steady, double h) {
  for (std::size_t i = 0; i < assembly.dynamic.size(); ++i) {
    const int body = assembly.dynamic[i];
    move_body(world.bodies[body], found.V[i], steady, body, h);
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
template void move_body(Body<2>&, const Twist<2>&, const SteadyBodies<2>&, int, double);
template void move_body(Body<3>&, const Twist<3>&, const SteadyBodies<3>&, int, double);
#define TOUCHSTONE_INSTANTIATE(D)                                                                          \
  template std::vector<Twist<D>> velocities(const World<D>&);                                              \
  template std::vector<Twist<D>> velocities(const World<D>&, const Assembly<D>&,                           \
                                            const std::vector<Twist<D>>&);                                 \
  template void move_bodies(const World<D>&, const std::vector<Twist<D>>&, const SteadyBodies<D>&, double, \
                            std::vector<Body<D>>&);                                                        \
  template void place_body(const World<D>&, int, const Twist<D>&, const SteadyBodies<D>&, double, Body<D>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE
template void advance(World<2>&, const Assembly<2>&, const StepImpulses<2>&, const SteadyBodies<2>&, double);
template void advance(World<3>&, const Assembly<3>&, const StepImpulses<3>&, const SteadyBodies<3>&, double);

}  // namespace touchstone
