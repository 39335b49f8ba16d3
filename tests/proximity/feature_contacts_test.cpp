// Feasibility against its drawing, and the list of feature contacts against the plain double loop of the
// thesis's algorithms 5 and 6, the kissing cases first.

#include "touchstone/proximity/feature_contacts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "touchstone/geometry/shapes.h"
#include "touchstone/math/random.h"

namespace touchstone {
namespace {

constexpr double kRoundOff = 1e-14;  ///< [m] of a few products of lengths about 1

template <int N>
struct Dimension {
  static constexpr int D = N;
};
template <class T>
class FeatureContacts : public testing::Test {};
using Dimensions = testing::Types<Dimension<2>, Dimension<3>>;
TYPED_TEST_SUITE(FeatureContacts, Dimensions);

template <int D>
int facet_facing(const Placed<D>& P, const Vec<D>& n) {
  int best = 0;
  for (int f = 1; f < P.polytope->facet_count(); ++f) {
    if (n.dot(P.X_WB.R * P.polytope->plane(f).normal) > n.dot(P.X_WB.R * P.polytope->plane(best).normal))
      best = f;
  }
  return best;
}

/// A small simplex with its lowest vertex at the origin.
template <int D>
Polytope<D> make_tip() {
  std::vector<Vec<D>> points{Vec<D>::Zero(), Vec<D>::Unit(D - 1)};
  for (int k = 0; k + 1 < D; ++k) points.push_back(0.3 * Vec<D>::Unit(k) + Vec<D>::Unit(D - 1));
  return Polytope<D>::hull(points);
}

template <int D>
int tip_vertex(const Polytope<D>& tip) {
  int v = 0;
  while (tip.vertex(v) != Vec<D>::Zero()) ++v;
  return v;
}

// The facet is the top of a box of half width 1, at height 0; the drawing of FeasibilitySettings says how low
// the region reaches at each distance from it.
TYPED_TEST(FeatureContacts, AreFeasibleAboveTheDrawnLine) {
  constexpr int D = TypeParam::D;
  const auto box = make_box<D>(Vec<D>::Constant(2)), tip = make_tip<D>();
  const Placed<D> B{&box, {Mat<D>::Identity(), -Vec<D>::Unit(D - 1)}};
  const int top = facet_facing<D>(B, Vec<D>::Unit(D - 1)), va = tip_vertex<D>(tip);
  std::map<bool, std::map<bool, int>> met;  // over the facet, feasible
  Random random(31);
  for (int i = 0; i < 20000; ++i) {
    const FeasibilitySettings settings{random.uniform(0, 0.2), random.uniform(0, 1.4)};
    Vec<D> x;
    for (int k = 0; k < D; ++k) x[k] = random.uniform(-2, 2);
    Vec<D> aside = Vec<D>::Zero();
    for (int k = 0; k + 1 < D; ++k) aside[k] = std::max(0.0, std::abs(x[k]) - 1);
    const double line = -settings.slack - aside.norm() * std::tan(settings.angle);
    const bool feasible =
        vertex_facet_feasibility(Placed<D>{&tip, {Mat<D>::Identity(), x}}, va, B, top, settings);
    EXPECT_EQ(feasible, x[D - 1] > line) << x.transpose();
    ++met[aside.isZero()][feasible];
  }
  for (bool over : {false, true}) {
    for (bool feasible : {false, true}) EXPECT_GT(met[over][feasible], 1000);
  }
}

TYPED_TEST(FeatureContacts, OfKissingTipAreFeasibleWithSlackOnly) {
  constexpr int D = TypeParam::D;
  const auto box = make_box<D>(Vec<D>::Constant(2)), tip = make_tip<D>();
  const Placed<D> B{&box, {Mat<D>::Identity(), -Vec<D>::Unit(D - 1)}}, A{&tip, {}};
  const int top = facet_facing<D>(B, Vec<D>::Unit(D - 1)), va = tip_vertex<D>(tip);
  EXPECT_TRUE(vertex_facet_feasibility(A, va, B, top, {}));
  EXPECT_TRUE(vertex_facet_feasibility(A, va, B, top, {1e-15, 0}));
  EXPECT_FALSE(vertex_facet_feasibility(A, va, B, top, {0, 0}));  // psi > -slack is strict
}

/// Algorithms 5 and 6 as printed, with the corrections: every vertex with every facet.
template <int D>
void plain_vertex_facet(const Placed<D>& V, const Placed<D>& F, bool vertices_of_A,
                        const FeatureContactSettings& settings, std::vector<FeatureContact<D>>& contacts) {
  for (int v = 0; v < V.polytope->vertex_count(); ++v) {
    for (int f = 0; f < F.polytope->facet_count(); ++f) {
      const Vec<D> x = V.X_WB * V.polytope->vertex(v), p = nearest_on_facet(F, f, x);
      if ((x - p).norm() > settings.reach) continue;
      const Vec<D> n = F.X_WB.R * F.polytope->plane(f).normal;
      const double appl = vertex_facet_applicability(V, v, F, f);
      const bool feasible = vertex_facet_feasibility(V, v, F, f, settings.feasibility);
      const Feature vertex{FeatureKind::vertex, v}, facet{static_cast<FeatureKind>(D - 1), f};
      const bool primary = feasible && appl >= -std::sin(settings.applicability_relaxation);
      if (vertices_of_A) {
        contacts.push_back({{vertex, facet}, x, p, n, n.dot(x - p), appl, feasible, primary});
      } else {
        contacts.push_back({{facet, vertex}, p, x, -n, n.dot(x - p), appl, feasible, primary});
      }
    }
  }
}

std::array<Vec<3>, 2> ends(const Placed<3>& P, int e) {
  const Edge& edge = P.polytope->edge(e);
  return {P.X_WB * P.polytope->vertex(edge.tail), P.X_WB * P.polytope->vertex(edge.head)};
}

void plain_edge_edge(const Placed<2>&, const Placed<2>&, const FeatureContactSettings&,
                     std::vector<FeatureContact<2>>&) {}

void plain_edge_edge(const Placed<3>& A, const Placed<3>& B, const FeatureContactSettings& settings,
                     std::vector<FeatureContact<3>>& contacts) {
  for (int ea = 0; ea < A.polytope->edge_count(); ++ea) {
    for (int eb = 0; eb < B.polytope->edge_count(); ++eb) {
      const auto [a0, a1] = ends(A, ea);
      const auto [b0, b1] = ends(B, eb);
      const auto nearest = nearest_on_segments<3>(a0, a1, b0, b1);
      const Vec<3> apart = nearest.point_1 - nearest.point_2;
      const Vec<3> n = edge_edge_normal(A, ea, B, eb);
      const double sine = (a1 - a0).normalized().cross((b1 - b0).normalized()).norm();
      if (apart.norm() > settings.reach || n.norm() == 0 || sine <= settings.parallel_edges) continue;
      const double gap = n.dot(apart), appl = edge_edge_applicability(A, ea, B, eb);
      const bool feasible =
          gap > -settings.feasibility.slack - (apart - gap * n).norm() * std::tan(settings.feasibility.angle);
      contacts.push_back({{{FeatureKind::edge, ea}, {FeatureKind::edge, eb}},
                          nearest.point_1,
                          nearest.point_2,
                          n,
                          gap,
                          appl,
                          feasible,
                          feasible && appl >= -std::sin(settings.applicability_relaxation)});
    }
  }
}

auto key(const FeaturePair& p) { return std::tuple(p.a.kind, p.b.kind, p.a.index, p.b.index); }

template <int D>
void sort(std::vector<FeatureContact<D>>& contacts) {
  std::sort(contacts.begin(), contacts.end(),
            [](const auto& c, const auto& d) { return key(c.features) < key(d.features); });
}

template <int D>
std::vector<FeatureContact<D>> plain_contacts(const Placed<D>& A, const Placed<D>& B,
                                              const FeatureContactSettings& settings) {
  std::vector<FeatureContact<D>> contacts;
  plain_vertex_facet<D>(A, B, true, settings, contacts);
  plain_vertex_facet<D>(B, A, false, settings, contacts);
  plain_edge_edge(A, B, settings, contacts);
  sort<D>(contacts);
  return contacts;
}

template <int D>
void expect_same(const std::vector<FeatureContact<D>>& found, const std::vector<FeatureContact<D>>& truth,
                 double tolerance) {
  ASSERT_EQ(found.size(), truth.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto &c = found[i], &t = truth[i];
    ASSERT_EQ(c.features, t.features);
    EXPECT_NEAR(c.gap, t.gap, tolerance);
    // Edges may be as near to parallel as the angle guard lets them: their normal is known less well.
    const double angle = c.features.a.kind == c.features.b.kind ? kRoundOff / 1e-3 : kRoundOff;
    EXPECT_NEAR(c.applicability, t.applicability, angle);
    EXPECT_LE((c.normal - t.normal).norm(), angle);
    EXPECT_LE((c.point_A - t.point_A).norm() + (c.point_B - t.point_B).norm(), 1e3 * tolerance);
    EXPECT_NEAR(c.normal.dot(c.point_A - c.point_B), c.gap, tolerance);
    EXPECT_EQ(c.feasible, t.feasible);
    EXPECT_EQ(c.primary, t.primary);
  }
}

template <int D>
Vec<D> lowest_point(const Placed<D>& P, const Vec<D>& n) {
  Vec<D> best = P.X_WB * P.polytope->vertex(0);
  for (const Vec<D>& x : P.polytope->vertices()) {
    if (n.dot(P.X_WB * x) < n.dot(best)) best = P.X_WB * x;
  }
  return best;
}

/// A pair of random bodies whose extreme vertices along some direction are `gap` apart.
template <int D>
struct RandomPair {
  Polytope<D> P, Q;
  Placed<D> A, B;

  RandomPair(Random& random, int vertices, double gap)
      : P(make_random_hull<D>(vertices, random.bits())),
        Q(make_random_hull<D>(vertices + 3, random.bits())),
        A{&P, {random.rotation_matrix<D>(), Vec<D>::Zero()}},
        B{&Q, {random.rotation_matrix<D>(), random.direction<D>()}} {
    const Vec<D> n = random.direction<D>();
    A.X_WB.p = lowest_point<D>(B, -n) + gap * n - lowest_point<D>(A, n);
  }
};

TYPED_TEST(FeatureContacts, AreThoseOfThePlainDoubleLoop) {
  constexpr int D = TypeParam::D;
  Random random(32);
  std::map<std::string, int> met;
  for (int i = 0; i < 150; ++i) {
    const double gap = i % 3 == 0 ? 0.01 : i % 3 == 1 ? -0.02 : random.uniform(-0.6, 0.8);
    const RandomPair<D> pair(random, D + 3 + i % 40, gap);
    FeatureContactSettings settings;
    settings.reach = random.uniform(0.02, 0.4);
    const auto found = find_feature_contacts(pair.A, pair.B, settings);
    expect_same<D>(found, plain_contacts(pair.A, pair.B, settings), kRoundOff);
    for (const auto& c : found) {
      ++met[c.features.a.kind == c.features.b.kind     ? "edge-edge"
            : c.features.a.kind == FeatureKind::vertex ? "A's vertex"
                                                       : "B's vertex"];
      ++met[c.primary ? "primary" : c.feasible ? "not applicable" : "not feasible"];
    }
    met["none"] += found.empty();
  }
  for (const char* regime :
       {"A's vertex", "B's vertex", "primary", "not applicable", "not feasible", "none"}) {
    EXPECT_GT(met[regime], 5) << regime;
  }
  EXPECT_EQ(met["edge-edge"] > 100, D == 3);
}

template <int D>
std::vector<FeatureContact<D>> swapped(std::vector<FeatureContact<D>> contacts) {
  for (auto& c : contacts) {
    std::swap(c.features.a, c.features.b);
    std::swap(c.point_A, c.point_B);
    c.normal = -c.normal;
  }
  sort<D>(contacts);
  return contacts;
}

TYPED_TEST(FeatureContacts, AreMirroredBySwappingTheBodies) {
  constexpr int D = TypeParam::D;
  Random random(33);
  std::size_t count = 0;
  for (int i = 0; i < 60; ++i) {
    const RandomPair<D> pair(random, 20, i % 2 ? 0.01 : -0.1);
    FeatureContactSettings settings;
    settings.reach = 0.2;
    const auto found = find_feature_contacts(pair.A, pair.B, settings);
    expect_same<D>(swapped<D>(find_feature_contacts(pair.B, pair.A, settings)), found, kRoundOff);
    count += found.size();
  }
  EXPECT_GT(count, 300u);
}

TYPED_TEST(FeatureContacts, OfABoxOnALargerOneAreItsCorners) {
  constexpr int D = TypeParam::D;
  const auto box = make_box<D>(Vec<D>::Constant(1)), table = make_box<D>(Vec<D>::Constant(4));
  const Vec<D> up = Vec<D>::Unit(D - 1);
  for (double gap : {0.0, 1e-16, -1e-16, 1e-12, -1e-9, 0.01}) {
    const Placed<D> A{&box, {Mat<D>::Identity(), (0.5 + gap) * up}}, B{&table, {Mat<D>::Identity(), -2 * up}};
    const auto contacts = find_feature_contacts(A, B, {});
    ASSERT_EQ(contacts.size(), 1u << (D - 1));
    for (const auto& c : contacts) {
      EXPECT_EQ(c.features.a.kind, FeatureKind::vertex);
      EXPECT_EQ(c.features.b, (Feature{static_cast<FeatureKind>(D - 1), facet_facing<D>(B, up)}));
      EXPECT_EQ(c.normal, up);
      EXPECT_NEAR(c.gap, gap, 5e-16);
      EXPECT_EQ(c.applicability, 0);
      EXPECT_TRUE(c.primary);
    }
  }
}

TYPED_TEST(FeatureContacts, OfEqualStackedBoxesArePrimaryOnlyAcrossTheGap) {
  constexpr int D = TypeParam::D;
  const auto box = make_box<D>(Vec<D>::Constant(1));
  const Vec<D> up = Vec<D>::Unit(D - 1);
  const Placed<D> A{&box, {Mat<D>::Identity(), up}}, B{&box, {}};
  FeatureContactSettings settings;
  int primary = 0, beside = 0;
  const auto contacts = find_feature_contacts(A, B, settings);
  for (const auto& c : contacts) {
    if (c.features.a.kind == c.features.b.kind) continue;
    const bool across = c.normal == up;
    EXPECT_EQ(c.primary, across);
    EXPECT_EQ(c.gap, 0);
    ++(across ? primary : beside);
  }
  EXPECT_EQ(primary, 2 << (D - 1));             // the corners of either body
  EXPECT_EQ(beside, (D - 1) * (2 << (D - 1)));  // each corner also touches D-1 side faces
  expect_same<D>(contacts, plain_contacts(A, B, settings), 1e-16);
}

TYPED_TEST(FeatureContacts, FarFromTheOriginLoseNothing) {
  constexpr int D = TypeParam::D;
  Random random(34);
  for (int i = 0; i < 20; ++i) {
    RandomPair<D> pair(random, 15, 0.01);
    for (Placed<D>* body : {&pair.A, &pair.B}) {  // positions that stay exact beside 2^30
      body->X_WB.p = (body->X_WB.p * 0x1p18).array().round() * 0x1p-18;
    }
    const auto near = find_feature_contacts(pair.A, pair.B, {});
    for (Placed<D>* body : {&pair.A, &pair.B}) body->X_WB.p.array() += 0x1p30;
    const auto far = find_feature_contacts(pair.A, pair.B, {});
    ASSERT_EQ(near.size(), far.size());
    for (std::size_t k = 0; k < near.size(); ++k) EXPECT_EQ(near[k].gap, far[k].gap);
  }
}

// Figure 3.11: v_a is near the corner of B, feasible for both of its edges but applicable to the upper one
// only.
TEST(FeatureContactsOfFigures, AVertexOverACornerPressesOnTheEdgeThatItsSidesRiseFrom) {
  const auto square = make_box<2>({1, 1});
  const Placed<2> B{&square, {Mat<2>::Identity(), {-0.5, -0.5}}};
  const std::vector<Vec<2>> points{{0.02, 0.03}, {-0.98, 1.03}, {1.02, 1.03}};
  const auto wedge = Polytope<2>::hull(points);
  const Placed<2> A{&wedge, {}};
  const Feature va{FeatureKind::vertex, 1};
  ASSERT_EQ(wedge.vertex(1), points[0]);
  std::map<int, FeatureContact<2>> by_edge;
  for (const auto& c : find_feature_contacts(A, B, {})) {
    if (c.features.a == va) by_edge[c.features.b.index] = c;
  }
  ASSERT_EQ(by_edge.size(), 2u);
  const auto &upper = by_edge[facet_facing<2>(B, {0, 1})], &side = by_edge[facet_facing<2>(B, {1, 0})];
  EXPECT_TRUE(upper.primary);
  EXPECT_NEAR(upper.gap, 0.03, kRoundOff);
  EXPECT_NEAR(upper.applicability, std::sqrt(0.5), kRoundOff);
  EXPECT_FALSE(side.primary);
  EXPECT_TRUE(side.feasible);
  EXPECT_NEAR(side.gap, 0.02, kRoundOff);
  EXPECT_NEAR(side.applicability, -std::sqrt(0.5), kRoundOff);
  for (const auto& c : {upper, side}) EXPECT_LE(c.point_B.norm(), kRoundOff);  // v_b is nearest for both
}

// Figure 3.12: a sharp tip before the corner of a cube may press on any of its three faces.
TEST(FeatureContactsOfFigures, ATipBeforeACubesCornerMayPressOnAllThreeFaces) {
  const auto cube = make_box<3>({1, 1, 1});
  const Placed<3> B{&cube, {Mat<3>::Identity(), {-0.5, -0.5, -0.5}}};
  const std::vector<Vec<3>> points{{0.01, 0.01, 0.02}, {2, 1, 1}, {1, 2, 1}, {1, 1, 2}};
  const auto tip = Polytope<3>::hull(points);
  const Placed<3> A{&tip, {}};
  ASSERT_EQ(tip.vertex(0), points[0]);
  int count = 0;
  for (const auto& c : find_feature_contacts(A, B, {})) {
    if (!(c.features.a == Feature{FeatureKind::vertex, 0}) || c.features.b.kind != FeatureKind::face)
      continue;
    EXPECT_TRUE(c.primary);
    EXPECT_NEAR(c.gap, c.normal.dot(points[0]), kRoundOff);
    EXPECT_LE(c.point_B.norm(), kRoundOff);
    ++count;
  }
  EXPECT_EQ(count, 3);
}

TEST(FeatureContactsOfFigures, EdgesBelowTheAngleGuardMakeNoContact) {
  const auto cube = make_box<3>({1, 1, 1});
  const Placed<3> B{&cube, {}};
  const auto runs_along_y = [](const Placed<3>& P, int e) {
    const auto [tail, head] = ends(P, e);
    return std::abs(head.y() - tail.y()) > 0.5;
  };
  const auto edge_contacts = [&](double angle) {
    const Placed<3> A{&cube, {rotation(Vec<3>::UnitZ(), angle), {0.98, 0, 1.01}}};
    int count = 0;
    for (const auto& c : find_feature_contacts(A, B, {})) {
      if (c.features.a.kind != FeatureKind::edge || c.features.b.kind != FeatureKind::edge) continue;
      count += runs_along_y(A, c.features.a.index) && runs_along_y(B, c.features.b.index);
    }
    return count;
  };
  EXPECT_EQ(edge_contacts(0), 0);
  EXPECT_EQ(edge_contacts(0.9e-3), 0);
  EXPECT_GT(edge_contacts(1.1e-3), 0);
}

}  // namespace
}  // namespace touchstone
