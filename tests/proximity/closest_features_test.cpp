// The closest features of two bodies: the search over all pairs, and the walk, against the oracle.

#include "touchstone/proximity/closest_features.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "oracles/signed_distance.h"
#include "support/gap_judge.h"
#include "support/pose_sets.h"
#include "touchstone/math/tolerance.h"

namespace touchstone {
namespace {

constexpr int kPairs = 2000;  ///< of each set

/// A vertex, an edge's line or a facet's plane: how far x is from it [m]; all in the frame of P.
template <int D>
double distance_from(const Polytope<D>& P, const Feature& feature, const Vec<D>& x) {
  if (feature.kind == FeatureKind::vertex) return (x - P.vertex(feature.index)).norm();
  if (static_cast<int>(feature.kind) == D - 1) return std::abs(P.plane(feature.index).height(x));
  const Edge& edge = P.edge(feature.index);
  const Vec<D> d = (P.vertex(edge.head) - P.vertex(edge.tail)).normalized(), r = x - P.vertex(edge.tail);
  return (r - r.dot(d) * d).norm();
}

/// Counts the pairs that do not overlap, and those of them that kiss.
struct Count {
  int judged = 0, kissing = 0;
};

template <int D>
void expect_closest(const support::PosedPair<D>& pair, Count& count) {
  const auto truth = oracle::signed_distance<D>(pair.A, pair.B);
  const double size = pair_size(pair.A, pair.B), gap = static_cast<double>(truth.gap);
  if (gap < -kCertified / 2 * size) return;
  ++count.judged;
  count.kissing += gap < kTouching * size;
  const Polytope<D>&A = *pair.A.polytope, &B = *pair.B.polytope;
  const Pose<D> X_AB = relative_pose(pair.A.X_WB, pair.B.X_WB);
  const ClosestFeatures<D> found = search_closest_features<D>(A, B, X_AB);
  const double bound = support::kGapBound * size + static_cast<double>(truth.error);
  ASSERT_EQ(found.end, WalkEnd::closest);
  ASSERT_NEAR((found.point_A - found.point_B).norm(), std::abs(gap), bound);
  ASSERT_LE(distance_from<D>(A, found.features.a, found.point_A), bound);
  ASSERT_LE(distance_from<D>(B, found.features.b, X_AB.to_local(found.point_B)), bound);
}

template <int D>
void expect_search_finds_closest() {
  Count count;
  const auto names = support::pose_set_names<D>();
  for (const auto& set : {support::make_kissing_set<D>(), support::make_pose_set<D>(names[0]),
                          support::make_pose_set<D>(names[2]), support::make_pose_set<D>(names[3])}) {
    for (int i = 0; i < kPairs; ++i) {
      SCOPED_TRACE(set.name() + " pair " + std::to_string(i));
      ASSERT_NO_FATAL_FAILURE(expect_closest<D>(set.pair(i), count));
    }
  }
  EXPECT_GT(count.judged, 2 * kPairs);
  EXPECT_GT(count.kissing, kPairs / 4);
}

TEST(SearchOfAllFeatures, FindsTheDistanceInThePlane) { expect_search_finds_closest<2>(); }
TEST(SearchOfAllFeatures, FindsTheDistanceInSpace) { expect_search_finds_closest<3>(); }

/// A vertex that the centres' line leads to from the side of a cone, one round-off above or below its base:
/// the walk comes from inside the cone and must find the base all the same.
TEST(Walk, FindsTheFaceOnWhichAVertexLies) {
  const Polytope<3> cone = make_cone(1, 2, 32), box = make_box<3>({1, 2, 3});
  Random random(4);
  for (int i = 0; i < 500; ++i) {
    const Mat<3> R = random.rotation_matrix<3>();
    int top = 0;
    for (int v = 1; v < box.vertex_count(); ++v) {
      if ((R * box.vertex(v)).z() > (R * box.vertex(top)).z()) top = v;
    }
    const double radius = random.uniform(0, 0.9), gap = 1e-16 * (random.index(7) - 3);
    const Vec<3> x = radius * Vec<3>(std::cos(i), std::sin(i), 0) - Vec<3>(0, 0, 1 + gap);
    const Pose<3> X_AB{R, x - R * box.vertex(top)};
    const auto walk = walk_to_closest_features<3>(cone, box, X_AB, facing_vertices<3>(cone, box, X_AB));
    ASSERT_EQ(walk.end, WalkEnd::closest) << i;
    ASSERT_EQ(walk.features.a.kind, FeatureKind::face) << i;
    ASSERT_EQ(cone.facet_vertices(walk.features.a.index).size(), 32u) << i;
  }
}

}  // namespace
}  // namespace touchstone
