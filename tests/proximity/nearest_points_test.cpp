// Point-segment, segment-segment and point-facet against candidates in extended precision, grids, and the
// inequality that marks the nearest point of a convex set.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "touchstone/geometry/shapes.h"
#include "touchstone/math/random.h"
#include "touchstone/proximity/feature_contacts.h"

namespace touchstone {
namespace {

/// Errors of lengths about 1 [m]: a few round-offs.
constexpr double kRoundOff = 1e-15;

using Long = Eigen::Matrix<long double, 3, 1>;

/// In extended precision; the plane is the plane z = 0 of space.
template <int D>
Long wide(const Vec<D>& x) {
  Long y = Long::Zero();
  y.head<D>() = x.template cast<long double>();
  return y;
}

template <int D>
struct Segments {
  Vec<D> p1, q1, p2, q2;
};

long double point_segment_distance(const Long& a, const Long& b, const Long& c) {
  const Long e = b - a;
  const long double ee = e.dot(e);
  const long double t = ee > 0 ? std::clamp<long double>((c - a).dot(e) / ee, 0, 1) : 0;
  return (a + t * e - c).norm();
}

/// The smallest of: each end to the other segment, and the crossing if it lies within both.
template <int D>
long double segment_distance(const Segments<D>& g) {
  const Long p1 = wide<D>(g.p1), q1 = wide<D>(g.q1), p2 = wide<D>(g.p2), q2 = wide<D>(g.q2);
  const long double best = std::min({point_segment_distance(p1, q1, p2), point_segment_distance(p1, q1, q2),
                                     point_segment_distance(p2, q2, p1), point_segment_distance(p2, q2, q1)});
  const Long d1 = q1 - p1, d2 = q2 - p2, w = p2 - p1, n = d1.cross(d2);
  if (n.norm() == 0) return best;
  const long double s = w.cross(d2).dot(n) / n.dot(n);
  return s >= 0 && s <= 1 ? std::min(best, point_segment_distance(p2, q2, p1 + s * d1)) : best;
}

/// Asserts all that must hold of an answer; returns the error of its distance.
template <int D>
double check(const Segments<D>& g, const NearestOnSegments<D>& x) {
  EXPECT_LE((x.point_1 - (g.p1 + x.s * (g.q1 - g.p1))).norm(), kRoundOff);
  EXPECT_LE((x.point_2 - (g.p2 + x.t * (g.q2 - g.p2))).norm(), kRoundOff);
  EXPECT_TRUE(x.s >= 0 && x.s <= 1 && x.t >= 0 && x.t <= 1);
  return std::abs(static_cast<double>((x.point_1 - x.point_2).norm() - segment_distance(g)));
}

template <int D>
NearestOnSegments<D> solve(const Segments<D>& g) {
  return nearest_on_segments<D>(g.p1, g.q1, g.p2, g.q2);
}

template <int D>
Vec<D> random_point(Random& random) {
  Vec<D> x;
  for (int k = 0; k < D; ++k) x[k] = random.uniform(-1, 1);
  return x;
}

template <int D>
Segments<D> random_segments(Random& random) {
  return {random_point<D>(random), random_point<D>(random), random_point<D>(random), random_point<D>(random)};
}

template <class T>
class NearestPoints : public testing::Test {};
template <int N>
struct Dimension {
  static constexpr int D = N;
};
using Dimensions = testing::Types<Dimension<2>, Dimension<3>>;
TYPED_TEST_SUITE(NearestPoints, Dimensions);

TYPED_TEST(NearestPoints, OfASegmentToAPointAreTheFootOrAnEnd) {
  constexpr int D = TypeParam::D;
  Random random(1);
  std::array<int, 3> met{};  // before a, within, beyond b
  double worst = 0;
  for (int i = 0; i < 20000; ++i) {
    const Vec<D> a = random_point<D>(random), b = random_point<D>(random), c = random_point<D>(random);
    const auto x = nearest_on_segment<D>(a, b, c);
    const long double truth = point_segment_distance(wide<D>(a), wide<D>(b), wide<D>(c));
    worst = std::max(worst, std::abs(static_cast<double>((x.point - c).norm() - truth)));
    EXPECT_LE((x.point - (a + x.t * (b - a))).norm(), kRoundOff);
    EXPECT_TRUE(x.t > 0 || x.point == a);
    EXPECT_TRUE(x.t < 1 || x.point == b);
    ++met[x.t == 0 ? 0 : x.t == 1 ? 2 : 1];
  }
  EXPECT_LE(worst, kRoundOff);
  EXPECT_GT(*std::min_element(met.begin(), met.end()), 1000);
}

TYPED_TEST(NearestPoints, OfASegmentWithoutLengthAreItsPoint) {
  constexpr int D = TypeParam::D;
  const Vec<D> a = Vec<D>::Constant(0.3), c = Vec<D>::Unit(0);
  EXPECT_EQ(nearest_on_segment<D>(a, a, c).point, a);
  const auto one = nearest_on_segments<D>(a, a, Vec<D>::Zero(), Vec<D>::Unit(1));
  EXPECT_TRUE(one.parallel);
  EXPECT_EQ(one.point_1, a);
  EXPECT_DOUBLE_EQ(one.t, 0.3);
  const auto other = nearest_on_segments<D>(Vec<D>::Zero(), Vec<D>::Unit(1), a, a);
  EXPECT_DOUBLE_EQ(other.s, 0.3);
  const auto both = nearest_on_segments<D>(a, a, c, c);
  EXPECT_EQ(both.point_1, a);
  EXPECT_EQ(both.point_2, c);
}

TYPED_TEST(NearestPoints, OfRandomSegmentsAreAsNearAsTheBestCandidate) {
  constexpr int D = TypeParam::D;
  Random random(2);
  std::map<std::string, int> met;
  double worst = 0;
  const auto where = [](double s) { return s > 0 && s < 1 ? "inside" : "end"; };
  for (int i = 0; i < 50000; ++i) {
    const auto g = random_segments<D>(random);
    const auto x = solve(g);
    worst = std::max(worst, check(g, x));
    ++met[std::string(where(x.s)) + "-" + where(x.t)];
  }
  EXPECT_LE(worst, kRoundOff);
  for (const char* regime : {"inside-inside", "inside-end", "end-inside", "end-end"})
    EXPECT_GT(met[regime], 1000) << regime;
}

TYPED_TEST(NearestPoints, OfRandomSegmentsAreNearerThanAnyPairOnAGrid) {
  constexpr int D = TypeParam::D;
  Random random(3);
  for (int i = 0; i < 100; ++i) {
    const auto g = random_segments<D>(random);
    const auto x = solve(g);
    double least = 100;
    for (int s = 0; s <= 100; ++s) {
      for (int t = 0; t <= 100; ++t) {
        least = std::min(least, (g.p1 + 0.01 * s * (g.q1 - g.p1) - g.p2 - 0.01 * t * (g.q2 - g.p2)).norm());
      }
    }
    const double distance = (x.point_1 - x.point_2).norm();
    EXPECT_LE(distance, least + kRoundOff);
    EXPECT_GE(distance, least - 0.02 * std::sqrt(D));  // half a cell of each segment, of length <= 2 sqrt D
  }
}

// A turn by an angle from 1 down to below round-off, about any point of the segment: crossing segments become
// collinear ones. The grid of angles meets kParallel from both sides.
TYPED_TEST(NearestPoints, OfNearlyParallelSegmentsAreStillExact) {
  constexpr int D = TypeParam::D;
  Random random(4);
  double worst = 0;
  int parallel = 0, crossing = 0;
  for (int i = 0; i < 40000; ++i) {
    const double angle = std::pow(10, random.uniform(-18, 0));
    const Vec<D> e = random.direction<D>(), up = random.direction<D>();
    const Vec<D> across = (up - up.dot(e) * e).normalized();
    const Vec<D> turned = std::cos(angle) * e + std::sin(angle) * across;
    const Vec<D> at = random_point<D>(random),
                 aside = i % 2 ? Vec<D>(Vec<D>::Zero()) : Vec<D>(random.unit() * across);
    const auto on = [&](const Vec<D>& d) { return Vec<D>(at + random.uniform(-1, 1) * d); };
    const Segments<D> g{on(e), on(e), on(turned) + aside, on(turned) + aside};
    const auto x = solve(g);
    worst = std::max(worst, check(g, x));
    ++(x.parallel ? parallel : crossing);
  }
  EXPECT_LE(worst, kRoundOff);
  EXPECT_GT(parallel, 1000);
  EXPECT_GT(crossing, 1000);
}

TYPED_TEST(NearestPoints, OfParallelAndCollinearSegmentsAreAtTheirKnownDistance) {
  constexpr int D = TypeParam::D;
  const Vec<D> x = Vec<D>::Unit(0), y = Vec<D>::Unit(1);
  struct Case {
    double from, to, aside, distance;  // second segment: from x to x, moved aside; the first one is 0..1
  };
  const Case cases[] = {{0, 1, 0, 0},          {0, 1, 0.5, 0.5},  {0.25, 0.75, 0.5, 0.5},
                        {-1, 2, 0.5, 0.5},     {0.5, 3, 0, 0},    {1, 2, 0, 0},
                        {2, 3, 0, 1},          {-2, -1, 0, 1},    {2, 3, 1, std::sqrt(2.0)},
                        {4, -3, 0.125, 0.125}, {3, 1.75, 1, 1.25}};
  for (const Case& c : cases) {
    const Segments<D> g{Vec<D>::Zero(), x, c.from * x + c.aside * y, c.to * x + c.aside * y};
    for (const auto& h : {g, Segments<D>{g.p2, g.q2, g.p1, g.q1}, Segments<D>{g.q1, g.p1, g.p2, g.q2}}) {
      const auto answer = solve(h);
      EXPECT_TRUE(answer.parallel);
      EXPECT_LE(check(h, answer), kRoundOff);
      EXPECT_NEAR((answer.point_1 - answer.point_2).norm(), c.distance, kRoundOff) << c.from << " " << c.to;
    }
  }
}

TYPED_TEST(NearestPoints, OfSegmentsThatCrossOrTouchMeet) {
  constexpr int D = TypeParam::D;
  const Vec<D> x = Vec<D>::Unit(0), y = Vec<D>::Unit(1), o = Vec<D>::Zero();
  const auto cross = solve<D>({-x, x, -y, 3 * y});
  EXPECT_EQ(cross.s, 0.5);
  EXPECT_EQ(cross.t, 0.25);
  EXPECT_EQ(cross.point_1, o);
  EXPECT_EQ(cross.point_2, o);
  const auto tee = solve<D>({-x, x, o, y});
  EXPECT_EQ(tee.point_1, o);
  EXPECT_EQ(tee.t, 0);
  const auto corner = solve<D>({o, x, o, y});
  EXPECT_EQ(corner.s, 0);
  EXPECT_EQ(corner.t, 0);
  const auto apart = solve<D>({o, x, 2 * x + y, 2 * x + 2 * y});
  EXPECT_EQ(apart.s, 1);
  EXPECT_EQ(apart.t, 0);
}

TYPED_TEST(NearestPoints, DoNotDependOnScale) {
  constexpr int D = TypeParam::D;
  Random random(5);
  for (int i = 0; i < 2000; ++i) {
    const auto g = random_segments<D>(random);
    const auto x = solve(g);
    for (double scale : {0x1p-40, 0x1p40}) {
      const auto y = solve<D>({scale * g.p1, scale * g.q1, scale * g.p2, scale * g.q2});
      EXPECT_EQ(y.s, x.s);  // powers of two: the same bits
      EXPECT_EQ(y.t, x.t);
    }
  }
}

/// x is the point of a convex set nearest to c exactly if (c - x).(v - x) <= 0 for all its corners v.
template <int D>
void check_nearest_on_facets(const Polytope<D>& P, std::uint64_t seed, int* over, int* beside) {
  Random random(seed);
  double worst = 0;
  for (int i = 0; i < 300; ++i) {
    const Vec<D> c = 1.5 * random_point<D>(random);
    for (int f = 0; f < P.facet_count(); ++f) {
      const Vec<D> x = nearest_on_facet(P, f, c);
      worst = std::max(worst, std::abs(P.plane(f).height(x)));
      for (int g = 0; g < P.facet_count(); ++g) worst = std::max(worst, P.plane(g).height(x));
      for (int v : P.facet_vertices(f)) worst = std::max(worst, (c - x).dot(P.vertex(v) - x));
      ++((c - x - P.plane(f).normal * P.plane(f).normal.dot(c - x)).norm() < 1e-12 ? *over : *beside);
    }
  }
  EXPECT_LE(worst, 3 * kRoundOff);
}

TYPED_TEST(NearestPoints, OfAFacetObeyTheInequalityOfProjection) {
  constexpr int D = TypeParam::D;
  int over = 0, beside = 0;
  check_nearest_on_facets(make_box<D>(Vec<D>::Constant(1.2)), 6, &over, &beside);
  check_nearest_on_facets(make_random_hull<D>(12, 7), 8, &over, &beside);
  EXPECT_GT(over, 200);
  EXPECT_GT(beside, 1000);
}

TEST(NearestPointsOfPentagons, ObeyTheInequalityOfProjection) {
  int over = 0, beside = 0;
  check_nearest_on_facets(make_dodecahedron(1), 9, &over, &beside);
  EXPECT_GT(over, 100);
  EXPECT_GT(beside, 100);
}

TYPED_TEST(NearestPoints, OfAPlacedFacetMoveWithIt) {
  constexpr int D = TypeParam::D;
  Random random(10);
  const auto P = make_random_hull<D>(9, 11);
  for (int i = 0; i < 200; ++i) {
    const Pose<D> X{random.rotation_matrix<D>(), random_point<D>(random)};
    const Vec<D> c = random_point<D>(random);
    const int f = random.index(P.facet_count());
    EXPECT_LE((nearest_on_facet(Placed<D>{&P, X}, f, Vec<D>(X * c)) - X * nearest_on_facet(P, f, c)).norm(),
              3 * kRoundOff);
  }
}

}  // namespace
}  // namespace touchstone
