// Every pair of kinds of shapes answers every question that pair_table.h has a column for, in both orders.

#include <gtest/gtest.h>

#include "support/dimensions.h"
#include "touchstone/geometry/bounds.h"
#include "touchstone/math/random.h"
#include "touchstone/proximity/contact_data.h"
#include "touchstone/proximity/witnesses.h"

namespace touchstone {
namespace {

constexpr double kRoundOff = 1e-12;

/// One of each kind, in the order of Shape's alternatives.
template <int D>
std::vector<Shape<D>> one_of_each_kind() {
  std::vector<Shape<D>> all = {make_box<D>(Vec<D>::LinSpaced(0.8, 1.2)), Sphere<D>{0.7},
                               HalfSpace<D>{{Vec<D>::Unit(D - 1), 0.1}}};
  EXPECT_EQ(all.size(), std::variant_size_v<Shape<D>>) << "a new kind belongs into this list";
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i].index(), i);
  return all;
}

/// Calls check(A, B) for all pairs with at least one bounded shape, at many poses, near and overlapping.
template <int D, class Check>
void for_all_pairs(const Check& check) {
  const std::vector<Shape<D>> shapes = one_of_each_kind<D>();
  Random random(4);
  for (const Shape<D>& a : shapes) {
    for (const Shape<D>& b : shapes) {
      if (!is_bounded(a) && !is_bounded(b)) continue;
      for (int i = 0; i < 50; ++i) {
        const Pose<D> X_WA{random.rotation_matrix<D>(), random.uniform(0, 2) * random.direction<D>()};
        const Pose<D> X_WB{random.rotation_matrix<D>(), random.uniform(0, 1) * random.direction<D>()};
        check(PlacedShape<D>{&a, X_WA}, PlacedShape<D>{&b, X_WB});
      }
    }
  }
}

template <class Dimension>
class PairTable : public ::testing::Test {};
TYPED_TEST_SUITE(PairTable, support::Dimensions, support::DimensionNames);

TYPED_TEST(PairTable, TheGapOfEveryPairIsTheSameInBothOrders) {
  constexpr int D = TypeParam::D;
  int overlapping = 0, disjoint = 0;
  for_all_pairs<D>([&](const PlacedShape<D>& A, const PlacedShape<D>& B) {
    const Gap<D> gap = find_gap(A, B), other = find_gap(B, A);
    EXPECT_NEAR(gap.gap, other.gap, kRoundOff);
    EXPECT_EQ(gap.status, other.status);
    EXPECT_NEAR(gap.normal.dot(gap.point_A - gap.point_B), gap.gap, kRoundOff);
    EXPECT_NEAR(gap.normal.norm(), 1, kRoundOff);
    if (gap.normal_is_unique) {
      EXPECT_LE((gap.normal + other.normal).norm(), 1e-9);
    }
    ++(gap.gap < 0 ? overlapping : disjoint);
  });
  EXPECT_GT(overlapping, 50);
  EXPECT_GT(disjoint, 50);
}

TYPED_TEST(PairTable, ContactDataOfEveryPairAreTheSameInBothOrders) {
  constexpr int D = TypeParam::D;
  for_all_pairs<D>([&](const PlacedShape<D>& A, const PlacedShape<D>& B) {
    const ContactData<D> data = find_contact_data(A, B), other = find_contact_data(B, A);
    ASSERT_FALSE(data.manifold.empty());
    if (data.gap.normal_is_unique) {
      EXPECT_EQ(data.manifold.size(), other.manifold.size());
    }
    EXPECT_NEAR(data.overlap, other.overlap, kRoundOff);
    EXPECT_NEAR(data.overlap, find_overlap(A, B), kRoundOff);
    EXPECT_EQ(data.overlap > 0, data.gap.gap < 0);
  });
}

TYPED_TEST(PairTable, TwoHalfSpacesHaveNoGapAndNoWitness) {
  constexpr int D = TypeParam::D;
  const Shape<D> half = HalfSpace<D>{};
  const PlacedShape<D> A{&half, {}};
  EXPECT_THROW(find_gap(A, A), std::invalid_argument);
  EXPECT_EQ(contact_form(half, half), ContactForm::none);
  std::vector<Witness<D>> found;
  find_witnesses(A, A, 1, found);
  EXPECT_TRUE(found.empty());
}

TYPED_TEST(PairTable, TheFormOfContactIsThatOfTheTable) {
  constexpr int D = TypeParam::D;
  using F = ContactForm;
  const F table[3][3] = {{F::features, F::point, F::vertices_of_A},
                         {F::point, F::point, F::point},
                         {F::vertices_of_B, F::point, F::none}};
  const std::vector<Shape<D>> shapes = one_of_each_kind<D>();
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) EXPECT_EQ(contact_form(shapes[a], shapes[b]), table[a][b]) << a << " " << b;
  }
}

/// The nearest witness shows the gap of the pair, and none lies nearer.
TYPED_TEST(PairTable, TheNearestWitnessOfEveryPairShowsItsGap) {
  constexpr int D = TypeParam::D;
  for_all_pairs<D>([&](const PlacedShape<D>& A, const PlacedShape<D>& B) {
    const double gap = find_gap(A, B).gap;
    std::vector<Witness<D>> found, none;
    find_witnesses(A, B, gap + 0.5, found);
    find_witnesses(A, B, gap - 1e-6, none);
    EXPECT_TRUE(none.empty());
    ASSERT_FALSE(found.empty());
    double nearest = std::numeric_limits<double>::infinity();
    for (const Witness<D>& w : found) {
      EXPECT_NEAR(w.normal.dot(w.point_A - w.point_B), w.gap, kRoundOff);
      EXPECT_LE(std::abs(w.normal.dot(w.point - w.point_B)), std::abs(w.gap) + kRoundOff);
      nearest = std::min(nearest, w.gap);
    }
    EXPECT_NEAR(nearest, gap, kRoundOff);
  });
}

}  // namespace
}  // namespace touchstone
