#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "touchstone/geometry/clip.h"
#include "touchstone/geometry/shapes.h"
#include "touchstone/math/pose.h"
#include "touchstone/math/random.h"

namespace touchstone {
namespace {

constexpr double kTolerance = 1e-14;  // [m] of polygons about 1 m wide
using Polygon = std::vector<Vec<2>>;

double shoelace(const Polygon& polygon) {
  double twice = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i)
    twice += cross(polygon[i], polygon[(i + 1) % polygon.size()]);
  return twice / 2;
}

Polygon rectangle(double width, double height, const Vec<2>& centre = Vec<2>::Zero()) {
  const double x = width / 2, y = height / 2;
  Polygon corners{{-x, -y}, {x, -y}, {x, y}, {-x, y}};
  for (Vec<2>& corner : corners) corner += centre;
  return corners;
}

Polygon placed(Polygon polygon, const Pose<2>& X) {
  for (Vec<2>& corner : polygon) corner = X * corner;
  return polygon;
}

Polygon corners_of(const Polytope<2>& P) { return {P.vertices().begin(), P.vertices().end()}; }

/// The longest distance between two corners.
double length(const Polygon& polygon) {
  double longest = 0;
  for (const Vec<2>& a : polygon) {
    for (const Vec<2>& b : polygon) longest = std::max(longest, (a - b).norm());
  }
  return longest;
}

TEST(ClipPolygon, ASquareLosesWhatLiesAboveTheLine) {
  Polygon square = rectangle(2, 2);
  clip_polygon(square, {Vec<2>(0.6, 0.8), 0}, kTolerance);
  EXPECT_NEAR(shoelace(square), 2, 4e-15);
  EXPECT_EQ(square.size(), 4u);
  clip_polygon(square, {Vec<2>(0.6, 0.8), -9}, kTolerance);
  EXPECT_TRUE(square.empty());
}

TEST(ClipPolygon, ALineThroughCornersAddsNone) {
  Polygon square = rectangle(2, 2);
  clip_polygon(square, {Vec<2>(1, 1).normalized(), 1e-16}, kTolerance);
  EXPECT_EQ(square.size(), 3u);
  EXPECT_NEAR(shoelace(square), 2, 4e-15);
}

TEST(ClipPolygon, OfAPolygonThatKissesTheLineFromAboveTheCommonPartRemains) {
  Polygon square = rectangle(2, 2);
  clip_polygon(square, {Vec<2>(0, 1), -1}, kTolerance);
  EXPECT_EQ(square, (Polygon{{-1, -1}, {1, -1}}));
  Polygon diamond{{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
  clip_polygon(diamond, {Vec<2>(0, 1), -1}, kTolerance);
  EXPECT_EQ(diamond, (Polygon{{0, -1}}));
}

TEST(ClipPolygon, SegmentsAndPointsAreCutToo) {
  Polygon segment{{-1, 0}, {3, 0}};
  clip_polygon(segment, {Vec<2>(1, 0), 1}, kTolerance);
  EXPECT_EQ(segment, (Polygon{{-1, 0}, {1, 0}}));
  clip_polygon(segment, {Vec<2>(1, 0), -1}, kTolerance);
  EXPECT_EQ(segment, (Polygon{{-1, 0}}));
  clip_polygon(segment, {Vec<2>(0, 1), 0}, kTolerance);
  EXPECT_EQ(segment.size(), 1u);
  clip_polygon(segment, {Vec<2>(0, 1), -1}, kTolerance);
  EXPECT_TRUE(segment.empty());
}

// The reference cases of [Checked 1.2].
TEST(IntersectPolygons, TheReferenceCasesHaveTheirAreas) {
  const Polygon square = rectangle(2, 2);
  EXPECT_NEAR(shoelace(intersect_polygons(square, square, kTolerance)), 4, 4e-15);
  EXPECT_NEAR(shoelace(intersect_polygons(square, rectangle(2, 2, {0.25, 0.5}), kTolerance)), 2.625, 4e-15);
  const Polygon turned = placed(square, {rotation(M_PI / 4), Vec<2>::Zero()});
  EXPECT_NEAR(shoelace(intersect_polygons(square, turned, kTolerance)), 3.31370849898476, 1e-14);
  EXPECT_EQ(intersect_polygons(square, turned, kTolerance).size(), 8u);
}

TEST(IntersectPolygons, PolygonsThatKissShareASegmentOrAPoint) {
  for (double gap : {0.0, 1e-16, -1e-16, 1e-15, -1e-15}) {
    const Polygon edge = intersect_polygons(rectangle(2, 2), rectangle(2, 2, {2 + gap, 0.3}), kTolerance);
    EXPECT_NEAR(length(edge), 1.7, kTolerance);
    EXPECT_NEAR(shoelace(edge), 0, 2 * kTolerance);
    const Polygon point =
        intersect_polygons(rectangle(2, 2), rectangle(2, 2, {2 + gap, 2 - gap}), kTolerance);
    EXPECT_EQ(point.size(), 1u);
  }
  EXPECT_TRUE(intersect_polygons(rectangle(2, 2), rectangle(2, 2, {2.01, 0}), kTolerance).empty());
}

TEST(IntersectPolygons, EitherMayBeASegmentAPointOrNothing) {
  const Polygon segment{{-3, 0.5}, {0.5, 0.5}};
  EXPECT_NEAR(length(intersect_polygons(segment, rectangle(2, 2), kTolerance)), 1.5, 4e-15);
  EXPECT_NEAR(length(intersect_polygons(rectangle(2, 2), segment, kTolerance)), 1.5, 4e-15);
  EXPECT_EQ(intersect_polygons(rectangle(2, 2), {{1, 0}}, kTolerance), (Polygon{{1, 0}}));
  EXPECT_TRUE(intersect_polygons(rectangle(2, 2), {{2, 0}}, kTolerance).empty());
  EXPECT_TRUE(intersect_polygons(rectangle(2, 2), {}, kTolerance).empty());
  EXPECT_TRUE(intersect_polygons({}, rectangle(2, 2), kTolerance).empty());
}

TEST(IntersectPolygons, SegmentsCrossInAPointOverlapInASegmentOrMiss) {
  const Polygon segment{{-1, -1}, {1, 1}};
  const Polygon crossing = intersect_polygons(segment, {{-1, 1}, {1, -1}}, kTolerance);
  ASSERT_EQ(crossing.size(), 1u);
  EXPECT_LT(crossing[0].norm(), kTolerance);
  EXPECT_NEAR(length(intersect_polygons(segment, {{0, 0}, {3, 3}}, kTolerance)), std::sqrt(2.0), 4e-15);
  EXPECT_EQ(intersect_polygons(segment, {{3, 3}, {1, 1}}, kTolerance), (Polygon{{1, 1}}));
  EXPECT_TRUE(intersect_polygons(segment, {{1.1, 1.1}, {3, 3}}, kTolerance).empty());
  EXPECT_TRUE(intersect_polygons(segment, {{0, 0.1}, {1, 1.1}}, kTolerance).empty());
  EXPECT_EQ(intersect_polygons(segment, {{0.5, 0.5}}, kTolerance).size(), 1u);
  EXPECT_TRUE(intersect_polygons({{0.5, 0.5}}, {{0.5, 0.4}}, kTolerance).empty());
}

using Interval = std::array<double, 2>;

/// What a convex polygon holds of the horizontal line at y; empty (low > high) when it misses.
Interval span_at(const Polygon& polygon, double y) {
  Interval span{INFINITY, -INFINITY};
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec<2>&a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
    if ((a.y() < y) == (b.y() < y)) continue;
    const double x = a.x() + (y - a.y()) / (b.y() - a.y()) * (b.x() - a.x());
    span = {std::min(span[0], x), std::max(span[1], x)};
  }
  return span;
}

/// Heights between which the length of the common span is linear: corners, and crossings of edges.
std::vector<double> breakpoints(const Polygon& P, const Polygon& Q) {
  std::vector<double> heights;
  for (const Vec<2>& x : P) heights.push_back(x.y());
  for (const Vec<2>& x : Q) heights.push_back(x.y());
  for (std::size_t i = 0; i < P.size(); ++i) {
    for (std::size_t k = 0; k < Q.size(); ++k) {
      const Vec<2> u = P[(i + 1) % P.size()] - P[i], v = Q[(k + 1) % Q.size()] - Q[k];
      const double t = cross(Q[k] - P[i], v) / cross(u, v);
      if (t > 0 && t < 1) heights.push_back(P[i].y() + t * u.y());
    }
  }
  std::sort(heights.begin(), heights.end());
  return heights;
}

/// The area as the integral of the length that both polygons hold of each horizontal line.
double area_by_lines(const Polygon& P, const Polygon& Q) {
  double sum = 0;
  const std::vector<double> heights = breakpoints(P, Q);
  for (std::size_t i = 0; i + 1 < heights.size(); ++i) {
    const double middle = (heights[i] + heights[i + 1]) / 2;
    const Interval p = span_at(P, middle), q = span_at(Q, middle);
    sum += std::max(0.0, std::min(p[1], q[1]) - std::max(p[0], q[0])) * (heights[i + 1] - heights[i]);
  }
  return sum;
}

TEST(IntersectPolygons, RandomPolygonsShareTheAreaThatLinesMeasure) {
  Random random(23);
  int apart = 0, overlapping = 0, inside = 0;
  for (int i = 0; i < 300; ++i) {
    const Polygon P = corners_of(make_random_hull<2>(3 + random.index(10), i));
    const double size = random.uniform(0.2, 1);
    const Polygon Q =
        placed(corners_of(scaled<2>(make_random_hull<2>(3 + random.index(10), 500 + i), {size, size})),
               {random.rotation_matrix<2>(), random.uniform(0, 2) * random.direction<2>()});
    const Polygon common = intersect_polygons(P, Q, kTolerance);
    const double area = shoelace(common);
    ASSERT_NEAR(area, area_by_lines(P, Q), 1e-13) << "case " << i;
    ASSERT_NEAR(area, shoelace(intersect_polygons(Q, P, kTolerance)), 1e-14) << "case " << i;
    ++(common.empty() ? apart : area > std::min(shoelace(P), shoelace(Q)) - 1e-12 ? inside : overlapping);
  }
  EXPECT_GT(apart, 30);
  EXPECT_GT(overlapping, 100);
  EXPECT_GT(inside, 5);
}

}  // namespace
}  // namespace touchstone
