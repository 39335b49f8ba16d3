// The gap and the manifold together: whatever the gap query answers, the manifold needs no fall-back and lies
// in both moved bodies.

#include <gtest/gtest.h>

#include <map>

#include "support/facing_pair.h"
#include "touchstone/geometry/shapes.h"
#include "touchstone/proximity/manifold.h"

namespace touchstone {
namespace {

using namespace support;

constexpr double kExact = 1e-12;  ///< [sizes of the larger body]

template <int N>
struct Dimension {
  static constexpr int D = N;
};
template <class T>
class ManifoldOfGap : public testing::Test {};
using Dimensions = testing::Types<Dimension<2>, Dimension<3>>;
TYPED_TEST_SUITE(ManifoldOfGap, Dimensions);

template <int D>
void check(const Placed<D>& A, const Placed<D>& B, const Gap<D>& gap, const ContactManifold<D>& m) {
  const double tolerance = kExact * pair_size(A, B);
  EXPECT_FALSE(m.tolerance_widened);
  EXPECT_FALSE(m.midpoint_taken);
  for (const auto& p : m.points) {
    EXPECT_LE(std::abs(m.plane.height(p.position)), tolerance);
    EXPECT_LE(height_above(moved_A(A, gap), p.position), tolerance);
    EXPECT_LE(height_above(moved_B(B, gap), p.position), tolerance);
  }
}

TYPED_TEST(ManifoldOfGap, InGeneralPositionIsAPointOfOneVertexOrOfTwoEdges) {
  constexpr int D = TypeParam::D;
  Random random(61);
  std::map<Status, int> met;
  for (int i = 0; i < 1500; ++i) {
    const auto P = make_random_hull<D>(D + 2 + random.index(20), random.bits()),
               Q = make_box<D>(Vec<D>::Constant(1));
    const Placed<D> A{&P, {random.rotation_matrix<D>(), random.uniform(0, 3) * random.direction<D>()}};
    const Placed<D> B{&Q, {random.rotation_matrix<D>(), Vec<D>::Zero()}};
    const Gap<D> gap = find_gap(A, B);
    const auto m = find_manifold(A, B, gap);
    check(A, B, gap, m);
    EXPECT_EQ(m.points.size(), 1u);
    ++met[gap.status];
    if (testing::Test::HasFailure()) FAIL() << "pair " << i << ", gap " << gap.gap;
  }
  EXPECT_GT(met[Status::disjoint], 100);
  EXPECT_GT(met[Status::overlapping], 100);
}

TYPED_TEST(ManifoldOfGap, OfFacingFeaturesIsThatOfTheirKnownGap) {
  constexpr int D = TypeParam::D;
  Random random(62);
  std::map<std::size_t, int> corners;
  const double gaps[] = {1e-9, 1e-6, 1e-3, 1};
  for (int i = 0; i < 1500; ++i) {
    const auto P = i % 2 ? make_random_hull<D>(D + 5, random.bits()) : make_box<D>(Vec<D>::Constant(1));
    const auto Q = make_box<D>(Vec<D>::Constant(1.5));
    const int kind = i % D, other = i / D % D;
    const auto count = [](const Polytope<D>& R, int k) {
      return k == 0 ? R.vertex_count() : k == 1 ? R.edge_count() : R.facet_count();
    };
    const FacingFeatures features{{static_cast<FeatureKind>(kind), random.index(count(P, kind))},
                                  {static_cast<FeatureKind>(other), random.index(count(Q, other))},
                                  i % 3 == 0};
    const FacingPair<D> pair(P, Q, features, gaps[i % 4], random);
    const Gap<D> gap = find_gap(pair.A, pair.B);
    const auto m = find_manifold(pair.A, pair.B, gap), known = find_manifold(pair.A, pair.B, pair.gap);
    check(pair.A, pair.B, gap, m);
    EXPECT_NEAR(gap.gap, pair.gap.gap, 1e-14 * pair_size(pair.A, pair.B) + 1e-14 * pair.gap.gap);
    EXPECT_EQ(m.points.size(), known.points.size());
    EXPECT_EQ(m.features, known.features);
    ++corners[std::min<std::size_t>(m.points.size(), 3)];
    if (testing::Test::HasFailure())
      FAIL() << "pair " << i << ", kinds " << kind << " " << other << ", gap " << gap.gap;
  }
  for (int n = 1; n <= D; ++n) EXPECT_GT(corners[n], 100) << n << " corners";
}

TYPED_TEST(ManifoldOfGap, OfBoxesOnAGridIsTheBoxTheirFacesShare) {
  constexpr int D = TypeParam::D;
  const auto box = make_box<D>(Vec<D>::Constant(2));
  Random random(63);
  int touching = 0;
  for (int i = 0; i < 1000; ++i) {
    Vec<D> at;
    for (int k = 0; k < D; ++k) at[k] = 0.5 * (random.index(13) - 6);
    const Placed<D> A{&box, {Mat<D>::Identity(), at}}, B{&box, {}};
    const Gap<D> gap = find_gap(A, B);
    const auto m = find_manifold(A, B, gap);
    check(A, B, gap, m);
    touching += gap.status == Status::touching;
    if (!gap.normal_is_unique || gap.normal.cwiseAbs().maxCoeff() != 1) continue;
    // Face to face: across the normal the manifold is the overlap of the boxes, and may have no width.
    double extent = 1;
    for (int k = 0; k < D; ++k) {
      if (gap.normal[k] == 0) extent *= 2 - std::abs(at[k]);
    }
    EXPECT_EQ(m.points.size() == (1u << (D - 1)), extent > 0) << at.transpose();
    if (testing::Test::HasFailure()) FAIL() << at.transpose();
  }
  EXPECT_GT(touching, 50);
}

}  // namespace
}  // namespace touchstone
