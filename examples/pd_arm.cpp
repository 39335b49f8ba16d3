// An arm of two links follows a target by PD torques that the user's own function sets [Thesis 6.6].
#include <cmath>
#include <cstdio>

#include "touchstone/scene/simulation.h"

using namespace touchstone;

int main() {
  Scene scene = load_scene("pendulum-arm");
  std::get<RunContent<2>>(scene.content).controllers.clear();  // its own controllers rest
  Simulation sim(std::move(scene));
  const auto drive = [&](const char* name, double kp, double kd, double goal) {
    World<2>& world = sim.world<2>();
    Joint<2>& joint = world.joints[world.find_joint(name)];
    const double error = goal * std::min(sim.time() / 1.5, 1.0) - joint.value[0];
    joint.axes[0].force = kp * error - kd * joint_rates<2>(joint, world.bodies)[0];
  };
  sim.before_step([&](Simulation&) { drive("shoulder", 400, 40, 1.2), drive("elbow", 200, 15, 0.8); });
  for (const double time : {0.5, 1.0, 1.5, 2.0, 3.0}) {
    sim.run_until(time);
    const auto& joints = sim.world<2>().joints;
    std::printf("%.1f s: shoulder %.3f rad, elbow %.3f rad\n", time, joints[0].value[0], joints[1].value[0]);
  }
}
