#include "touchstone/geometry/clip.h"

#include <gtest/gtest.h>

#include <cmath>

#include "touchstone/geometry/shapes.h"
#include "touchstone/math/pose.h"
#include "touchstone/math/random.h"
#include "touchstone/math/tolerance.h"

namespace touchstone {
namespace {

constexpr double kExact = 4e-15;  // of values near 1

template <int D>
double volume(const ConvexPieces<D>& body) {
  return find_mass_properties(body).volume;
}

template <int D>
ConvexPieces<D> below(const Polytope<D>& P, const Plane<D>& plane) {
  auto body = pieces_of(P);
  clip(body, plane, 1000, kFlatness * P.size());
  return body;
}

template <int D>
Plane<D> flipped(const Plane<D>& plane) {
  return {-plane.normal, -plane.offset};
}

Vec<2> area_normal(const std::vector<Vec<2>>& ends) { return right_of(ends[1] - ends[0]); }

Vec<3> area_normal(const std::vector<Vec<3>>& loop) {
  Vec<3> sum = Vec<3>::Zero();
  for (std::size_t i = 0; i < loop.size(); ++i) sum += loop[i].cross(loop[(i + 1) % loop.size()]) / 2;
  return sum;
}

/// |sum of area-weighted normals|: zero for a closed surface.
template <int D>
double opening(const ConvexPieces<D>& body) {
  Vec<D> sum = Vec<D>::Zero();
  for (const auto& facet : body.facets) sum += area_normal(facet.loop);
  return sum.norm();
}

/// The volume by the divergence theorem from the planes alone: sum of offset times area, over D.
template <int D>
double volume_by_planes(const ConvexPieces<D>& body) {
  double sum = 0;
  for (const auto& facet : body.facets)
    sum += facet.plane.offset * facet.plane.normal.dot(area_normal(facet.loop));
  return sum / D;
}

template <int D>
const typename ConvexPieces<D>::Facet* facet_tagged(const ConvexPieces<D>& body, int source) {
  for (const auto& facet : body.facets) {
    if (facet.source == source) return &facet;
  }
  return nullptr;
}

template <int D>
void expect_half_of_a_cube() {
  const auto P = make_box<D>(Vec<D>::Constant(2));
  const auto half = below<D>(P, {Vec<D>::Unit(0), 0});
  const auto mass = find_mass_properties(half);
  EXPECT_NEAR(mass.volume, std::pow(2.0, D) / 2, kExact);
  EXPECT_LT((mass.centre + Vec<D>::Unit(0) / 2).norm(), kExact);
  EXPECT_EQ(static_cast<int>(half.facets.size()), P.facet_count());
  EXPECT_NEAR(area_normal(facet_tagged(half, 1000)->loop).norm(), std::pow(2.0, D - 1), kExact);
}

TEST(Clip, ACubeCutThroughItsCentreKeepsHalfItsVolume) {
  expect_half_of_a_cube<2>();
  expect_half_of_a_cube<3>();
}

template <int D>
void expect_all_or_nothing() {
  const auto P = make_random_hull<D>(12, 5);
  const double all = find_mass_properties(P).volume;
  for (int f = 0; f < P.facet_count(); ++f) {
    for (double noise : {0.0, 1e-16, -1e-16, 1e-15, -1e-15}) {
      const Plane<D> face{P.plane(f).normal, P.plane(f).offset + noise};
      const auto kept = below(P, face);
      EXPECT_EQ(kept.facets.size(), static_cast<std::size_t>(P.facet_count()));
      EXPECT_EQ(facet_tagged(kept, 1000), nullptr) << "a flush plane must not replace the face";
      EXPECT_NEAR(volume(kept), all, kExact);
      EXPECT_TRUE(below(P, flipped(face)).empty()) << "a body that kisses the plane from above";
    }
    EXPECT_EQ(volume(below<D>(P, {P.plane(f).normal, 3})), volume(pieces_of(P)));
    EXPECT_TRUE(below<D>(P, {P.plane(f).normal, -3}).empty());
  }
}

TEST(Clip, APlaneInAFaceOrBesideTheBodyTakesAllOrNothing) {
  expect_all_or_nothing<2>();
  expect_all_or_nothing<3>();
}

TEST(Clip, APlaneThroughVerticesAndEdgesOfACubeCutsNoSlivers) {
  const auto P = make_box<3>({1, 1, 1});
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    const double noise = i % 3 == 0 ? 0 : random.uniform(-1e-15, 1e-15);
    const auto plane = [&](Vec<3> n, double offset) {
      return Plane<3>{n.normalized(), offset / n.norm() + noise};
    };
    // Through two opposite edges; through three corners, with the fourth cut off or kept; by a regular
    // hexagon.
    const auto wedge = below(P, plane({1, 1, 0}, 0));
    EXPECT_NEAR(volume(wedge), 0.5, kExact);
    EXPECT_EQ(wedge.facets.size(), 5u);
    const auto corner = below(P, plane({-1, -1, -1}, -0.5));
    EXPECT_NEAR(volume(corner), 1.0 / 6, kExact);
    EXPECT_EQ(corner.facets.size(), 4u);
    for (const auto& facet : corner.facets) EXPECT_EQ(facet.loop.size(), 3u);
    const auto rest = below(P, plane({1, 1, 1}, 0.5));
    EXPECT_NEAR(volume(rest), 5.0 / 6, kExact);
    EXPECT_EQ(facet_tagged(rest, 1000)->loop.size(), 3u);
    const auto half = below(P, plane({1, 1, 1}, 0));
    EXPECT_NEAR(volume(half), 0.5, kExact);
    EXPECT_EQ(facet_tagged(half, 1000)->loop.size(), 6u);
    EXPECT_NEAR(area_normal(facet_tagged(half, 1000)->loop).norm(), 3 * std::sqrt(3) / 4, kExact);
  }
}

TEST(Clip, ALineThroughCornersOfASquareAddsNone) {
  const auto P = make_box<2>({1, 1});
  for (double noise : {0.0, 1e-15, -1e-15}) {
    const auto half = below<2>(P, {Vec<2>(1, 1).normalized(), noise});
    EXPECT_NEAR(volume(half), 0.5, kExact);
    EXPECT_EQ(half.facets.size(), 3u);
    EXPECT_NEAR(area_normal(facet_tagged(half, 1000)->loop).norm(), std::sqrt(2), kExact);
  }
}

/// A plane through D vertices of the body, or at a random height: degenerate cuts are as frequent as others.
template <int D>
Plane<D> some_plane(const Polytope<D>& P, Random& random) {
  const auto vertex = [&] { return P.vertex(random.index(P.vertex_count())); };
  Vec<D> n = random.direction<D>();
  const Vec<D> through = vertex();
  if (random.unit() < 0.5) return {n, n.dot(random.unit() * through)};
  if (random.unit() < 0.5) return {n, n.dot(through)};
  for (int k = 1; k < D; ++k) {
    const Vec<D> e = (vertex() - through).normalized();
    if (e.allFinite()) n -= n.dot(e) * e;
  }
  n = random.direction<D>().dot(n) < 0 ? Vec<D>(-n.normalized()) : Vec<D>(n.normalized());
  return {n, n.dot(through)};
}

struct Regimes {
  int cut = 0, kept = 0, emptied = 0;
};

template <int D>
void expect_both_sides_to_make_the_whole(Regimes& regimes) {
  Random random(11);
  for (int i = 0; i < 3000; ++i) {
    const double scale = random.log_uniform(1e-3, 1e3);
    const auto P =
        scaled<D>(make_random_hull<D>(D + 1 + random.index(20), 100 + i % 50), Vec<D>::Constant(scale));
    const Plane<D> plane = some_plane(P, random);
    const auto lower = below(P, plane), upper = below(P, flipped(plane));
    const double all = find_mass_properties(P).volume, area = std::pow(P.size(), D - 1);
    ASSERT_NEAR(volume(lower) + volume(upper), all, 1e-14 * area * P.size()) << "case " << i;
    for (const auto* body : {&lower, &upper}) {
      ASSERT_LE(opening(*body), 1e-14 * area) << "case " << i;
      ASSERT_NEAR(volume(*body), volume_by_planes(*body), 2e-14 * area * P.size()) << "case " << i;
      ++(body->empty() ? regimes.emptied : facet_tagged(*body, 1000) ? regimes.cut : regimes.kept);
    }
    for (const auto& facet : lower.facets) {
      for (const Vec<D>& x : facet.loop) ASSERT_LE(plane.height(x), kFlatness * P.size());
    }
  }
}

TEST(Clip, WhatLiesBelowAndAboveAPlaneMakesTheWholeAndBothAreClosed) {
  Regimes regimes;
  expect_both_sides_to_make_the_whole<2>(regimes);
  expect_both_sides_to_make_the_whole<3>(regimes);
  EXPECT_GT(regimes.cut, 5000);
  EXPECT_GT(regimes.kept, 100);
  EXPECT_GT(regimes.emptied, 100);
}

template <int D>
void expect_mass(const MassProperties<D>& found, const MassProperties<D>& expected, double tolerance) {
  EXPECT_NEAR(found.volume, expected.volume, tolerance);
  EXPECT_LT((found.centre - expected.centre).norm(), tolerance);
  EXPECT_LT((found.second_moment - expected.second_moment).norm(), tolerance);
}

/// A block cut by all planes of a body, one after the other or at once, becomes that body.
template <int D>
void expect_carving_to_succeed() {
  for (int seed = 0; seed < 20; ++seed) {
    const auto P = make_random_hull<D>(D + 1 + 2 * seed, seed);
    const auto block = make_box<D>(Vec<D>::Constant(3));
    auto body = pieces_of(block);
    for (int f = 0; f < P.facet_count(); ++f) clip(body, P.plane(f), 100 + f, kFlatness * block.size());
    const auto sums = clipped_sums<D>(block, P.facet_planes(), kFlatness * block.size());
    EXPECT_EQ(static_cast<int>(body.facets.size()), P.facet_count());
    expect_mass(find_mass_properties(body), find_mass_properties(P), 1e-13);
    expect_mass(sums.mass, find_mass_properties(P), 1e-13);
    EXPECT_EQ(sums.own.area, 0);
    EXPECT_EQ(sums.flush.area, 0);
    EXPECT_LT(sums.cut.normal_area.norm(), 1e-13);
    EXPECT_LT(sums.cut.moment.norm(), 1e-13);
  }
}

TEST(Clip, ABlockCutByAllPlanesOfABodyBecomesThatBody) {
  expect_carving_to_succeed<2>();
  expect_carving_to_succeed<3>();
}

template <int D>
void expect_hull_of_corners() {
  Random random(17);
  for (int i = 0; i < 200; ++i) {
    const auto P = make_random_hull<D>(10, 30 + i);
    const auto body = below<D>(P, {random.direction<D>(), random.uniform(-0.3, 0.3)});
    std::vector<Vec<D>> corners;
    for (const auto& facet : body.facets) {
      for (const Vec<D>& x : facet.loop) {
        if (std::find(corners.begin(), corners.end(), x) == corners.end()) corners.push_back(x);
      }
    }
    if (corners.size() <= D) continue;
    expect_mass(find_mass_properties(body), find_mass_properties(Polytope<D>::hull(corners)), 1e-13);
  }
}

TEST(Clip, ACutBodyHasTheMomentsOfTheHullOfItsCorners) {
  expect_hull_of_corners<2>();
  expect_hull_of_corners<3>();
}

TEST(Clip, TheMomentsOfTheUnitTetrahedronAreThoseOfTheBooks) {
  const std::vector<Vec<3>> corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const auto mass = find_mass_properties(pieces_of(Polytope<3>::hull(corners)));
  EXPECT_NEAR(mass.volume, 1.0 / 6, 1e-16);
  EXPECT_NEAR(mass.second_moment(0, 0), 1.0 / 160, 1e-16);
  EXPECT_NEAR(mass.second_moment(0, 1), -1.0 / 480, 1e-16);
}

TEST(Clip, FacetsThatDoNotCloseAreRefused) {
  auto cube = pieces_of(make_box<3>({2, 2, 2}));
  cube.facets.pop_back();
  EXPECT_THROW(clip<3>(cube, {Vec<3>::Unit(0), 0}, 9, 0), BadShape);
  auto square = pieces_of(make_box<2>({2, 2}));
  square.facets.pop_back();
  EXPECT_THROW(clip<2>(square, {Vec<2>::Unit(0), 0}, 9, 0), BadShape);
}

TEST(Clip, NothingCutIsNothing) {
  ConvexPieces<3> nothing;
  clip<3>(nothing, {Vec<3>::Unit(0), 0}, 9, 0);
  EXPECT_TRUE(nothing.empty());
  EXPECT_EQ(find_mass_properties(nothing).volume, 0);
  EXPECT_EQ(find_mass_properties(nothing).centre, Vec<3>(0, 0, 0));
}

TEST(Clip, AFaceFlushInAPlaneIsCountedApart) {
  const auto P = make_box<3>({2, 2, 2});
  const std::vector<Plane<3>> planes{{Vec<3>::Unit(0), 1}, {Vec<3>::Unit(2), 0}};
  const auto sums = clipped_sums<3>(P, planes, kFlatness * P.size());
  EXPECT_NEAR(sums.mass.volume, 4, kExact);
  EXPECT_LT((sums.flush.normal_area - Vec<3>(2, 0, 0)).norm(), kExact);
  EXPECT_LT((sums.cut.normal_area - Vec<3>(0, 0, 4)).norm(), kExact);
  EXPECT_LT((sums.own.normal_area - Vec<3>(-2, 0, -4)).norm(), kExact);
  EXPECT_LT((sums.own.moment + sums.cut.moment + sums.flush.moment).norm(), kExact);
}

}  // namespace
}  // namespace touchstone
