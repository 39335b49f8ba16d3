// A puck on ice, drawn by a spring and braked by a drag: forces that the user's own function sets.
#include <cstdio>

#include "touchstone/scene/simulation.h"
#include "touchstone/stepping/build_world.h"

using namespace touchstone;

int main() {
  World<2> world;
  const int puck =
      add_body(world, "puck", Sphere<2>{0.1}, {.mass = 1, .position = {1, 0}, .velocity = {0, 1}});
  Simulation sim(world);
  sim.before_step([&](Simulation& s) {
    Body<2>& body = s.world<2>().bodies[puck];
    const Vec<2> spring = -body.position, drag = -0.2 * linear<2>(body.velocity);
    body.add_force(spring + drag, body.position);
  });
  for (int second = 1; second <= 5; ++second) {
    sim.run_until(second);
    const Vec<2> at = sim.world<2>().bodies[puck].position;
    std::printf("%d s: (%.4f, %.4f)\n", second, at.x(), at.y());
  }
}
