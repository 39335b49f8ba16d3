// What a pair of parts can be told without measuring it.

#include "touchstone/contact/plane_pair.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/dimensions.h"
#include "touchstone/geometry/shapes.h"
#include "touchstone/math/random.h"

namespace touchstone {
namespace {

template <class T>
class PlanePairs : public testing::Test {};
TYPED_TEST_SUITE(PlanePairs, support::Dimensions, support::DimensionNames);

template <int D>
Pose<D> random_pose(Random& random) {
  return {random.rotation_matrix<D>(), random.uniform(0, 3) * random.direction<D>()};
}

TYPED_TEST(PlanePairs, NoPointIsFurtherFromWhereItWasThanTheLargestShift) {
  constexpr int D = TypeParam::D;
  Random random(1);
  for (int round = 0; round < 1000; ++round) {
    const Ball<D> ball{random.uniform(0, 1) * random.direction<D>(), random.uniform(0.1, 1)};
    const Pose<D> from = random_pose<D>(random), to = random_pose<D>(random);
    const double bound = largest_shift(ball, from, to);
    for (int k = 0; k < 20; ++k) {
      const Vec<D> x = ball.centre + ball.radius * random.direction<D>();
      EXPECT_LE((to * x - from * x).norm(), bound * (1 + 1e-12));
    }
  }
}

/// A turn by a about the centre moves points on its rim by 2 r sin(a/2).
TYPED_TEST(PlanePairs, TheLargestShiftOfAPlainTurnOrATranslationIsReached) {
  constexpr int D = TypeParam::D;
  const Ball<D> ball{Vec<D>::Constant(0.3), 0.7};
  const double angle = 0.2;
  Pose<D> turned;
  turned.R.template topLeftCorner<2, 2>() = rotation(angle);
  turned.p = ball.centre - turned.R * ball.centre;
  EXPECT_NEAR(largest_shift(ball, Pose<D>{}, turned), 2 * 0.7 * std::sin(angle / 2), 1e-15);
  const Pose<D> moved{Mat<D>::Identity(), Vec<D>::Unit(1)};
  EXPECT_NEAR(largest_shift(ball, Pose<D>{}, moved), 1, 1e-15);
}

/// Two bodies that cross each other's way, fast and turning.
template <int D>
struct Encounter {
  std::shared_ptr<const Shape<D>> shape_A, shape_B;
  ContactShape<D> A, B;
  PairSizes<D> sizes;
  Vec<D> centre_A;
  Twist<D> velocity_A, velocity_B;
  Path<D> path_A, path_B;

  static Vec<D> plate(double thickness) {
    Vec<D> sides = Vec<D>::Constant(1);
    sides[0] = thickness;
    return sides;
  }
  explicit Encounter(Random& random)
      : shape_A(std::make_shared<const Shape<D>>(make_random_hull<D>(8, random.bits()))),
        shape_B(std::make_shared<const Shape<D>>(make_box<D>(plate(random.log_uniform(0.003, 1))))),
        A{shape_A, 0, {}},
        B{shape_B, 1, {}},
        sizes(A, B),
        centre_A(random.uniform(1, 3) * random.direction<D>()) {
    for (double& v : velocity_A) v = random.uniform(-3, 3);
    for (double& v : velocity_B) v = random.uniform(-3, 3);
  }
  PlanePair<D> pair(const Mat<D>& R, double h) {
    path_A = steady_path<D>(centre_A, Attitude<D>::from(R), velocity_A, h);
    path_B = steady_path<D>(Vec<D>::Zero(), {}, velocity_B, h);
    PlanePair<D> made{{sizes, path_A, path_B, h, 9.81, 1e-9}, {}, {}, &A, &B};
    made.start = made.at(0), made.end = made.at(1);
    return made;
  }
};

TYPED_TEST(PlanePairs, ADirectionThatKeepsThemApartAtBothEndsLetsNoDeepPassBetween) {
  constexpr int D = TypeParam::D;
  Random random(2);
  int kept = 0, passed = 0;
  for (int round = 0; round < 2000; ++round) {
    Encounter<D> meeting(random);
    const PlanePair<D> pair = meeting.pair(random.rotation_matrix<D>(), 0.5);
    const Gap<D> start = find_gap(pair.start.A, pair.start.B), end = find_gap(pair.end.A, pair.end.B);
    if (start.gap < 0 || end.gap < 0) continue;
    GapMemory<D> memory;
    double least = start.gap;
    for (int k = 0; k <= 50; ++k) {
      const PairAt<D> now = pair.at(k / 50.);
      least = std::min(least, find_gap(now.A, now.B, &memory).gap);
    }
    if (pair.is_kept_apart_by({end.gap, end.normal}) ||
        pair.is_kept_apart({start.gap, start.normal}, end.normal)) {
      ++kept;
      EXPECT_GE(least, -pair.shallow_pass()) << "round " << round;
    } else {
      passed += least < -pair.shallow_pass();
    }
  }
  EXPECT_GT(kept, 200);
  EXPECT_GT(passed, 10) << "and some do pass";
}

/// One box on the other, some kilometres from the origin of the world.
TYPED_TEST(PlanePairs, HeightsOfCornersLoseNothingFarFromTheOrigin) {
  constexpr int D = TypeParam::D;
  Random random(3);
  const Shape<D> box = make_box<D>(Vec<D>::Constant(1));
  OverlayFinder<D> overlay;
  std::vector<PlaneCorner<D>> corners;
  for (int round = 0; round < 100; ++round) {
    const Mat<D> R = random.rotation_matrix<D>();
    const Vec<D> n = R.col(D - 1), below = random.uniform(1e3, 1e4) * random.direction<D>();
    const Vec<D> above = below + n;  // rounded: the gap is what these numbers say
    const PairAt<D> pair{{&box, {R, above}}, {&box, {R, below}}};
    find_corners(pair, pair, n, {1e-3, 1e-9}, overlay, corners);
    ASSERT_EQ(corners.size(), D == 3 ? 4u : 2u);
    for (const PlaneCorner<D>& c : corners) EXPECT_NEAR(c.height, n.dot(above - below) - 1, 1e-15);
  }
}

}  // namespace
}  // namespace touchstone
