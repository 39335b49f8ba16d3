// Joints and motors that no motion obeys together are refused by name; what loops of joints say twice is not.

#include <gtest/gtest.h>

#include "jointed_worlds.h"
#include "touchstone/stepping/build_world.h"

namespace touchstone {
namespace {

JointAxis motor(double rate) { return {.motor = true, .motor_rate = rate}; }

/// A box on two parallel slides with a motor each.
World<2> driven_twice(double first, double second) {
  World<2> world;
  const int box = add_body<2>(world, "box", make_box<2>({1, 1}), {.mass = 1});
  for (const auto& [name, height, rate] :
       {std::tuple("lower", -0.5, first), std::tuple("upper", 0.5, second)}) {
    add_joint<2>(world, name, JointKind::prismatic,
                 {.bodies = {kWorld, box}, .position = {0, height}, .axis = {1, 0}, .axes = {motor(rate)}});
  }
  return world;
}

void expect_refused(World<2> world, double until, const std::string& name) {
  Stepper<2> stepper({.h = 0.005});
  StepReport<2> report;
  while (world.time < until && report.status == StepStatus::done) report = stepper.step(world);
  EXPECT_EQ(report.status, StepStatus::unsolved);
  EXPECT_NE(report.message.find(name), std::string::npos) << report.message;
}

TEST(Contradiction, OfTwoMotorsIsRefused) { expect_refused(driven_twice(2, 1), 0.1, "\"lower\""); }

TEST(Contradiction, MotorsThatAskForTheSameAreObeyed) {
  World<2> world = driven_twice(2, 2);
  Stepper<2> stepper({.h = 0.005});
  for (int i = 0; i < 100; ++i) ASSERT_EQ(stepper.step(world).status, StepStatus::done);
  EXPECT_NEAR(world.bodies[0].position.x(), 2 * 0.5, 1e-12);
}

TEST(Contradiction, OfABodyThatIsFixedToTheWorldAndToAScriptIsRefused) {
  World<2> world;
  const int box = add_body<2>(world, "box", make_box<2>({0.2, 0.2}), {.mass = 1, .position = {1, 0}});
  const auto script = [](double t) { return Pose<2>{Mat<2>::Identity(), {t, 0}}; };
  const int hand =
      add_body<2>(world, "hand", make_box<2>({0.2, 0.2}), {.kind = BodyKind::scripted, .script = script});
  add_joint<2>(world, "to hand", JointKind::fixed, {.bodies = {hand, box}, .position = {0.5, 0}});
  add_joint<2>(world, "to world", JointKind::fixed, {.bodies = {kWorld, box}, .position = {1, 0}});
  expect_refused(world, 0.1, "\"to hand\"");
}

/// A motor without a limit of force turns a parallelogram, whose third crank says again what the others say,
/// against the limit of its first crank.
TEST(Contradiction, OfAMotorAndALimitInALoopIsRefusedWhereTheyMeet) {
  World<2> world;
  const auto bar = [&](const char* name, const Vec<2>& at, double length, double turn) {
    return add_body<2>(world, name, make_box<2>({length, 0.05}),
                       {.density = 100, .position = at, .rotation = rotation(turn)});
  };
  std::vector<int> cranks;
  for (const double x : {0., 1., 2.})
    cranks.push_back(bar(x < 1 ? "a" : x < 2 ? "d" : "c", {x, 0.5}, 1, kPi / 2));
  const int coupler = bar("b", {1, 1}, 2, 0);
  for (int i = 0; i < 3; ++i) {
    JointAxis axis;
    if (i == 0) axis = motor(2), axis.lower = -0.5, axis.upper = 0.5;
    add_joint<2>(world, "foot" + std::to_string(i), JointKind::revolute,
                 {.bodies = {kWorld, cranks[i]}, .position = {1. * i, 0}, .axes = {axis}});
    add_joint<2>(world, "head" + std::to_string(i), JointKind::revolute,
                 {.bodies = {cranks[i], coupler}, .position = {1. * i, 1}});
  }
  for (ContactShape<2>& part : world.shapes) part.collides = 0;
  Stepper<2> stepper({.h = 0.005});
  StepReport<2> report;
  while (world.time < 1 && report.status == StepStatus::done) {
    report = stepper.step(world);
    EXPECT_LT(report.joint_error, 1e-4) << world.time << ", (w h)^2 / 4 is 2.5e-5";
  }
  EXPECT_EQ(report.status, StepStatus::unsolved);
  EXPECT_NEAR(world.time, 0.25, 0.006) << "where the crank meets its limit of 0.5 rad";
}

}  // namespace
}  // namespace touchstone
