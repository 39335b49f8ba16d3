#include "touchstone/math/vec.h"

#include <gtest/gtest.h>

#include "touchstone/math/plane.h"
#include "touchstone/math/random.h"

namespace touchstone {
namespace {

TEST(Vec, AForceUpAtALeverToTheRightTurnsCounterClockwise) {
  EXPECT_EQ(moment<2>({2, 0}, {0, 3})[0], 6);
  EXPECT_EQ(moment<3>({2, 0, 0}, {0, 3, 0}), Vec<3>(0, 0, 6));
}

TEST(Vec, APointToTheRightOfACounterClockwiseTurnMovesUp) {
  EXPECT_EQ(spin_velocity<2>(Spin<2>(2), {3, 0}), Vec<2>(0, 6));
  EXPECT_EQ(spin_velocity<3>(Vec<3>(0, 0, 2), {3, 0, 0}), Vec<3>(0, 6, 0));
}

/// Power is the same at the point and at the axis: f . (w x r) = w . (r x f).
template <int D>
void expect_power_balance(Random& random) {
  const Vec<D> r = random.uniform(0, 5) * random.direction<D>(),
               f = random.uniform(0, 5) * random.direction<D>();
  Spin<D> w;
  for (double& c : w) c = random.uniform(-3, 3);
  EXPECT_NEAR(f.dot(spin_velocity<D>(w, r)), w.dot(moment<D>(r, f)), 1e-13);
}

TEST(Vec, TorqueAndVelocityDoTheSameWork) {
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    expect_power_balance<2>(random);
    expect_power_balance<3>(random);
  }
}

TEST(Vec, TheSpaceContainsThePlane) {
  Random random(2);
  for (int i = 0; i < 100; ++i) {
    const Vec<2> r = random.direction<2>(), f = random.direction<2>();
    const Vec<3> lifted = moment<3>({r.x(), r.y(), 0}, {f.x(), f.y(), 0});
    EXPECT_EQ(lifted, Vec<3>(0, 0, moment<2>(r, f)[0]));
    EXPECT_EQ(cross(r, f), moment<2>(r, f)[0]);
  }
}

TEST(Vec, TheOutwardNormalOfACounterClockwisePolygonLiesToTheRightOfItsEdges) {
  EXPECT_EQ(right_of({1, 0}), Vec<2>(0, -1));  // the lower edge of a square
  EXPECT_EQ(right_of({0, 1}), Vec<2>(1, 0));
}

TEST(Vec, AnyPerpendicularIsAUnitVectorAcross) {
  Random random(3);
  for (int i = 0; i < 1000; ++i) {
    Vec<3> n = random.direction<3>();
    if (i < 3) n = Vec<3>::Unit(i);
    if (i == 3) n = Vec<3>(1, 1e-17, 0).normalized();
    const Vec<3> t = any_perpendicular(n);
    EXPECT_NEAR(t.norm(), 1, 4e-16);
    EXPECT_NEAR(t.dot(n), 0, 4e-16);
    EXPECT_EQ(t, any_perpendicular(n));
  }
}

TEST(Plane, HeightIsPositiveAbove) {
  const Plane<3> plane{{0, 0, 1}, 2};
  EXPECT_EQ(plane.height({5, 6, 5}), 3);
  EXPECT_EQ(plane.height({5, 6, 1}), -1);
}

}  // namespace
}  // namespace touchstone
