// Chains, trees, loops, limits and motors over many steps.

#include <gtest/gtest.h>

#include <numbers>

#include "../support/random_worlds.h"
#include "touchstone/stepping/step.h"

namespace touchstone {
namespace {

constexpr double kPi = std::numbers::pi;

/// A rod of length 1 along x of the body frame, which is at its middle.
template <int D>
int add_rod(World<D>& world, const Pose<D>& X_WB, double length = 1) {
  Vec<D> sides = Vec<D>::Constant(0.05);
  sides[0] = length;
  return add_body<D>(world, "rod" + std::to_string(world.bodies.size()), make_box<D>(sides), X_WB);
}

template <int D>
Vec<D> along_x(double x) {
  return x * Vec<D>::Unit(0);
}

/// Rotation by an angle in the vertical plane (x, up).
Mat<2> tilt(const World<2>&, double angle) { return rotation(angle); }
Mat<3> tilt(const World<3>&, double angle) { return rotation(Vec<3>(-Vec<3>::UnitY()), angle); }
/// The joint frame whose axis is across that plane.
Mat<2> across(const World<2>&) { return Mat<2>::Identity(); }
Mat<3> across(const World<3>&) { return rotation(Vec<3>::UnitX(), 0.5 * kPi); }

/// A hinge between point a of body A (-1: world) and point b of body B, in body frames.
template <int D>
void add_hinge(World<D>& world, int A, const Vec<D>& a, int B, const Vec<D>& b) {
  Joint<D> joint;
  joint.kind = JointKind::revolute, joint.body_A = A, joint.body_B = B;
  const Mat<D> R_A = A < 0 ? Mat<D>(Mat<D>::Identity()) : world.bodies[A].attitude.matrix();
  const Mat<D> R_B = world.bodies[B].attitude.matrix();
  joint.X_AJ = {R_A.transpose() * across(world), a};
  joint.X_BJ = {R_B.transpose() * across(world), b};
  joint.axes.resize(1);
  world.joints.push_back(joint);
}

template <int D>
World<D> pendulum() {
  World<D> world;
  world.gravity = -9.81 * Vec<D>::Unit(D - 1);
  const int rod = add_rod<D>(world, {tilt(world, -0.25 * kPi), tilt(world, -0.25 * kPi) * along_x<D>(0.5)});
  add_hinge<D>(world, -1, Vec<D>::Zero(), rod, along_x<D>(-0.5));
  return world;
}

/// Crank 0.5, coupler 1.5, rocker 1, ground 1.5: a closed loop. In space its joints are redundant.
template <int D>
World<D> four_bar() {
  World<D> world;
  world.gravity = -9.81 * Vec<D>::Unit(D - 1);
  const double ground = 1.5, crank = 0.5, coupler = 1.5, rocker = 1;
  // Crank upright; the coupler's end is where the circles of coupler and rocker meet.
  const double d = std::hypot(ground, crank), slope = std::atan2(-crank, ground);
  const double turn = std::acos((d * d + coupler * coupler - rocker * rocker) / (2 * d * coupler));
  const double theta = slope + turn;
  const auto point = [&](double x, double y) {
    return Vec<D>(x * Vec<D>::Unit(0) + y * Vec<D>::Unit(D - 1));
  };
  const Vec<D> P0 = point(0, 0), P1 = point(0, crank);
  const Vec<D> P2 = P1 + tilt(world, theta) * along_x<D>(coupler), P3 = point(ground, 0);
  const Vec<D> r = P2 - P3;
  const double phi = std::atan2(r[D - 1], r[0]);
  const int a = add_rod<D>(world, {tilt(world, 0.5 * kPi), 0.5 * (P0 + P1)}, crank);
  const int b = add_rod<D>(world, {tilt(world, theta), 0.5 * (P1 + P2)}, coupler);
  const int c = add_rod<D>(world, {tilt(world, phi), 0.5 * (P3 + P2)}, rocker);
  add_hinge<D>(world, -1, P0, a, along_x<D>(-0.5 * crank));
  add_hinge<D>(world, a, along_x<D>(0.5 * crank), b, along_x<D>(-0.5 * coupler));
  add_hinge<D>(world, b, along_x<D>(0.5 * coupler), c, along_x<D>(0.5 * rocker));
  add_hinge<D>(world, -1, P3, c, along_x<D>(-0.5 * rocker));
  return world;
}

struct Drift {
  double first_half = 0, second_half = 0;
};

template <int D>
Drift drift_over_a_minute(World<D> world, StepSettings settings) {
  settings.h = 0.005;
  Stepper<D> stepper(settings);
  Drift drift;
  for (int i = 0; i < 12000; ++i) {
    const StepReport<D> report = stepper.step(world);
    EXPECT_EQ(report.status, StepStatus::done) << report.message << " step " << i;
    if (report.status != StepStatus::done) break;
    double& worst = i < 6000 ? drift.first_half : drift.second_half;
    worst = std::max(worst, report.joint_error);
  }
  return drift;
}

template <int D>
void expect_bounded(const World<D>& world) {
  const Drift drift = drift_over_a_minute<D>(world, {});
  EXPECT_GT(drift.first_half, 0);
  EXPECT_LT(drift.first_half, 1e-3) << "a step turns by w h and leaves (w h)^2/2 of the length";
  EXPECT_LE(drift.second_half, 1.05 * drift.first_half) << "it does not grow";
  const Drift corrected = drift_over_a_minute<D>(world, {.correct_joints = true});
  EXPECT_LT(std::max(corrected.first_half, corrected.second_half), 1e-11);
}

TEST(Jointed, APendulumInThePlaneStaysOnItsHingeForAMinute) { expect_bounded(pendulum<2>()); }
TEST(Jointed, APendulumInSpaceStaysOnItsHingeForAMinute) { expect_bounded(pendulum<3>()); }
TEST(Jointed, AFourBarInThePlaneStaysClosedForAMinute) { expect_bounded(four_bar<2>()); }
TEST(Jointed, AFourBarInSpaceWithRedundantHingesStaysClosedForAMinute) { expect_bounded(four_bar<3>()); }

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
