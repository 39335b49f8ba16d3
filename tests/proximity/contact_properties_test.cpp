// Contact manifolds on the pose sets, judged by the oracle: they lie in both bodies once these are brought to
// kiss, and they are enough to keep the bodies apart [ContactData eq. 6].

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "oracles/signed_distance.h"
#include "support/feature_cases.h"
#include "support/pose_sets.h"
#include "touchstone/proximity/manifold.h"

namespace touchstone {
namespace {

using support::CaseCount;
using support::PosedPair;

constexpr int kPairsPerSet = 720;
/// [sizes] A vertex counts as in the contact plane within ManifoldSettings::plane_tolerance of it, 1e-10;
/// corners of the manifold may be as far from either body, and a witness found on bodies far off a round-off
/// of its place.
constexpr double kInPlane = 2e-10;

template <int D>
std::vector<support::PoseSet<D>> some_sets() {
  const auto names = support::pose_set_names<D>();
  return {support::make_kissing_set<D>(), support::make_pose_set<D>(names[0]),
          support::make_pose_set<D>(names[1]), support::make_pose_set<D>(names[2]),
          support::make_pose_set<D>(names[3])};
}

/// A pair brought to kiss: each body moved by half of the gap.
template <int D>
struct Kiss {
  Placed<D> A, B;
  Gap<D> gap;  ///< of the pair as it was
  ContactManifold<D> manifold;
};

template <int D>
Kiss<D> kiss_of(const PosedPair<D>& pair) {
  const Gap<D> gap = find_gap<D>(pair.A, pair.B);
  Kiss<D> kiss{pair.A, pair.B, gap, find_manifold<D>(pair.A, pair.B, gap)};
  kiss.A.X_WB.p -= gap.gap / 2 * gap.normal;
  kiss.B.X_WB.p += gap.gap / 2 * gap.normal;
  return kiss;
}

template <int D, class Function>
void for_kisses(const std::string& property, const Function& f) {
  CaseCount cases;
  for (const auto& set : some_sets<D>()) {
    for (int i = 0; i < kPairsPerSet; ++i) {
      const PosedPair<D> pair = set.pair(i);
      SCOPED_TRACE(set.name() + " pair " + std::to_string(i) + " " + pair.kind);
      const Kiss<D> kiss = kiss_of(pair);
      cases.add(support::case_of(kiss.manifold));
      f(kiss);
      if (testing::Test::HasFailure()) return;
    }
  }
  cases.expect_all<D>(property);
}

// ---- in both bodies ---------------------------------------------------------------------------------------

template <int D>
void expect_manifold_in_both_bodies() {
  for_kisses<D>("manifold in both bodies", [](const Kiss<D>& kiss) {
    const double allowed = kInPlane * pair_size(kiss.A, kiss.B);
    ASSERT_FALSE(kiss.manifold.points.empty());
    // Corners a hair apart may miss each other along a facet's normal; nothing else needs a fall-back.
    EXPECT_FALSE(kiss.manifold.tolerance_widened && kiss.gap.normal_is_unique);
    EXPECT_FALSE(kiss.manifold.midpoint_taken && kiss.gap.normal_is_unique);
    EXPECT_LE((kiss.manifold.plane.normal - kiss.gap.normal).norm(), 1e-15);
    for (const ManifoldPoint<D>& point : kiss.manifold.points) {
      EXPECT_LE(std::abs(kiss.manifold.plane.height(point.position)), allowed);
      EXPECT_LE(oracle::height_over<D>(kiss.A, point.position), allowed);
      EXPECT_LE(oracle::height_over<D>(kiss.B, point.position), allowed);
    }
  });
}

TEST(ContactProperty, TheManifoldLiesInBothBodiesInThePlane) { expect_manifold_in_both_bodies<2>(); }
TEST(ContactProperty, TheManifoldLiesInBothBodiesInSpace) { expect_manifold_in_both_bodies<3>(); }

// ---- enough to keep the bodies apart ----------------------------------------------------------------------

/// [s] Short, so that terms of first order stand out from those of second order.
constexpr double kInstant = 1e-6;
/// Accelerations of points are at most a few (velocities here are of one size per second and 1 rad/s): within
/// the instant they may bring bodies closer by this, in sizes.
constexpr double kSecondOrder = 10 * kInstant * kInstant;

template <int D>
struct Twist {
  Vec<D> v;   ///< [m/s] of the centre
  Spin<D> w;  ///< [rad/s]
};

template <int D>
Twist<D> random_twist(Random& random, double size) {
  Twist<D> twist{size * random.direction<D>(), Spin<D>()};
  for (int k = 0; k < kSpinSize<D>; ++k) twist.w[k] = random.uniform(-0.7, 0.7);
  return twist;
}

template <int D>
Vec<D> centre_of(const Placed<D>& P) {
  return P.X_WB * P.polytope->centre();
}

template <int D>
Vec<D> velocity_at(const Placed<D>& P, const Twist<D>& twist, const Vec<D>& x) {
  return twist.v + spin_velocity<D>(twist.w, x - centre_of(P));
}

Mat<2> turned_by(const Spin<2>& w) { return rotation(w[0]); }
Mat<3> turned_by(const Spin<3>& w) { return rotation(w.normalized(), w.norm()); }

template <int D>
Placed<D> after(const Placed<D>& P, const Twist<D>& twist, double time) {
  const Vec<D> centre = centre_of(P);
  const Mat<D> R = turned_by(Spin<D>(time * twist.w));
  return {P.polytope, {R * P.X_WB.R, centre + time * twist.v + R * (P.X_WB.p - centre)}};
}

/// How much the gap changes within the instant, in sizes, if the bodies move at random but for this: the
/// slowest of the given points neither parts nor closes along the normal [ContactData eq. 6, 7].
template <int D>
double change_of_gap(const Kiss<D>& kiss, std::span<const ManifoldPoint<D>> points, Random& random) {
  const double size = pair_size(kiss.A, kiss.B);
  Twist<D> a = random_twist<D>(random, size);
  const Twist<D> b = random_twist<D>(random, size);
  const Vec<D>& n = kiss.gap.normal;
  double slowest = std::numeric_limits<double>::infinity();
  for (const ManifoldPoint<D>& point : points) {
    const Vec<D> relative = velocity_at(kiss.A, a, point.position) - velocity_at(kiss.B, b, point.position);
    slowest = std::min(slowest, n.dot(relative));
  }
  a.v -= slowest * n;
  const auto before = oracle::signed_distance<D>(kiss.A, kiss.B).gap;
  const auto later = oracle::signed_distance<D>(after(kiss.A, a, kInstant), after(kiss.B, b, kInstant)).gap;
  return static_cast<double>(later - before) / size;
}

/// Also with a corner left out, as a check that the test can fail: then some pairs must come closer.
template <int D>
void expect_manifold_keeps_apart() {
  Random random(21);
  int short_of_a_corner = 0, closer = 0;
  for_kisses<D>("manifold keeps bodies apart", [&](const Kiss<D>& kiss) {
    const std::span<const ManifoldPoint<D>> points = kiss.manifold.points;
    EXPECT_GE(change_of_gap<D>(kiss, points, random), -kSecondOrder);
    if (points.size() < 2) return;
    ++short_of_a_corner;
    closer += change_of_gap<D>(kiss, points.subspan(1), random) < -kSecondOrder;
  });
  EXPECT_GT(closer, short_of_a_corner / 10);
}

TEST(ContactProperty, TheManifoldIsEnoughToKeepBodiesApartInThePlane) { expect_manifold_keeps_apart<2>(); }
TEST(ContactProperty, TheManifoldIsEnoughToKeepBodiesApartInSpace) { expect_manifold_keeps_apart<3>(); }

}  // namespace
}  // namespace touchstone
