// Steps that choose between contacts, beside everything else a world can hold.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/peg_worlds.h"
#include "support/random_worlds.h"
#include "touchstone/proximity/gap.h"

namespace touchstone::support {
namespace {

struct Count {
  int steps = 0, guards = 0, relaxed = 0;
  double balance = 0;
};

template <int D>
Count run_random(const RandomWorldSettings& kind, int worlds, bool relinearise = false) {
  Count count;
  for (int seed = 1; seed <= worlds; ++seed) {
    World<D> world = random_world<D>(seed, kind);
    StepSettings settings = peg_settings(.01, 0);
    settings.model.relinearise = relinearise;
    Stepper<D> stepper(settings, "peg");
    for (int i = 0; i < 60; ++i) {
      const StepReport<D> report = stepper.step(world);
      EXPECT_EQ(report.status, StepStatus::done) << report.message << ", seed " << seed << ", step " << i;
      if (report.status != StepStatus::done) break;
      ++count.steps;
      count.guards += report.choice.guards, count.relaxed += report.choice.relaxed;
      count.balance = std::max(count.balance, std::abs(report.balance.error) / (report.balance.scale + 1e-3));
    }
  }
  return count;
}

TEST(PegStep, RandomWorldsOfThePlaneWithJointsMotorsFrictionAndScriptsAccountForTheirEnergy) {
  const Count count = run_random<2>({.joints = true, .friction = FrictionLaw::linear, .scripted = true}, 30);
  EXPECT_EQ(count.steps, 30 * 60);
  EXPECT_LT(count.balance, 1e-9);
  EXPECT_GT(count.guards, 10);
  EXPECT_EQ(count.relaxed, 0);
}
TEST(PegStep, RandomWorldsOfSpaceWithJointsMotorsFrictionAndScriptsAccountForTheirEnergy) {
  const Count count = run_random<3>({.joints = true, .friction = FrictionLaw::linear, .scripted = true}, 10);
  EXPECT_EQ(count.steps, 10 * 60);
  EXPECT_LT(count.balance, 1e-9);
  EXPECT_GT(count.guards, 10);
}
TEST(PegStep, RestitutionGoesThroughTheChoice) {
  const Count count = run_random<2>({.bounce = .5}, 20);
  EXPECT_EQ(count.steps, 20 * 60);
  EXPECT_LT(count.balance, 1e-9);
}
TEST(PegStep, RandomWorldsWithoutFrictionAreLinearisedAnew) {
  EXPECT_EQ(run_random<2>({}, 20, true).steps, 20 * 60);
}

TEST(PegStep, TheOrderOfTheBodiesDoesNotMatter) {
  World<2> world = box_stack(), other = world;
  std::reverse(other.bodies.begin(), other.bodies.end());
  std::reverse(other.shapes.begin(), other.shapes.end());
  for (ContactShape<2>& part : other.shapes) part.body = 9 - part.body;
  Stepper<2> one(peg_settings(.005, .07), "peg"), two(peg_settings(.005, .07), "peg");
  double apart = 0;
  for (int i = 0; i < 200; ++i) {
    one.step(world), two.step(other);
    for (int b = 0; b < 10; ++b)
      apart = std::max(apart, (world.bodies[b].position - other.bodies[9 - b].position).norm());
  }
  EXPECT_LT(apart, 1e-11);
}

TEST(PegStep, AStepDependsOnTheWorldAlone) {
  PolygonBox box = polygon_box(3);
  Stepper<2> stepper(peg_settings(.01, .1), "peg");
  for (int i = 0; i < 150; ++i) {
    let_in(box);
    World<2> copy = box.world;
    Stepper<2>(peg_settings(.01, .1), "peg").step(copy);
    stepper.step(box.world);
    for (std::size_t b = 0; b < copy.bodies.size(); ++b) {
      ASSERT_LT((copy.bodies[b].position - box.world.bodies[b].position).norm(), 1e-13) << "step " << i;
    }
  }
}

TEST(PegStep, APairThatTheMarginDidNotSeeIsSeenBeforeTheStepIsTaken) {
  World<2> world;
  for (double x : {0., 1.05}) {
    add_body<2>(world, "box", make_box<2>({1, 1}), {Mat<2>::Identity(), Vec<2>(x, 0)});
  }
  world.bodies[0].velocity[0] = 20;
  Stepper<2> stepper(peg_settings(.01, .01), "peg");
  const StepReport<2> report = stepper.step(world);
  ASSERT_EQ(report.status, StepStatus::done);
  EXPECT_GT(report.note("widened"), 0);
  EXPECT_GE(world.bodies[1].position.x() - world.bodies[0].position.x(), 1 - 1e-12);
}

TEST(PegStep, OverlapAtTheStartIsKeptFromGrowingAndCounted) {
  // A wedge between two walls that are too near: its contacts contradict each other.
  World<2> world;
  world.gravity = {0, -9.81};
  add_body<2>(world, "left", make_box<2>({1, 2}), {Mat<2>::Identity(), Vec<2>(-.98, 0)}, BodyKind::fixed);
  add_body<2>(world, "right", make_box<2>({1, 2}), {Mat<2>::Identity(), Vec<2>(.98, 0)}, BodyKind::fixed);
  add_body<2>(world, "box", make_box<2>({1, 1}), {});
  Stepper<2> stepper(peg_settings(.01, .1), "peg");
  int relaxed = 0;
  for (int i = 0; i < 50; ++i) {
    const StepReport<2> report = stepper.step(world);
    ASSERT_EQ(report.status, StepStatus::done) << report.message;
    relaxed += report.choice.relaxed;
  }
  EXPECT_GT(relaxed, 0);
  EXPECT_LT(std::abs(world.bodies[2].position.x()), .02 + 1e-9);
}

TEST(PegStep, AnitescuPotraIsRefused) {
  StepSettings settings = peg_settings(.01, 0);
  choose_formulation("anitescu-potra", settings.formulation);
  EXPECT_THROW(Stepper<2>(settings, "peg"), std::invalid_argument);
}

}  // namespace
}  // namespace touchstone::support
