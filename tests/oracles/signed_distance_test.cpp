// Who judges the judge: closed forms, a second way to the same number, and more digits.

#include "oracles/signed_distance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "oracles/minkowski_distance.h"
#include "support/pose_sets.h"

namespace touchstone::oracle {
namespace {

/// [m] Rotations of doubles are off by a round-off or two; bodies have sides of 2 m.
constexpr double kRotationError = 2e-15;

template <int D>
Placed<D> at(const Polytope<D>& P, const Vec<D>& p, const Mat<D>& R = Mat<D>::Identity()) {
  return {&P, {R, p}};
}

/// The closed form of two boxes of side 2 with parallel axes.
template <int D>
double gap_of_boxes(const Vec<D>& offset) {
  const Vec<D> apart = offset.cwiseAbs() - Vec<D>::Constant(2);
  return apart.maxCoeff() <= 0 ? apart.maxCoeff() : apart.cwiseMax(0).norm();
}

template <int D>
void expect_box_formula() {
  const Polytope<D> box = make_box<D>(Vec<D>::Constant(2));
  Random random(3);
  for (int i = 0; i < 300; ++i) {
    Vec<D> offset;
    for (int k = 0; k < D; ++k) offset[k] = 0.25 * (random.index(25) - 12);
    const auto truth = signed_distance<D>(at<D>(box, offset), at<D>(box, Vec<D>::Zero()));
    EXPECT_NEAR(static_cast<double>(truth.gap), gap_of_boxes<D>(offset), 4e-16) << offset.transpose();
    EXPECT_LE(truth.error, 1e-16 * truth.size);
  }
}

TEST(SignedDistanceOracle, FollowsTheFormulaOfParallelBoxes) {
  expect_box_formula<2>();
  expect_box_formula<3>();
}

TEST(SignedDistanceOracle, KnowsACornerOfASquareOverAnEdge) {
  const auto square = make_box<2>({2, 2});
  const Mat<2> R = rotation(std::numbers::pi / 4);
  for (double gap : {0.5, 1e-9, 0.0, -1e-9, -0.5}) {
    const double x = 1 + std::numbers::sqrt2 + gap;
    const auto truth = signed_distance<2>(at<2>(square, {x, 0.1}, R), at<2>(square, {0, 0}));
    EXPECT_NEAR(static_cast<double>(truth.gap), gap, kRotationError);
    EXPECT_NEAR(static_cast<double>(truth.normal[0]), 1, kRotationError);
  }
}

TEST(SignedDistanceOracle, KnowsAnEdgeOfACubeOverAFace) {
  const auto cube = make_box<3>({2, 2, 2});
  const Mat<3> R = rotation(Vec<3>::UnitZ(), std::numbers::pi / 4);
  for (double gap : {0.5, 1e-9, 0.0, -1e-9, -0.25}) {
    const double x = 1 + std::numbers::sqrt2 + gap;
    const auto truth = signed_distance<3>(at<3>(cube, {x, 0.1, 0.3}, R), at<3>(cube, {0, 0, 0}));
    EXPECT_NEAR(static_cast<double>(truth.gap), gap, kRotationError);
    EXPECT_NEAR(static_cast<double>(truth.normal[0]), 1, kRotationError);
  }
}

TEST(SignedDistanceOracle, KnowsEdgesThatCross) {
  const auto cube = make_box<3>({2, 2, 2});
  const Mat<3> R = rotation(Vec<3>::UnitX(), std::numbers::pi / 4),
               S = rotation(Vec<3>::UnitY(), std::numbers::pi / 4);
  for (double gap : {0.5, 1e-9, 0.0, -1e-9, -0.25}) {
    const double z = 2 * std::numbers::sqrt2 + gap;
    const auto truth = signed_distance<3>(at<3>(cube, {0.2, 0.1, z}, R), at<3>(cube, {0, 0, 0}, S));
    EXPECT_NEAR(static_cast<double>(truth.gap), gap, kRotationError);
    EXPECT_NEAR(static_cast<double>(truth.normal[2]), 1, kRotationError);
    EXPECT_EQ(truth.axes.size(), 1u);
  }
}

TEST(SignedDistanceOracle, KnowsCornersThatFaceEachOther) {
  const auto cube = make_box<3>({2, 2, 2});
  for (double g : {0.5, 1e-6, 1e-12}) {
    const auto truth = signed_distance<3>(at<3>(cube, Vec<3>::Constant(2 + g)), at<3>(cube, {0, 0, 0}));
    EXPECT_NEAR(static_cast<double>(truth.gap), std::sqrt(3.0) * (2 + g - 2), 1e-15);
    EXPECT_LT((truth.normal.cast<double>() - Vec<3>::Ones().normalized()).norm(), 1e-15);
  }
}

TEST(SignedDistanceOracle, CountsTheNormalsOfCubes) {
  const auto cube = make_box<3>({2, 2, 2});
  const auto count = [&](const Vec<3>& offset) {
    return signed_distance<3>(at<3>(cube, offset), at<3>(cube, {0, 0, 0})).axes.size();
  };
  EXPECT_EQ(count({0, 0, 0}), 6u);
  EXPECT_EQ(count({0.5, 0.25, 2}), 1u);
  EXPECT_EQ(count({2, 0.5, 2}), 2u);
  EXPECT_EQ(count({2, 2, 2}), 3u);
}

TEST(SignedDistanceOracle, MeasuresHeightsOverABody) {
  const auto cube = make_box<3>({2, 2, 2});
  const auto placed = at<3>(cube, {5, 0, 0});
  EXPECT_EQ(height_over<3>(placed, {5, 0, 0}), -1);
  EXPECT_EQ(height_over<3>(placed, {6, 0.5, 0}), 0);
  EXPECT_EQ(height_over<3>(placed, {7, 0.5, 0}), 1);
}

// ---- the second way ---------------------------------------------------------------------------------------

template <int D>
std::vector<support::PoseSet<D>> all_sets() {
  std::vector<support::PoseSet<D>> sets;
  for (const std::string& name : support::pose_set_names<D>())
    sets.push_back(support::make_pose_set<D>(name));
  sets.push_back(support::make_kissing_set<D>());
  sets.push_back(support::make_scale_set<D>());
  sets.push_back(support::make_aspect_set<D>());
  return sets;
}

/// Against qhull, whose facets are flat to a few round-offs of a double only [sizes].
constexpr double kQhullError = 1e-14;

template <int D>
void expect_two_ways_agree(int pairs) {
  for (const auto& set : all_sets<D>()) {
    int compared = 0, overlapping = 0;
    const int count = set.name().ends_with("200") ? pairs / 10 : pairs;
    for (int i = 0; i < count; ++i) {
      const auto pair = set.pair(i);
      const auto truth = signed_distance<D>(pair.A, pair.B);
      const auto explicit_way = minkowski_distance<D>(pair.A, pair.B);
      if (!explicit_way) continue;
      ++compared;
      overlapping += truth.gap < 0;
      EXPECT_LE(std::abs(truth.gap - *explicit_way), kQhullError * truth.size)
          << set.name() << " pair " << i << ": " << static_cast<double>(truth.gap) << " and "
          << static_cast<double>(*explicit_way) << ", size " << static_cast<double>(truth.size);
    }
    EXPECT_GE(compared, 0.9 * count) << set.name();
    EXPECT_GE(overlapping, 0.2 * count) << set.name();
    EXPECT_LE(overlapping, 0.8 * count) << set.name();
  }
}

TEST(SignedDistanceOracle, AgreesWithTheExplicitMinkowskiDifferenceInThePlane) {
  expect_two_ways_agree<2>(300);
}
TEST(SignedDistanceOracle, AgreesWithTheExplicitMinkowskiDifferenceInSpace) { expect_two_ways_agree<3>(300); }

// ---- more digits ------------------------------------------------------------------------------------------

template <int D>
void expect_honest_error(int pairs) {
  for (const auto& set : all_sets<D>()) {
    long double worst = 0;
    for (int i = 0; i < pairs; ++i) {
      const auto pair = set.pair(i);
      const auto truth = signed_distance<D>(pair.A, pair.B);
      const auto more = signed_distance_113<D>(pair.A, pair.B);
      EXPECT_LE(std::abs(truth.gap - more.gap), truth.error + more.error) << set.name() << " pair " << i;
      worst = std::max(worst, truth.error / truth.size);
    }
    EXPECT_LE(worst, 1e-16L) << set.name();
    std::printf("%dD %-18s the oracle's own error is at most %.1Le sizes\n", D, set.name().c_str(), worst);
  }
}

TEST(SignedDistanceOracle, StatesItsOwnErrorHonestlyInThePlane) { expect_honest_error<2>(200); }
TEST(SignedDistanceOracle, StatesItsOwnErrorHonestlyInSpace) { expect_honest_error<3>(200); }

}  // namespace
}  // namespace touchstone::oracle
