#include "touchstone/contact/peg_constraints.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "touchstone/math/random.h"
#include "touchstone/proximity/gap.h"

namespace touchstone {
namespace {

constexpr double kMargin = 0.1;  // [m]

template <int D>
double most_open(const PairConstraints<D>& found, const std::vector<int>& members) {
  double gap = -INFINITY;
  for (int k : members) gap = std::max(gap, found.contacts[k].gap);
  return gap;
}
template <int D>
bool holds(const PairConstraints<D>& found, const std::vector<std::vector<int>>& lists, double tolerance) {
  return std::all_of(lists.begin(), lists.end(),
                     [&](const auto& members) { return most_open(found, members) >= -tolerance; });
}
template <int D>
bool all_hold(const PairConstraints<D>& found, double tolerance) {
  const bool unilateral = std::all_of(found.unilateral.begin(), found.unilateral.end(),
                                      [&](int k) { return found.contacts[k].gap >= -tolerance; });
  return unilateral && holds(found, found.inter, tolerance) && holds(found, found.cross, tolerance);
}

template <int D>
PairConstraints<D> find(const Placed<D>& A, const Placed<D>& B, PegVariant variant = PegVariant::merged) {
  PairConstraints<D> found;
  find_peg_constraints(PegPair<D>{A, B, kMargin, {}}, variant, found);
  return found;
}

template <int D>
Polytope<D> random_body(Random& random) {
  std::vector<Vec<D>> points;
  for (int k = 0; k < 9; ++k) points.push_back(.5 * random.direction<D>());
  return Polytope<D>::hull(points);
}

/// B moved along a random direction until the gap is about `gap`.
template <int D>
Placed<D> near(const Placed<D>& A, const Polytope<D>& B, double gap, Random& random) {
  const Vec<D> direction = random.direction<D>();
  Placed<D> placed{&B, {random.rotation_matrix<D>(), Vec<D>::Zero()}};
  double low = 0, high = 3;
  for (int i = 0; i < 40; ++i) {
    placed.X_WB.p = .5 * (low + high) * direction;
    (find_gap(A, placed).gap < gap ? low : high) = .5 * (low + high);
  }
  return placed;
}

/// Constraints by features, whatever the order of the contacts.
template <int D>
std::multiset<std::set<std::vector<int>>> by_features(const PairConstraints<D>& found,
                                                      const std::vector<std::vector<int>>& lists,
                                                      bool swapped) {
  std::multiset<std::set<std::vector<int>>> all;
  for (const auto& members : lists) {
    std::set<std::vector<int>> list;
    for (int k : members) {
      FeaturePair f = found.contacts[k].features;
      if (swapped) std::swap(f.a, f.b);
      list.insert({static_cast<int>(f.a.kind), f.a.index, static_cast<int>(f.b.kind), f.b.index});
    }
    all.insert(list);
  }
  return all;
}

template <int D>
void expect_vertices_hold_apart() {
  Random random(11);
  int lists = 0;
  for (int i = 0; i < 500; ++i) {
    const Polytope<D> P = random_body<D>(random), Q = random_body<D>(random);
    const Placed<D> A{&P, {}};
    const Placed<D> B = near<D>(A, Q, random.uniform(0, .08), random);
    if (find_gap(A, B).gap < 0) continue;
    const PairConstraints<D> found = find(A, B);
    EXPECT_TRUE(holds(found, found.inter, 1e-12)) << "pair " << i;
    lists += static_cast<int>(found.inter.size());
  }
  EXPECT_GT(lists, 200);
}
TEST(PegConstraints, OfVerticesHoldInEveryStateWithoutOverlapInThePlane) { expect_vertices_hold_apart<2>(); }
TEST(PegConstraints, OfVerticesHoldInEveryStateWithoutOverlapInSpace) { expect_vertices_hold_apart<3>(); }

template <int D>
int admitted_overlaps(PegVariant variant, int trials) {
  Random random(12);
  int admitted = 0;
  for (int i = 0; i < trials; ++i) {
    const Polytope<D> P = random_body<D>(random), Q = random_body<D>(random);
    const Placed<D> A{&P, {}};
    const Placed<D> B = near<D>(A, Q, -random.log_uniform(1e-4, 1e-2), random);
    admitted += all_hold(find(A, B, variant), 1e-7);
  }
  return admitted;
}
TEST(PegConstraints, AreViolatedInEveryStateOfSmallOverlapInThePlane) {
  EXPECT_EQ(admitted_overlaps<2>(PegVariant::merged, 2000), 0);
}
TEST(PegConstraints, AreViolatedInNearlyEveryStateOfSmallOverlapInSpace) {
  const int peg = admitted_overlaps<3>(PegVariant::merged, 1000);
  const int lnc = admitted_overlaps<3>(PegVariant::lnc, 1000);
  std::printf("of 1000 overlaps in space peg admits %d, lnc %d\n", peg, lnc);
  EXPECT_LE(peg, 10);
  EXPECT_GT(lnc, 100);
}

/// A wedge with its tip at the origin that opens upwards (+1) or downwards (-1).
Polytope<2> wedge(double up, Random& random) {
  const double lean = random.uniform(-.3, .3), half = random.uniform(.05, .2);
  const std::vector<Vec<2>> corners = {Vec<2>::Zero(),
                                       up * Vec<2>(std::sin(lean - half), std::cos(lean - half)),
                                       up * Vec<2>(std::sin(lean + half), std::cos(lean + half))};
  return Polytope<2>::hull(corners);
}
TEST(PegConstraints, OfSharpTipsForbidToCrossWhichVerticesAloneAllow) {
  Random random(16);
  int overlaps = 0, lnc = 0;
  for (int i = 0; i < 3000; ++i) {
    const Polytope<2> P = wedge(1, random), Q = wedge(-1, random);
    const Vec<2> offset(random.uniform(-.02, .02), random.uniform(-.06, 0));
    const Placed<2> A{&P, {Mat<2>::Identity(), offset}}, B{&Q, {}};
    if (find_gap(A, B).gap > -1e-4) continue;
    ++overlaps;
    EXPECT_FALSE(all_hold(find(A, B), 1e-7)) << "wedges " << i;
    lnc += all_hold(find(A, B, PegVariant::lnc), 1e-7);
  }
  EXPECT_GT(overlaps, 500);
  EXPECT_GT(lnc, 20) << "lnc lets them cross [Thesis figure 4.4]";
}

TEST(PegConstraints, FewFreeStatesOfThePlaneAreForbidden) {
  Random random(13);
  int forbidden = 0, corners = 0;
  for (int i = 0; i < 4000; ++i) {
    const Polytope<2> P = random_body<2>(random), Q = random_body<2>(random);
    const Placed<2> A{&P, {}};
    const Placed<2> B = near<2>(A, Q, random.uniform(0, .08), random);
    const PairConstraints<2> found = find(A, B);
    if (found.cross.empty()) continue;
    ++corners;
    forbidden += !holds(found, found.cross, 1e-9);
  }
  EXPECT_GT(corners, 300);
  EXPECT_LT(forbidden, .06 * corners) << "3.3 % of wedges [PEG 4.2]";
}

template <int D>
void expect_symmetric(PegVariant variant) {
  Random random(14);
  int cross = 0;
  for (int i = 0; i < 300; ++i) {
    const Polytope<D> P = random_body<D>(random), Q = random_body<D>(random);
    const Placed<D> A{&P, {}};
    const Placed<D> B = near<D>(A, Q, random.uniform(-.01, .05), random);
    const PairConstraints<D> one = find(A, B, variant), other = find(B, A, variant);
    EXPECT_EQ(by_features(one, one.inter, false), by_features(other, other.inter, true));
    EXPECT_EQ(by_features(one, one.cross, false), by_features(other, other.cross, true));
    EXPECT_EQ(by_features(one, {one.unilateral}, false), by_features(other, {other.unilateral}, true));
    cross += static_cast<int>(one.cross.size());
  }
  EXPECT_GT(cross, 50);
}
TEST(PegConstraints, DoNotDependOnWhichBodyIsFirst) {
  expect_symmetric<2>(PegVariant::merged);
  expect_symmetric<2>(PegVariant::printed);
  expect_symmetric<3>(PegVariant::merged);
}

TEST(PegConstraints, OfTwoCornersSayOnOneSideOrTheOther) {
  // Two squares that stand on their corners, one above the other [Thesis figure 4.3].
  const Polytope<2> square = make_box<2>({1, 1});
  const Mat<2> tilted = rotation(M_PI / 4);
  Random random(15);
  int left = 0, right = 0, neither = 0;
  for (int i = 0; i < 2000; ++i) {
    const Vec<2> offset(random.uniform(-.06, .06), std::sqrt(2.) + random.uniform(-.06, .06));
    const Placed<2> A{&square, {tilted, offset}}, B{&square, {tilted, Vec<2>::Zero()}};
    for (PegVariant variant : {PegVariant::printed, PegVariant::merged}) {
      const PairConstraints<2> found = find(A, B, variant);
      ASSERT_EQ(found.inter.size(), 2u);
      ASSERT_EQ(found.cross.size(), 2u);
      ASSERT_EQ(found.contacts.size(), 4u);
      // On the right both normals from B to A point to the right, on the left to the left.
      double worst_right = INFINITY, worst_left = INFINITY;
      for (const FeatureContact<2>& c : found.contacts) {
        double& worst = c.normal.x() > 0 ? worst_right : worst_left;
        worst = std::min(worst, c.gap);
      }
      EXPECT_EQ(all_hold(found, 0), worst_right >= 0 || worst_left >= 0);
      right += worst_right >= 0, left += worst_left >= 0, neither += worst_right < 0 && worst_left < 0;
    }
  }
  EXPECT_GT(left, 100);
  EXPECT_GT(right, 100);
  EXPECT_GT(neither, 100);
}

TEST(PegConstraints, AShortEdgeIsPassedByTheListOfAllThreeFacets) {
  // A chamfer of 2 cm: the vertex above it is near three facets [PEG 4.1].
  const std::vector<Vec<2>> corners = {{-.5, -.5}, {.5, -.5}, {.5, .48}, {.48, .5}, {-.5, .5}};
  const std::vector<Vec<2>> tip = {{0, 0}, {.3, .5}, {-.3, .5}};
  const Polytope<2> chamfered = Polytope<2>::hull(corners), wedge = Polytope<2>::hull(tip);
  const Placed<2> A{&wedge, {Mat<2>::Identity(), Vec<2>(.5, .52)}}, B{&chamfered, {}};
  const PairConstraints<2> merged = find(A, B), printed = find(A, B, PegVariant::printed);
  const auto longest = [](const PairConstraints<2>& found) {
    std::size_t most = 0;
    for (const auto& members : found.inter) most = std::max(most, members.size());
    return most;
  };
  EXPECT_EQ(longest(merged), 3u);
  EXPECT_EQ(longest(printed), 2u) << "two lists of two: a trap";
}

TEST(PegConstraints, OfACubeBesideAnEdgeAskForItsFaceOrItsEdge) {
  // The cube's lower corners stand out over the table's edge by 2 cm.
  const Polytope<3> cube = make_box<3>(Vec<3>::Ones()), table = make_box<3>({4, 4, 1});
  const Placed<3> A{&cube, {Mat<3>::Identity(), Vec<3>(1.52, 0, 1)}}, B{&table, {}};
  const PairConstraints<3> found = find(A, B);
  EXPECT_EQ(found.inter.size(), 2u) << "two corners, top or side";
  ASSERT_EQ(found.cross.size(), 2u) << "their edges that lead back over the table";
  for (const auto& members : found.cross) {
    ASSERT_EQ(members.size(), 2u);
    for (int k : members) EXPECT_LT((found.contacts[k].normal - Vec<3>::UnitZ()).norm(), 1e-12);
  }
}

TEST(PegConstraints, ModelsRegisterByName) {
  for (const char* name : {"peg", "peg-printed", "lnc"}) {
    EXPECT_TRUE(make_contact_model<2>(name)->has_choices());
    EXPECT_TRUE(make_contact_model<3>(name)->has_choices());
  }
  EXPECT_FALSE(make_contact_model<2>("standard")->has_choices());
}

}  // namespace
}  // namespace touchstone
