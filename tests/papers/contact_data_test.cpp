// What "Determining Contact Data for Time Stepping Rigid Body Simulations with Convex Polyhedral Geometries"
// (Yi and Drumwright) claims, for our implementation.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "oracles/signed_distance.h"
#include "support/pose_sets.h"
#include "touchstone/proximity/manifold.h"

namespace touchstone {
namespace {

constexpr double kQuarter = std::numbers::pi / 4;

Placed<3> at(const Polytope<3>& P, const Vec<3>& p, const Mat<3>& R = Mat<3>::Identity()) {
  return {&P, {R, p}};
}

// ---- Table I ----------------------------------------------------------------------------------------------

struct Row {
  double least = 1, largest = 0, mean = 0, deviation = 0;  ///< [m]
};

Row row_of(const std::vector<double>& errors) {
  Row row;
  for (double e : errors) {
    row.least = std::min(row.least, e);
    row.largest = std::max(row.largest, e);
    row.mean += e / errors.size();
  }
  for (double e : errors) row.deviation += (e - row.mean) * (e - row.mean) / errors.size();
  row.deviation = std::sqrt(row.deviation);
  return row;
}

// The paper's SAT row: 0, 2.66454e-15, 3.353e-16, 4.413e-16; its libccd row: 2.693e-6, 0.608937, 0.0518467,
// 0.1311. Theirs is the difference of two computations in doubles on an unknown number of pairs, ours the
// difference from the truth on 10 000 of them; the largest of so many is allowed a bit more.
TEST(ContactDataTableI, OurErrorsOnOverlappingBoxesAreThoseOfTheSeparatingAxisTest) {
  const auto boxes = support::make_pose_set<3>("boxes");
  std::vector<double> errors;
  for (int i = 0; i < 20'000; i += 2) {  // even pairs overlap
    const auto pair = boxes.pair(i, 7);
    const auto truth = oracle::signed_distance<3>(pair.A, pair.B).gap;
    ASSERT_LT(truth, 0);
    errors.push_back(std::abs(static_cast<double>(find_gap<3>(pair.A, pair.B).gap - truth)));
  }
  const Row row = row_of(errors);
  std::printf("Table I, Touchstone: %.3e %.3e %.3e %.3e\n", row.least, row.largest, row.mean, row.deviation);
  EXPECT_LE(row.least, 1e-18);
  EXPECT_LE(row.largest, 2 * 2.66454e-15);
  EXPECT_LE(row.mean, 1.5 * 3.353e-16);
  EXPECT_LE(row.deviation, 1.5 * 4.413e-16);
}

// ---- section III-B: where the normal is not determined
// ------------------------------------------------------

struct Touch {
  const char* name;
  Placed<3> A, B;
  std::size_t normals;
};

/// A corner straight down: the diagonal of a cube along -z.
Mat<3> on_a_corner() {
  return Eigen::Quaterniond::FromTwoVectors(Vec<3>(-1, -1, -1), Vec<3>(0, 0, -1)).toRotationMatrix();
}

TEST(ContactDataNormals, AreAsManyAsTheFeaturesAllow) {
  const auto cube = make_box<3>({2, 2, 2});
  const Mat<3> edge_x = rotation(Vec<3>::UnitX(), kQuarter), edge_y = rotation(Vec<3>::UnitY(), kQuarter);
  const double e = std::numbers::sqrt2, c = std::sqrt(3.0);  // from the centre to an edge, to a corner
  const Touch touches[] = {
      {"face-face", at(cube, {0.3, 0.2, 2}), at(cube, {0, 0, 0}), 1},
      {"crossed edges", at(cube, {0.3, 0.2, 2 * e}, edge_x), at(cube, {0, 0, 0}, edge_y), 1},
      {"edge-face", at(cube, {0.3, 0.2, 1 + e}, edge_x), at(cube, {0, 0, 0}), 1},
      {"vertex-face", at(cube, {0.3, 0.2, 1 + c}, on_a_corner()), at(cube, {0, 0, 0}), 1},
      {"vertex-vertex", at(cube, {2, 2, 2}), at(cube, {0, 0, 0}), 3},
      {"parallel edges", at(cube, {2, 0.3, 2}), at(cube, {0, 0, 0}), 2},
      {"vertex-edge", at(cube, {0, 0.2, e + c}, on_a_corner()), at(cube, {0, 0, 0}, edge_y), 2}};
  for (const Touch& touch : touches) {
    const Gap<3> gap = find_gap<3>(touch.A, touch.B);
    EXPECT_EQ(gap.status, Status::touching) << touch.name;
    EXPECT_EQ(gap.normal_is_unique, touch.normals == 1) << touch.name;
    EXPECT_EQ(std::max<std::size_t>(gap.candidates.size(), 1), touch.normals) << touch.name;
    EXPECT_EQ(oracle::signed_distance<3>(touch.A, touch.B).axes.size(), touch.normals) << touch.name;
  }
}

TEST(ContactDataNormals, OfCoincidentCubesAreSix) {
  const auto cube = make_box<3>({2, 2, 2});
  const Mat<3> R = rotation(Vec<3>(1, 2, 3).normalized(), 0.7);
  for (const Mat<3>& turn : {Mat<3>(Mat<3>::Identity()), R}) {
    const Gap<3> gap = find_gap<3>(at(cube, {1, 2, 3}, turn), at(cube, {1, 2, 3}, turn));
    EXPECT_EQ(gap.status, Status::overlapping);
    EXPECT_NEAR(gap.gap, -2, 1e-15);
    EXPECT_FALSE(gap.normal_is_unique);
    EXPECT_EQ(gap.candidates.size(), 6u);
  }
}

/// Necessary condition: to draw the bodies apart along the normal increases their gap, at once and for good.
TEST(ContactDataNormals, PointWhereTheGapGrows) {
  for (const char* name : {"boxes", "boxes-yaw", "boxes-grid", "hulls50"}) {
    const auto set = support::make_pose_set<3>(name);
    for (int i = 0; i < 300; ++i) {
      const auto pair = set.pair(i);
      const Gap<3> gap = find_gap<3>(pair.A, pair.B);
      for (double step : {1e-6, 1e-2, 10.0}) {
        Placed<3> A = pair.A;
        A.X_WB.p += step * gap.normal;
        const auto later = oracle::signed_distance<3>(A, pair.B).gap;
        EXPECT_GE(later - gap.gap, step * (1 - 1e-8)) << name << " pair " << i;
      }
    }
  }
}

// ---- section IV-D: the contact plane
// ------------------------------------------------------------------------

long double top_of(const Placed<3>& P, const Vec<3>& n) {
  long double top = -std::numeric_limits<long double>::infinity();
  for (const Vec<3>& x : P.polytope->vertices()) {
    const Eigen::Matrix<long double, 3, 1> world = P.X_WB.R.cast<long double>() * x.cast<long double>();
    top = std::max(top, n.cast<long double>().dot(world + P.X_WB.p.cast<long double>()));
  }
  return top;
}

TEST(ContactDataPlane, IsTouchedByBothBodiesOnceEachMovedByHalfTheGap) {
  for (const char* name : {"boxes", "boxes-yaw", "boxes-grid", "hulls50"}) {
    const auto set = support::make_pose_set<3>(name);
    for (int i = 0; i < 500; ++i) {
      const auto pair = set.pair(i);
      const Gap<3> gap = find_gap<3>(pair.A, pair.B);
      const Plane<3> plane = find_manifold<3>(pair.A, pair.B, gap).plane;
      const Vec<3>& n = plane.normal;
      EXPECT_NEAR(plane.offset, 0.5 * n.dot(gap.point_A + gap.point_B), 1e-14) << name << " pair " << i;
      const double bottom_of_A = static_cast<double>(-top_of(pair.A, -n)) - gap.gap / 2;
      const double top_of_B = static_cast<double>(top_of(pair.B, n)) + gap.gap / 2;
      EXPECT_NEAR(bottom_of_A, plane.offset, 3e-14) << name << " pair " << i;
      EXPECT_NEAR(top_of_B, plane.offset, 3e-14) << name << " pair " << i;
    }
  }
}

TEST(ContactDataPlane, OfStackedBoxesThatOverlapIsMidwayInTheOverlap) {
  const auto cube = make_box<3>({2, 2, 2});
  const Placed<3> A = at(cube, {0.1, 0.2, 0}), B = at(cube, {0, 0, -1.9});
  const Gap<3> gap = find_gap<3>(A, B);
  EXPECT_NEAR(gap.gap, -0.1, 1e-15);
  EXPECT_NEAR(find_manifold<3>(A, B, gap).plane.offset, -0.95, 1e-15);  // Moby: -0.05
}

// ---- section IV-E: the contact manifold
// ---------------------------------------------------------------------

double area_of(const ContactManifold<3>& manifold) {
  Vec<3> twice = Vec<3>::Zero();
  for (std::size_t i = 1; i + 1 < manifold.points.size(); ++i) {
    const Vec<3>& o = manifold.points[0].position;
    twice += (manifold.points[i].position - o).cross(manifold.points[i + 1].position - o);
  }
  return manifold.plane.normal.dot(twice) / 2;
}

TEST(ContactDataManifold, HasTheAreasOfTheReferenceCases) {
  const auto cube = make_box<3>({2, 2, 2});
  const auto area = [&](const Vec<3>& p, const Mat<3>& R) {
    const Placed<3> A = at(cube, p, R), B = at(cube, {0, 0, 0});
    return area_of(find_manifold<3>(A, B, find_gap<3>(A, B)));
  };
  const Mat<3> yaw = rotation(Vec<3>::UnitZ(), kQuarter);
  for (double height : {2.0, 2.0 + 1e-13, 2.5, 1.75}) {
    EXPECT_NEAR(area({0, 0, height}, Mat<3>::Identity()), 4, 1e-12) << height;
    EXPECT_NEAR(area({0.5, 0.25, height}, Mat<3>::Identity()), 2.625, 1e-12) << height;
    EXPECT_NEAR(area({0, 0, height}, yaw), 8 * (std::numbers::sqrt2 - 1), 1e-12) << height;
  }
}

TEST(ContactDataManifold, IsASegmentUnderAnEdgeAndAPointUnderACorner) {
  const auto cube = make_box<3>({2, 2, 2});
  const Placed<3> B = at(cube, {0, 0, 0});
  const Placed<3> on_edge =
      at(cube, {0.3, 0.2, 1 + std::numbers::sqrt2}, rotation(Vec<3>::UnitX(), kQuarter));
  const auto segment = find_manifold<3>(on_edge, B, find_gap<3>(on_edge, B));
  ASSERT_EQ(segment.points.size(), 2u);
  EXPECT_NEAR((segment.points[0].position - segment.points[1].position).norm(), 1.7, 1e-14);
  const Placed<3> on_corner = at(cube, {0.3, 0.2, 1 + std::sqrt(3.0)}, on_a_corner());
  const auto point = find_manifold<3>(on_corner, B, find_gap<3>(on_corner, B));
  ASSERT_EQ(point.points.size(), 1u);
  EXPECT_LE((point.points[0].position - Vec<3>(0.3, 0.2, 1)).norm(), 1e-14);
}

}  // namespace
}  // namespace touchstone
