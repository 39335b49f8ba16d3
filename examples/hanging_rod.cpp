// The thesis's hanging rod [Thesis scripts 4-6]: height, speed and acceleration, and how far its joint opens.
#include <cstdio>

#include "touchstone/scene/simulation.h"
#include "touchstone/stepping/build_world.h"

using namespace touchstone;

int main() {
  const Vec<3> hinge(0, 0, 0.25), end(0, 0, 0.25);
  const Mat<3> turned = rotation(Vec<3>(0, 1, 0), M_PI / 5);
  World<3> world;
  world.gravity = {0, 0, -9.81};
  const int rod = add_body(world, "rod", make_cylinder(0.1, 0.5, 7),
                           {.mass = 1, .position = hinge - turned * end, .rotation = turned});
  add_joint(world, "hinge", JointKind::spherical, {.bodies = {kWorld, rod}, .position = hinge});
  StepSettings settings;
  settings.h = 0.005;
  Simulation sim(world, settings);
  double worst = 0, before = 0;
  sim.on_step([&](Simulation& s) {
    const Body<3>& body = s.world<3>().bodies[rod];
    const double speed = body.velocity.z(), a = (speed - before) / 0.005;
    before = speed, worst = std::max(worst, (body.X_WB() * end - hinge).norm());
    if (s.world<3>().steps % 200 == 0)
      std::printf("%.0f s: %8.5f m %8.5f m/s %8.5f m/s^2\n", s.time(), body.X_WB().p.z(), speed, a);
  });
  sim.run_until(5);
  std::printf("the joint opens by less than 1e-12 m: %s\n", worst < 1e-12 ? "true" : "false");
}
