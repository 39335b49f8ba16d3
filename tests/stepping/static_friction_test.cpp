// Two coefficients of friction: a pair of bodies that stuck in the last step has the static one, a pair that
// slides the kinetic one. The oracles are a block's closed motions on an incline.

#include <gtest/gtest.h>

#include <cmath>

#include "touchstone/stepping/build_world.h"
#include "touchstone/stepping/step.h"

namespace touchstone {
namespace {

constexpr double kGravity = 9.81, kStep = 0.005, kStatic = 0.6, kKinetic = 0.3;
/// Between the angles of the two coefficients.
const double kSlope = std::atan(0.45);

StepSettings settings() {
  StepSettings made;
  made.h = kStep;
  made.threads = 1;
  return made;
}

template <class Dimension>
class StaticFriction : public testing::Test {};
template <int Dim>
struct In {
  static constexpr int D = Dim;
};
using Dimensions = testing::Types<In<2>, In<3>>;
TYPED_TEST_SUITE(StaticFriction, Dimensions);

/// A block on a floor, in the frame of an incline: the first axis points down the slope.
template <int D>
struct Incline {
  World<D> world;
  int floor = 0, block = 0;

  explicit Incline(double speed, double slope = kSlope,
                   const Surface& surface = {
                       .friction = FrictionLaw::static_kinetic, .mu = kStatic, .kinetic = kKinetic}) {
    world.gravity = kGravity * (std::sin(slope) * Vec<D>::Unit(0) - std::cos(slope) * Vec<D>::Unit(D - 1));
    set_surface(world, surface);
    floor = add_body(world, "floor", HalfSpace<D>{{Vec<D>::Unit(D - 1), 0}}, {.kind = BodyKind::fixed});
    Vec<D> sides = Vec<D>::Constant(0.2);
    sides[D - 1] = 0.02;
    block =
        add_body(world, "block", make_box<D>(sides),
                 {.mass = 1, .position = 0.01 * Vec<D>::Unit(D - 1), .velocity = speed * Vec<D>::Unit(0)});
  }
  double speed() const { return world.bodies[block].velocity[0]; }
  double way() const { return world.bodies[block].position[0]; }
  void make(int steps) {
    Stepper<D> stepper(settings(), "plane");
    for (int k = 0; k < steps; ++k) ASSERT_EQ(stepper.step(world).status, StepStatus::done);
  }
};

double pull(double slope, double mu) { return kGravity * (std::sin(slope) - mu * std::cos(slope)); }

TYPED_TEST(StaticFriction, ABlockThatStartsAtRestStaysForEver) {
  Incline<TypeParam::D> incline(0);
  incline.make(2000);
  EXPECT_LT(std::abs(incline.way()), 1e-12);
  EXPECT_EQ(incline.world.sticking, (BodyPairs{{incline.floor, incline.block}}));
}

TYPED_TEST(StaticFriction, ABlockThatWasPushedSlidesByTheKineticCoefficient) {
  Incline<TypeParam::D> incline(0.5);
  incline.make(200);
  EXPECT_NEAR(incline.speed(), 0.5 + pull(kSlope, kKinetic) * 200 * kStep, 1e-8);
  EXPECT_EQ(incline.world.sticking, BodyPairs());
}

/// In its first step the static coefficient holds it back, from then on the kinetic one.
TYPED_TEST(StaticFriction, OnASteeperSlopeItBreaksAway) {
  const double steep = std::atan(0.7);
  Incline<TypeParam::D> incline(0, steep);
  incline.make(100);
  EXPECT_NEAR(incline.speed(), (pull(steep, kStatic) + 99 * pull(steep, kKinetic)) * kStep, 1e-8);
}

/// Up the slope it comes to rest at v^2 / 2a, and there the static coefficient holds it.
TYPED_TEST(StaticFriction, ABlockPushedUpwardsStopsAndStays) {
  const double slower = pull(kSlope, -kKinetic), speed = 1;
  Incline<TypeParam::D> incline(-speed);
  incline.make(static_cast<int>(speed / slower / kStep) + 4);
  const double stopped = incline.way();
  EXPECT_NEAR(stopped, -speed * speed / 2 / slower, 2 * speed * kStep);
  incline.make(400);
  EXPECT_LT(std::abs(incline.way() - stopped), 1e-9);
  EXPECT_LT(std::abs(incline.speed()), 1e-14);
}

TYPED_TEST(StaticFriction, WithOneCoefficientItIsCoulombsLawToTheBit) {
  Incline<TypeParam::D> coulomb(0.5, 0.2, {.friction = FrictionLaw::quadratic, .mu = 0.4});
  Incline<TypeParam::D> both(0.5, 0.2, {.friction = FrictionLaw::static_kinetic, .mu = 0.4, .kinetic = 0.4});
  coulomb.make(300), both.make(300);
  EXPECT_EQ(coulomb.world.bodies[1].position, both.world.bodies[1].position);
  EXPECT_EQ(coulomb.world.bodies[1].velocity, both.world.bodies[1].velocity);
  EXPECT_EQ(coulomb.world.sticking, BodyPairs()) << "nobody asks";
}

/// One block strikes in the step, so the islands go apart; what sticks is put together again.
TYPED_TEST(StaticFriction, IslandsThatAreSteppedApartRememberWhatSticks) {
  constexpr int D = TypeParam::D;
  Incline<D> incline(0);
  const int falling = add_body(incline.world, "falling", make_box<D>(Vec<D>::Constant(0.1)),
                               {.mass = 1,
                                .position = 2 * Vec<D>::Unit(0) + 0.06 * Vec<D>::Unit(D - 1),
                                .velocity = -Vec<D>::Unit(D - 1)});
  for (int k = 0; k < 20; ++k) {
    incline.make(1);
    EXPECT_TRUE(std::is_sorted(incline.world.sticking.begin(), incline.world.sticking.end()));
    EXPECT_EQ(incline.world.sticking.front(), (std::pair{incline.floor, incline.block})) << k;
  }
  EXPECT_LT(incline.world.bodies[falling].velocity.norm(), 1e-14) << "it came to rest";
  EXPECT_EQ(incline.world.sticking.size(), 2U);
}

/// Whether they stuck is part of the state: without it the same places and speeds go on otherwise.
TYPED_TEST(StaticFriction, APairThatStuckKeepsTheStaticCoefficientForTheStepInWhichItIsPushed) {
  Incline<TypeParam::D> incline(0);
  incline.make(3);
  Incline<TypeParam::D> other = incline;
  other.world.sticking.clear();
  for (auto* pushed : {&incline, &other}) {
    pushed->world.bodies[pushed->block].velocity[0] = 0.5;
    pushed->make(1);
  }
  EXPECT_NEAR(incline.speed(), 0.5 + pull(kSlope, kStatic) * kStep, 1e-9);
  EXPECT_NEAR(other.speed(), 0.5 + pull(kSlope, kKinetic) * kStep, 1e-9);
}

TYPED_TEST(StaticFriction, APairOfBodiesHasASurfaceOfItsOwn) {
  constexpr int D = TypeParam::D;
  Incline<D> incline(0.5, 0.3, {.friction = FrictionLaw::quadratic, .mu = 0.9});
  set_body_surface(incline.world, incline.block, incline.floor,
                   {.friction = FrictionLaw::quadratic, .mu = 0.2});
  add_material(incline.world, {.friction = FrictionLaw::quadratic, .mu = 0.7});
  const int other = add_body(incline.world, "other", make_box<D>(Vec<D>::Constant(0.1)),
                             {.mass = 1, .position = 3 * Vec<D>::Unit(0) + 0.05 * Vec<D>::Unit(D - 1)});
  incline.make(100);
  EXPECT_NEAR(incline.speed(), 0.5 + pull(0.3, 0.2) * 100 * kStep, 1e-8);
  EXPECT_LT(std::abs(incline.world.bodies[other].position[0] - 3), 1e-12) << "the others keep theirs";
}

TYPED_TEST(StaticFriction, RefusesPairsAndCoefficientsWithoutSense) {
  Incline<TypeParam::D> incline(0);
  World<TypeParam::D>& world = incline.world;
  const Surface good = {.friction = FrictionLaw::quadratic, .mu = 0.5};
  EXPECT_THROW(set_body_surface(world, 0, 0, good), std::invalid_argument);
  EXPECT_THROW(set_body_surface(world, 0, 7, good), std::invalid_argument);
  EXPECT_THROW(set_body_surface(world, 0, 1, {.friction = FrictionLaw::quadratic, .mu = -1}),
               std::invalid_argument);
  EXPECT_THROW(set_surface(world, {.friction = FrictionLaw::static_kinetic, .mu = 0.3, .kinetic = 0.4}),
               std::invalid_argument);
  EXPECT_THROW(set_surface(world, {.friction = FrictionLaw::quadratic, .mu = 0.3, .kinetic = 0.2}),
               std::invalid_argument);
}

}  // namespace
}  // namespace touchstone
