// Hello world: a box falls onto the floor [Thesis 6.2].
#include <cstdio>

#include "touchstone/scene/scene_builder.h"
#include "touchstone/scene/simulation.h"

using namespace touchstone;

int main() {
  SceneBuilder world(3);
  world.set("step", 0.01);
  world.add_body({{"name", "floor"},
                  {"shape", {{"half_space", {{"normal", {0, 0, 1}}, {"offset", 0}}}}},
                  {"fixed", true}});
  world.add_body({{"name", "box"}, {"shape", {{"box", {1, 1, 1}}}}, {"mass", 1}, {"position", {0, 0, 2}}});
  Simulation sim(world.scene());
  sim.on_step([](Simulation& s) {
    const Body<3>& box = s.world<3>().bodies[1];
    if (s.world<3>().steps % 20 == 0) std::printf("%.1f s: height %.3f m\n", s.time(), box.position.z());
  });
  sim.run_until(1);
  std::printf("the box rests: its speed is %.3f m/s\n", sim.world<3>().bodies[1].velocity.head<3>().norm());
}
