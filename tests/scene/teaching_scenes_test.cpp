// The scenes of the thesis's chapter 6 and those for teaching do what they say.

#include <gtest/gtest.h>

#include "touchstone/scene/simulation.h"

namespace touchstone {
namespace {

template <int D>
const Body<D>& body(Simulation& sim, const char* name) {
  const int i = sim.world<D>().find_body(name);
  EXPECT_GE(i, 0) << name;
  return sim.world<D>().bodies[std::max(0, i)];
}

double joint_value(Simulation& sim, const char* name) {
  const int i = sim.world<3>().find_joint(name);
  EXPECT_GE(i, 0) << name;
  return sim.world<3>().joints[std::max(0, i)].value[0];
}

/// The scene, run to its end, without a failed step, an overlap or energy from nowhere.
Simulation run(const char* name, double end = 0, double gain = 1e-9) {
  Simulation sim(load_scene(name));
  EXPECT_TRUE(sim.run_until(end > 0 ? end : sim.scene().duration)) << sim.summary().message;
  EXPECT_GE(sim.summary().min_gap, -2e-9);
  EXPECT_LE(sim.summary().energy_gained, gain * (1 + sim.summary().energy_scale));
  return sim;
}

/// How far any body has gone from where it started.
double largest_way(Simulation& sim) {
  const World<2> start = make_world<2>(sim.scene());
  double way = 0;
  for (std::size_t i = 0; i < start.bodies.size(); ++i) {
    way = std::max(way, (sim.world<2>().bodies[i].position - start.bodies[i].position).norm());
  }
  return way;
}

TEST(TeachingScenes, TheCubeOfHelloWorldComesToRestOnTheFloor) {
  Simulation sim = run("hello-world");
  EXPECT_NEAR(body<3>(sim, "cube").position.z(), 0.5, 1e-8);
  EXPECT_LT(body<3>(sim, "cube").velocity.norm(), 1e-8);
}

TEST(TeachingScenes, TheCartRollsAsWheelsThatDoNotSlip) {
  Simulation sim = run("rolling-cart");
  const double acceleration = 1.70348873 / (1 + 4 * 0.4 / 14);
  EXPECT_NEAR(body<3>(sim, "chassis").velocity[1], -acceleration * 1.5, 0.01 * acceleration * 1.5);
  for (const char* wheel : {"wheel-1", "wheel-2", "wheel-3", "wheel-4"}) {
    const Twist<3>& v = body<3>(sim, wheel).velocity;
    EXPECT_NEAR(v[1], -0.25 * angular<3>(v).x(), 1e-6) << "it rolls";
  }
  EXPECT_LT(sim.summary().joint_error, 1e-3);
}

TEST(TeachingScenes, TheArmFollowsItsControllersWithinItsLimits) {
  Simulation sim(load_scene("six-axis-arm"));
  const char* const names[] = {"waist", "shoulder_lift", "elbow", "wrist_roll", "wrist_bend", "tool_roll"};
  const double targets[] = {1.2, 0.9, 1.1, 0.8, 0.6, -1};
  ASSERT_TRUE(sim.run_until(2.4)) << sim.summary().message;
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(joint_value(sim, names[i]), targets[i], 0.12) << names[i];
  ASSERT_TRUE(sim.run_until(4)) << sim.summary().message;
  for (const char* name : names) EXPECT_NEAR(joint_value(sim, name), 0, 0.1) << name;
  // 0.2 + 0.18 + 0.5 + 0.4 + 0.12 + 0.12 m up to the hand, and half of it.
  EXPECT_NEAR(body<3>(sim, "hand").position.z(), 1.57, 0.03);
  EXPECT_LT(sim.summary().joint_error, 1e-3);
}

TEST(TeachingScenes, TheTreeOfRodsKeepsItsSymmetryAndItsJoints) {
  // Joints that swing fast open a little within a step, and what closes them again counts as gained.
  Simulation sim = run("joint-tree", 0.5, 2e-3);
  EXPECT_NEAR(body<2>(sim, "left-out").position.x(), -body<2>(sim, "right-out").position.x(), 1e-6);
  EXPECT_LT(body<2>(sim, "left-out").position.y(), -1.5) << "it swings down";
  EXPECT_LT(sim.summary().joint_error, 1e-3);
}

TEST(TeachingScenes, TheBlockStopsWhereFrictionHasTakenItsEnergy) {
  Simulation sim = run("sliding-block");
  EXPECT_NEAR(body<3>(sim, "block").position.x(), 4 / (2 * 0.3 * 9.81), 0.01);
  EXPECT_LT(body<3>(sim, "block").velocity.norm(), 1e-9);
}

TEST(TeachingScenes, TheBallsRollOffTheCubeAndTheMiddleOneStays) {
  Simulation sim = run("spheres-on-a-cube");
  EXPECT_NEAR(body<3>(sim, "middle").position.z(), 1.1, 1e-8);
  for (const char* name : {"east", "west", "north", "south", "corner-1", "corner-2", "corner-3"}) {
    const Vec<3>& p = body<3>(sim, name).position;
    EXPECT_LT(p.z(), 0.2) << name;
    EXPECT_GT(std::max(std::abs(p.x()), std::abs(p.y())), 0.6 - 1e-8) << name;
  }
}

TEST(TeachingScenes, ThePachinkoBallsEndInBins) {
  Simulation sim = run("pachinko", 0, 1e-6);
  for (int i = 1; i <= 6; ++i) {
    const Body<2>& ball = body<2>(sim, ("ball-" + std::to_string(i)).c_str());
    EXPECT_LT(ball.position.y(), 0.5) << i;
    EXPECT_LT(std::abs(ball.position.x()), 1.78) << i;
  }
}

TEST(TeachingScenes, TheFingersLiftTheBox) {
  Simulation sim = run("two-fingered-grasp");
  EXPECT_NEAR(body<2>(sim, "box").position.y(), 0.7, 0.05);
  EXPECT_LT(linear<2>(body<2>(sim, "box").velocity).norm(), 0.02);
}

TEST(TeachingScenes, TheLastBallOfTheCradleTakesOverFromTheFirst) {
  Simulation sim(load_scene("newtons-cradle"));
  double highest = 0, middle = 0;
  const double x5 = body<2>(sim, "ball-5").position.x(), x3 = body<2>(sim, "ball-3").position.x();
  sim.on_step([&](Simulation& s) {
    if (s.time() > 1.2) return;  // the first swing of the last ball
    highest = std::max(highest, body<2>(s, "ball-5").position.x() - x5);
    middle = std::max(middle, std::abs(body<2>(s, "ball-3").position.x() - x3));
  });
  ASSERT_TRUE(sim.run_until(1.2)) << sim.summary().message;
  EXPECT_NEAR(highest, std::sin(0.5), 0.03) << "as far as the first was lifted";
  EXPECT_LT(middle, 0.03);
}

TEST(TeachingScenes, TheArchStands) {
  Simulation sim = run("arch");
  EXPECT_LT(largest_way(sim), 1e-3);
}

TEST(TeachingScenes, TheHouseOfBlocksStands) {
  Simulation sim = run("house-of-blocks");
  EXPECT_LT(largest_way(sim), 1e-3);
}

TEST(TeachingScenes, ARobotAloneIsAScene) {
  Simulation sim(load_scene(std::string(TOUCHSTONE_SOURCE_DIR) + "/scenes/robots/arm.urdf"));
  EXPECT_EQ(sim.world<3>().bodies.size(), 7u) << "the tool's frame is part of the hand";
  EXPECT_EQ(sim.world<3>().joints.size(), 6u);
  EXPECT_NEAR(body<3>(sim, "hand").position.z(), 1.57, 1e-12);
  ASSERT_TRUE(sim.run_until(0.5)) << sim.summary().message;
  for (const Joint<3>& joint : sim.world<3>().joints) {
    EXPECT_GE(joint.value[0], joint.axes[0].lower - 1e-6) << joint.name;
    EXPECT_LE(joint.value[0], joint.axes[0].upper + 1e-6) << joint.name;
  }
}

TEST(TeachingScenes, ARobotMayStartWithItsJointsTurned) {
  const Scene scene =
      parse_scene({"touchstone: 1\ndimension: 3\nrobots:\n"
                   "  - {urdf: arm.urdf, name: left, joints: {shoulder_lift: 1.5707963267948966}, "
                   "position: [1, 0, 0]}\n",
                   "two.yaml",
                   std::string(TOUCHSTONE_SOURCE_DIR) + "/scenes/robots",
                   {}});
  Simulation sim(scene);
  const Body<3>& upper = body<3>(sim, "left/upper");
  EXPECT_LT((upper.X_WB().p - Vec<3>(1, 0, 0.38)).norm(), 1e-12);
  EXPECT_LT((upper.position - Vec<3>(1.25, 0, 0.38)).norm(), 1e-12) << "it points along x";
  EXPECT_NEAR(joint_value(sim, "left/shoulder_lift"), 1.5707963267948966, 1e-12);
}

}  // namespace
}  // namespace touchstone
