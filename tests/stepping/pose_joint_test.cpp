// Joints that are put to values and rates.

#include "touchstone/stepping/pose_joint.h"

#include <gtest/gtest.h>

#include <numbers>

#include "touchstone/geometry/shapes.h"
#include "touchstone/stepping/build_world.h"
#include "touchstone/stepping/step.h"

namespace touchstone {
namespace {

template <int D>
double opening(const World<D>& world) {
  double open = 0;
  for (const Joint<D>& joint : world.joints) {
    for (const Row<D>& row : joint_equations(joint, world.bodies).rows)
      open = std::max(open, std::abs(row.offset));
  }
  return open;
}

template <class Action>
std::string refusal(const Action& action) {
  try {
    action();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "taken";
}

/// Three bodies in a row: a base that hangs in the world, or is free, an arm, and a tool on a hinge.
World<3> arm(JointKind kind, bool hangs) {
  World<3> world;
  add_body(world, "base", Sphere<3>{0.1}, {.mass = 1, .position = {0, 0, 1}});
  add_body(world, "arm", Sphere<3>{0.1},
           {.mass = 1, .position = {1, 0.5, 1}, .rotation = rotation(Vec<3>(0, 0.6, 0.8), 0.7)});
  add_body(world, "tool", Sphere<3>{0.1}, {.mass = 1, .position = {2, 0.5, 1}});
  if (hangs) add_joint(world, "root", JointKind::fixed, {.bodies = {kWorld, 0}, .position = {0, 0, 1}});
  JointSpec<3> spec{.bodies = {0, 1}, .position = {0.5, 0, 1}, .axis = {1, 2, 2}};
  if (kind == JointKind::universal) spec.second_axis = {0, 1, -1};
  add_joint(world, "j", kind, spec);
  add_joint(world, "wrist", JointKind::revolute,
            {.bodies = {1, 2}, .position = {1.5, 0.5, 1}, .axis = {0, 1, 0}});
  return world;
}

TEST(PoseJoint, EveryKindTakesItsValuesAndRatesAndStaysClosed) {
  for (JointKind kind : {JointKind::fixed, JointKind::revolute, JointKind::prismatic, JointKind::cylindrical,
                         JointKind::spherical, JointKind::universal, JointKind::planar}) {
    for (const bool hangs : {true, false}) {
      World<3> world = arm(kind, hangs);
      const int j = world.find_joint("j");
      const std::vector<double> all = {0.4, -0.7, 0.3}, speeds = {1.5, -2, 0.25};
      const std::size_t count = world.joints[j].axes.size();
      const std::vector<double> values(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
      const std::vector<double> rates(speeds.begin(), speeds.begin() + static_cast<std::ptrdiff_t>(count));
      const Vec<3> base = world.bodies[0].position;
      set_joint_values<3>(world, j, values);
      set_joint_rates<3>(world, j, rates);
      EXPECT_LT(opening(world), 1e-14);
      EXPECT_EQ(world.bodies[0].position, base) << "what carries the joint stays";
      EXPECT_NEAR(world.joints[world.find_joint("wrist")].value[0], 0, 1e-14)
          << "other joints keep their values";
      for (std::size_t i = 0; i < count; ++i) {
        EXPECT_NEAR(world.joints[j].value[i], values[i], 1e-14);
        EXPECT_NEAR(joint_rates(world.joints[j], world.bodies)[i], rates[i], 1e-13);
      }
      for (const double rate : joint_rates(world.joints[world.find_joint("wrist")], world.bodies))
        EXPECT_NEAR(rate, 0, 1e-13);
    }
  }
}

TEST(PoseJoint, InThePlaneToo) {
  for (JointKind kind : {JointKind::revolute, JointKind::prismatic}) {
    World<2> world;
    add_body(world, "a", Sphere<2>{0.1}, {.mass = 1, .position = {1, 0}});
    add_body(world, "b", Sphere<2>{0.1}, {.mass = 1, .position = {2, 0}});
    add_joint(world, "j", kind,
              {.bodies = {kWorld, 0},
               .position = {0.5, 0},
               .axis = kind == JointKind::prismatic ? Vec<2>(3, 4) : Vec<2>(0, 0)});
    add_joint(world, "k", JointKind::revolute, {.bodies = {0, 1}, .position = {1.5, 0}});
    set_joint_values<2>(world, 0, std::vector<double>{0.75});
    set_joint_rates<2>(world, 0, std::vector<double>{-2});
    EXPECT_LT(opening(world), 1e-15);
    EXPECT_NEAR(world.joints[0].value[0], 0.75, 1e-15);
    EXPECT_NEAR(joint_rates(world.joints[0], world.bodies)[0], -2, 1e-14);
    EXPECT_NEAR(world.joints[1].value[0], 0, 1e-15);
  }
}

TEST(PoseJoint, FullTurnsCount) {
  World<3> world = arm(JointKind::revolute, true);
  set_joint_values<3>(world, 1, std::vector<double>{7.5});
  EXPECT_NEAR(world.joints[1].value[0], 7.5, 1e-14);
  Stepper<3> stepper(StepSettings{});
  ASSERT_EQ(stepper.step(world).status, StepStatus::done);
  EXPECT_NEAR(world.joints[1].value[0], 7.5, 0.1);
}

TEST(PoseJoint, ASideThatIsHeldStaysAndTheOtherMoves) {
  World<3> world = arm(JointKind::revolute, false);
  add_joint(world, "wall", JointKind::fixed, {.bodies = {kWorld, 2}, .position = {2, 0.5, 1}});
  const Vec<3> tool = world.bodies[2].position, base = world.bodies[0].position;
  set_joint_values<3>(world, 0, std::vector<double>{0.5});
  EXPECT_LT(opening(world), 1e-14);
  EXPECT_EQ(world.bodies[2].position, tool);
  EXPECT_GT((world.bodies[0].position - base).norm(), 0.05);
}

TEST(PoseJoint, WhatCannotBeMovedIsRefusedAndNothingHasMoved) {
  World<3> world = arm(JointKind::revolute, true);
  world.joints[1].axes[0].upper = 1;
  const Vec<3> before = world.bodies[1].position;
  const auto says = [&](const std::vector<double>& values) {
    return refusal([&] { set_joint_values<3>(world, 1, values); });
  };
  EXPECT_EQ(says({0.1, 0.2}), "joint \"j\": expected 1 values, got 2");
  EXPECT_EQ(says({std::numeric_limits<double>::quiet_NaN()}), "joint \"j\": expected finite numbers");
  EXPECT_NE(says({1.5}).find("outside of its limits"), std::string::npos);
  add_joint(world, "hook", JointKind::spherical, {.bodies = {kWorld, 2}, .position = {2, 0.5, 1}});
  EXPECT_NE(says({0.5}).find("both of its sides are held"), std::string::npos);
  world.joints.pop_back();
  add_joint(world, "loop", JointKind::spherical, {.bodies = {0, 2}, .position = {2, 0.5, 1}});
  EXPECT_NE(says({0.5}).find("part of a loop"), std::string::npos);
  EXPECT_EQ(world.bodies[1].position, before);
}

// ---- limits at the start ---------------------------------------------------------------------------------

TEST(BuildJointLimits, AValueOutsideIsRefusedWithItsLimits) {
  World<2> world;
  add_body(world, "rod", make_box<2>({1, 0.1}), {.mass = 1, .position = {0.5, 0}});
  const auto says = [&](double lower, double upper) {
    return refusal([&] {
      add_joint(world, "hinge", JointKind::revolute,
                {.bodies = {kWorld, 0}, .axes = {{.lower = lower, .upper = upper}}});
      world.joints.clear();
    });
  };
  EXPECT_EQ(says(0.5, 1.5),
            "joint \"hinge\": axes: the value is 0 at the start, outside of its limits 0.5 to 1.5");
  EXPECT_EQ(says(-1.5, -0.5),
            "joint \"hinge\": axes: the value is 0 at the start, outside of its limits -1.5 to -0.5");
  EXPECT_EQ(says(0, 1), "taken");
  EXPECT_EQ(says(-1, 0), "taken");
  EXPECT_EQ(says(6, 7), "taken") << "a full turn is the same pose";
  EXPECT_EQ(says(-13, -12), "taken");
  EXPECT_TRUE(world.joints.empty());
  const JointAxis room{.lower = 0.5};
  World<3> space;
  add_body(space, "ball", Sphere<3>{1}, {.mass = 1});
  EXPECT_NE(refusal([&] {
              add_joint(space, "p", JointKind::planar,
                        {.bodies = {kWorld, 0}, .axis = {0, 0, 1}, .axes = {{}, room, {}}});
            }).find("value 1 is 0 at the start"),
            std::string::npos);
}

TEST(BuildJointLimits, TheTurnThatTheLimitsMeanIsTaken) {
  World<2> world;
  add_body(world, "rod", make_box<2>({1, 0.1}), {.mass = 1, .position = {0.5, 0}});
  add_joint(world, "hinge", JointKind::revolute, {.bodies = {kWorld, 0}, .axes = {{.lower = 6, .upper = 7}}});
  EXPECT_NEAR(world.joints[0].value[0], 2 * std::numbers::pi, 1e-15);
}

}  // namespace
}  // namespace touchstone
