// An arm of two links follows a target by PD torques that the user's own function sets [Thesis 6.6].
#include <cmath>
#include <cstdio>

#include "touchstone/scene/simulation.h"

using namespace touchstone;

int main() {
  Scene scene = load_scene("pendulum-arm");
  std::get<SceneContent<2>>(scene.content).controllers.clear();  // its own controllers rest
  Simulation sim(std::move(scene));
  const double kp[] = {400, 200}, kd[] = {40, 15}, goal[] = {1.2, 0.8};
  sim.before_step([&](Simulation& s) {
    World<2>& world = s.world<2>();
    for (int i = 0; i < 2; ++i) {
      Joint<2>& joint = world.joints[i];
      const double target = goal[i] * std::min(s.time() / 1.5, 1.0);
      joint.axes[0].force =
          kp[i] * (target - joint.value[0]) - kd[i] * joint_rates<2>(joint, world.bodies)[0];
    }
  });
  for (const double time : {0.5, 1.0, 1.5, 2.0, 3.0}) {
    sim.run_until(time);
    const auto& joints = sim.world<2>().joints;
    std::printf("%.1f s: shoulder %.3f rad, elbow %.3f rad\n", time, joints[0].value[0], joints[1].value[0]);
  }
}
