// Polytopes of points that are nearly flat, nearly equal, far away, many, or in degenerate position.

#include <gtest/gtest.h>

#include <array>
#include <numeric>

#include "polytope_check.h"
#include "polytope_input.h"
#include "touchstone/math/tolerance.h"

namespace touchstone {
namespace {

TEST(Polytope, SliversAndNeedlesOfAspectTenThousandAreSound) {
  Random random(5);
  for (int i = 0; i < 40; ++i) {
    for (const Vec<3>& sides : {Vec<3>(1, 1, 1e-4), Vec<3>(1, 1e-4, 1e-4)}) {
      const auto box = Polytope<3>::hull(turned(points_of(make_box<3>(sides)), random.rotation_matrix<3>()));
      EXPECT_EQ(box.facet_count(), 6);
      expect_sound(box);
      const auto hull = scaled<3>(make_random_hull<3>(30, random.bits()), sides);
      expect_sound(Polytope<3>::hull(turned(points_of(hull), random.rotation_matrix<3>())));
    }
    const auto thin = scaled<2>(make_random_hull<2>(20, random.bits()), Vec<2>(1, 1e-4));
    expect_sound(Polytope<2>::hull(turned(points_of(thin), random.rotation_matrix<2>())));
  }
}

TEST(Polytope, ScaleDoesNotMatter) {
  Random random(6);
  for (double scale : {1e-50, 1e-3, 1e-1, 1e1, 1e3, 1e50}) {
    for (const auto& original : some_solids()) {
      auto points = turned(points_of(original), random.rotation_matrix<3>());
      for (Vec<3>& x : points) x *= scale;
      const auto P = Polytope<3>::hull(points);
      EXPECT_EQ(P.facet_count(), original.facet_count());
      EXPECT_NEAR(P.size() / scale, original.size(), 1e-14 * original.size());
      expect_sound(P);
    }
  }
}

TEST(Polytope, ABoxFarFromTheOriginKeepsItsSixFaces) {
  Random random(7);
  for (double distance : {1e2, 1e4, 1e6}) {
    for (int i = 0; i < 20; ++i) {
      auto points = turned(points_of(make_box<3>({1, 2, 3})), random.rotation_matrix<3>());
      const Vec<3> offset = distance * random.direction<3>();
      for (Vec<3>& x : points) x += offset;
      const auto P = Polytope<3>::hull(points);
      EXPECT_EQ(P.facet_count(), 6);
      expect_sound(P);
    }
  }
}

/// Points near the faces, edges and corners of a box, off by 1e-17 to 1e-8 of its size.
TEST(Polytope, PointsNearAnyFeatureByAnyAmountGiveASoundPolytope) {
  Random random(8);
  int merged = 0, kept = 0;
  double worst = 0;
  for (int i = 0; i < 600; ++i) {
    const auto box =
        Polytope<3>::hull(turned(points_of(make_box<3>({2, 2, 2})), random.rotation_matrix<3>()));
    auto points = points_of(box);
    add_points_on_surface(box, 3, random, points);
    for (int k = 0; k < 8; ++k) points.push_back(box.vertex(k));
    const double amount = random.log_uniform(1e-17, 1e-8);
    for (std::size_t k = 8; k < points.size(); ++k) points[k] += amount * random.direction<3>();
    std::vector<Vec<3>> distinct;
    for (const Vec<3>& x : points) {
      if (std::find(distinct.begin(), distinct.end(), x) == distinct.end()) distinct.push_back(x);
    }
    const auto P = Polytope<3>::hull(distinct);
    expect_sound(P);
    ++(P.facet_count() == 6 ? merged : kept);
    for (const Plane<3>& plane : P.facet_planes()) {
      for (const Vec<3>& x : points) worst = std::max(worst, plane.height(x) / P.size());
    }
    ASSERT_LE(worst, 3 * kFlatness) << "amount " << amount;
  }
  EXPECT_GT(merged, 100);
  EXPECT_GT(kept, 100);
}

TEST(Polytope, ManyPointsOnTheSurfaceOfATurnedBoxLeaveItsCorners) {
  Random random(9);
  const auto box = Polytope<3>::hull(turned(points_of(make_box<3>({1, 1, 1})), random.rotation_matrix<3>()));
  auto points = points_of(box);
  add_points_on_surface(box, 1000, random, points);
  EXPECT_TRUE(same_bits(box, Polytope<3>::hull(points)));
}

TEST(Polytope, AlmostFlatCapsAreSound) {
  Random random(10);
  for (int i = 0; i < 100; ++i) {
    const double bulge = random.log_uniform(1e-17, 1e-9);
    std::vector<Vec<3>> points{{0, 0, -1}};
    for (int k = 0; k < 60; ++k) {
      const Vec<2> x = std::sqrt(random.unit()) * random.direction<2>();
      points.emplace_back(x.x(), x.y(), -bulge * x.squaredNorm());
    }
    expect_sound(Polytope<3>::hull(turned(points, random.rotation_matrix<3>())));
  }
}

TEST(Polytope, OneHundredThousandVerticesAreBuiltInSeconds) {
  const auto sphere = make_tessellated_sphere(100000, 1);
  EXPECT_EQ(sphere.vertex_count(), 100000);
  EXPECT_EQ(sphere.vertex_count() + sphere.facet_count(), sphere.edge_count() + 2);
  EXPECT_EQ(make_cylinder(1, 2, 20000).facet_count(), 20002);
  EXPECT_EQ(make_cone(1, 2, 20000).facet_count(), 20001);
}

// ---- on a grid of small integers all determinants are exact: every plane can be tried ---------------------

using Int3 = Eigen::Matrix<long long, 3, 1>;
using GridPlane = std::array<long long, 4>;  ///< outward normal in lowest terms, and offset

GridPlane grid_plane(const Int3& normal, const Int3& x) {
  return {normal[0], normal[1], normal[2], normal.dot(x)};
}

/// The plane through three points, if no point lies on one side of it; if none lies on either, both sides.
void add_supporting_plane(const std::vector<Int3>& grid, const std::array<Int3, 3>& corner,
                          std::vector<GridPlane>& planes) {
  Int3 normal = (corner[1] - corner[0]).cross(corner[2] - corner[0]);
  if (normal.isZero()) return;
  normal /= std::gcd(std::gcd(normal[0], normal[1]), normal[2]);
  long long low = 0, high = 0;
  for (const Int3& x : grid) {
    low = std::min(low, normal.dot(x - corner[0]));
    high = std::max(high, normal.dot(x - corner[0]));
  }
  if (high == 0) planes.push_back(grid_plane(normal, corner[0]));
  if (low == 0) planes.push_back(grid_plane(-normal, corner[0]));
}

/// The planes of the hull's facets; of flat points, the two sides of their plane.
std::vector<GridPlane> supporting_planes(const std::vector<Int3>& grid) {
  std::vector<GridPlane> planes;
  for (std::size_t a = 0; a < grid.size(); ++a) {
    for (std::size_t b = a + 1; b < grid.size(); ++b) {
      for (std::size_t c = b + 1; c < grid.size(); ++c)
        add_supporting_plane(grid, {grid[a], grid[b], grid[c]}, planes);
    }
  }
  std::sort(planes.begin(), planes.end());
  planes.erase(std::unique(planes.begin(), planes.end()), planes.end());
  return planes;
}

/// Different points of a grid of the given width, at most `wanted`. Many share planes and lines.
std::vector<Int3> random_grid_points(int width, int wanted, Random& random) {
  std::vector<Int3> grid;
  for (int i = 0; i < wanted; ++i) {
    const Int3 x(random.index(width), random.index(width), random.index(width));
    if (std::find(grid.begin(), grid.end(), x) == grid.end()) grid.push_back(x);
  }
  return grid;
}

void expect_planes(const Polytope<3>& P, const std::vector<GridPlane>& planes) {
  ASSERT_EQ(P.facet_count(), static_cast<int>(planes.size()));
  for (const auto& [x, y, z, offset] : planes) {
    const Vec<3> normal(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z));
    const double distance = static_cast<double>(offset) / normal.norm();
    const auto same = [&](const Plane<3>& plane) {
      return (plane.normal - normal.normalized()).norm() < 1e-14 && std::abs(plane.offset - distance) < 1e-13;
    };
    EXPECT_EQ(std::count_if(P.facet_planes().begin(), P.facet_planes().end(), same), 1);
  }
}

TEST(Polytope, HullsOfGridPointsAreThoseFoundByTryingAllPlanes) {
  Random random(11);
  int solids = 0, flat = 0, with_polygons = 0;
  for (int trial = 0; trial < 600; ++trial) {
    const int width = 2 + random.index(4), wanted = trial % 4 == 0 ? 4 : 4 + random.index(30);
    const std::vector<Int3> grid = random_grid_points(width, wanted, random);
    if (grid.size() < 4) continue;
    std::vector<Vec<3>> points;
    for (const Int3& x : grid) points.push_back(x.cast<double>());
    const std::vector<GridPlane> planes = supporting_planes(grid);
    if (planes.size() < 4) {
      EXPECT_SAYS(message_of<3>(points), "flat");
      ++flat;
      continue;
    }
    ++solids;
    const auto P = Polytope<3>::hull(points);
    expect_sound(P);
    expect_planes(P, planes);
    with_polygons += P.edge_count() * 2 > P.facet_count() * 3;
  }
  EXPECT_GT(solids, 200);
  EXPECT_GT(flat, 5);
  EXPECT_GT(with_polygons, 100);
}

}  // namespace
}  // namespace touchstone
