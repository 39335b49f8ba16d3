#include "touchstone/math/pose.h"

#include <gtest/gtest.h>

#include <numbers>

#include "touchstone/math/random.h"

namespace touchstone {
namespace {

template <int D>
Pose<D> random_pose(Random& random, double reach) {
  return {random.rotation_matrix<D>(), reach * random.direction<D>()};
}

template <int D>
double difference(const Pose<D>& a, const Pose<D>& b) {
  return std::max((a.R - b.R).cwiseAbs().maxCoeff(), (a.p - b.p).cwiseAbs().maxCoeff());
}

struct Plane2 {
  static constexpr int D = 2;
};
struct Space3 {
  static constexpr int D = 3;
};
template <class T>
class PoseTest : public ::testing::Test {};
using Dimensions = ::testing::Types<Plane2, Space3>;
TYPED_TEST_SUITE(PoseTest, Dimensions);

TYPED_TEST(PoseTest, ComposingIsMovingTwice) {
  constexpr int D = TypeParam::D;
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    const auto X = random_pose<D>(random, 3), Y = random_pose<D>(random, 3);
    const Vec<D> x = 2 * random.direction<D>();
    EXPECT_NEAR(((X * Y) * x - X * (Y * x)).norm(), 0, 1e-14);
  }
}

TYPED_TEST(PoseTest, TheInverseTakesBack) {
  constexpr int D = TypeParam::D;
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    const auto X = random_pose<D>(random, 3);
    const Vec<D> x = 2 * random.direction<D>();
    EXPECT_NEAR((X.to_local(X * x) - x).norm(), 0, 1e-14);
    EXPECT_NEAR((X.inverse() * (X * x) - x).norm(), 0, 1e-14);
    EXPECT_LE(difference<D>(X * X.inverse(), Pose<D>{}), 1e-14);
  }
}

TYPED_TEST(PoseTest, AMovedPlaneHasMovedPointsAtTheSameHeight) {
  constexpr int D = TypeParam::D;
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    const auto X = random_pose<D>(random, 3);
    const Plane<D> plane{random.direction<D>(), random.uniform(-2, 2)};
    const Vec<D> x = 2 * random.direction<D>();
    EXPECT_NEAR((X * plane).height(X * x), plane.height(x), 1e-14);
    EXPECT_NEAR((X * plane).normal.norm(), 1, 1e-15);
  }
}

TYPED_TEST(PoseTest, TheRelativePoseLeadsFromOneBodyToTheOther) {
  constexpr int D = TypeParam::D;
  Random random(4);
  for (int i = 0; i < 200; ++i) {
    const auto A = random_pose<D>(random, 3), B = random_pose<D>(random, 3);
    EXPECT_LE(difference<D>(A * relative_pose<D>(A, B), B), 1e-14);
    EXPECT_LE(difference<D>(relative_pose<D>(A, B), A.inverse() * B), 1e-14);
  }
}

TYPED_TEST(PoseTest, TwoBodiesFarAwayLoseNothing) {
  constexpr int D = TypeParam::D;
  Random random(5);
  for (int i = 0; i < 200; ++i) {
    const auto A = random_pose<D>(random, 1), B = random_pose<D>(random, 1);
    Vec<D> far = Vec<D>::Constant(0x1p30);
    auto far_A = A, far_B = B;
    far_A.p += far;
    far_B.p += far;  // rounded: what is left of A.p and B.p is exactly representable
    Pose<D> near_A{A.R, far_A.p - far}, near_B{B.R, far_B.p - far};
    EXPECT_EQ(difference<D>(relative_pose<D>(far_A, far_B), relative_pose<D>(near_A, near_B)), 0);
  }
}

TEST(Pose, AQuarterTurnTakesXToY) {
  const double quarter = std::numbers::pi / 2;
  EXPECT_NEAR((rotation(quarter) * Vec<2>(1, 0) - Vec<2>(0, 1)).norm(), 0, 1e-16);
  EXPECT_NEAR((rotation(Vec<3>::UnitZ(), quarter) * Vec<3>(1, 0, 0) - Vec<3>(0, 1, 0)).norm(), 0, 4e-16);
}

TEST(Pose, AQuaternionOfAnyLengthIsARotation) {
  const double half = 0.3;
  const Eigen::Quaterniond q(std::cos(half), 0, 0, std::sin(half));
  const Eigen::Quaterniond longer(5 * q.w(), 0, 0, 5 * q.z());
  EXPECT_LE((rotation(longer) - rotation(Vec<3>::UnitZ(), 2 * half)).cwiseAbs().maxCoeff(), 4e-16);
}

}  // namespace
}  // namespace touchstone
