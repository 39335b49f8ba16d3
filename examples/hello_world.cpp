// Hello world: a box falls onto the floor [Thesis 6.2].
#include <cstdio>

#include "touchstone/stepping/build_world.h"
#include "touchstone/stepping/step.h"

using namespace touchstone;

int main() {
  World<3> world;
  world.gravity = {0, 0, -9.81};
  add_body(world, "floor", HalfSpace<3>{{Vec<3>::UnitZ(), 0}}, {.kind = BodyKind::fixed});
  const int box = add_body(world, "box", make_box<3>({1, 1, 1}), {.mass = 1, .position = {0, 0, 2}});
  StepSettings settings;
  settings.h = 0.01;
  Stepper<3> stepper(settings);
  for (int step = 1; step <= 100; ++step) {
    if (stepper.step(world).status != StepStatus::done) return 1;
    if (step % 20 == 0) std::printf("%.1f s: height %.3f m\n", world.time, world.bodies[box].position.z());
  }
  std::printf("the box rests: its speed is %.3f m/s\n", linear<3>(world.bodies[box].velocity).norm());
}
