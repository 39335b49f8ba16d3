#include "touchstone/proximity/intersection.h"

#include <gtest/gtest.h>

#include <cmath>

#include "oracles/common_part.h"
#include "touchstone/geometry/mass_properties.h"
#include "touchstone/math/random.h"

namespace touchstone {
namespace {

Mat<2> turned_by(const Spin<2>& angle) { return rotation(angle[0]); }
Mat<3> turned_by(const Spin<3>& angle) { return rotation(Vec<3>(angle.normalized()), angle.norm()); }

/// A pair of bodies that overlap more often than not.
template <int D>
struct Pair {
  Polytope<D> P, Q;
  Pose<D> X_WA, X_WB;

  Placed<D> A() const { return {&P, X_WA}; }
  Placed<D> B() const { return {&Q, X_WB}; }
  double size() const { return pair_size(A(), B()); }
  double area() const { return std::pow(size(), D - 1); }
  double volume() const { return std::pow(size(), D); }
};

template <int D>
Polytope<D> random_body(Random& random, double scale) {
  const auto hull = make_random_hull<D>(D + 1 + random.index(20), random.bits());
  const auto box = make_box<D>(Vec<D>::Constant(1) + random.unit() * random.direction<D>().cwiseAbs());
  return scaled<D>(random.unit() < 0.6 ? hull : box, Vec<D>::Constant(scale));
}

template <int D>
Pair<D> random_pair(Random& random) {
  const double scale = random.log_uniform(1e-3, 1e3), other = scale * random.log_uniform(0.3, 3);
  const Vec<D> offset = random.uniform(0, 0.8) * (scale + other) * random.direction<D>();
  const Vec<D> p = scale * random.direction<D>();
  return {random_body<D>(random, scale),
          random_body<D>(random, other),
          {random.rotation_matrix<D>(), p},
          {random.rotation_matrix<D>(), p + offset}};
}

struct Regimes {
  int apart = 0, overlapping = 0, held = 0;
  template <int D>
  void count(const IntersectionVolume<D>& found) {
    ++(found.volume == 0 ? apart : found.normal.isZero() ? held : overlapping);
  }
  void expect_all() const {
    EXPECT_GT(apart, 20);
    EXPECT_GT(overlapping, 100);
    EXPECT_GT(held, 5);
  }
};

template <int D>
void expect_hull_of_common_points() {
  Random random(1);
  Regimes regimes;
  for (int i = 0; i < 1500; ++i) {
    const Pair<D> pair = random_pair<D>(random);
    const auto found = find_intersection<D>(pair.A(), pair.B(), pair.X_WA.p);
    const auto hull = oracle::common_part(pair.A(), pair.B());
    const auto expected = hull ? find_mass_properties(*hull) : MassProperties<D>{};
    const double size = pair.size(), V = pair.volume();
    ASSERT_NEAR(found.volume, expected.volume, 1e-14 * V) << "case " << i;
    ASSERT_LT((found.second_moment - expected.second_moment).norm(), 1e-14 * V * size * size) << "case " << i;
    if (found.volume > 1e-3 * V) {
      ASSERT_LT((found.centre - expected.centre).norm(), 1e-12 * size) << "case " << i;
    }
    regimes.count(found);
  }
  regimes.expect_all();
}

TEST(Intersection, VolumeCentreAndMomentsAreThoseOfTheHullOfAllCommonPoints) {
  expect_hull_of_common_points<2>();
  expect_hull_of_common_points<3>();
}

/// A moved by d and turned by w about the reference, both times a small h.
template <int D>
double moved_volume(const Pair<D>& pair, const Vec<D>& reference, const Vec<D>& d, const Spin<D>& w) {
  Placed<D> A = pair.A();
  const Mat<D> R = w.isZero() ? Mat<D>(Mat<D>::Identity()) : turned_by(w);
  A.X_WB = {R * A.X_WB.R, reference + R * (A.X_WB.p - reference) + d};
  return find_intersection<D>(A, pair.B(), reference).volume;
}

template <int D>
void expect_gradients_of_differences() {
  Random random(2);
  Regimes regimes;
  double worst = 0;
  for (int i = 0; i < 400; ++i) {
    const Pair<D> pair = random_pair<D>(random);
    const double size = pair.size(), h = 1e-6;
    const Vec<D> reference = pair.X_WA.p + 0.3 * size * random.direction<D>();
    const auto found = find_intersection<D>(pair.A(), pair.B(), reference);
    const Spin<D> still = Spin<D>::Zero();
    for (int k = 0; k < D; ++k) {
      const Vec<D> d = h * size * Vec<D>::Unit(k);
      const double rise =
          moved_volume<D>(pair, reference, d, still) - moved_volume<D>(pair, reference, -d, still);
      worst = std::max(worst, std::abs(rise / (2 * h * size) - found.gradient[k]) / pair.area());
    }
    for (int k = 0; k < kSpinSize<D>; ++k) {
      const Spin<D> w = h * Spin<D>::Unit(k);
      const Vec<D> fixed = Vec<D>::Zero();
      const double rise =
          moved_volume<D>(pair, reference, fixed, w) - moved_volume<D>(pair, reference, fixed, -w);
      worst = std::max(worst, std::abs(rise / (2 * h) - found.turning_gradient[k]) / pair.volume());
    }
    regimes.count(found);
  }
  // In the plane an edge that turns through parallel makes the second derivative jump: an error of order h.
  EXPECT_LT(worst, D == 2 ? 1e-6 : 1e-8);
  regimes.expect_all();
}

TEST(Intersection, GradientsAreDifferenceQuotientsOfTheVolume) {
  expect_gradients_of_differences<2>();
  expect_gradients_of_differences<3>();
}

template <int D>
void expect_swap_symmetry() {
  Random random(3);
  Regimes regimes;
  for (int i = 0; i < 500; ++i) {
    const Pair<D> pair = random_pair<D>(random);
    const Vec<D> reference = pair.X_WA.p;
    const auto AB = find_intersection<D>(pair.A(), pair.B(), reference);
    const auto BA = find_intersection<D>(pair.B(), pair.A(), reference);
    ASSERT_NEAR(AB.volume, BA.volume, 1e-15 * pair.volume()) << "case " << i;
    ASSERT_LT((AB.gradient + BA.gradient).norm(), 1e-15 * pair.area()) << "case " << i;
    ASSERT_LT((AB.turning_gradient + BA.turning_gradient).norm(), 1e-15 * pair.volume()) << "case " << i;
    ASSERT_LT((AB.normal + BA.normal).norm(), 1e-14) << "case " << i;
    regimes.count(AB);
  }
  regimes.expect_all();
}

TEST(Intersection, SwappingTheBodiesNegatesTheGradients) {
  expect_swap_symmetry<2>();
  expect_swap_symmetry<3>();
}

/// The integral of the outward normal over the facets of one body, and the tags' own planes.
template <int D>
void expect_closed_and_rightly_tagged() {
  Random random(4);
  int checked = 0;
  for (int i = 0; i < 500; ++i) {
    const Pair<D> pair = random_pair<D>(random);
    const auto found = find_intersection<D>(pair.A(), pair.B(), pair.X_WA.p);
    const auto pieces = intersect(pair.A(), pair.B());
    ASSERT_EQ(pieces.empty(), found.volume == 0);
    ASSERT_NEAR(find_mass_properties(pieces).volume, found.volume, 1e-14 * pair.volume());
    Vec<D> of_A = Vec<D>::Zero(), of_B = Vec<D>::Zero();
    for (const auto& facet : pieces.facets) {
      const int own = pair.P.facet_count();
      const bool is_A = facet.source < own;
      const Plane<D> plane =
          is_A ? pair.X_WA * pair.P.plane(facet.source) : pair.X_WB * pair.Q.plane(facet.source - own);
      for (const Vec<D>& x : facet.loop) ASSERT_NEAR(plane.height(x), 0, 1e-14 * pair.size());
      // The cone from far below the plane over the facet has D times the volume of area times height.
      ConvexPieces<D> cone;
      cone.facets.push_back({plane, {facet.loop.front() - plane.normal * pair.size()}, 0});
      cone.facets.push_back(facet);
      cone.facets[0].loop.resize(facet.loop.size(), cone.facets[0].loop[0]);
      (is_A ? of_A : of_B) += D * find_mass_properties(cone).volume / pair.size() * plane.normal;
      ++checked;
    }
    ASSERT_LT((of_A + of_B).norm(), 1e-14 * pair.area()) << "case " << i;
    ASSERT_LT((of_A - found.gradient).norm(), 1e-14 * pair.area()) << "case " << i;
  }
  EXPECT_GT(checked, 1000);
}

TEST(Intersection, TheSurfaceIsClosedAndEachFacetLiesInThePlaneOfItsTag) {
  expect_closed_and_rightly_tagged<2>();
  expect_closed_and_rightly_tagged<3>();
}

template <int D>
void expect_motion_invariance() {
  Random random(5);
  for (int i = 0; i < 300; ++i) {
    const Pair<D> pair = random_pair<D>(random);
    const Pose<D> X{random.rotation_matrix<D>(), pair.size() * random.direction<D>()};
    const auto here = find_intersection<D>(pair.A(), pair.B(), pair.X_WA.p);
    const auto there =
        find_intersection<D>({&pair.P, X * pair.X_WA}, {&pair.Q, X * pair.X_WB}, X * pair.X_WA.p);
    const double size = pair.size(), V = pair.volume();
    ASSERT_NEAR(here.volume, there.volume, 1e-14 * V) << "case " << i;
    // Where a grazing facet is cut, round-off of the pose moves its border by more than itself.
    ASSERT_LT((X.R * here.gradient - there.gradient).norm(), 1e-13 * pair.area()) << "case " << i;
    ASSERT_LT((X.R * here.second_moment * X.R.transpose() - there.second_moment).norm(),
              1e-14 * V * size * size);
    ASSERT_NEAR(here.turning_gradient.norm(), there.turning_gradient.norm(), 1e-14 * V) << "case " << i;
    if (here.volume > 1e-3 * V) {
      ASSERT_LT((X * here.centre - there.centre).norm(), 1e-12 * size) << "case " << i;
    }
  }
}

TEST(Intersection, ARigidMotionOfBothBodiesCarriesEverythingAlong) {
  expect_motion_invariance<2>();
  expect_motion_invariance<3>();
}

TEST(Intersection, FarFromTheOriginOfTheWorldNotABitIsLost) {
  // Positions on a grid of 2^-20 m keep all bits when they are moved by 2^30 m.
  const auto P = make_random_hull<3>(20, 1), Q = make_random_hull<3>(20, 2);
  const Vec<3> far = Vec<3>(1, -1, 1) * 0x1p30;
  Random random(6);
  for (int i = 0; i < 100; ++i) {
    const Mat<3> R = random.rotation_matrix<3>(), S = random.rotation_matrix<3>();
    const Vec<3> p = ((0x1p20 * random.direction<3>()).array().round() * 0x1p-20).matrix();
    const auto here = find_intersection<3>({&P, {R, Vec<3>::Zero()}}, {&Q, {S, p}}, p);
    const auto there = find_intersection<3>({&P, {R, far}}, {&Q, {S, far + p}}, far + p);
    EXPECT_EQ(here.volume, there.volume);
    EXPECT_EQ(here.gradient, there.gradient);
    EXPECT_EQ(here.turning_gradient, there.turning_gradient);
    EXPECT_EQ(here.second_moment, there.second_moment);
  }
}

template <int D>
void expect_nothing_to_push(const Placed<D>& A, const Placed<D>& B, const MassProperties<D>& smaller) {
  const auto found = find_intersection<D>(A, B, A.X_WB.p);
  EXPECT_NEAR(found.volume, smaller.volume, 1e-14 * std::max(1.0, smaller.volume));
  EXPECT_TRUE(found.gradient.isZero(0));
  EXPECT_TRUE(found.turning_gradient.isZero(0));
  EXPECT_TRUE(found.normal.isZero(0));
}

template <int D>
void expect_held_bodies_to_have_no_normal() {
  Random random(7);
  for (int i = 0; i < 50; ++i) {
    const auto P = scaled<D>(make_random_hull<D>(10, i), Vec<D>::Constant(0.4));
    const auto Q = make_box<D>(Vec<D>::Constant(2));
    const Pose<D> X{random.rotation_matrix<D>(), random.direction<D>()};
    const Placed<D> A{&P, X * Pose<D>{random.rotation_matrix<D>(), 0.5 * random.direction<D>()}}, B{&Q, X};
    expect_nothing_to_push<D>(A, B, find_mass_properties(P));
    expect_nothing_to_push<D>(B, A, find_mass_properties(P));
  }
}

TEST(Intersection, WhenOneBodyHoldsTheOtherTheGradientIsZeroAndThereIsNoNormal) {
  expect_held_bodies_to_have_no_normal<2>();
  expect_held_bodies_to_have_no_normal<3>();
}

TEST(Intersection, ACornerThatPeepsOutOfAContainerStillHasItsNormal) {
  // Of the cube only a corner of 1e-6 m sticks out; the sum over its whole surface would drown in round-off.
  const auto cube = make_box<3>({2, 2, 2});
  const Vec<3> n = Vec<3>(1, 1, 1).normalized();
  const Plane<3> plane{n, std::sqrt(3.0) - 1e-6};
  const auto found = find_intersection<3>({&cube, {}}, plane, Vec<3>::Zero());
  EXPECT_LT((found.normal - n).norm(), 1e-9);
  EXPECT_NEAR(found.gradient.norm(), 3 * std::sqrt(3.0) / 2 * 1e-12, 1e-20);
}

TEST(Intersection, ARodThroughAPlateHasNoNormal) {
  const auto rod = make_box<3>({0.2, 0.3, 3}), plate = make_box<3>({2, 2, 0.1});
  const Mat<3> R = rotation(Vec<3>(1, 2, 2) / 3, 0.7);
  const auto found =
      find_intersection<3>({&rod, {R, Vec<3>::Zero()}}, {&plate, {R, R * Vec<3>(0, 0, 0.3)}}, {0, 0, 0});
  EXPECT_NEAR(found.volume, 0.2 * 0.3 * 0.1, 1e-16);
  EXPECT_TRUE(found.normal.isZero(0)) << found.gradient.transpose();
}

/// A body below a plane is a body in a huge box whose top is the plane.
template <int D>
void expect_half_space_to_be_a_huge_box() {
  Random random(8);
  for (int i = 0; i < 200; ++i) {
    const auto P = make_random_hull<D>(8, i);
    const auto floor = make_box<D>(Vec<D>::Constant(64));
    const Pose<D> X{random.rotation_matrix<D>(), random.uniform(0, 0.9) * random.direction<D>()};
    const Pose<D> X_floor{random.rotation_matrix<D>(), random.direction<D>()};
    const Plane<D> top = X_floor * Plane<D>{Vec<D>::Unit(D - 1), 0};
    const Placed<D> ground{&floor, X_floor * Pose<D>{Mat<D>::Identity(), -32 * Vec<D>::Unit(D - 1)}};
    const auto plane = find_intersection<D>({&P, X}, top, X.p),
               box = find_intersection<D>({&P, X}, ground, X.p);
    const double round_off = 1e-14 * floor.size();
    EXPECT_NEAR(plane.volume, box.volume, round_off);
    EXPECT_LT((plane.gradient - box.gradient).norm(), round_off);
    EXPECT_LT((plane.turning_gradient - box.turning_gradient).norm(), round_off);
    EXPECT_LT((plane.normal - box.normal).norm(), round_off);
    EXPECT_NEAR(find_mass_properties(intersect<D>({&P, X}, top)).volume, plane.volume, 1e-14);
    if (!plane.normal.isZero()) {
      EXPECT_LT((plane.normal - top.normal).norm(), 1e-12);
    }
  }
}

TEST(Intersection, AHalfSpaceIsLikeAHugeBox) {
  expect_half_space_to_be_a_huge_box<2>();
  expect_half_space_to_be_a_huge_box<3>();
}

TEST(Intersection, PrismsShareTheAreaOfTheirBasesTimesTheirCommonHeight) {
  Random random(9);
  for (int i = 0; i < 200; ++i) {
    const auto p = make_random_hull<2>(3 + random.index(8), i),
               q = make_random_hull<2>(3 + random.index(8), 900 + i);
    const double rise = i % 2 ? 0 : random.uniform(-1, 1), common = 2 - std::abs(rise);  // half of them flush
    const auto P = make_prism(p, 2), Q = make_prism(q, 2);
    const double angle = random.uniform(0, 6);
    const Vec<2> offset = random.unit() * random.direction<2>();
    const auto flat = find_intersection<2>({&p, {}}, {&q, {rotation(angle), offset}}, {0.1, 0.2});
    const Pose<3> X{rotation(Vec<3>(0, 0, 1), angle), {offset.x(), offset.y(), rise}};
    const auto solid = find_intersection<3>({&P, {}}, {&Q, X}, {0.1, 0.2, 0.3});
    EXPECT_NEAR(solid.volume, flat.volume * common, 1e-14);
    EXPECT_LT((solid.gradient.head<2>() - flat.gradient * common).norm(), 1e-14);
    EXPECT_NEAR(solid.gradient.z(), flat.volume * (rise > 0 ? 1 : rise < 0 ? -1 : 0), 1e-14);
    EXPECT_NEAR(solid.turning_gradient.z(), flat.turning_gradient[0] * common, 1e-14);
    EXPECT_LT((solid.second_moment.topLeftCorner<2, 2>() - flat.second_moment * common).norm(), 1e-14);
  }
}

}  // namespace
}  // namespace touchstone
