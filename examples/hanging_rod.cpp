// The thesis's hanging rod [Thesis scripts 4-6]: height, speed and acceleration, and how far its joint opens.
#include <cstdio>

#include "touchstone/scene/scene_builder.h"
#include "touchstone/scene/simulation.h"

using namespace touchstone;

int main() {
  const double angle = M_PI / 5;
  SceneBuilder world(3);
  world.add_body({{"name", "rod"},
                  {"shape", {{"cylinder", {{"radius", 0.1}, {"height", 0.5}, {"corners", 7}}}}},
                  {"mass", 1},
                  {"position", {-0.25 * std::sin(angle), 0, 0.25 - 0.25 * std::cos(angle)}},
                  {"axis_angle", {0, 1, 0, angle}}});
  world.add_joint(
      {{"name", "hinge"}, {"kind", "spherical"}, {"bodies", {"world", "rod"}}, {"position", {0, 0, 0.25}}});
  Simulation sim(world.scene());
  double worst = 0, before = 0, a = 0;
  sim.on_step([&](Simulation& s) {
    const Body<3>& rod = s.world<3>().bodies[0];
    a = (rod.velocity.z() - before) / 0.005, before = rod.velocity.z();
    worst = std::max(worst, (rod.X_WB() * Vec<3>(0, 0, 0.25) - Vec<3>(0, 0, 0.25)).norm());
    if (s.world<3>().steps % 200 == 0)
      std::printf("%.0f s: %8.5f m %8.5f m/s %8.5f m/s^2\n", s.time(), rod.X_WB().p.z(), before, a);
  });
  sim.run_until(5);
  std::printf("the joint opens by less than 7e-5 m: %s\n", worst < 7e-5 ? "true" : "false");
}
