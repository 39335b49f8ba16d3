// What must hold of every contact manifold, on pairs of bodies whose features face each other by
// construction.

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "support/facing_pair.h"
#include "touchstone/geometry/shapes.h"
#include "touchstone/proximity/feature_contacts.h"
#include "touchstone/proximity/manifold.h"

namespace touchstone {
namespace {

using namespace support;

constexpr double kExact = 1e-12;  ///< [sizes of the larger body] that a manifold may be off

template <int N>
struct Dimension {
  static constexpr int D = N;
};
template <class T>
class ManifoldProperty : public testing::Test {};
using Dimensions = testing::Types<Dimension<2>, Dimension<3>>;
TYPED_TEST_SUITE(ManifoldProperty, Dimensions);

const char* name(FeatureKind kind) {
  return kind == FeatureKind::vertex ? "vertex" : kind == FeatureKind::edge ? "edge" : "face";
}

/// Is x in the manifold, to the tolerance? In space this also tells that its corners run counter-clockwise.
bool holds_polygon(const ContactManifold<3>& m, const Vec<3>& x, double tolerance) {
  for (std::size_t i = 0; i < m.points.size(); ++i) {
    const Vec<3>&p = m.points[i].position, &q = m.points[(i + 1) % m.points.size()].position;
    if (m.plane.normal.dot((q - p).normalized().cross(x - p)) < -tolerance) return false;
  }
  return true;
}
bool holds_polygon(const ContactManifold<2>&, const Vec<2>&, double) { return false; }

template <int D>
bool holds(const ContactManifold<D>& m, const Vec<D>& x, double tolerance) {
  if (m.points.size() > 2) return holds_polygon(m, x, tolerance);
  const Vec<D>&p = m.points.front().position, &q = m.points.back().position;
  return (nearest_on_segment<D>(p, q, x).point - x).norm() <= tolerance;
}

template <int D>
double distance_to(const Placed<D>& P, const Feature& feature, const Vec<D>& x) {
  const auto corners = vertices_of(*P.polytope, feature);
  if (feature.kind == FeatureKind::face) return (nearest_on_facet(P, feature.index, x) - x).norm();
  return (nearest_on_segment<D>(P.X_WB * corners.front(), P.X_WB * corners.back(), x).point - x).norm();
}

/// The feature holds x, and no smaller one does.
template <int D>
void check_smallest(const Placed<D>& P, const Feature& feature, const Vec<D>& x, double tolerance) {
  EXPECT_LE(distance_to(P, feature, x), tolerance);
  const double clear = tolerance / 100;  // well above round-off, below what counts as the same place
  for (int v = 0; feature.kind > FeatureKind::vertex && v < P.polytope->vertex_count(); ++v) {
    EXPECT_GT(distance_to(P, {FeatureKind::vertex, v}, x), clear);
  }
  for (int e = 0; feature.kind > FeatureKind::edge && e < P.polytope->edge_count(); ++e) {
    EXPECT_GT(distance_to(P, {FeatureKind::edge, e}, x), clear);
  }
}

/// How much a crossing of edges moves along them when one is moved aside: 1 / sine of their angle.
template <int D>
double conditioning(const FacingPair<D>& pair) {
  const auto a = vertices_of(*pair.A.polytope, pair.gap.features.a),
             b = vertices_of(*pair.B.polytope, pair.gap.features.b);
  if (a.size() != 2 || b.size() != 2) return 1;
  const Vec<D> e = (pair.A.X_WB.R * (a[1] - a[0])).normalized(),
               g = (pair.B.X_WB.R * (b[1] - b[0])).normalized();
  const double sine = moment<D>(e, g).norm();
  return sine > 1e-9 ? 1 / sine : 1;
}

/// Everything that must hold of the manifold of a facing pair.
template <int D>
void check_manifold(const FacingPair<D>& pair, const ContactManifold<D>& m, Random& random) {
  const double tolerance = kExact * pair_size(pair.A, pair.B) + 1e-14 * std::abs(pair.gap.gap);
  const Placed<D> A = moved_A(pair.A, pair.gap), B = moved_B(pair.B, pair.gap);
  EXPECT_FALSE(m.tolerance_widened);
  EXPECT_FALSE(m.midpoint_taken);
  EXPECT_TRUE(holds(m, pair.shared, tolerance * conditioning(pair)));
  for (const auto& point : m.points) {
    EXPECT_LE(std::abs(m.plane.height(point.position)), tolerance);
    EXPECT_LE(height_above(A, point.position), tolerance);
    EXPECT_LE(height_above(B, point.position), tolerance);
    check_smallest(A, point.a, point.position, tolerance);
    check_smallest(B, point.b, point.position, tolerance);
    EXPECT_LE(distance_to(A, m.features.a, point.position), tolerance);
    EXPECT_LE(distance_to(B, m.features.b, point.position), tolerance);
  }
  // Nothing is missing: what of one body's feature lies in the other body lies in the manifold.
  const auto corners = vertices_of(*pair.A.polytope, pair.gap.features.a);
  for (int i = 0; i < 20; ++i) {
    const Vec<D> x = A.X_WB * point_inside(corners, random);
    EXPECT_TRUE(height_above(B, x) > 0 || holds(m, x, tolerance));
  }
}

/// How many corners the manifold of these features has, at least.
int least_corners(const FacingFeatures& f) {
  const int a = static_cast<int>(f.a.kind), b = static_cast<int>(f.b.kind);
  if (a == 0 || b == 0) return 1;
  if (a == 2 && b == 2) return 3;
  return a == 2 || b == 2 || f.parallel ? 2 : 1;
}

template <int D>
struct RandomFacing {
  Polytope<D> P, Q;
  FacingFeatures features;

  RandomFacing(Random& random, double size_A, double size_B)
      : P(random_body(random, size_A)), Q(random_body(random, size_B)) {
    features = {random_feature(P, random), random_feature(Q, random), D == 2 || random.unit() < 0.5};
  }
  FacingPair<D> place(double distance, Random& random) const { return {P, Q, features, distance, random}; }
  std::string regime() const {
    return std::string(name(features.a.kind)) + "-" + name(features.b.kind) +
           (features.parallel ? " parallel" : "");
  }

 private:
  static Polytope<D> random_body(Random& random, double size) {
    const auto body = random.unit() < 0.5 ? make_box<D>(Vec<D>::Constant(1))
                                          : make_random_hull<D>(D + 3 + random.index(12), random.bits());
    return scaled<D>(body, Vec<D>::Constant(size));
  }
  static Feature random_feature(const Polytope<D>& P, Random& random) {
    const int counts[] = {P.vertex_count(), P.edge_count(), P.facet_count()};
    const int kind = random.index(D);
    return {static_cast<FeatureKind>(kind), random.index(counts[kind])};
  }
};

template <int D>
void expect_all_regimes(const std::map<std::string, int>& met, int least) {
  for (int a = 0; a < D; ++a) {
    for (int b = 0; b < D; ++b) {
      const std::string regime =
          std::string(name(static_cast<FeatureKind>(a))) + "-" + name(static_cast<FeatureKind>(b));
      for (const char* suffix : {"", " parallel"}) {
        if (D == 2 && !*suffix) continue;
        EXPECT_TRUE(met.count(regime + suffix) && met.at(regime + suffix) >= least) << regime << suffix;
      }
    }
  }
}

TYPED_TEST(ManifoldProperty, TheManifoldIsAllThatTheMovedBodiesShare) {
  constexpr int D = TypeParam::D;
  const double gaps[] = {0, 1e-15, -1e-15, 1e-12, -1e-12, 1e-9, -1e-9, 1e-6, -1e-6, 0.1, -0.1, 30, 1e5};
  Random random(51);
  std::map<std::string, int> met;
  for (int i = 0; i < 2000; ++i) {
    const RandomFacing<D> facing(random, 1, 1);
    const FacingPair<D> pair = facing.place(gaps[i % std::size(gaps)], random);
    const ContactManifold<D> m = find_manifold(pair.A, pair.B, pair.gap);
    ASSERT_NO_FATAL_FAILURE(check_manifold(pair, m, random));
    EXPECT_GE(static_cast<int>(m.points.size()), least_corners(facing.features)) << facing.regime();
    EXPECT_TRUE(least_corners(facing.features) > 1 || m.points.size() == 1) << facing.regime();
    ++met[facing.regime()];
    if (testing::Test::HasFailure()) FAIL() << facing.regime() << ", pair " << i << ", gap " << pair.gap.gap;
  }
  expect_all_regimes<D>(met, 10);
}

TYPED_TEST(ManifoldProperty, BodiesOfAnySizeAreTreatedAlike) {
  constexpr int D = TypeParam::D;
  Random random(52);
  std::map<std::string, int> met;
  for (int i = 0; i < 1500; ++i) {
    const double size = random.log_uniform(1e-3, 1e3);
    const RandomFacing<D> facing(random, size, size * random.log_uniform(1e-2, 1e2));
    FacingPair<D> pair = facing.place(i % 3 == 0 ? 0 : size * random.uniform(-1e-3, 1e-3), random);
    ASSERT_NO_FATAL_FAILURE(check_manifold(pair, find_manifold(pair.A, pair.B, pair.gap), random));
    ++met[facing.regime()];
    if (testing::Test::HasFailure()) FAIL() << facing.regime() << ", pair " << i << ", size " << size;
  }
  expect_all_regimes<D>(met, 10);
}

/// The same corners, whichever comes first; `mirrored` swaps the bodies.
template <int D>
void expect_same(const ContactManifold<D>& m, const ContactManifold<D>& k, bool mirrored, double tolerance) {
  ASSERT_EQ(m.points.size(), k.points.size());
  for (const auto& p : m.points) {
    const ManifoldPoint<D>* nearest = &k.points[0];
    for (const auto& q : k.points) {
      if ((q.position - p.position).norm() < (nearest->position - p.position).norm()) nearest = &q;
    }
    EXPECT_LE((nearest->position - p.position).norm(), tolerance);
    EXPECT_EQ(p.a, mirrored ? nearest->b : nearest->a);
    EXPECT_EQ(p.b, mirrored ? nearest->a : nearest->b);
  }
  EXPECT_EQ(m.features.a, mirrored ? k.features.b : k.features.a);
  EXPECT_EQ(m.features.b, mirrored ? k.features.a : k.features.b);
}

template <int D>
Gap<D> swapped(Gap<D> gap) {
  gap.normal = -gap.normal;
  std::swap(gap.point_A, gap.point_B);
  std::swap(gap.features.a, gap.features.b);
  return gap;
}

TYPED_TEST(ManifoldProperty, SwappingTheBodiesMirrorsTheManifold) {
  constexpr int D = TypeParam::D;
  Random random(53);
  std::map<std::string, int> met;
  for (int i = 0; i < 1000; ++i) {
    const RandomFacing<D> facing(random, 1, 1);
    const FacingPair<D> pair = facing.place(i % 2 ? 0 : 1e-9, random);
    const auto m = find_manifold(pair.A, pair.B, pair.gap),
               k = find_manifold(pair.B, pair.A, swapped(pair.gap));
    expect_same<D>(m, k, true, kExact);
    EXPECT_EQ(k.plane.normal, -m.plane.normal);
    EXPECT_NEAR(k.plane.offset, -m.plane.offset, kExact);
    EXPECT_TRUE(holds(k, pair.shared, kExact));  // in space: k runs the other way round
    ++met[facing.regime()];
    if (testing::Test::HasFailure()) FAIL() << facing.regime() << ", pair " << i;
  }
  expect_all_regimes<D>(met, 5);
}

template <int D>
ContactManifold<D> after_motion(ContactManifold<D> m, const Pose<D>& X) {
  for (auto& p : m.points) p.position = X * p.position;
  return m;
}

TYPED_TEST(ManifoldProperty, ARigidMotionOfBothBodiesMovesTheManifold) {
  constexpr int D = TypeParam::D;
  Random random(54);
  for (int i = 0; i < 1000; ++i) {
    const RandomFacing<D> facing(random, 1, 1);
    const FacingPair<D> pair = facing.place(i % 2 ? 0 : -1e-6, random);
    const Pose<D> X{random.rotation_matrix<D>(), 3 * random.direction<D>()};
    Gap<D> gap = pair.gap;
    gap.normal = X.R * gap.normal;
    gap.point_A = X * gap.point_A;
    gap.point_B = X * gap.point_B;
    const auto m =
        find_manifold<D>({pair.A.polytope, X * pair.A.X_WB}, {pair.B.polytope, X * pair.B.X_WB}, gap);
    expect_same<D>(m, after_motion(find_manifold(pair.A, pair.B, pair.gap), X), false, kExact);
    if (testing::Test::HasFailure()) FAIL() << facing.regime() << ", pair " << i;
  }
}

TYPED_TEST(ManifoldProperty, TheFeaturesAtTheStartDoNotChangeABit) {
  constexpr int D = TypeParam::D;
  Random random(55);
  for (int i = 0; i < 500; ++i) {
    const RandomFacing<D> facing(random, 1, 1);
    FacingPair<D> pair = facing.place(0, random);
    const auto m = find_manifold(pair.A, pair.B, pair.gap);
    pair.gap.features = {{FeatureKind::vertex, random.index(facing.P.vertex_count())},
                         {FeatureKind::edge, random.index(facing.Q.edge_count())}};
    const auto k = find_manifold(pair.A, pair.B, pair.gap);
    ASSERT_EQ(m.points.size(), k.points.size());
    for (std::size_t c = 0; c < m.points.size(); ++c) EXPECT_EQ(m.points[c].position, k.points[c].position);
    EXPECT_EQ(m.features, k.features);
  }
}

// World points are rounded to 1e-7 m there, but which corners there are does not depend on it.
TYPED_TEST(ManifoldProperty, FarFromTheOriginTheManifoldHasTheSameCorners) {
  constexpr int D = TypeParam::D;
  const Pose<D> there{Mat<D>::Identity(), Vec<D>::Constant(0x1p30)};
  Random random(56);
  int compared = 0;
  for (int i = 0; i < 700; ++i) {
    const RandomFacing<D> facing(random, 1, 1);
    FacingPair<D> pair = facing.place(0, random);
    for (Placed<D>* body : {&pair.A, &pair.B}) {  // positions that stay exact beside 2^30
      body->X_WB.p = (body->X_WB.p * 0x1p20).array().round() * 0x1p-20;
    }
    const auto near = find_manifold(pair.A, pair.B, pair.gap, {1e-5});
    if (near.midpoint_taken) continue;  // the rounding moved vertices and edges past each other
    for (Vec<D>* x : {&pair.A.X_WB.p, &pair.B.X_WB.p, &pair.gap.point_A, &pair.gap.point_B}) *x = there * *x;
    const auto away = find_manifold(pair.A, pair.B, pair.gap, {1e-5});
    expect_same<D>(away, after_motion(near, there), false, 1e-6);
    EXPECT_FALSE(away.tolerance_widened || away.midpoint_taken);
    ++compared;
  }
  EXPECT_GT(compared, 300);
}

// [ContactData eq. 6] With n.v >= 0 at the corners, the bodies approach nowhere in the manifold.
TYPED_TEST(ManifoldProperty, MotionThatPartsTheCornersPartsTheWholeManifold) {
  constexpr int D = TypeParam::D;
  Random random(57);
  for (int i = 0; i < 500; ++i) {
    const RandomFacing<D> facing(random, 1, 1);
    const FacingPair<D> pair = facing.place(0, random);
    const auto m = find_manifold(pair.A, pair.B, pair.gap);
    std::vector<Vec<D>> corners;
    for (const auto& p : m.points) corners.push_back(p.position);
    Spin<D> w;
    for (int k = 0; k < w.size(); ++k) w[k] = random.uniform(-1, 1);
    const auto parting = [&](const Vec<D>& x) { return m.plane.normal.dot(spin_velocity<D>(w, x)); };
    double slowest = 1e300;  // of the corners; a translation along n makes it 0
    for (const Vec<D>& x : corners) slowest = std::min(slowest, parting(x));
    for (int k = 0; k < 20; ++k) EXPECT_GE(parting(point_inside(corners, random)) - slowest, -kExact);
  }
}

}  // namespace
}  // namespace touchstone
