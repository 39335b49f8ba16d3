// "6D Frictional Contact for Rigid Bodies", section 4: volume, gradient and moments of the intersection. The
// values are those of [Checked 4] (rows EX1, EX2, EX3 of its tables).

#include <gtest/gtest.h>

#include <cmath>

#include "touchstone/proximity/intersection.h"

namespace touchstone {
namespace {

/// Half sizes .5, .3, .2, as in all rows; a floor z <= 0 as half-space and as the top of a huge block.
struct SixD : testing::Test {
  const Polytope<3> box = make_box<3>({1, 0.6, 0.4});
  const Polytope<3> block = make_box<3>({10, 10, 10});
  const Plane<3> floor{Vec<3>::Unit(2), 0};

  std::vector<IntersectionVolume<3>> on_floor(const Pose<3>& X) const {
    const Placed<3> A{&box, X}, B{&block, {Mat<3>::Identity(), {0, 0, -5}}};
    return {find_intersection<3>(A, floor, X.p), find_intersection<3>(A, B, X.p)};
  }
};

/// Full sizes of the cuboid of the same moments: sqrt(12 M / V) [SixD eq. 20 as corrected].
Vec<3> equivalent_sizes(const IntersectionVolume<3>& found) {
  return (12 / found.volume * found.second_moment.diagonal()).cwiseSqrt();
}

/// Semi-axes of the patch across z, k = 3: roots of the eigenvalues of (k/V) T^T M T with T = [x y].
Vec<2> patch_semi_axes(const IntersectionVolume<3>& found) {
  const Mat<2> E = 3 / found.volume * found.second_moment.topLeftCorner<2, 2>();
  const double mean = E.trace() / 2, spread = std::hypot((E(0, 0) - E(1, 1)) / 2, E(0, 1));
  return {std::sqrt(mean + spread), std::sqrt(mean - spread)};
}

TEST_F(SixD, Section4EX1ABoxFlatOnTheFloor) {
  for (const auto& found : on_floor({Mat<3>::Identity(), {0, 0, 0.19}})) {
    EXPECT_NEAR(found.volume, 0.006, 1e-15);
    EXPECT_LT((found.centre - Vec<3>(0, 0, -0.005)).norm(), 1e-13);
    EXPECT_LT((found.gradient - Vec<3>(0, 0, -0.6)).norm(), 1e-15);
    EXPECT_LT(found.turning_gradient.norm(), 1e-15);
    EXPECT_LT((found.normal - Vec<3>(0, 0, 1)).norm(), 1e-15);
    EXPECT_LT((found.second_moment.diagonal() - Vec<3>(5e-4, 1.8e-4, 5e-8)).norm(), 1e-15);
    EXPECT_LT((equivalent_sizes(found) - Vec<3>(1, 0.6, 0.01)).norm(), 1e-11);
  }
}

TEST_F(SixD, Section4EX2ATiltedBoxOnTheFloor) {
  const Vec<3> turn(0.1, -0.05, 0.3);
  const Mat<3> R = rotation(Vec<3>(turn.normalized()), turn.norm());
  Mat<3> M;
  M << 0.00209467525099, 2.28741254928e-4, 4.76398013259e-5,  //
      2.28741254928e-4, 8.11871917129e-4, 4.57530089997e-5,   //
      4.76398013259e-5, 4.57530089997e-5, 1.34682325974e-5;
  for (const auto& found : on_floor({R, {0.2, -0.1, 0.15}})) {
    EXPECT_NEAR(found.volume, 0.0294722777415664, 1e-15);
    EXPECT_LT((found.centre - Vec<3>(0.118538862660359, -0.166672539084414, -0.0303851929431079)).norm(),
              1e-14);
    EXPECT_LT((found.gradient - Vec<3>(0, 0, -0.59418825423312)).norm(), 1e-14);
    EXPECT_LT((found.normal - Vec<3>(0, 0, 1)).norm(), 1e-14);
    EXPECT_LT((found.second_moment - M).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_LT((patch_semi_axes(found) - Vec<2>(0.46609630318852, 0.280380694787316)).norm(), 1e-14);
  }
}

TEST_F(SixD, Section4EX3AnOverhangTiltsTheNormalByDepthOverLength) {
  const auto cube = make_box<3>({1, 1, 1});
  const double length = 0.5, depth = 0.1;  // of the overlap; the bodies end in the same planes across
  const Placed<3> A{&cube, {Mat<3>::Identity(), {1 - length, 0, 1 - depth}}}, B{&cube, {}};
  const auto found = find_intersection<3>(A, B, A.X_WB.p);
  EXPECT_NEAR(found.volume, length * depth, 1e-15);
  EXPECT_NEAR(found.normal.x() / found.normal.z(), 0.2, 1e-14);
  EXPECT_NEAR(found.normal.y(), 0, 1e-15);
}

TEST_F(SixD, Section4ABodyInsideAnotherHasNoNormal) {
  for (const auto& found : on_floor({Mat<3>::Identity(), {0, 0, -2}})) {
    EXPECT_NEAR(found.volume, 0.24, 1e-15);
    EXPECT_EQ(found.gradient, Vec<3>(0, 0, 0));
    EXPECT_EQ(found.normal, Vec<3>(0, 0, 0));
  }
}

// "One eigenvalue equals the sum of the other two" holds for I = tr(M) 1 - M of a flat patch, not for M,
// whose eigenvalue along the normal vanishes [Checked 4, "tensor"].
TEST_F(SixD, Section4AFlatPatchHasItsSmallestSecondMomentAlongTheNormal) {
  for (const auto& found : on_floor({Mat<3>::Identity(), {0, 0, 0.2 - 1e-6}})) {
    const Vec<3> m = found.second_moment.diagonal();
    EXPECT_LT(m.z(), 1e-9 * m.y());
    const Vec<3> I = Vec<3>::Constant(m.sum()) - m;
    EXPECT_NEAR(I.z(), I.x() + I.y(), 1e-9 * I.z());
  }
}

}  // namespace
}  // namespace touchstone
