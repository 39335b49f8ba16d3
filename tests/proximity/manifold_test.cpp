// Contact manifolds whose corners are known by hand: the seven reference cases of [Checked 1.2], faces,
// edges and corners that coincide, small tilts, and both of the paper's fall-backs.

#include "touchstone/proximity/manifold.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "touchstone/geometry/shapes.h"

namespace touchstone {
namespace {

constexpr double kExact = 1e-14;  ///< [m] for bodies about 2 m wide
constexpr double kEighth = std::numbers::pi / 4;
const Vec<3> kX(1, 0, 0), kY(0, 1, 0), kZ(0, 0, 1);

/// The gap along z of A above B through the point x; tells nothing of features.
Gap<3> vertical_gap(const Vec<3>& x, double gap) {
  Gap<3> g;
  g.gap = gap;
  g.point_A = x + gap / 2 * kZ;
  g.point_B = x - gap / 2 * kZ;
  return g;
}

double area(const ContactManifold<3>& m) {
  Vec<3> sum = Vec<3>::Zero();
  const Vec<3>& o = m.points[0].position;
  for (std::size_t i = 1; i + 1 < m.points.size(); ++i) {
    sum += (m.points[i].position - o).cross(m.points[i + 1].position - o) / 2;
  }
  return m.plane.normal.dot(sum);  // positive only if the corners run counter-clockwise
}

double length(const ContactManifold<3>& m) { return (m.points[1].position - m.points[0].position).norm(); }

void expect_kinds(const ContactManifold<3>& m, FeatureKind a, FeatureKind b) {
  EXPECT_EQ(m.features.a.kind, a);
  EXPECT_EQ(m.features.b.kind, b);
  EXPECT_FALSE(m.tolerance_widened);
  EXPECT_FALSE(m.midpoint_taken);
}

constexpr FeatureKind kVertex = FeatureKind::vertex, kEdge = FeatureKind::edge, kFace = FeatureKind::face;

/// A box of side 2 over another whose top is at z = 0.
struct BoxOnBox {
  Polytope<3> box = make_box<3>({2, 2, 2});
  Placed<3> A{&box, {}}, B{&box, {Mat<3>::Identity(), -kZ}};

  ContactManifold<3> manifold(const Mat<3>& R, const Vec<3>& at, double gap = 0,
                              const Vec<3>& through = Vec<3>::Zero()) {
    A.X_WB = {R, at + gap * kZ};
    return find_manifold(A, B, vertical_gap(through + gap / 2 * kZ, gap));
  }
};

TEST(ManifoldReference, EqualBoxesShareTheirWholeFace) {
  BoxOnBox boxes;
  for (double gap : {0.0, 1e-15, -1e-15, 1e-12, -1e-12, 1e-9, -1e-9, 1e-6, -1e-6, 0.5, -0.5, 1000.0}) {
    const auto m = boxes.manifold(Mat<3>::Identity(), kZ, gap);
    ASSERT_EQ(m.points.size(), 4u) << gap;
    EXPECT_NEAR(area(m), 4, kExact);
    EXPECT_NEAR(m.plane.offset, gap / 2, 1e-13);
    expect_kinds(m, kFace, kFace);
    for (const auto& p : m.points) EXPECT_TRUE(p.a.kind == kVertex && p.b.kind == kVertex);
  }
}

TEST(ManifoldReference, ShiftedBoxesShareARectangle) {
  BoxOnBox boxes;
  const auto m = boxes.manifold(Mat<3>::Identity(), {0.25, 0.5, 1});
  ASSERT_EQ(m.points.size(), 4u);
  EXPECT_NEAR(area(m), 2.625, kExact);
  expect_kinds(m, kFace, kFace);
  int corner_of_A = 0, corner_of_B = 0, crossing = 0;
  for (const auto& p : m.points) {
    corner_of_A += p.a.kind == kVertex && p.b.kind == kFace;
    corner_of_B += p.a.kind == kFace && p.b.kind == kVertex;
    crossing += p.a.kind == kEdge && p.b.kind == kEdge;
  }
  EXPECT_TRUE(corner_of_A == 1 && corner_of_B == 1 && crossing == 2);
}

TEST(ManifoldReference, SquaresTurnedByAnEighthShareAnOctagon) {
  BoxOnBox boxes;
  for (double gap : {0.0, 1e-15, -1e-9, 0.25}) {
    const auto m = boxes.manifold(rotation(kZ, kEighth), kZ, gap);
    ASSERT_EQ(m.points.size(), 8u);
    EXPECT_NEAR(area(m), 8 * (std::numbers::sqrt2 - 1), kExact);
    for (const auto& p : m.points) EXPECT_TRUE(p.a.kind == kEdge && p.b.kind == kEdge);
  }
}

TEST(ManifoldReference, ABoxStandingOnAnEdgeSharesASegment) {
  BoxOnBox boxes;
  const Mat<3> on_edge = rotation(kX, kEighth);
  const auto m = boxes.manifold(on_edge, {0.3, 0, std::numbers::sqrt2}, 0, {0.3, 0, 0});
  ASSERT_EQ(m.points.size(), 2u);
  EXPECT_NEAR(length(m), 1.7, kExact);
  expect_kinds(m, kEdge, kFace);
}

TEST(ManifoldReference, ABoxStandingOnItsTipSharesAPoint) {
  BoxOnBox boxes;
  const Mat<3> on_tip = rotation(Vec<3>(1, -1, 0).normalized(), std::acos(1 / std::sqrt(3.0)));
  const auto m = boxes.manifold(on_tip, {0.2, 0.3, std::sqrt(3.0)}, 0, {0.2, 0.3, 0});
  ASSERT_EQ(m.points.size(), 1u);
  EXPECT_LE((m.points[0].position - Vec<3>(0.2, 0.3, 0)).norm(), kExact);
  expect_kinds(m, kVertex, kFace);
}

TEST(ManifoldReference, CrossedRidgesShareAPointAndParallelOnesASegment) {
  BoxOnBox boxes;
  boxes.B.X_WB = {rotation(kY, kEighth), -std::numbers::sqrt2 * kZ};
  const auto crossed = boxes.manifold(rotation(kX, kEighth), {0.4, 0.1, std::numbers::sqrt2}, 0, {0, 0.1, 0});
  ASSERT_EQ(crossed.points.size(), 1u);
  EXPECT_LE((crossed.points[0].position - Vec<3>(0, 0.1, 0)).norm(), kExact);
  expect_kinds(crossed, kEdge, kEdge);

  const auto parallel = boxes.manifold(rotation(kY, kEighth), {0, 0.3, std::numbers::sqrt2});
  ASSERT_EQ(parallel.points.size(), 2u);
  EXPECT_NEAR(length(parallel), 1.7, kExact);
  expect_kinds(parallel, kEdge, kEdge);
  for (const auto& p : parallel.points) EXPECT_NE(p.a.kind, p.b.kind);  // an end of one within the other

  // Ends that just meet: the most general features that hold the point are the two vertices.
  const auto touching = boxes.manifold(rotation(kY, kEighth), {0, 2, std::numbers::sqrt2}, 0, kY);
  ASSERT_EQ(touching.points.size(), 1u);
  expect_kinds(touching, kVertex, kVertex);
}

TEST(ManifoldReference, TipsThatMeetShareAPoint) {
  const auto octahedron = make_octahedron(1);
  const Placed<3> A{&octahedron, {Mat<3>::Identity(), kZ}}, B{&octahedron, {Mat<3>::Identity(), -kZ}};
  const auto m = find_manifold(A, B, vertical_gap(Vec<3>::Zero(), 0));
  ASSERT_EQ(m.points.size(), 1u);
  EXPECT_EQ(m.points[0].position, Vec<3>::Zero());
  expect_kinds(m, kVertex, kVertex);
}

TEST(Manifold, OfFacesThatOverlapInASegmentOrACornerIsThat) {
  BoxOnBox boxes;
  const auto side = boxes.manifold(Mat<3>::Identity(), {2, 0.5, 1}, 0, {1, 0, 0});
  ASSERT_EQ(side.points.size(), 2u);
  EXPECT_NEAR(length(side), 1.5, kExact);
  expect_kinds(side, kEdge, kEdge);
  const auto corner = boxes.manifold(Mat<3>::Identity(), {2, 2, 1}, 0, {1, 1, 0});
  ASSERT_EQ(corner.points.size(), 1u);
  EXPECT_LE((corner.points[0].position - Vec<3>(1, 1, 0)).norm(), kExact);
  expect_kinds(corner, kVertex, kVertex);
  const auto corner_on_side =
      boxes.manifold(rotation(kZ, kEighth), {1 + std::numbers::sqrt2, 0.25, 1}, 0, {1, 0.25, 0});
  ASSERT_EQ(corner_on_side.points.size(), 1u);
  expect_kinds(corner_on_side, kVertex, kEdge);
}

TEST(Manifold, OfACoveredFaceIsThatFace) {
  const auto table = make_box<3>({10, 10, 1});
  BoxOnBox boxes;
  boxes.B = {&table, {Mat<3>::Identity(), -kZ / 2}};
  for (double turn : {0.0, 1e-16, 1e-14, 1e-3, 1.0}) {
    const auto m = boxes.manifold(rotation(kZ, turn), {1, 2, 1}, 0, {1, 2, 0});
    ASSERT_EQ(m.points.size(), 4u);
    EXPECT_NEAR(area(m), 4, kExact);
    for (const auto& p : m.points) EXPECT_TRUE(p.a.kind == kVertex && p.b.kind == kFace);
  }
}

TEST(Manifold, OfAlmostAlignedBoxesHasNoFalseCorners) {
  BoxOnBox boxes;
  for (double turn : {1e-16, 1e-15, 1e-14, 5e-14}) {
    for (const Vec<3>& shift :
         {Vec<3>(0, 0, 1), Vec<3>(1e-14, -1e-15, 1), Vec<3>(0.5, 0, 1), Vec<3>(1, 1, 1)}) {
      const auto m = boxes.manifold(rotation(kZ, turn), shift, 0, {0.5, 0.5, 0});
      EXPECT_EQ(m.points.size(), 4u) << turn;
      EXPECT_NEAR(area(m), (2 - std::abs(shift.x())) * (2 - std::abs(shift.y())), 1e-12);
    }
  }
}

// Plane tolerance: 1e-10 of the size 2 sqrt(3). Over the width of 2, a tilt of 1e-11 stays below it, 1e-9
// does not.
TEST(Manifold, OfATiltedBoxDegradesToItsEdgeAndItsCorner) {
  BoxOnBox boxes;
  const auto tilted = [&](double about_x, double about_y) {
    const Mat<3> R = rotation(kX, about_x) * rotation(kY, about_y);
    const Vec<3> lowest = R * Vec<3>(about_y > 0 ? 1 : -1, about_x > 0 ? -1 : 1, -1);
    return boxes.manifold(R, Vec<3>(0, 0, -lowest.z()), 0, Vec<3>(lowest.x(), lowest.y(), 0));
  };
  for (double small : {1e-16, 1e-14, 1e-11}) EXPECT_EQ(tilted(small, small).points.size(), 4u) << small;
  for (double large : {1e-9, 1e-6, 0.1}) {
    const auto edge = tilted(large, 0);
    ASSERT_EQ(edge.points.size(), 2u) << large;
    EXPECT_NEAR(length(edge), 2, kExact);
    EXPECT_EQ(edge.features.a.kind, kEdge);
    EXPECT_EQ(edge.features.b.kind, kFace);
    EXPECT_EQ(tilted(large, large).points.size(), 1u);
    EXPECT_EQ(tilted(large, large).features.a.kind, kVertex);
  }
}

// The lower side of A is a roof upside down, lower by 1e-12 in the middle: all six vertices touch the plane.
TEST(Manifold, OfANearlyFlatSideIsTheHullOfItsFacets) {
  std::vector<Vec<3>> points;
  for (double y : {-1.0, 1.0})
    points.insert(points.end(), {{-1, y, 0}, {0, y, -1e-12}, {1, y, 0}, {-1, y, 1}, {1, y, 1}});
  const auto roof = Polytope<3>::hull(points);
  ASSERT_EQ(roof.vertex_count(), 10);
  const auto table = make_box<3>({10, 10, 1});
  const Placed<3> A{&roof, {}}, B{&table, {Mat<3>::Identity(), -kZ / 2}};
  const auto m = find_manifold(A, B, vertical_gap(Vec<3>::Zero(), 0));
  ASSERT_EQ(m.points.size(), 4u);
  EXPECT_NEAR(area(m), 4, 1e-11);
  expect_kinds(m, kFace, kFace);
  EXPECT_EQ(find_manifold(A, B, vertical_gap(Vec<3>::Zero(), 0), {1e-14}).points.size(),
            2u);  // the ridge alone
}

// Smaller than the tolerance of the larger body: every vertex touches the plane, and the shadow is the
// manifold.
TEST(Manifold, OfASpeckIsItsShadow) {
  const auto speck = make_box<3>(Vec<3>::Constant(1e-8)), table = make_box<3>({1000, 1000, 1000});
  const Placed<3> A{&speck, {Mat<3>::Identity(), {7, 9, 0.5e-8}}}, B{&table, {Mat<3>::Identity(), -500 * kZ}};
  const auto m = find_manifold(A, B, vertical_gap({7, 9, 0}, 0));
  ASSERT_EQ(m.points.size(), 4u);
  EXPECT_NEAR(area(m), 1e-16, 1e-22);
  const auto dust = make_box<3>(Vec<3>::Constant(1e-11));
  EXPECT_EQ(find_manifold(Placed<3>{&dust, {Mat<3>::Identity(), {7, 9, 0}}}, B, vertical_gap({7, 9, 0}, 0))
                .points.size(),
            1u);
}

TEST(Manifold, OfFacesWithManyCornersHasThemAll) {
  const auto cylinder = make_cylinder(1, 2, 100);
  const Placed<3> A{&cylinder, {Mat<3>::Identity(), kZ}}, B{&cylinder, {Mat<3>::Identity(), -kZ}};
  const double disk = 50 * std::sin(2 * std::numbers::pi / 100);
  const auto m = find_manifold(A, B, vertical_gap(Vec<3>::Zero(), 0));
  EXPECT_EQ(m.points.size(), 100u);
  EXPECT_NEAR(area(m), disk, 1e-13);
  const Placed<3> turned{&cylinder, {rotation(kZ, std::numbers::pi / 100), kZ}};  // by half a corner
  EXPECT_EQ(find_manifold(turned, B, vertical_gap(Vec<3>::Zero(), 0)).points.size(), 200u);
}

TEST(ManifoldFallBack, ABodyThatDoesNotReachThePlaneIsTakenByItsNearestFace) {
  BoxOnBox boxes;
  for (double off : {1e-8, 1e-3, -1e-3, 0.5}) {
    boxes.A.X_WB.p = (1 + off) * kZ;
    const auto m = find_manifold(boxes.A, boxes.B, vertical_gap(Vec<3>::Zero(), 0));
    EXPECT_TRUE(m.tolerance_widened);
    EXPECT_FALSE(m.midpoint_taken);
    ASSERT_EQ(m.points.size(), 4u) << off;
    EXPECT_NEAR(area(m), 4, kExact);
  }
}

// A world point is rounded to 1.5e-8 m there, more than the plane's tolerance: that is no fall-back.
TEST(ManifoldFallBack, RoundingOfPointsFarFromTheOriginIsNone) {
  BoxOnBox boxes;
  const Vec<3> far(0x1p27, -0x1p27, 0x1p27);
  boxes.A.X_WB.p = far + kZ;
  boxes.B.X_WB.p = far - kZ;
  Gap<3> gap = vertical_gap(far, 0);
  gap.point_A.z() = gap.point_B.z() = std::nextafter(far.z(), 1e9);
  const auto m = find_manifold(boxes.A, boxes.B, gap);
  ASSERT_EQ(m.points.size(), 4u);
  expect_kinds(m, kFace, kFace);
}

TEST(ManifoldFallBack, FeaturesThatDoNotMeetGiveTheMiddleOfTheirNearestPoints) {
  BoxOnBox boxes;
  const auto beside = boxes.manifold(Mat<3>::Identity(), {5, 0.5, 1});
  EXPECT_TRUE(beside.midpoint_taken);
  ASSERT_EQ(beside.points.size(), 1u);
  EXPECT_NEAR(beside.points[0].position.x(), 2.5, kExact);
  EXPECT_EQ(beside.features.a.kind <= kEdge && beside.features.b.kind <= kEdge, true);
  const auto diagonal = boxes.manifold(Mat<3>::Identity(), {4, 4, 1});
  EXPECT_TRUE(diagonal.midpoint_taken);
  EXPECT_LE((diagonal.points[0].position - Vec<3>(2, 2, 0)).norm(), kExact);
  EXPECT_TRUE(diagonal.features.a.kind == kVertex && diagonal.features.b.kind == kVertex);
  const auto on_edge = boxes.manifold(rotation(kX, kEighth), {0, 3, std::numbers::sqrt2});
  EXPECT_TRUE(on_edge.midpoint_taken);
  EXPECT_NEAR(on_edge.points[0].position.y(), 2, kExact);
}

/// A square of side 2 over another whose top is at y = 0.
ContactManifold<2> squares(const Mat<2>& R, const Vec<2>& at, const Vec<2>& through = Vec<2>::Zero()) {
  const auto square = make_box<2>({2, 2});
  Gap<2> gap;
  gap.point_A = gap.point_B = through;
  return find_manifold<2>({&square, {R, at}}, {&square, {Mat<2>::Identity(), {0, -1}}}, gap);
}

TEST(ManifoldInThePlane, OfSquaresIsTheIntervalTheyShare) {
  for (double shift : {0.0, 1e-16, 0.5, -1.5, 2 - 1e-12}) {
    const auto m = squares(Mat<2>::Identity(), {shift, 1});
    ASSERT_EQ(m.points.size(), 2u);
    EXPECT_NEAR((m.points[1].position - m.points[0].position).norm(), 2 - std::abs(shift), kExact);
    EXPECT_EQ(m.features.a.kind, kEdge);
    EXPECT_EQ(m.features.b.kind, kEdge);
  }
  const auto corner = squares(Mat<2>::Identity(), {2, 1}, {1, 0});
  ASSERT_EQ(corner.points.size(), 1u);
  EXPECT_TRUE(corner.features.a.kind == kVertex && corner.features.b.kind == kVertex);
  const auto tip = squares(rotation(kEighth), {0.3, std::numbers::sqrt2}, {0.3, 0});
  ASSERT_EQ(tip.points.size(), 1u);
  EXPECT_TRUE(tip.features.a.kind == kVertex && tip.features.b.kind == kEdge);
}

TEST(ManifoldInThePlane, OfATiltedSquareDegradesToItsCorner) {
  for (double tilt : {1e-16, 1e-12, 1e-11}) EXPECT_EQ(squares(rotation(tilt), {0, 1}).points.size(), 2u);
  for (double tilt : {1e-9, 1e-3}) {
    const Vec<2> lowest = rotation(tilt) * Vec<2>(-1, -1);
    EXPECT_EQ(squares(rotation(tilt), {0, -lowest.y()}, {lowest.x(), 0}).points.size(), 1u);
  }
}

TEST(ManifoldInThePlane, FallBacksAreTold) {
  const auto square = make_box<2>({2, 2});
  for (double side : {-1.0, 1.0}) {
    const auto apart = squares(Mat<2>::Identity(), {5 * side, 1});
    EXPECT_TRUE(apart.midpoint_taken);
    EXPECT_NEAR(apart.points[0].position.x(), 2.5 * side, kExact);
    EXPECT_EQ(square.vertex(apart.features.a.index), Vec<2>(-side, -1));
    EXPECT_EQ(square.vertex(apart.features.b.index), Vec<2>(side, 1));
  }
  const auto off = squares(Mat<2>::Identity(), {0, 1.001});
  EXPECT_TRUE(off.tolerance_widened);
  EXPECT_EQ(off.points.size(), 2u);
}

}  // namespace
}  // namespace touchstone
