// Chains, trees, loops, limits and motors over many steps.

#include <gtest/gtest.h>

#include "jointed_worlds.h"
#include "touchstone/stepping/build_world.h"

namespace touchstone {
namespace {

/// [m or rad] How far joints open within a minute.
template <int D>
double open_within_a_minute(World<D> world, StepSettings settings) {
  settings.h = 0.005;
  Stepper<D> stepper(settings);
  double worst = 0;
  for (int i = 0; i < 12000; ++i) {
    const StepReport<D> report = stepper.step(world);
    EXPECT_EQ(report.status, StepStatus::done) << report.message << " step " << i;
    if (report.status != StepStatus::done) break;
    worst = std::max(worst, report.joint_error);
  }
  return worst;
}

template <int D>
void expect_closed(const World<D>& world) {
  constexpr double kClosed = 1e-11;
  EXPECT_LT(open_within_a_minute<D>(world, {}), kClosed);
  EXPECT_LT(open_within_a_minute<D>(world, {.joint_stabilisation = 0}), kClosed)
      << "nothing is to be removed";
  EXPECT_LT(open_within_a_minute<D>(world, {.correct_joints = true}), kClosed);
}

TEST(Jointed, APendulumInThePlaneStaysOnItsHingeForAMinute) { expect_closed(pendulum<2>()); }
TEST(Jointed, APendulumInSpaceStaysOnItsHingeForAMinute) { expect_closed(pendulum<3>()); }
TEST(Jointed, AFourBarInThePlaneStaysClosedForAMinute) { expect_closed(four_bar<2>()); }
TEST(Jointed, AFourBarInSpaceWithRedundantHingesStaysClosedForAMinute) { expect_closed(four_bar<3>()); }

TEST(Jointed, AFourBarInSpaceMovesAsInThePlane) {
  World<2> flat = four_bar<2>();
  World<3> deep = four_bar<3>();
  // The same masses: bars in space are 0.05 thick.
  for (int i = 0; i < 3; ++i) {
    flat.bodies[i].mass = deep.bodies[i].mass;
    flat.bodies[i].inertia(0, 0) = deep.bodies[i].inertia(1, 1);
  }
  Stepper<2> stepper_2({.h = 0.005});
  Stepper<3> stepper_3({.h = 0.005});
  for (int i = 0; i < 400; ++i) {
    ASSERT_EQ(stepper_2.step(flat).status, StepStatus::done);
    ASSERT_EQ(stepper_3.step(deep).status, StepStatus::done);
    for (int b = 0; b < 3; ++b) {
      const Vec<3> p = deep.bodies[b].position;
      EXPECT_NEAR(flat.bodies[b].position.x(), p.x(), 1e-7) << "step " << i;
      EXPECT_NEAR(flat.bodies[b].position.y(), p.z(), 1e-7) << "step " << i;
      EXPECT_NEAR(p.y(), 0, 1e-12);
    }
  }
}

TEST(Jointed, ATreeOfRodsKeepsItsJoints) {
  World<3> world;
  world.gravity = Vec<3>(0, 0, -9.81);
  const int trunk = add_rod<3>(world, {Mat<3>::Identity(), along_x<3>(0.5)});
  add_hinge<3>(world, -1, Vec<3>::Zero(), trunk, along_x<3>(-0.5));
  for (int i = 0; i < 4; ++i) {
    const Mat<3> R = rotation(Vec<3>::UnitZ(), 0.4 * (i - 1.5));
    const int branch = add_rod<3>(world, {R, along_x<3>(1) + R * along_x<3>(0.5)});
    Joint<3> joint;
    joint.kind = i % 2 ? JointKind::spherical : JointKind::universal;
    joint.body_A = trunk, joint.body_B = branch;
    joint.X_AJ = {R, along_x<3>(0.5)}, joint.X_BJ.p = along_x<3>(-0.5);
    joint.axes.resize(axis_count<3>(joint.kind));
    world.joints.push_back(joint);
  }
  // Branches meet at one point: they would overlap there.
  for (ContactShape<3>& part : world.shapes) part.collides = 0;
  Stepper<3> stepper({.h = 0.002});
  for (int i = 0; i < 1000; ++i) {
    const StepReport<3> report = stepper.step(world);
    ASSERT_EQ(report.status, StepStatus::done) << report.message;
    EXPECT_LT(report.joint_error, 1e-3);
  }
}

/// Measured by the needle's easy turning, the joint of the blocks counted as redundant: .17 m open within 80
/// ms.
TEST(Jointed, ANeedleDoesNotOpenTheJointsOfHeavyBodies) {
  for (const FrictionLaw law : {FrictionLaw::none, FrictionLaw::linear, FrictionLaw::quadratic}) {
    World<3> world;
    world.gravity = Vec<3>(0, 0, -9.81);
    touchstone::add_body<3>(world, "floor", HalfSpace<3>{{Vec<3>::UnitZ(), 0}}, {}, BodyKind::fixed);
    const auto add = [&](const char* name, const Vec<3>& sides, const Vec<3>& at) {
      return touchstone::add_body<3>(world, name, make_box<3>(sides), {Mat<3>::Identity(), at});
    };
    const int one = add("one", Vec<3>(1, 1, 1), Vec<3>(0, 0, 0.5001));
    const int other = add("other", Vec<3>(1, 1, 1), Vec<3>(1.2, 0, 1.5));
    const int needle = add("needle", Vec<3>(0.4, 0.0007, 0.0007), Vec<3>(2.2, 0, 1.5));
    const auto fix = [&](int a, int b) {
      Joint<3> joint;
      joint.kind = JointKind::fixed, joint.body_A = a, joint.body_B = b;
      joint.X_AJ.p = 0.5 * (world.bodies[b].position - world.bodies[a].position);
      joint.X_BJ.p = -joint.X_AJ.p;
      world.joints.push_back(joint);
    };
    fix(one, other), fix(other, needle);
    set_surface<3>(world, {.friction = law, .mu = law == FrictionLaw::none ? 0 : 0.5});
    Stepper<3> stepper({.h = 0.002}, "plane");
    for (int i = 0; i < 200; ++i) {
      const StepReport<3> report = stepper.step(world);
      ASSERT_EQ(report.status, StepStatus::done) << report.message;
      EXPECT_LT(report.joint_error, 1e-3) << "step " << i;
    }
    EXPECT_GT(std::abs(world.bodies[one].attitude.matrix()(0, 2)), 0.01) << "the blocks topple";
  }
}

TEST(Jointed, ALimitStopsTheSwingAndHolds) {
  World<2> world = pendulum<2>();
  // Values are measured from the position in which the hinge was made: 45 degrees below x.
  world.joints[0].axes[0].lower = -0.1;
  Stepper<2> stepper({.h = 0.005});
  double lowest = 0;
  for (int i = 0; i < 400; ++i) {
    ASSERT_EQ(stepper.step(world).status, StepStatus::done);
    lowest = std::min(lowest, world.joints[0].value[0]);
  }
  EXPECT_GT(lowest, -0.1 - 1e-3);
  EXPECT_NEAR(world.joints[0].value[0], -0.1, 1e-9);
  EXPECT_NEAR(joint_rates(world.joints[0], world.bodies)[0], 0, 1e-9);
}

TEST(Jointed, AMotorHoldsItsRateWhileItsForceSuffices) {
  for (const double force : {100., 0.01}) {
    World<2> world = pendulum<2>();
    world.gravity.setZero();
    JointAxis& axis = world.joints[0].axes[0];
    axis.motor = true, axis.motor_rate = 2, axis.motor_force = force;
    Stepper<2> stepper({.h = 0.01});
    stepper.step(world);
    const double inertia = world.bodies[0].inertia(0, 0) + 0.25 * world.bodies[0].mass;
    EXPECT_NEAR(joint_rates(world.joints[0], world.bodies)[0], std::min(2., 0.01 * force / inertia),
                1e-3 * force);
  }
}

TEST(Jointed, DampingBrakesAsItsEquationSays) {
  World<2> world = pendulum<2>();
  world.gravity.setZero();
  world.joints[0].axes[0].damping = 0.02;
  const double inertia = world.bodies[0].inertia(0, 0) + 0.25 * world.bodies[0].mass;
  const Vec<2> arm = world.bodies[0].position;
  world.bodies[0].velocity << -arm.y(), arm.x(), 1;
  Stepper<2> stepper({.h = 0.001});
  for (int i = 0; i < 1000; ++i) stepper.step(world);
  EXPECT_NEAR(joint_rates(world.joints[0], world.bodies)[0], std::exp(-0.02 / inertia), 1e-3);
}

TEST(Jointed, APdControllerByUserFunctionReachesItsTarget) {
  World<2> world = pendulum<2>();
  Stepper<2> stepper({.h = 0.002});
  for (int i = 0; i < 3000; ++i) {
    const double rate = joint_rates(world.joints[0], world.bodies)[0];
    const double angle = world.joints[0].value.empty() ? 0 : world.joints[0].value[0];
    world.joints[0].axes[0].force = 200 * (0.5 - angle) - 4 * rate;
    stepper.step(world);
  }
  // Gravity holds it off by torque/kp.
  const double torque = 0.05 * 9.81 * 0.5 * std::cos(0.5 - 0.25 * kPi);
  EXPECT_NEAR(world.joints[0].value[0], 0.5 - torque / 200, 1e-4);
}

}  // namespace
}  // namespace touchstone
