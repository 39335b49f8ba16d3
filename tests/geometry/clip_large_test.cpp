// Bodies of many facets: their common part is found by search instead of measuring every corner over every
// plane.

#include <gtest/gtest.h>

#include <cmath>

#include "touchstone/geometry/clip.h"
#include "touchstone/geometry/shapes.h"
#include "touchstone/math/pose.h"
#include "touchstone/math/random.h"
#include "touchstone/math/tolerance.h"

namespace touchstone {
namespace {

template <int D>
std::vector<Plane<D>> planes_of(const Polytope<D>& Q, const Pose<D>& X) {
  std::vector<Plane<D>> planes;
  for (const Plane<D>& plane : Q.facet_planes()) planes.push_back(X * plane);
  return planes;
}

/// Plane after plane, each over every corner: clip() measures loose facets as a whole.
template <int D>
MassProperties<D> slow_common_part(const Polytope<D>& P, const std::vector<Plane<D>>& planes) {
  auto body = pieces_of(P);
  for (const Plane<D>& plane : planes) clip(body, plane, 0, kFlatness * P.size());
  return find_mass_properties(body);
}

template <int D>
void expect_as_slow(const Polytope<D>& P, const Polytope<D>& Q, const Pose<D>& X) {
  const auto planes = planes_of(Q, X);
  const auto slow = slow_common_part(P, planes);
  const auto sums = clipped_sums<D>(P, planes, kFlatness * P.size());
  const double area = std::pow(P.size(), D - 1), volume = area * P.size();
  EXPECT_NEAR(sums.mass.volume, slow.volume, 1e-14 * volume);
  EXPECT_LT((sums.mass.second_moment - slow.second_moment).norm(), 1e-14 * volume * P.size() * P.size());
  EXPECT_LT((sums.own.normal_area + sums.cut.normal_area + sums.flush.normal_area).norm(), 1e-14 * area);
  const auto pieces = clipped<D>(P, planes, kFlatness * P.size());
  EXPECT_NEAR(find_mass_properties(pieces).volume, slow.volume, 1e-14 * volume);
}

/// Anywhere, and where corners and faces of one body lie in faces of the other, or nearly so.
template <int D>
std::vector<Pose<D>> some_poses(std::uint64_t seed) {
  Random random(seed);
  const Mat<D> R = random.rotation_matrix<D>(), upright = Mat<D>::Identity();
  std::vector<Pose<D>> poses{{upright, Vec<D>::Zero()}, {R, Vec<D>::Zero()}};
  for (double offset : {1e-16, 1e-15, 1e-14, 1e-9, 0.5, 1.9, 2.0}) {
    poses.push_back({upright, offset * Vec<D>::Unit(0)});
    poses.push_back({upright, offset * random.direction<D>()});
    poses.push_back({random.rotation_matrix<D>(), offset * random.direction<D>()});
  }
  return poses;
}

TEST(ClipLarge, FindsTheCommonPartThatMeasuringEveryCornerFinds) {
  const Polytope<2> polygons[] = {make_regular_polygon(300, 1), make_random_hull<2>(200, 3)};
  for (const auto& P : polygons) {
    for (const auto& Q : polygons) {
      for (const auto& X : some_poses<2>(1)) expect_as_slow<2>(P, Q, X);
    }
  }
  const Polytope<3> solids[] = {make_tessellated_sphere(150, 1), make_cylinder(1, 2, 60), make_cone(1, 2, 90),
                                make_box<3>({2, 1, 1})};
  for (const auto& P : solids) {
    for (const auto& Q : solids) {
      for (const auto& X : some_poses<3>(2)) expect_as_slow<3>(P, Q, X);
    }
  }
}

/// Heights of corners over planes that it takes, for each corner and plane.
template <int D>
double cost(const Polytope<D>& P, const Vec<D>& offset) {
  Random random(3);
  const auto planes = planes_of<D>(P, {random.rotation_matrix<D>(), offset});
  const auto sums = clipped_sums<D>(P, planes, kFlatness * P.size());
  EXPECT_GT(sums.mass.volume, 0.1);
  return static_cast<double>(sums.height_count) / (P.vertex_count() + P.facet_count());
}

TEST(ClipLarge, CostsOfPolygonsAndSpheresGrowLikeTheirCorners) {
  for (int corners : {1000, 10'000, 100'000}) {
    const auto P = make_regular_polygon(corners, 1);
    EXPECT_LT(cost<2>(P, {0.5, 0.3}), 5) << corners;
    EXPECT_LT(cost<2>(P, {0, 0}), 5) << corners;
  }
  for (int vertices : {100, 1000, 10'000}) {
    const auto P = make_tessellated_sphere(vertices, 1);
    EXPECT_LT(cost<3>(P, {0.5, 0.3, 0.1}), 30) << vertices;
    EXPECT_LT(cost<3>(P, {0, 0, 0}), 30) << vertices;
    const auto C = make_cylinder(1, 2, vertices);
    EXPECT_LT(cost<3>(C, {0.5, 0.3, 0.1}), 30) << vertices;
  }
}

}  // namespace
}  // namespace touchstone
