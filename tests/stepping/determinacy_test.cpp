// Between which bodies rigid contact determines the forces: counted by hand, by statics.

#include <gtest/gtest.h>

#include "touchstone/stepping/build_world.h"
#include "touchstone/stepping/step.h"

namespace touchstone {
namespace {

constexpr double kGravity = 9.81;

template <int D>
StepReport<D> step(World<D>& world, bool asked = true) {
  StepSettings settings;
  settings.h = 0.005, settings.threads = 1, settings.determinacy = asked;
  Stepper<D> stepper(settings, "plane");
  StepReport<D> report;
  for (int k = 0; k < 3; ++k) report = stepper.step(world);
  EXPECT_EQ(report.status, StepStatus::done) << report.message;
  return report;
}

template <int D>
World<D> world_with_floor(double mu) {
  World<D> world;
  world.gravity = -kGravity * Vec<D>::Unit(D - 1);
  if (mu > 0) set_surface(world, {.friction = FrictionLaw::quadratic, .mu = mu});
  add_body(world, "floor", HalfSpace<D>{{Vec<D>::Unit(D - 1), 0}}, {.kind = BodyKind::fixed});
  return world;
}

template <int D>
int add_box(World<D>& world, const char* name, const Vec<D>& sides, const Vec<D>& position) {
  return add_body(world, name, make_box<D>(sides), {.mass = 1, .position = position});
}

/// The wrench is that of the weight, however the corners share it.
TEST(Determinacy, ABoxOnAFloorIsDetermined) {
  World<3> space = world_with_floor<3>(0.5);
  add_box<3>(space, "box", {1, 1, 1}, {0, 0, 0.5});
  EXPECT_EQ(step(space).undetermined, BodyPairs());
  World<2> plane = world_with_floor<2>(0.5);
  add_box<2>(plane, "box", {1, 1}, {0, 0.5});
  EXPECT_EQ(step(plane).undetermined, BodyPairs());
}

TEST(Determinacy, NobodyIsToldWhoDoesNotAsk) {
  World<2> world = world_with_floor<2>(0.5);
  add_box<2>(world, "box", {1, 1}, {0, 0.5});
  EXPECT_FALSE(step(world, false).undetermined);
}

/// A beam on two discs that do not move: two reactions, two equations. On three: three reactions.
World<2> beam_on_discs(const std::vector<double>& places, double mu) {
  World<2> world = world_with_floor<2>(mu);
  add_box<2>(world, "beam", {3, 0.2}, {0, 1.1});
  for (const double x : places)
    add_body(world, "disc at " + std::to_string(x), Sphere<2>{0.1},
             {.kind = BodyKind::fixed, .position = {x, 0.9}});
  return world;
}

TEST(Determinacy, ABeamOnThreeDiscsIsNot) {
  World<2> two = beam_on_discs({-1, 1}, 0), three = beam_on_discs({-1, 0, 1}, 0);
  EXPECT_EQ(step(two).undetermined, BodyPairs());
  EXPECT_EQ(step(three).undetermined, (BodyPairs{{1, 2}, {1, 3}, {1, 4}}));
}

/// With friction the beam may pull the two discs towards each other.
TEST(Determinacy, FrictionOpensWhatIsDeterminedWithoutIt) {
  World<2> two = beam_on_discs({-1, 1}, 0.5);
  EXPECT_EQ(step(two).undetermined, (BodyPairs{{1, 2}, {1, 3}}));
}

/// A block that slides along has its friction from its normal force: nothing is free. A second island beside
/// it is told apart.
TEST(Determinacy, WhatSlidesIsDeterminedAndIslandsAreToldApart) {
  World<2> world = beam_on_discs({-1, 0, 1}, 0.5);
  const int block = add_box<2>(world, "block", {0.5, 0.1}, {10, 0.05});
  world.bodies[block].velocity[0] = 5;
  const StepReport<2> report = step(world);
  EXPECT_EQ(report.sliding_pairs, 1);
  ASSERT_TRUE(report.undetermined);
  EXPECT_FALSE(report.undetermined->empty());
  for (const auto& [a, b] : *report.undetermined) EXPECT_NE(b, block);
}

/// Which pad carries how much of the weight nobody says; how strong they press the motors do.
TEST(Determinacy, TwoPadsShareTheWeightOfACubeAsNobodySays) {
  World<3> world;
  world.gravity = {0, 0, -kGravity};
  set_surface(world, {.friction = FrictionLaw::quadratic, .mu = 0.8});
  const int cube = add_box<3>(world, "cube", {0.1, 0.1, 0.1}, {0, 0, 0});
  for (const double side : {-1., 1.}) {
    const int pad = add_box<3>(world, side < 0 ? "left" : "right", {0.02, 0.04, 0.06}, {0.06 * side, 0, 0});
    add_joint<3>(world, side < 0 ? "left" : "right", JointKind::prismatic,
                 {.bodies = {kWorld, pad},
                  .position = {0.06 * side, 0, 0},
                  .axis = {-side, 0, 0},
                  .axes = {{.motor = true, .motor_rate = 0.1, .motor_force = 40}}});
  }
  EXPECT_EQ(step(world).undetermined, (BodyPairs{{cube, 1}, {cube, 2}}));
}

}  // namespace
}  // namespace touchstone
