// What must hold for any two bodies, whoever computes it: exchange of the bodies, motion of both, moving one
// by the gap, and the way in which a body was given.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "oracles/signed_distance.h"
#include "support/feature_cases.h"
#include "support/gap_judge.h"
#include "support/pose_sets.h"
#include "touchstone/proximity/manifold.h"

namespace touchstone {
namespace {

using support::CaseCount;
using support::PosedPair;

/// [sizes] Two answers may each be off by the bound of a gap.
constexpr double kEqual = 2 * support::kGapBound;
/// [rad] Normals that do not depend on a distance agree to this.
constexpr double kSameNormal = 1e-8;
constexpr int kPairsPerSet = 720;  ///< of the kissing set: each kind, gap and pose twice

template <int D>
std::vector<support::PoseSet<D>> some_sets() {
  const auto names = support::pose_set_names<D>();
  return {support::make_kissing_set<D>(),      support::make_pose_set<D>(names[0]),
          support::make_pose_set<D>(names[1]), support::make_pose_set<D>(names[2]),
          support::make_pose_set<D>(names[3]), support::make_scale_set<D>()};
}

/// Calls f(pair) for pairs of all sets and counts the features that met.
template <int D, class Function>
void for_pairs(const std::string& property, const Function& f) {
  CaseCount cases;
  for (const auto& set : some_sets<D>()) {
    for (int i = 0; i < kPairsPerSet; ++i) {
      const PosedPair<D> pair = set.pair(i);
      SCOPED_TRACE(set.name() + " pair " + std::to_string(i) + " " + pair.kind);
      const Gap<D> gap = find_gap<D>(pair.A, pair.B);
      cases.add(support::case_of(find_manifold<D>(pair.A, pair.B, gap)));
      f(pair, gap);
      if (testing::Test::HasFailure()) return;
    }
  }
  cases.expect_all<D>(property);
}

/// On the limit of touching a round-off decides; answers to different questions need not agree there.
template <int D>
bool on_the_limit(const PosedPair<D>& pair, const Gap<D>& gap) {
  const double size = pair_size(pair.A, pair.B);
  return std::abs(std::abs(gap.gap) - kTouching * size) <= kEqual * size;
}

/// Normals that follow from the direction of close points are known to a round-off over the distance.
template <int D>
double normal_tolerance(const Gap<D>& gap, double size) {
  return kSameNormal + (gap.status == Status::disjoint ? kEqual * size / gap.gap : 0);
}

template <int D>
void expect_same_normals(const Gap<D>& expected, const Gap<D>& actual, double size) {
  ASSERT_EQ(actual.normal_is_unique, expected.normal_is_unique);
  const double tolerance = normal_tolerance(expected, size);
  if (expected.normal_is_unique) {
    EXPECT_LE((actual.normal - expected.normal).norm(), tolerance);
    return;
  }
  ASSERT_EQ(actual.candidates.size(), expected.candidates.size());
  for (const Vec<D>& n : expected.candidates) {
    EXPECT_TRUE(std::any_of(actual.candidates.begin(), actual.candidates.end(), [&](const Vec<D>& c) {
      return (c - n).norm() <= tolerance;
    })) << n.transpose();
  }
}

template <int D>
Gap<D> negated(Gap<D> gap) {
  gap.normal = -gap.normal;
  for (Vec<D>& n : gap.candidates) n = -n;
  return gap;
}

// ---- exchange ---------------------------------------------------------------------------------------------

template <int D>
void expect_exchange_negates() {
  for_pairs<D>("exchange", [](const PosedPair<D>& pair, const Gap<D>& gap) {
    const double size = pair_size(pair.A, pair.B);
    const Gap<D> other = find_gap<D>(pair.B, pair.A);
    EXPECT_NEAR(other.gap, gap.gap, kEqual * size);
    if (on_the_limit(pair, gap)) return;
    EXPECT_EQ(other.status, gap.status);
    expect_same_normals<D>(gap, negated(other), size);
  });
}

TEST(GapProperty, ExchangingTheBodiesNegatesTheNormalInThePlane) { expect_exchange_negates<2>(); }
TEST(GapProperty, ExchangingTheBodiesNegatesTheNormalInSpace) { expect_exchange_negates<3>(); }

// ---- motion of both ---------------------------------------------------------------------------------------

template <int D>
void expect_motion_changes_nothing() {
  Random random(11);
  for_pairs<D>("motion of both", [&](const PosedPair<D>& pair, const Gap<D>& gap) {
    const double size = pair_size(pair.A, pair.B);
    const Pose<D> motion{random.rotation_matrix<D>(), size * random.uniform(0, 3) * random.direction<D>()};
    const Placed<D> A{pair.A.polytope, motion * pair.A.X_WB}, B{pair.B.polytope, motion * pair.B.X_WB};
    Gap<D> moved = find_gap<D>(A, B);
    // The moved poses are rounded: far from the origin by more than a round-off of the size.
    const double far = 0x1p-50 * (pair.A.X_WB.p.norm() + size);
    EXPECT_NEAR(moved.gap, gap.gap, kEqual * size + far);
    if (on_the_limit(pair, gap) || far > kEqual * size) return;
    EXPECT_EQ(moved.status, gap.status);
    moved.normal = motion.R.transpose() * moved.normal;
    for (Vec<D>& n : moved.candidates) n = motion.R.transpose() * n;
    expect_same_normals<D>(gap, moved, size);
  });
}

TEST(GapProperty, AMotionOfBothBodiesChangesNothingInThePlane) { expect_motion_changes_nothing<2>(); }
TEST(GapProperty, AMotionOfBothBodiesChangesNothingInSpace) { expect_motion_changes_nothing<3>(); }

// ---- moving by the gap ------------------------------------------------------------------------------------

template <int D>
void expect_moving_by_the_gap_kisses() {
  for_pairs<D>("moving by the gap", [](const PosedPair<D>& pair, const Gap<D>& gap) {
    const double size = pair_size(pair.A, pair.B);
    Placed<D> A = pair.A;
    A.X_WB.p -= gap.gap * gap.normal;
    const double far = 0x1p-50 * A.X_WB.p.norm();
    // Several normals are taken as equal within the touching tolerance.
    const double allowed = kEqual * size + far + (gap.normal_is_unique ? 0 : 1.1 * kTouching * size);
    EXPECT_NEAR(static_cast<double>(oracle::signed_distance<D>(A, pair.B).gap), 0, allowed);
    EXPECT_NEAR(find_gap<D>(A, pair.B).gap, 0, allowed + kEqual * size);
    if (allowed > 0.9 * kTouching * size) return;
    EXPECT_EQ(find_gap<D>(A, pair.B).status, Status::touching);
  });
}

TEST(GapProperty, MovingAByTheGapMakesTheBodiesKissInThePlane) { expect_moving_by_the_gap_kisses<2>(); }
TEST(GapProperty, MovingAByTheGapMakesTheBodiesKissInSpace) { expect_moving_by_the_gap_kisses<3>(); }

// ---- one solid, given in several ways ---------------------------------------------------------------------

/// Boxes of these sides, from their name, from points (with superfluous ones) and from a surface.
std::vector<Polytope<3>> the_same_box(const Vec<3>& sides) {
  std::vector<Vec<3>> corners;
  for (int i = 0; i < 8; ++i)
    corners.emplace_back((i & 1 ? .5 : -.5) * sides[0], (i & 2 ? .5 : -.5) * sides[1],
                         (i & 4 ? .5 : -.5) * sides[2]);
  std::vector<Vec<3>> more = corners;
  more.insert(more.end(), {{0.5 * sides[0], 0, 0}, {0, 0, 0}, {0, 0.5 * sides[1], 0.5 * sides[2]}});
  std::vector<Vec<3>> shuffled(more.rbegin(), more.rend());
  const std::vector<std::vector<int>> triangles{{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6},
                                                {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                                {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return {make_box<3>(sides), Polytope<3>::hull(corners), Polytope<3>::hull(more),
          Polytope<3>::hull(shuffled), Polytope<3>::from_faces(corners, triangles)};
}

std::vector<Polytope<2>> the_same_box(const Vec<2>& sides) {
  const Vec<2> h = sides / 2;
  const std::vector<Vec<2>> corners{{-h.x(), -h.y()}, {h.x(), -h.y()}, {h.x(), h.y()}, {-h.x(), h.y()}};
  std::vector<Vec<2>> more{corners[0], {0, -h.y()}, corners[1], corners[2], {0, h.y()}, corners[3]};
  const std::vector<std::vector<int>> loop{{0, 1, 2, 3}}, long_loop{{0, 1, 2, 3, 4, 5}};
  return {make_box<2>(sides), Polytope<2>::hull(corners), Polytope<2>::hull(more),
          Polytope<2>::from_faces(corners, loop), Polytope<2>::from_faces(more, long_loop)};
}

template <int D>
void expect_identical(const Gap<D>& x, const Gap<D>& y) {
  EXPECT_EQ(x.gap, y.gap);
  EXPECT_EQ(x.status, y.status);
  EXPECT_EQ(x.normal, y.normal);
  EXPECT_EQ(x.candidates, y.candidates);
  EXPECT_EQ(x.features, y.features);
  EXPECT_EQ(x.point_A, y.point_A);
}

/// Poses of boxes from the sets, for boxes given in every way: the same bits must come out.
template <int D>
void expect_hull_equals_box_equals_mesh() {
  Vec<D> sides = Vec<D>::Constant(2);
  CaseCount cases;
  for (const bool cube : {true, false}) {
    if (!cube) sides[0] = 1.25, sides[1] = 0.7;
    const std::vector<Polytope<D>> same = the_same_box(sides);
    const auto names = support::pose_set_names<D>();
    for (int set = 0; set < 3; ++set) {
      const auto poses = support::make_pose_set<D>(names[set]);
      for (int i = 0; i < 400; ++i) {
        const PosedPair<D> pair = poses.pair(i);
        const Placed<D> A{&same[0], pair.A.X_WB}, B{&same[0], pair.B.X_WB};
        const Gap<D> expected = find_gap<D>(A, B);
        const auto manifold = find_manifold<D>(A, B, expected);
        cases.add(support::case_of(manifold));
        const std::size_t way = 1 + i % (same.size() - 1);
        const Placed<D> other_A{&same[way], pair.A.X_WB}, other_B{&same[i % same.size()], pair.B.X_WB};
        const Gap<D> actual = find_gap<D>(other_A, other_B);
        expect_identical<D>(actual, expected);
        const auto other_manifold = find_manifold<D>(other_A, other_B, actual);
        ASSERT_EQ(other_manifold.points.size(), manifold.points.size());
        for (std::size_t k = 0; k < manifold.points.size(); ++k) {
          EXPECT_EQ(other_manifold.points[k].position, manifold.points[k].position);
        }
      }
    }
  }
  cases.expect_all<D>("hull equals box equals mesh");
}

TEST(GapProperty, HullEqualsBoxEqualsMeshInThePlane) { expect_hull_equals_box_equals_mesh<2>(); }
TEST(GapProperty, HullEqualsBoxEqualsMeshInSpace) { expect_hull_equals_box_equals_mesh<3>(); }

}  // namespace
}  // namespace touchstone
