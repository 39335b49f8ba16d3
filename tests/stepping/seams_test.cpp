// A surface put together of flush boxes is the surface of one plate: nothing stumbles over its seams.

#include <gtest/gtest.h>

#include "support/dimensions.h"
#include "touchstone/stepping/build_world.h"
#include "touchstone/stepping/step.h"

namespace touchstone {
namespace {

constexpr double kGravity = 9.81, kRadius = 0.2, kSpeed = 2, kTile = 0.37;
constexpr int kTiles = 12;
constexpr double kRoundOff = 1e-11;  // [m/s, m] the solver's tolerance of 1e-12 a step, over a hundred steps

template <class T>
class Seams : public testing::Test {};
TYPED_TEST_SUITE(Seams, support::Dimensions, support::DimensionNames);

enum class Floor { plate, bodies, parts };

/// A row of tiles whose upper sides are at zero, as bodies, as parts of one body, or the plate of all.
template <int D>
World<D> world_with(Floor floor) {
  World<D> world;
  world.gravity[D - 1] = -kGravity;
  Vec<D> tile = Vec<D>::Constant(0.5);
  tile[0] = kTile;
  std::vector<PartSpec<D>> parts;
  for (int i = 0; i < kTiles; ++i) {
    Vec<D> at = Vec<D>::Zero();
    at[0] = (i + 0.5) * kTile, at[D - 1] = -0.25;
    parts.push_back({share<D>(make_box<D>(tile)), {Mat<D>::Identity(), at}});
    const BodySpec<D> here{.kind = BodyKind::fixed, .position = at};
    if (floor == Floor::bodies) add_body<D>(world, "tile" + std::to_string(i), make_box<D>(tile), here);
  }
  if (floor == Floor::parts) add_body<D>(world, "floor", parts, {.kind = BodyKind::fixed});
  if (floor == Floor::plate) {
    tile[0] *= kTiles;
    const Vec<D> at = 0.5 * kTiles * kTile * Vec<D>::Unit(0) - 0.25 * Vec<D>::Unit(D - 1);
    add_body<D>(world, "floor", make_box<D>(tile), {.kind = BodyKind::fixed, .position = at});
  }
  return world;
}

template <int D>
Body<D>& add_ball(World<D>& world, double fall) {
  Vec<D> at = Vec<D>::Zero(), velocity = Vec<D>::Zero();
  at[0] = 0.3 * kTile, at[D - 1] = kRadius;
  velocity[0] = kSpeed, velocity[D - 1] = -fall;
  if (D == 3) velocity[1] = 0.03;  // across the seams, but not square to them
  add_body<D>(world, "ball", Sphere<D>{kRadius}, {.mass = 1, .position = at, .velocity = velocity});
  return world.bodies.back();
}

/// A ball of the plane is a disc.
double share_of_rolling(int dimension) { return dimension == 3 ? 5. / 7 : 2. / 3; }

/// Braked from 2 to 1.908 m/s in 1.2 s at 20 ms, and lifted by 2 mm, at the first release.
TYPED_TEST(Seams, ABallSlidesAndRollsOverThemAsIfThereWereNone) {
  constexpr int D = TypeParam::D;
  for (const Floor floor : {Floor::plate, Floor::bodies, Floor::parts}) {
    for (const bool rolls : {false, true}) {
      for (const double h : {0.02, 0.01, 0.003}) {
        World<D> world = world_with<D>(floor);
        const FrictionLaw law =
            rolls ? (D == 3 ? FrictionLaw::quadratic : FrictionLaw::linear) : FrictionLaw::none;
        set_surface<D>(world, {.friction = law, .mu = rolls ? 1.2 : 0});
        const Vec<D> v = linear<D>(add_ball(world, 0).velocity);
        Stepper<D> stepper({.h = h}, "plane");
        double highest = 0, lowest = 1;
        for (int i = 0; i * h < 1.2; ++i) {
          const StepReport<D> report = stepper.step(world);
          ASSERT_EQ(report.status, StepStatus::done) << report.message;
          highest = std::max(highest, world.bodies.back().position[D - 1] - kRadius);
          lowest = std::min(lowest, world.bodies.back().position[D - 1] - kRadius);
        }
        const Vec<D> expected = rolls ? Vec<D>(share_of_rolling(D) * v) : v;
        EXPECT_LT((linear<D>(world.bodies.back().velocity) - expected).norm(), kRoundOff)
            << h << " " << rolls;
        EXPECT_LT(highest, kRoundOff) << "it does not hop";
        EXPECT_GT(lowest, -1e-9);
        EXPECT_GT(world.bodies.back().position[0], 3 * kTile) << "it met seams";
      }
    }
  }
}

/// The ball comes down within its first steps, at places that have nothing to do with the seams.
TYPED_TEST(Seams, ABallThatIsThrownOnThemIsNotBraked) {
  constexpr int D = TypeParam::D;
  int landed = 0;
  for (const Floor floor : {Floor::bodies, Floor::parts}) {
    for (int place = 0; place < 8; ++place) {
      World<D> world = world_with<D>(floor);
      Body<D>& ball = add_ball(world, 1);
      ball.position[D - 1] += 0.01 + 0.004 * place;
      const double along = ball.velocity[0];
      Stepper<D> stepper({.h = 0.01}, "plane");
      for (int i = 0; i < 100; ++i) {
        const StepReport<D> report = stepper.step(world);
        ASSERT_EQ(report.status, StepStatus::done) << report.message;
        landed += !report.forces.empty() && report.forces.front().normal > 0;
      }
      EXPECT_NEAR(world.bodies.back().velocity[0], along, kRoundOff) << place;
    }
  }
  EXPECT_GT(landed, 500);
}

}  // namespace
}  // namespace touchstone
