#include "touchstone/geometry/bounds.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/dimensions.h"
#include "touchstone/math/random.h"

namespace touchstone {
namespace {

constexpr double kRoundOff = 1e-14;

/// Several of each kind, none of them about the origin of its frame unless it has to be.
template <int D>
std::vector<Shape<D>> shapes_of_all_kinds() {
  std::vector<Shape<D>> all;
  for (int seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    std::vector<Vec<D>> points;
    const Vec<D> middle = 3 * random.direction<D>();
    for (int i = 0; i < 4 * seed; ++i)
      points.push_back(middle + random.uniform(0, 1) * random.direction<D>());
    all.emplace_back(Polytope<D>::hull(points));
    all.emplace_back(Sphere<D>{random.uniform(0.1, 2)});
    all.emplace_back(HalfSpace<D>{{random.direction<D>(), random.uniform(-1, 1)}});
  }
  return all;
}

/// Points all over the surface, the vertices among them: found without asking bounds.h.
template <int D>
std::vector<Vec<D>> points_of(const Shape<D>& shape, Random& random) {
  if (const auto* P = std::get_if<Polytope<D>>(&shape)) return {P->vertices().begin(), P->vertices().end()};
  std::vector<Vec<D>> points;
  if (const auto* ball = std::get_if<Sphere<D>>(&shape)) {
    for (int i = 0; i < 2000; ++i) points.push_back(ball->radius * random.direction<D>());
  }
  return points;
}

template <class Dimension>
class Bounds : public ::testing::Test {};
TYPED_TEST_SUITE(Bounds, support::Dimensions, support::DimensionNames);

TYPED_TEST(Bounds, TheBallHoldsTheShapeAndTouchesIt) {
  constexpr int D = TypeParam::D;
  Random random(5);
  for (const Shape<D>& shape : shapes_of_all_kinds<D>()) {
    const Ball<D> ball = ball_about(shape);
    double furthest = 0;
    for (const Vec<D>& x : points_of<D>(shape, random))
      furthest = std::max(furthest, (x - ball.centre).norm());
    EXPECT_EQ(is_bounded(shape), std::isfinite(ball.radius));
    if (is_bounded(shape)) {
      EXPECT_NEAR(furthest, ball.radius, kRoundOff * ball.radius);
    }
    EXPECT_EQ(size_of(shape), is_bounded(shape) ? 2 * ball.radius : 0);
  }
}

TYPED_TEST(Bounds, NoPointOfAPlacedShapeIsBeyondItsReach) {
  constexpr int D = TypeParam::D;
  Random random(6);
  for (const Shape<D>& shape : shapes_of_all_kinds<D>()) {
    const Pose<D> X{random.rotation_matrix<D>(), 2 * random.direction<D>()};
    const double reach = reach_of(shape, X);
    double furthest = 0;
    for (const Vec<D>& x : points_of<D>(shape, random)) furthest = std::max(furthest, (X * x).norm());
    EXPECT_LE(furthest, reach * (1 + kRoundOff));
    if (is_bounded(shape)) {
      EXPECT_GE(furthest, reach - size_of(shape));  // the ball is no larger than the shape needs
    } else {
      EXPECT_EQ(reach, 0);
    }
  }
}

TYPED_TEST(Bounds, NoPointLiesFurtherThanTheFurthest) {
  constexpr int D = TypeParam::D;
  Random random(7);
  for (const Shape<D>& shape : shapes_of_all_kinds<D>()) {
    if (!is_bounded(shape)) continue;
    for (int i = 0; i < 20; ++i) {
      const Vec<D> direction = random.uniform(0.1, 10) * random.direction<D>();
      const double height = direction.dot(furthest_point<D>(shape, direction));
      double highest = -std::numeric_limits<double>::infinity();
      for (const Vec<D>& x : points_of<D>(shape, random)) highest = std::max(highest, direction.dot(x));
      const double scale = direction.norm() * reach_of(shape, Pose<D>());
      EXPECT_GE(height, highest - kRoundOff * scale);
      // Of a polytope it is one of its vertices; random points of a sphere come near.
      EXPECT_LE(height, highest + (polytope_of(shape) ? kRoundOff : 0.02) * scale);
    }
  }
}

TYPED_TEST(Bounds, AHalfSpaceIsFurthestAlongItsNormal) {
  constexpr int D = TypeParam::D;
  const Vec<D> n = Random(3).direction<D>();
  const Shape<D> half = HalfSpace<D>{{n, 0.7}};
  EXPECT_NEAR(n.dot(furthest_point<D>(half, 2 * n)), 0.7, kRoundOff);
}

TYPED_TEST(Bounds, EachKindSaysWhatItHas) {
  constexpr int D = TypeParam::D;
  const Shape<D> box = make_box<D>(Vec<D>::Ones()), ball = Sphere<D>{2};
  const Shape<D> half = HalfSpace<D>{{Vec<D>::Unit(0), 3}};
  EXPECT_EQ(std::string(name_of(box)), "polytope");
  EXPECT_EQ(std::string(name_of(ball)), "sphere");
  EXPECT_EQ(std::string(name_of(half)), "half-space");
  EXPECT_TRUE(!is_round(box) && is_round(ball) && !is_round(half));
  ASSERT_TRUE(polytope_of(box) && !polytope_of(ball) && !polytope_of(half));
  EXPECT_EQ(polytope_of(box)->vertex_count(), 1 << D);
  ASSERT_TRUE(!plane_of(box) && !plane_of(ball) && plane_of(half));
  EXPECT_EQ(plane_of(half)->offset, 3);
}

}  // namespace
}  // namespace touchstone
