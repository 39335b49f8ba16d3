#include "touchstone/solve/factors/pyramid_cone.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "support/random_blocks.h"
#include "touchstone/math/random.h"

namespace touchstone {
namespace {

using support::random_matrix;

/// A cone with `count` corners on the unit circle, kept alive by `corners`.
PyramidCone regular_cone(std::vector<Eigen::Vector2d>& corners, int count) {
  corners.clear();
  for (int k = 0; k < count; ++k) {
    const double angle = 2 * std::numbers::pi * k / count;
    corners.push_back({std::cos(angle), count == 2 ? 0 : std::sin(angle)});
  }
  PyramidCone cone;
  cone.corners = corners.data(), cone.corner_count = count;
  return cone;
}

TEST(PyramidCone, NoPointOfThePolygonIsNearer) {
  Random random(5);
  std::vector<Eigen::Vector2d> corners;
  int inside = 0, on_corner = 0, on_edge = 0;
  for (int round = 0; round < 3000; ++round) {
    const PyramidCone cone = regular_cone(corners, 3 + random.index(6));
    const double radius = random.uniform(0.1, 2);
    const Eigen::Vector2d y = random_matrix(random, 2, 1) * 3;
    int piece = -1;
    const Eigen::Vector2d nearest = nearest_in_pyramid(cone, radius, y, piece);
    (piece < 0 ? inside : piece % 2 == 0 ? on_corner : on_edge)++;
    // The nearest point of a convex set is the one from which no corner lies on the side of y.
    for (const Eigen::Vector2d& corner : corners)
      EXPECT_LE((y - nearest).dot(radius * corner - nearest), 1e-14 * (1 + y.squaredNorm()));
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const Eigen::Vector2d a = corners[k], edge = corners[(k + 1) % corners.size()] - a,
                            to = nearest / radius - a;
      EXPECT_GE(edge.x() * to.y() - edge.y() * to.x(), -1e-14) << "it lies in the polygon";
    }
  }
  EXPECT_GT(inside, 100);
  EXPECT_GT(on_corner, 100);
  EXPECT_GT(on_edge, 100);
}

TEST(PyramidCone, APointFarOutsideIsNearestToTheEdgeThatItLiesBefore) {
  std::vector<Eigen::Vector2d> corners;
  const PyramidCone cone = regular_cone(corners, 8);
  for (int k = 0; k < 8; ++k) {
    const Eigen::Vector2d a = corners[k], edge = corners[(k + 1) % 8] - a, out(edge.y(), -edge.x());
    for (const double share : {-0.3, 0.3, 0.7, 1.3}) {
      int piece = -1;
      const Eigen::Vector2d nearest = nearest_in_pyramid(cone, 1, a + share * edge + 1e9 * out, piece);
      EXPECT_EQ(piece, share < 0 ? 2 * k : share < 1 ? 2 * k + 1 : 2 * ((k + 1) % 8));
      EXPECT_LE((nearest - a - std::clamp(share, 0., 1.) * edge).norm(), 1e-6)
          << "of 1e9 only six digits are left";
    }
  }
}

TEST(PyramidCone, AnImpulseChangesAlikeUntilItLeavesItsCone) {
  std::vector<Eigen::Vector2d> corners;
  PyramidCone cone = regular_cone(corners, 4);
  cone.mu = 0.5;
  constexpr int kOpen = 0, kSticks = 3, kFirstCorner = 5, kFirstEdge = 7;
  const double never = std::numeric_limits<double>::infinity();
  const auto repeats = [&](int piece, const LocalVector& p, const LocalVector& change) {
    return repeats_within(cone, piece, p, change);
  };
  EXPECT_EQ(repeats(kOpen, {0, 0, 0}, {0, 0, 0}), never);
  EXPECT_DOUBLE_EQ(repeats(kSticks, {2, 0, 0}, {-0.1, 0, 0}), 20) << "it ceases to push";
  EXPECT_DOUBLE_EQ(repeats(kSticks, {2, 0.2, 0}, {0, 0.1, 0}), 8) << "it slides";
  EXPECT_DOUBLE_EQ(repeats(kSticks, {2, 0.2, 0}, {-0.2, 0, 0}), 8) << "its cone becomes too narrow";
  EXPECT_DOUBLE_EQ(repeats(kFirstEdge, {2, 0.6, 0.4}, {0, 0.1, -0.1}), 4) << "the edge ends";
  EXPECT_EQ(repeats(kFirstCorner, {2, 1, 0}, {0.1, 0.05, 0}), never) << "it slides and goes on";
  cone = regular_cone(corners, 2);
  cone.mu = 0.5;
  EXPECT_DOUBLE_EQ(repeats(kSticks, {2, 0.2, 0}, {0, -0.1, 0}), 12) << "in the plane";
}

TEST(PyramidCone, RespondsAsItsSlopesSay) {
  Random random(6);
  std::vector<Eigen::Vector2d> corners;
  std::vector<int> met(20);
  for (int round = 0; round < 3000; ++round) {
    PyramidCone cone = regular_cone(corners, round % 7 == 0 ? 2 : 3 + random.index(6));
    cone.mu = random.uniform(0.1, 1);
    cone.bound = random.index(4) == 0 ? random.uniform(0, 1) : 0;
    cone.has_normal = random.index(6) != 0;
    LocalVector centre = random_matrix(random, 3, 1), w = random_matrix(random, 3, 1);
    centre[0] = std::abs(centre[0]);
    const PyramidResponse at = respond(cone, centre, w, 0.7, 0.4);
    const LocalVector dw = 1e-7 * random_matrix(random, 3, 1);
    const PyramidResponse beside = respond(cone, centre, w + dw, 0.7, 0.4);
    if (beside.piece != at.piece) continue;
    ++met[std::min(at.piece, 19)];
    EXPECT_LE((beside.p - at.p + at.K * dw).norm(), 1e-14) << "piece " << at.piece;
  }
  EXPECT_GT(met[0], 100) << "open";
  EXPECT_GT(met[3], 100) << "pushes and sticks";
  EXPECT_GT(met[2], 5) << "sticks by its own bound";
  EXPECT_GT(met[5], 20) << "at the first corner";
  EXPECT_GT(met[7], 20) << "on the first edge";
}

}  // namespace
}  // namespace touchstone
