// The volume of bodies that kiss, coincide or lie flush: the common cases of stacked boxes, where round-off
// alone would decide.

#include <gtest/gtest.h>

#include <cmath>

#include "touchstone/math/random.h"
#include "touchstone/proximity/intersection.h"

namespace touchstone {
namespace {

constexpr double kRoundOff = 2e-14;  // of quantities near 1, after a rotation of both bodies

/// Axis-aligned boxes, in closed form. Along each axis the overlap is min(tops) - max(bottoms); its slope as
/// A moves is the mean of the slopes on either side where ends are flush.
template <int D>
struct AlignedBoxes {
  Vec<D> low_A, high_A, low_B, high_B;

  Vec<D> overlap() const { return (high_A.cwiseMin(high_B) - low_A.cwiseMax(low_B)).cwiseMax(0); }
  double volume() const { return overlap().prod(); }
  Vec<D> centre() const { return (high_A.cwiseMin(high_B) + low_A.cwiseMax(low_B)) / 2; }
  bool kisses() const { return (high_A.cwiseMin(high_B) - low_A.cwiseMax(low_B)).minCoeff() == 0; }
  bool is_flush() const {
    return (high_A.array() == high_B.array()).any() || (low_A.array() == low_B.array()).any();
  }
  Vec<D> gradient() const {
    const auto slope = [](double a, double b) { return a < b ? 1.0 : a == b ? 0.5 : 0.0; };
    Vec<D> g;
    for (int k = 0; k < D; ++k) {
      Vec<D> sides = overlap();
      sides[k] = slope(high_A[k], high_B[k]) - slope(low_B[k], low_A[k]);
      g[k] = volume() > 0 ? sides.prod() : 0;
    }
    return g;
  }
};

/// Ends on a coarse grid, so that flush, kissing and coincident ends are frequent.
template <int D>
AlignedBoxes<D> random_boxes(Random& random) {
  AlignedBoxes<D> boxes;
  for (int k = 0; k < D; ++k) {
    boxes.low_A[k] = 0.25 * random.index(5);
    boxes.low_B[k] = random.unit() < 0.8 ? 0.25 * random.index(5) : random.unit();
    boxes.high_A[k] = boxes.low_A[k] + 0.25 * (1 + random.index(4));
    boxes.high_B[k] = boxes.low_B[k] + 0.25 * (1 + random.index(4));
  }
  return boxes;
}

struct Regimes {
  int apart = 0, kissing = 0, flush = 0, general = 0;
  template <int D>
  void count(const AlignedBoxes<D>& boxes) {
    ++(boxes.volume() > 0 ? (boxes.is_flush() ? flush : general) : boxes.kisses() ? kissing : apart);
  }
};

template <int D>
void expect_closed_form(const AlignedBoxes<D>& boxes, const Pose<D>& X) {
  const auto P = make_box<D>(boxes.high_A - boxes.low_A), Q = make_box<D>(boxes.high_B - boxes.low_B);
  const Mat<D> one = Mat<D>::Identity();
  const Placed<D> A{&P, X * Pose<D>{one, (boxes.high_A + boxes.low_A) / 2}};
  const Placed<D> B{&Q, X * Pose<D>{one, (boxes.high_B + boxes.low_B) / 2}};
  const auto found = find_intersection<D>(A, B, A.X_WB.p), swapped = find_intersection<D>(B, A, A.X_WB.p);
  const Vec<D> sides = boxes.overlap();
  const Mat<D> M = (boxes.volume() / 12 * sides.cwiseAbs2()).asDiagonal();
  ASSERT_NEAR(found.volume, boxes.volume(), kRoundOff);
  ASSERT_LT((found.gradient - X.R * boxes.gradient()).norm(), kRoundOff);
  ASSERT_LT((found.gradient + swapped.gradient).norm(), kRoundOff);
  ASSERT_LT((found.turning_gradient + swapped.turning_gradient).norm(), kRoundOff);
  ASSERT_LT((X.R.transpose() * found.second_moment * X.R - M).norm(), kRoundOff);
  if (boxes.volume() == 0) {
    ASSERT_EQ(found.volume, 0) << "kissing must give nothing, not noise";
    ASSERT_TRUE(found.normal.isZero(0));
  } else {
    ASSERT_LT((X.to_local(found.centre) - boxes.centre()).norm(), 100 * kRoundOff);
  }
}

template <int D>
void expect_aligned_boxes() {
  Random random(31);
  Regimes regimes;
  for (int i = 0; i < 1500; ++i) {
    const auto boxes = random_boxes<D>(random);
    SCOPED_TRACE("case " + std::to_string(i));
    expect_closed_form<D>(boxes, {});
    expect_closed_form<D>(boxes, {random.rotation_matrix<D>(), random.direction<D>()});
    regimes.count(boxes);
  }
  EXPECT_GT(regimes.apart, 50);
  EXPECT_GT(regimes.kissing, 50);
  EXPECT_GT(regimes.flush, 50);
  EXPECT_GT(regimes.general, 50);
}

TEST(KissingVolume, AlignedBoxesFlushKissingOrNotShareTheProductOfTheirOverlaps) {
  expect_aligned_boxes<2>();
  expect_aligned_boxes<3>();
}

template <int D>
void expect_coincident(const Polytope<D>& P) {
  Random random(32);
  const auto mass = find_mass_properties(P);
  for (int i = 0; i < 20; ++i) {
    const Pose<D> X{random.rotation_matrix<D>(), P.size() * random.direction<D>()};
    const Pose<D> Y{random.rotation_matrix<D>(), P.size() * random.direction<D>()};
    const auto found = find_intersection<D>({&P, X}, {&P, Y * (Y.inverse() * X)}, X.p);  // equal to round-off
    const double area = std::pow(P.size(), D - 1);
    EXPECT_NEAR(found.volume, mass.volume, kRoundOff * area * P.size());
    EXPECT_LT((found.centre - X * mass.centre).norm(), kRoundOff * P.size());
    EXPECT_LT((found.second_moment - X.R * mass.second_moment * X.R.transpose()).norm(),
              kRoundOff * area * std::pow(P.size(), 3));
    EXPECT_LT(found.gradient.norm(), kRoundOff * area);
    EXPECT_TRUE(found.normal.isZero(0));
  }
}

TEST(KissingVolume, CoincidentBodiesShareTheVolumeOfOne) {
  for (double scale : {1e-3, 1.0, 1e3}) {
    expect_coincident<2>(make_box<2>({scale, 2 * scale}));
    expect_coincident<2>(make_regular_polygon(7, scale));
    expect_coincident<3>(make_box<3>({scale, 2 * scale, 3 * scale}));
    expect_coincident<3>(make_icosahedron(scale));
    expect_coincident<3>(make_cylinder(scale, scale, 40));
    expect_coincident<3>(make_tessellated_sphere(60, scale));
  }
}

/// Two shapes and the pose of the second at which they kiss; n points from the second to the first.
template <int D>
struct Kiss {
  const char* name;
  Polytope<D> P, Q;
  Mat<D> R;
  Vec<D> p, n;
};

std::vector<Kiss<3>> kisses_in_space() {
  const auto cube = make_box<3>({2, 2, 2});
  const Mat<3> one = Mat<3>::Identity(), yaw = rotation(Vec<3>(0, 0, 1), 0.4);
  const Mat<3> on_edge_x = rotation(Vec<3>(1, 0, 0), M_PI / 4),
               on_edge_y = rotation(Vec<3>(0, 1, 0), M_PI / 4);
  const Mat<3> on_vertex = rotation(Vec<3>(1, -1, 0).normalized(), std::acos(1 / std::sqrt(3.0)));
  const Vec<3> up(0, 0, 1), diagonal = Vec<3>(0, 1, 1).normalized();
  const double r2 = std::sqrt(2.0), r3 = std::sqrt(3.0);
  const auto diamond = [&](const Mat<3>& R) {  // the cube with its rotation baked in
    std::vector<Vec<3>> corners;
    for (const Vec<3>& x : cube.vertices()) corners.push_back(R * x);
    return Polytope<3>::hull(corners);
  };
  return {{"face on face", cube, cube, one, {0, 0, -2}, up},
          {"face on face, turned and shifted", cube, cube, yaw, {0.7, 0.4, -2}, up},
          {"edge on face", cube, cube, on_edge_x, {0.3, 0, -1 - r2}, up},
          {"vertex on face", cube, cube, on_vertex, {0.1, 0.2, -1 - r3}, up},
          {"crossed edges", diamond(on_edge_y), cube, on_edge_x, {0.2, 0.1, -2 * r2}, up},
          {"parallel edges", cube, cube, one, {0.3, -2, -2}, diagonal},
          {"vertex on edge", diamond(on_vertex), cube, on_edge_x, {0.2, 0, -r3 - r2}, up},
          {"vertex on vertex", cube, cube, one, {-2, -2, -2}, Vec<3>(1, 1, 1).normalized()}};
}

TEST(KissingVolume, SolidsThatKissShareExactlyNothing) {
  Random random(33);
  for (const auto& kiss : kisses_in_space()) {
    for (double gap : {0.0, 1e-16, -1e-16, 1e-15, -1e-15, 1e-12, 1e-9, 1e-6}) {
      for (int i = 0; i < 20; ++i) {
        const Pose<3> X{i ? random.rotation_matrix<3>() : Mat<3>(Mat<3>::Identity()),
                        i * random.direction<3>() / 10};
        const Placed<3> A{&kiss.P, X}, B{&kiss.Q, X * Pose<3>{kiss.R, kiss.p - gap * kiss.n}};
        EXPECT_EQ(find_intersection<3>(A, B, X.p).volume, 0) << kiss.name << ", gap " << gap;
        EXPECT_EQ(find_intersection<3>(B, A, X.p).volume, 0) << kiss.name << ", gap " << gap;
        EXPECT_TRUE(intersect(A, B).empty()) << kiss.name << ", gap " << gap;
      }
    }
  }
}

TEST(KissingVolume, PolygonsThatKissShareExactlyNothing) {
  const auto square = make_box<2>({2, 2}), diamond = make_regular_polygon(4, 1);
  const std::vector<Kiss<2>> kisses{
      {"edge on edge", square, square, Mat<2>::Identity(), {0.5, -2}, {0, 1}},
      {"vertex on edge", square, diamond, Mat<2>::Identity(), {0.3, -2}, {0, 1}},
      {"vertex on vertex", diamond, diamond, Mat<2>::Identity(), {0, -2}, {0, 1}}};
  Random random(34);
  for (const auto& kiss : kisses) {
    for (double gap : {0.0, 1e-16, -1e-16, 1e-15, -1e-15, 1e-12, 1e-6}) {
      for (int i = 0; i < 20; ++i) {
        const Pose<2> X{i ? random.rotation_matrix<2>() : Mat<2>(Mat<2>::Identity()),
                        i * random.direction<2>() / 10};
        const Placed<2> A{&kiss.P, X}, B{&kiss.Q, X * Pose<2>{kiss.R, kiss.p - gap * kiss.n}};
        EXPECT_EQ(find_intersection<2>(A, B, X.p).volume, 0) << kiss.name << ", gap " << gap;
        EXPECT_EQ(find_intersection<2>(B, A, X.p).volume, 0) << kiss.name << ", gap " << gap;
      }
    }
  }
}

TEST(KissingVolume, ThinOverlapsAreExactToRoundOff) {
  const auto cube = make_box<3>({2, 2, 2});
  Random random(35);
  for (double depth : {1e-13, 1e-12, 1e-9, 1e-6, 1e-3}) {
    for (int i = 0; i < 50; ++i) {
      const Pose<3> X{random.rotation_matrix<3>(), random.direction<3>()};
      const Placed<3> A{&cube, X},
          B{&cube, X * Pose<3>{rotation(Vec<3>(0, 0, 1), M_PI / 4), {0, 0, -2 + depth}}};
      const auto found = find_intersection<3>(A, B, X.p);
      EXPECT_NEAR(found.volume, 8 * (std::sqrt(2.0) - 1) * depth, kRoundOff) << "depth " << depth;
      // The sheet's sides are as uncertain as its thickness; beside its faces they weigh depth / 1.
      EXPECT_LT((found.normal - X.R.col(2)).norm(), 1e-13 + 1e-12 * depth) << "depth " << depth;
      if (depth > 1e-10) {
        EXPECT_LT((X.to_local(found.centre) - Vec<3>(0, 0, -1 + depth / 2)).norm(), 4 * kRoundOff / depth);
      }
    }
  }
}

}  // namespace
}  // namespace touchstone
