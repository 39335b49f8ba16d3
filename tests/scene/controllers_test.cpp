// Controllers of joints, over all gains.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "touchstone/math/random.h"
#include "touchstone/scene/simulation.h"

namespace touchstone {
namespace {

struct Gains {
  double kp, kd;
};

/// A rod on a hinge in the plane, without gravity: inertia 1/3 about the hinge. It is driven to 0.5 rad.
Simulation driven_rod(const Gains& gains, const std::string& more, double step,
                      const std::string& model = "plane") {
  char lines[512];
  std::snprintf(lines, sizeof lines,
                "touchstone: 1\ndimension: 2\nstep: %.17g\ngravity: [0, 0]\ncontact: {model: %s}\nbodies:\n"
                "  - {name: rod, mass: 1, inertia: 0.08333333333333333, position: [0.5, 0]}\n"
                "joints: [{name: hinge, kind: revolute, bodies: [world, rod], position: [0, 0]}]\n"
                "controllers: [{joint: hinge, target: 0.5, kp: %.17g, kd: %.17g%s}]\n",
                step, model.c_str(), gains.kp, gains.kd, more.c_str());
  return Simulation(parse_scene(lines, "rod.yaml"));
}
double angle(Simulation& sim) { return sim.world<2>().joints[0].value[0]; }

TEST(Controllers, NoGainMakesThemUnstable) {
  for (const double step : {0.001, 0.02}) {
    for (const double kp : {1.0, 1e3, 4e6, 1e12}) {
      for (const double kd : {0.0, 1.0, 1e4, 1e12}) {
        Simulation sim = driven_rod({kp, kd}, "", step);
        const double most = kp * 0.5 * 0.5 / 2;  // what the spring holds at the start
        for (int i = 0; i < 300; ++i) {
          ASSERT_TRUE(sim.step());
          ASSERT_LE(energy(sim.world<2>()).kinetic, most * (1 + 1e-9))
              << "kp " << kp << ", kd " << kd << ", h " << step;
        }
        EXPECT_LT(sim.summary().energy_excess, 1e-9 * most);
        EXPECT_EQ(sim.summary().unstable_joint, "");
      }
    }
  }
}

TEST(Controllers, AStiffOneReachesItsTargetAndASoftOneSwingsWithItsPeriod) {
  for (const char* model : {"plane", "manifold", "standard", "peg"}) {
    Simulation stiff = driven_rod({4e6, 2e3}, "", 0.002, model);
    ASSERT_TRUE(stiff.run_until(0.1)) << model;
    EXPECT_NEAR(angle(stiff), 0.5, 1e-9) << model;
  }
  // omega = sqrt(kp/I) = 3 rad/s: after half a period it is on the other side of the target.
  Simulation soft = driven_rod({3, 0}, "", 1e-4);
  ASSERT_TRUE(soft.run_until(M_PI / 3));
  EXPECT_NEAR(angle(soft), 1, 2e-3);
}

TEST(Controllers, AMovingTargetIsFollowedByTheDamperToo) {
  for (const double kp : {0.0, 1e3}) {
    Simulation sim = driven_rod({kp, 1e3}, "", 0.005);
    Scene scene = sim.scene();
    auto& content = std::get<RunContent<2>>(scene.content);
    content.controllers[0].times = {0, 1}, content.controllers[0].targets = {0, 0.8};
    Simulation moved(scene);
    ASSERT_TRUE(moved.run_until(1));
    EXPECT_NEAR(angle(moved), 0.8, 1e-3) << "kp " << kp;
  }
}

TEST(Controllers, TheLargestForceIsKept) {
  for (const char* model : {"plane", "manifold", "peg"}) {
    for (const double step : {0.001, 0.01}) {
      Simulation sim = driven_rod({1e6, 10}, ", max_force: 0.5", step, model);
      ASSERT_TRUE(sim.run_until(0.1)) << model;
      // 0.5 N m on 1/3 kg m^2 for 0.1 s.
      EXPECT_NEAR(sim.world<2>().bodies[0].velocity[2], 0.15, 1e-6) << model;
      ASSERT_TRUE(sim.run_until(4));
      EXPECT_LT(std::abs(sim.world<2>().bodies[0].velocity[2]), 1.5);
    }
  }
}

TEST(Controllers, TheirWorkIsToldApart) {
  Simulation sim = driven_rod({100, 0}, "", 0.001);
  ASSERT_TRUE(sim.run_until(0.05));
  const double kinetic = energy(sim.world<2>()).kinetic;
  EXPECT_GT(kinetic, 1);
  EXPECT_NEAR(sim.summary().drive_work, kinetic, 0.1 * kinetic) << "less what the implicit step takes";
  EXPECT_GE(sim.summary().drive_work, kinetic * (1 - 1e-12));
  EXPECT_EQ(sim.summary().energy_gained, 0);
}

// ---- forces of users
// ------------------------------------------------------------------------------------------

/// Drives the rod by a function of its own; h^2 kp/I = 4 is the brink of stability.
std::string unstable_joint(double stiffness, int steps, const std::function<double(double, int)>& force) {
  Simulation sim = driven_rod({0, 0}, "", 0.01);
  int step = 0;
  sim.before_step([&](Simulation& s) {
    Joint<2>& joint = s.world<2>().joints[0];
    joint.axes[0].force += stiffness / 3e-4 * force(joint.value[0], step++);
  });
  while (step < steps && sim.step()) {
  }
  long named = 0;
  for (const std::string& warning : warnings_of(sim.summary()))
    named += warning.find("\"hinge\"") != warning.npos;
  EXPECT_EQ(named, sim.summary().unstable_joint.empty() ? 0 : 1);
  return sim.summary().unstable_joint;
}

TEST(UnstableControllers, AreNamedAndNoOthers) {
  const auto spring = [](double value, int) { return 1e-8 - value; };
  EXPECT_EQ(unstable_joint(0.5, 200, spring), "");
  EXPECT_EQ(unstable_joint(3.5, 200, spring), "");
  EXPECT_EQ(unstable_joint(4.3, 40, spring), "hinge");
  EXPECT_EQ(unstable_joint(8, 12, spring), "hinge");
  Random random(5);
  const auto noise = [&](double, int) { return random.uniform(-1e-6, 1e-6); };
  EXPECT_EQ(unstable_joint(1, 20'000, noise), "") << "forces of chance";
  const auto shaker = [](double, int step) { return 1e-6 * (step % 2 ? -1 : 1) / (1 + step); };
  EXPECT_EQ(unstable_joint(1, 200, shaker), "") << "it swings and fades";
}

}  // namespace
}  // namespace touchstone
