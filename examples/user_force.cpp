// A puck on ice, drawn by a spring and braked by a drag: forces that the user's own function sets.
#include <cstdio>

#include "touchstone/scene/scene_builder.h"
#include "touchstone/scene/simulation.h"

using namespace touchstone;

int main() {
  SceneBuilder world(2);
  world.set("gravity", {0, 0}).set("step", 0.01);
  world.add_body({{"name", "puck"},
                  {"shape", {{"sphere", 0.1}}},
                  {"mass", 1},
                  {"position", {1, 0}},
                  {"velocity", {0, 1}}});
  Simulation sim(world.scene());
  sim.before_step([](Simulation& s) {
    Body<2>& puck = s.world<2>().bodies[0];
    const Vec<2> spring = -puck.position, drag = -0.2 * puck.velocity.head<2>();
    puck.add_force(spring + drag, puck.position);
  });
  for (int second = 1; second <= 5; ++second) {
    sim.run_until(second);
    const Vec<2> at = sim.world<2>().bodies[0].position;
    std::printf("%d s: (%.4f, %.4f)\n", second, at.x(), at.y());
  }
}
