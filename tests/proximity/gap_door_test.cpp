// What find_gap and find_manifold take and refuse: memories of other bodies, poses that are none, settings.

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "touchstone/geometry/shapes.h"
#include "touchstone/math/pose_check.h"
#include "touchstone/proximity/manifold.h"

namespace touchstone {
namespace {

Pose<3> at(double x, double y, double z) { return {Mat<3>::Identity(), {x, y, z}}; }

TEST(GapMemory, OfOtherBodiesIsForgotten) {
  const Polytope<3> ball = make_tessellated_sphere(500, 1), box = make_box<3>({2, 2, 2});
  for (const Pose<3>& X : {at(-1.2, -1.1, -2.5), at(-0.4, -0.3, -0.5)}) {  // apart, and deep in each other
    GapMemory<3> memory;
    find_gap<3>({&ball, {}}, {&ball, X}, &memory);
    EXPECT_EQ(find_gap<3>({&box, {}}, {&box, at(-3, 0, 0)}, &memory).gap, 1);
    find_gap<3>({&ball, {}}, {&ball, X}, &memory);
    EXPECT_EQ(find_gap<3>({&box, {}}, {&box, at(-1.5, 0, 0)}, &memory).gap, -0.5);
  }
}

TEST(GapMemory, OfOtherPolygonsIsForgotten) {
  const Polytope<2> round = make_regular_polygon(60, 1), box = make_box<2>({2, 2});
  GapMemory<2> memory;
  find_gap<2>({&round, {}}, {&round, {Mat<2>::Identity(), {-1.2, -2.5}}}, &memory);
  EXPECT_EQ(find_gap<2>({&box, {}}, {&box, {Mat<2>::Identity(), {-3, 0}}}, &memory).gap, 1);
}

/// Bodies with the same numbers of vertices and edges keep the memory, which is of no use and does no harm.
TEST(GapMemory, OfABodyWithTheSameCountsDoesNoHarm) {
  const Polytope<3> cube = make_box<3>({2, 2, 2}), plate = make_box<3>({8, 8, 0.5});
  GapMemory<3> memory;
  find_gap<3>({&cube, {}}, {&cube, at(0.3, 0.2, 1.5)}, &memory);
  EXPECT_EQ(find_gap<3>({&plate, {}}, {&plate, at(-9, 1, 0)}, &memory).gap, 1);
  EXPECT_EQ(find_gap<3>({&cube, {}}, {&plate, at(0, 0, 1)}, &memory).gap, -0.25);
}

std::vector<Pose<3>> impossible_poses() {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  std::vector<Pose<3>> poses;
  for (double x : {kNan, std::numeric_limits<double>::infinity(), -1e155, 1e200, 1.1e60}) {
    poses.push_back(at(0, x, 0));
  }
  for (double factor : {2.0, 0.0, -1.0, 1.00001, kNan}) {
    poses.push_back({factor * Mat<3>::Identity(), {5, 0, 0}});
  }
  poses.push_back({Vec<3>(1.001, 1 / 1.001, 1).asDiagonal(), {5, 0, 0}});  // of determinant one
  Mat<3> unknown = Mat<3>::Identity();
  unknown(0, 1) = kNan;
  poses.push_back({unknown, {5, 0, 0}});
  return poses;
}

TEST(Gap, RefusesWhatIsNoPose) {
  const Polytope<3> box = make_box<3>({2, 2, 2});
  const Shape<3> solid = box, ball = Sphere<3>{1}, ground = HalfSpace<3>{};
  for (const Pose<3>& X : impossible_poses()) {
    EXPECT_THROW(find_gap<3>(Placed<3>{&box, {}}, Placed<3>{&box, X}), std::invalid_argument) << X.p[1];
    EXPECT_THROW(find_gap<3>(Placed<3>{&box, X}, Placed<3>{&box, {}}), std::invalid_argument) << X.p[1];
    for (const Shape<3>* other : {&solid, &ball, &ground}) {
      EXPECT_THROW(find_gap<3>(PlacedShape<3>{&ball, X}, PlacedShape<3>{other, {}}), std::invalid_argument);
      EXPECT_THROW(find_gap<3>(PlacedShape<3>{other, {}}, PlacedShape<3>{&ball, X}), std::invalid_argument);
    }
  }
}

TEST(Gap, SaysWhichPoseIsNone) {
  const Polytope<2> box = make_box<2>({2, 2});
  try {
    find_gap<2>(Placed<2>{&box, {}}, Placed<2>{&box, {2 * Mat<2>::Identity(), {5, 0}}});
    FAIL() << "not refused";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "the pose of body B: R is not a rotation");
  }
}

TEST(Gap, TakesRotationsWrittenWithSixDigits) {
  const Polytope<3> box = make_box<3>({2, 2, 2});
  Mat<3> R = Mat<3>::Identity();
  R.topLeftCorner<2, 2>() << 0.707107, -0.707107, 0.707107, 0.707107;
  EXPECT_NEAR(find_gap<3>({&box, {}}, {&box, {R, {0, 0, 3}}}).gap, 1, 1e-15);
}

TEST(Gap, TakesPosesAtTheLimit) {
  const Polytope<3> box = make_box<3>({2, 2, 2});
  const Gap<3> far = find_gap<3>({&box, {}}, {&box, at(kLargestCoordinate, 0, 0)});
  EXPECT_EQ(far.status, Status::disjoint);
  EXPECT_NEAR(far.gap / kLargestCoordinate, 1, 1e-14);
  EXPECT_GE(far.round_off, 1e-14 * kLargestCoordinate);
}

TEST(Manifold, IsRefusedForAGapWithoutPoints) {
  const Polytope<3> box = make_box<3>({2, 2, 2});
  const Placed<3> A{&box, at(0.3, 0.2, 11.9)}, B{&box, at(0, 0, 10)};
  GapSettings settings;
  settings.find_points = false;
  EXPECT_THROW(find_manifold<3>(A, B, find_gap<3>(A, B, nullptr, settings)), std::invalid_argument);
  EXPECT_EQ(find_manifold<3>(A, B, find_gap<3>(A, B)).points.size(), 4u);
}

TEST(GapOfASphere, LooksForNormalsOnlyWhenAsked) {
  const Shape<3> ball = Sphere<3>{1}, cube = make_box<3>({2, 2, 2});
  for (const Shape<3>* other : {&cube, &ball}) {
    const PlacedShape<3> A{&ball, {}}, B{other, {}};
    const Gap<3> all = find_gap<3>(A, B);
    EXPECT_FALSE(all.normal_is_unique);
    EXPECT_EQ(all.candidates.size(), 6u);
    GapSettings settings;
    settings.find_candidates = false;
    for (const Gap<3>& plain : {find_gap<3>(A, B, nullptr, settings), find_gap<3>(B, A, nullptr, settings)}) {
      EXPECT_TRUE(plain.normal_is_unique);
      EXPECT_TRUE(plain.candidates.empty());
      EXPECT_EQ(plain.gap, all.gap);
    }
  }
}

TEST(GapOfASphere, CountsNormalsByTheGivenTolerance) {
  const Shape<3> ball = Sphere<3>{1}, cube = make_box<3>({2, 2, 2});
  const PlacedShape<3> A{&ball, at(0, 0, 0.05)}, B{&cube, {}};
  EXPECT_TRUE(find_gap<3>(A, B).normal_is_unique);
  GapSettings settings;
  settings.touching = 0.1;
  EXPECT_EQ(find_gap<3>(A, B, nullptr, settings).candidates.size(), 6u);
}

}  // namespace
}  // namespace touchstone
