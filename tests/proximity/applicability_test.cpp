// Applicability of vertex-facet and edge-edge pairs, and the orientation of edges [Thesis 3.2, 3.4]: by hand,
// against crossing arcs on the Gauss sphere, and against the explicit Minkowski difference.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "touchstone/geometry/minkowski.h"
#include "touchstone/geometry/shapes.h"
#include "touchstone/math/random.h"
#include "touchstone/proximity/feature_contacts.h"

namespace touchstone {
namespace {

constexpr double kRoundOff = 1e-15;
constexpr double kQuarter = std::numbers::pi / 4;

template <int D>
int vertex_nearest(const Placed<D>& P, const Vec<D>& x) {
  int best = 0;
  for (int v = 1; v < P.polytope->vertex_count(); ++v) {
    if ((P.X_WB * P.polytope->vertex(v) - x).norm() < (P.X_WB * P.polytope->vertex(best) - x).norm())
      best = v;
  }
  return best;
}

template <int D>
int facet_facing(const Placed<D>& P, const Vec<D>& n) {
  int best = 0;
  for (int f = 1; f < P.polytope->facet_count(); ++f) {
    if (n.dot(P.X_WB.R * P.polytope->plane(f).normal) > n.dot(P.X_WB.R * P.polytope->plane(best).normal))
      best = f;
  }
  return best;
}

int edge_nearest(const Placed<3>& P, const Vec<3>& x) {
  int best = 0;
  double nearest = 1e9;
  for (int e = 0; e < P.polytope->edge_count(); ++e) {
    const Edge& edge = P.polytope->edge(e);
    const Vec<3> middle =
        P.X_WB * Vec<3>((P.polytope->vertex(edge.tail) + P.polytope->vertex(edge.head)) / 2);
    if ((middle - x).norm() >= nearest) continue;
    nearest = (middle - x).norm();
    best = e;
  }
  return best;
}

TEST(Applicability, OfASquaresCornerOverAnEdgeIsTheSineOfItsLowerSide) {
  const auto square = make_box<2>({1, 1}), table = make_box<2>({4, 1});
  const Placed<2> B{&table, {}};
  const int top = facet_facing<2>(B, {0, 1});
  for (double angle : {0.0, 0.1, 0.3, kQuarter, 1.2, 1.5}) {
    const Placed<2> A{&square, {rotation(angle), {0, 2}}};
    const int lowest = vertex_nearest<2>(A, A.X_WB * Vec<2>(-0.5, -0.5));
    EXPECT_NEAR(vertex_facet_applicability(A, lowest, B, top), std::min(std::sin(angle), std::cos(angle)),
                kRoundOff);
    const int highest = vertex_nearest<2>(A, A.X_WB * Vec<2>(0.5, 0.5));
    EXPECT_NEAR(vertex_facet_applicability(A, highest, B, top), -std::max(std::sin(angle), std::cos(angle)),
                kRoundOff);
    // Beside it, one side rises and the other falls.
    const int right = vertex_nearest<2>(A, A.X_WB * Vec<2>(0.5, -0.5));
    EXPECT_NEAR(vertex_facet_applicability(A, right, B, top), -std::sin(angle), kRoundOff);
  }
}

TEST(Applicability, OfACubesCornerOverAFaceIsThatOfItsLowestEdge) {
  const auto cube = make_box<3>({1, 1, 1});
  const Placed<3> B{&cube, {}};
  const int top = facet_facing<3>(B, {0, 0, 1});
  const auto lowest = [&](const Mat<3>& R) {
    const Placed<3> A{&cube, {R, {0, 0, 2}}};
    return vertex_facet_applicability(A, vertex_nearest<3>(A, A.X_WB * Vec<3>(-0.5, -0.5, -0.5)), B, top);
  };
  EXPECT_NEAR(lowest(Mat<3>::Identity()), 0, kRoundOff);
  // On its tip, all three edges rise with the cosine of the space diagonal.
  const Mat<3> on_tip = rotation(Vec<3>(1, -1, 0) / std::sqrt(2.0), std::acos(1 / std::sqrt(3.0)));
  EXPECT_NEAR(lowest(on_tip), 1 / std::sqrt(3.0), kRoundOff);
  // On an edge along x, that edge lies flat; rolled further than a right angle, another one falls.
  EXPECT_NEAR(lowest(rotation(Vec<3>::UnitX(), kQuarter)), 0, kRoundOff);
  EXPECT_NEAR(lowest(rotation(Vec<3>::UnitX(), -0.2)), -std::sin(0.2), kRoundOff);
}

/// Cube A rolled on its edge along x (lying at z = 0), cube B below with a ridge along y at z = 0.
struct CrossedRidges {
  Polytope<3> cube = make_box<3>({1, 1, 1});
  Placed<3> A, B;
  int ea, eb;

  explicit CrossedRidges(double roll)
      : A{&cube, {rotation(Vec<3>::UnitX(), kQuarter + roll), Vec<3>::Zero()}},
        B{&cube, {rotation(Vec<3>::UnitY(), kQuarter), {0, 0, -std::sqrt(0.5)}}} {
    const Vec<3> edge_middle = A.X_WB.R * Vec<3>(0, -0.5, -0.5);
    A.X_WB.p = -edge_middle;
    ea = edge_nearest(A, Vec<3>::Zero());
    eb = edge_nearest(B, Vec<3>::Zero());
  }
};

TEST(Applicability, OfCrossedRidgesIsTheSineOfTheLowestFace) {
  for (double roll : {0.0, 0.2, -0.2, 0.7, kQuarter - 1e-3, kQuarter + 1e-3, -1.0}) {
    const CrossedRidges ridges(roll);
    EXPECT_NEAR(edge_edge_applicability(ridges.A, ridges.ea, ridges.B, ridges.eb),
                std::sin(kQuarter - std::abs(roll)), 2 * kRoundOff);
    EXPECT_LE((edge_edge_normal(ridges.A, ridges.ea, ridges.B, ridges.eb) - Vec<3>::UnitZ()).norm(),
              2 * kRoundOff);
    EXPECT_LE((edge_edge_normal(ridges.B, ridges.eb, ridges.A, ridges.ea) + Vec<3>::UnitZ()).norm(),
              2 * kRoundOff);
  }
}

TEST(Applicability, OfEdgesThatTurnTheirBacksIsNegativeAndOfParallelOnesZero) {
  const CrossedRidges ridges(0);
  const int back = edge_nearest(ridges.A, {0, 0, std::sqrt(2.0)});
  EXPECT_NEAR(edge_edge_applicability(ridges.A, back, ridges.B, ridges.eb), -std::sqrt(0.5), kRoundOff);
  // Both ridges ask for the same side: the orientation does not tell.
  EXPECT_EQ(edge_edge_normal(ridges.A, back, ridges.B, ridges.eb), Vec<3>::Zero());
  const Placed<3> turned{&ridges.cube, {ridges.B.X_WB.R, {0, 0, 1}}};
  EXPECT_EQ(edge_edge_applicability(turned, ridges.eb, ridges.B, ridges.eb), 0);
  EXPECT_EQ(edge_edge_normal(turned, ridges.eb, ridges.B, ridges.eb), Vec<3>::Zero());
}

/// [Checked 1.1]: the open arcs (a, b) and (c, d) of the edges' face normals cross on the Gauss sphere.
bool arcs_cross(const Placed<3>& A, int ea, const Placed<3>& B, int eb) {
  const auto normal = [](const Placed<3>& P, int f) {
    return Vec<3>(P.X_WB.R * P.polytope->plane(f).normal);
  };
  const Vec<3> a = normal(A, A.polytope->edge(ea).left), b = normal(A, A.polytope->edge(ea).right);
  const Vec<3> c = -normal(B, B.polytope->edge(eb).left), d = -normal(B, B.polytope->edge(eb).right);
  const double c_ba = c.dot(b.cross(a)), d_ba = d.dot(b.cross(a));
  const double a_dc = a.dot(d.cross(c)), b_dc = b.dot(d.cross(c));
  return c_ba * d_ba < 0 && a_dc * b_dc < 0 && c_ba * b_dc > 0;
}

Placed<3> turned(const Polytope<3>& P, Random& random) {
  return {&P, {random.rotation_matrix<3>(), Vec<3>::Zero()}};
}

TEST(Applicability, OfEdgesIsPositiveExactlyWhereTheirArcsCross) {
  Random random(21);
  int pairs = 0, crossing = 0, mismatches = 0;
  for (int i = 0; i < 60; ++i) {
    const auto P = i % 3 ? make_random_hull<3>(10 + i, i) : make_box<3>({1, 2, 3});
    const auto Q = i % 2 ? make_random_hull<3>(12, 100 + i) : make_dodecahedron(1);
    const Placed<3> A = turned(P, random), B = turned(Q, random);
    for (int k = 0; k < 500; ++k) {
      const int ea = random.index(P.edge_count()), eb = random.index(Q.edge_count());
      const bool applicable = edge_edge_applicability(A, ea, B, eb) > 0;
      ++pairs;
      crossing += applicable;
      mismatches += applicable != arcs_cross(A, ea, B, eb);
    }
  }
  EXPECT_EQ(mismatches, 0) << "of " << pairs;
  EXPECT_GE(pairs, 10000);
  EXPECT_GT(crossing, 500);
}

// In general position every facet of A - B is a face of A, a face of -B, or a parallelogram of two edges.
TEST(Applicability, OfEdgesIsPositiveExactlyForTheParallelogramsOfTheMinkowskiDifference) {
  Random random(22);
  int parallelograms = 0;
  for (int i = 0; i < 12; ++i) {
    const auto P = i % 3 ? make_random_hull<3>(8 + i, i) : make_box<3>({2, 2, 2}),
               Q = make_random_hull<3>(9, 50 + i);
    const Placed<3> A = turned(P, random), B = turned(Q, random);
    const auto M = minkowski_difference(P, Q, relative_pose(A.X_WB, B.X_WB));
    int applicable = 0;
    for (int ea = 0; ea < P.edge_count(); ++ea) {
      for (int eb = 0; eb < Q.edge_count(); ++eb) {
        if (edge_edge_applicability(A, ea, B, eb) <= 0) continue;
        ++applicable;
        // The facet of the difference looks from A to B; its height is that of any two points of the edges.
        const Vec<3> n = edge_edge_normal(A, ea, B, eb);
        const int f = facet_facing<3>({&M, A.X_WB}, -n);
        const Vec<3> difference = A.X_WB.R * P.vertex(P.edge(ea).tail) - B.X_WB.R * Q.vertex(Q.edge(eb).tail);
        EXPECT_LE((A.X_WB.R * M.plane(f).normal + n).norm(), 1e-12);
        EXPECT_NEAR(M.plane(f).offset, -n.dot(difference), 1e-13);
      }
    }
    EXPECT_EQ(applicable, M.facet_count() - P.facet_count() - Q.facet_count());
    parallelograms += applicable;
  }
  EXPECT_GT(parallelograms, 200);
}

double lowest(const Placed<3>& P, const Vec<3>& n) {
  double low = 1e9;
  for (const Vec<3>& x : P.polytope->vertices()) low = std::min(low, n.dot(P.X_WB * x));
  return low;
}

Vec<3> random_point_of_edge(const Placed<3>& P, int e, Random& random) {
  const Edge& edge = P.polytope->edge(e);
  const Vec<3>&tail = P.polytope->vertex(edge.tail), &head = P.polytope->vertex(edge.head);
  return P.X_WB * Vec<3>(tail + random.uniform(0.1, 0.9) * (head - tail));
}

TEST(EdgeOrientation, OfTouchingEdgesPointsWhereTheBodiesSeparateFromBToA) {
  Random random(23);
  int touching = 0;
  double worst = 0;
  for (int i = 0; i < 40; ++i) {
    const auto P = make_random_hull<3>(8 + i % 9, i),
               Q = i % 2 ? make_random_hull<3>(11, 70 + i) : make_box<3>({1, 1, 4});
    Placed<3> A = turned(P, random);
    const Placed<3> B = turned(Q, random);
    for (int k = 0; k < 400; ++k) {
      const int ea = random.index(P.edge_count()), eb = random.index(Q.edge_count());
      if (edge_edge_applicability(A, ea, B, eb) <= 0) continue;
      const Vec<3> meeting = random_point_of_edge(B, eb, random);
      A.X_WB.p += meeting - random_point_of_edge(A, ea, random);
      const Vec<3> n = edge_edge_normal(A, ea, B, eb);
      // s(n) = min_A n.a - max_B n.b is zero in the right direction, and far below it in the other.
      worst = std::max(worst, std::abs(lowest(A, n) + lowest(B, -n)));
      EXPECT_LT(lowest(A, -n) + lowest(B, n), -0.1);
      ++touching;
    }
  }
  EXPECT_LE(worst, 5 * kRoundOff);
  EXPECT_GE(touching, 500);
}

TEST(EdgeOrientation, IsNegatedBySwappingTheBodiesForEveryPair) {
  Random random(24);
  const auto P = make_random_hull<3>(12, 1), Q = make_tetrahedron(1);
  const Placed<3> A = turned(P, random), B = turned(Q, random);
  for (int ea = 0; ea < P.edge_count(); ++ea) {
    for (int eb = 0; eb < Q.edge_count(); ++eb) {
      EXPECT_EQ(edge_edge_normal(A, ea, B, eb), -edge_edge_normal(B, eb, A, ea));
      EXPECT_NEAR(edge_edge_applicability(A, ea, B, eb), edge_edge_applicability(B, eb, A, ea), kRoundOff);
    }
  }
}

}  // namespace
}  // namespace touchstone
