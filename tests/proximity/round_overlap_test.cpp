#include "touchstone/proximity/round_overlap.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "touchstone/geometry/mass_properties.h"
#include "touchstone/geometry/shapes.h"
#include "touchstone/math/pose.h"
#include "touchstone/math/random.h"
#include "touchstone/proximity/intersection.h"

namespace touchstone {
namespace {

constexpr double kPi = std::numbers::pi;

TEST(RoundOverlap, ACapOfHalfTheBallIsHalfTheBall) {
  EXPECT_DOUBLE_EQ(cap_volume<2>(2, 2), ball_volume<2>(2) / 2);
  EXPECT_DOUBLE_EQ(cap_volume<3>(2, 2), ball_volume<3>(2) / 2);
  EXPECT_DOUBLE_EQ(cap_volume<2>(2, 9), ball_volume<2>(2)) << "a plane beyond the ball cuts off all of it";
  EXPECT_EQ(cap_volume<3>(2, -1), 0);
}

TEST(RoundOverlap, AThinCapKeepsItsDigits) {
  for (double h = 1e-2; h > 1e-15; h /= 10) {
    // The half chord at depth t is sqrt(2 t) (1 - t/4 - t^2/32 - t^3/128 - ...), integrated term by term.
    const double series =
        4.0 / 3 * std::sqrt(2 * h) * h * (1 - 3.0 / 20 * h - 3.0 / 224 * h * h - h * h * h / 384);
    EXPECT_NEAR(cap_volume<2>(1, h) / series, 1, h * h * h * h + 1e-15) << "height " << h;
  }
}

TEST(RoundOverlap, TheCapsAreIntegralsOfTheirSections) {
  const double r = 1.3, h = 0.7;
  const int n = 20000;
  double area = 0, volume = 0;
  for (int i = 0; i < n; ++i) {
    const double z = r - h + (i + 0.5) * h / n, half_chord = std::sqrt(r * r - z * z);
    area += 2 * half_chord * h / n;
    volume += kPi * half_chord * half_chord * h / n;
  }
  EXPECT_NEAR(cap_volume<2>(r, h), area, 1e-6);
  EXPECT_NEAR(cap_volume<3>(r, h), volume, 1e-8);
}

TEST(RoundOverlap, ALensIsSymmetricAndEndsInTheSmallerBall) {
  for (double d : {0.1, 0.4999, 0.5, 0.6, 1.0, 1.2, 2.4999}) {
    EXPECT_DOUBLE_EQ(lens_volume<3>(1.5, 1, d), lens_volume<3>(1, 1.5, d));
    EXPECT_DOUBLE_EQ(lens_volume<2>(1.5, 1, d), lens_volume<2>(1, 1.5, d));
  }
  EXPECT_DOUBLE_EQ(lens_volume<3>(1.5, 1, 0.3), ball_volume<3>(1));
  EXPECT_NEAR(lens_volume<3>(1.5, 1, 0.5 + 1e-9), ball_volume<3>(1), 1e-8)
      << "no jump where the ball comes out";
  EXPECT_EQ(lens_volume<2>(1.5, 1, 2.5), 0);
  // Two unit balls at distance d: pi/12 (4 + d)(2 - d)^2.
  EXPECT_DOUBLE_EQ(lens_volume<3>(1, 1, 1), kPi / 12 * 5);
}

TEST(RoundOverlap, ABallInsideAPolytopeCountsWhollyAndAPolytopeInsideABallToo) {
  const auto cube = make_box<3>({2, 2, 2});
  EXPECT_NEAR(ball_polytope_volume<3>(cube, {0.1, -0.2, 0.3}, 0.5), ball_volume<3>(0.5), 1e-15);
  EXPECT_NEAR(ball_polytope_volume<3>(cube, {0, 0, 0}, 1), ball_volume<3>(1), 1e-15) << "touching all faces";
  EXPECT_NEAR(ball_polytope_volume<3>(cube, {0.1, -0.2, 0.3}, 3), 8, 1e-14);
  const auto square = make_box<2>({2, 2});
  EXPECT_NEAR(ball_polytope_volume<2>(square, {0.1, -0.2}, 0.5), ball_volume<2>(0.5), 1e-15);
  EXPECT_NEAR(ball_polytope_volume<2>(square, {0.1, -0.2}, 3), 4, 1e-15);
}

TEST(RoundOverlap, ABallOnAFaceAnEdgeAndACornerOfACubeSharesAHalfAQuarterAndAnEighth) {
  const auto cube = make_box<3>({2, 2, 2});
  const double whole = ball_volume<3>(0.5);
  EXPECT_NEAR(ball_polytope_volume<3>(cube, {0, 0, 1}, 0.5), whole / 2, 1e-15);
  EXPECT_NEAR(ball_polytope_volume<3>(cube, {0, 1, 1}, 0.5), whole / 4, 1e-15);
  EXPECT_NEAR(ball_polytope_volume<3>(cube, {1, 1, 1}, 0.5), whole / 8, 1e-15);
  EXPECT_NEAR(ball_polytope_volume<3>(cube, {0, 0, 1.3}, 0.5), cap_volume<3>(0.5, 0.2), 1e-15);
  EXPECT_NEAR(ball_polytope_volume<2>(make_box<2>({2, 2}), {1, 1}, 0.5), ball_volume<2>(0.5) / 4, 1e-15);
}

/// The shared volume with a ball made of n vertices, which lies inside the true one, grown so that the
/// volumes are equal: an independent, slowly converging answer.
double tessellated_answer(const Polytope<3>& P, const Vec<3>& centre, double radius) {
  auto ball = make_tessellated_sphere(4000, radius);
  const double grow = std::cbrt(ball_volume<3>(radius) / find_mass_properties(ball).volume);
  ball = scaled<3>(ball, Vec<3>::Constant(grow));
  return find_intersection<3>({&P, {}}, {&ball, {Mat<3>::Identity(), centre}}, Vec<3>::Zero()).volume;
}

TEST(RoundOverlap, AFineTessellationSharesTheSameVolume) {
  Random random(7);
  int centre_in = 0, centre_out = 0;
  for (int i = 0; i < 8; ++i) {
    const auto P = i % 2 ? make_random_hull<3>(20, i) : make_dodecahedron(1);
    const Vec<3> centre = random.uniform(i % 4 < 2 ? 0 : 1.05, i % 4 < 2 ? 0.5 : 1.3) * random.direction<3>();
    const double radius = random.uniform(0.4, 1.1);
    const double volume = ball_polytope_volume<3>(P, centre, radius);
    EXPECT_NEAR(volume, tessellated_answer(P, centre, radius), 2e-3) << "case " << i;
    bool inside = true;
    for (const auto& plane : P.facet_planes()) inside &= plane.height(centre) < 0;
    ++(inside ? centre_in : centre_out);
  }
  EXPECT_GE(centre_in, 2);
  EXPECT_GE(centre_out, 2);
}

TEST(RoundOverlap, APolygonSharesTheAreaThatAManyCorneredDiscDoes) {
  Random random(8);
  for (int i = 0; i < 50; ++i) {
    const auto P = make_random_hull<2>(9, i);
    const Vec<2> centre = random.uniform(0, 1.5) * random.direction<2>();
    const double radius = random.uniform(0.2, 1.5);
    const auto disc = scaled<2>(make_regular_polygon(2000, radius), Vec<2>::Constant(1 + 8.2e-7));
    const double area =
        find_intersection<2>({&P, {}}, {&disc, {Mat<2>::Identity(), centre}}, Vec<2>::Zero()).volume;
    EXPECT_NEAR(ball_polytope_volume<2>(P, centre, radius), area, 5e-6) << "case " << i;
  }
}

TEST(RoundOverlap, ABallAThousandTimesLargerThanTheBodyStillKeepsElevenDigits) {
  // A cube sunk by 0.3 into the top of a huge ball: nearly a flat cut. The exact value follows from the
  // ball's height 0.3 - q/2R - q^2/8R^3 - ..., q = x^2 + y^2, above the cube's bottom: over the unit square
  // the mean of q is 1/6, that of q^2 is 7/180.
  const double R = 1e3;
  const auto cube = make_box<3>({1, 1, 1});
  const double sagged = 0.3 - 1 / (12 * R) - 7 / (1440 * R * R * R);
  EXPECT_NEAR(ball_polytope_volume<3>(cube, {0, 0, -0.5 + 0.3 - R}, R), sagged, 1e-11);
}

}  // namespace
}  // namespace touchstone
