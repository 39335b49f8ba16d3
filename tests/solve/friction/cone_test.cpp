#include "touchstone/solve/friction/cone.h"

#include <gtest/gtest.h>

#include <cmath>

#include "touchstone/math/random.h"
#include "touchstone/solve/friction/cone_algebra.h"

namespace touchstone {
namespace {

template <int D>
ContactVector<D> random_vector(Random& random) {
  ContactVector<D> x;
  for (double& component : x) component = random.uniform(-1, 1);
  return x;
}

template <class Dimension>
class Cone : public testing::Test {};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Cone, Dimensions);

/// Moreau: x = p + n with p in K, n in the polar cone, p . n = 0 is what the projection p alone does.
TYPED_TEST(Cone, ProjectionSplitsAVectorIntoOrthogonalParts) {
  constexpr int D = TypeParam::value;
  Random random(1);
  int inside = 0, apex = 0, side = 0;
  for (int k = 0; k < 10000; ++k) {
    const double mu = k % 10 == 0 ? 0 : random.log_uniform(0.01, 10);
    const ContactVector<D> x = random_vector<D>(random), p = project_on_cone<D>(x, mu), n = x - p;
    const double noise = 1e-15 * (1 + mu);  // mu multiplies the last digit of what it stands before
    EXPECT_LE(p.template tail<D - 1>().norm(), mu * p[0] + noise);
    EXPECT_LE(mu * n.template tail<D - 1>().norm(), -n[0] + noise);
    EXPECT_NEAR(p.dot(n), 0, 1e-15);
    inside += p == x;
    apex += p.isZero(0);
    side += p != x && !p.isZero(0);
  }
  EXPECT_GT(inside, 500);
  EXPECT_GT(apex, 500);
  EXPECT_GT(side, 500);
}

TYPED_TEST(Cone, ProjectionHasTheDerivativeThatDifferencesShow) {
  constexpr int D = TypeParam::value;
  constexpr double kStep = 1e-6;
  Random random(2);
  double worst = 0;
  for (int k = 0; k < 2000; ++k) {
    const double mu = random.uniform(0.1, 2);
    const ContactVector<D> x = random_vector<D>(random);
    // Away from the kinks, where there is no derivative.
    const double t = x.template tail<D - 1>().norm();
    if (std::abs(t - mu * x[0]) < 1e-3 || std::abs(mu * t + x[0]) < 1e-3 || t < 1e-2) continue;
    const ContactMatrix<D> derivative = cone_projection_derivative<D>(x, mu);
    for (int j = 0; j < D; ++j) {
      const ContactVector<D> h = kStep * ContactVector<D>::Unit(j);
      const ContactVector<D> difference =
          (project_on_cone<D>(x + h, mu) - project_on_cone<D>(x - h, mu)) / (2 * kStep);
      worst = std::max(worst, (difference - derivative.col(j)).norm());
    }
  }
  EXPECT_LT(worst, 1e-6);
}

TYPED_TEST(Cone, NaturalMapVanishesWhereTheLawHoldsAndOnlyThere) {
  constexpr int D = TypeParam::value;
  using Tangent = ContactVector<D - 1>;
  Random random(3);
  for (int k = 0; k < 1000; ++k) {
    const double mu = random.uniform(0, 2), rho = random.log_uniform(0.1, 10);
    const Tangent d = random_vector<D - 1>(random).normalized();
    ContactVector<D> r = ContactVector<D>::Zero(), u = ContactVector<D>::Zero();
    const double push = random.uniform(0.1, 1), speed = random.uniform(0.1, 1);
    if (k % 3 == 0) {  // open
      u << speed, random_vector<D - 1>(random);
    } else if (k % 3 == 1) {  // sticks
      r << push, 0.9 * mu * push * d;
    } else {  // slides
      r << push, mu * push * d;
      u << 0, -speed * d;
    }
    EXPECT_LT(natural_map<D>(r, u, mu, rho).norm(), 1e-14);
    u[0] -= 0.1;  // the bodies would enter each other
    r[0] += k % 3 == 0 ? 0.1 : 0;
    EXPECT_GT(natural_map<D>(r, u, mu, rho).norm(), 1e-3);
  }
}

TYPED_TEST(Cone, WithoutFrictionIsARayWithATip) {
  constexpr int D = TypeParam::value;
  ContactVector<D> above = ContactVector<D>::Zero(), below = ContactVector<D>::Zero();
  above[0] = 2;
  below[0] = -2;
  EXPECT_EQ(project_on_cone<D>(above, 0), above);
  EXPECT_TRUE(project_on_cone<D>(below, 0).isZero(0));
  above[1] = 1;
  EXPECT_EQ(project_on_cone<D>(above, 0), ContactVector<D>(2 * ContactVector<D>::Unit(0)));
}

/// A vector inside the second-order cone.
template <int D>
ContactVector<D> random_inside(Random& random) {
  ContactVector<D> x = random_vector<D>(random);
  x[0] = x.template tail<D - 1>().norm() + random.log_uniform(1e-6, 1);
  return x;
}

TYPED_TEST(Cone, AlgebraDividesWhatItMultiplies) {
  constexpr int D = TypeParam::value;
  Random random(4);
  for (int k = 0; k < 1000; ++k) {
    ContactVector<D> l = random_inside<D>(random);
    l[0] += 0.1;
    const ContactVector<D> x = random_vector<D>(random);
    EXPECT_LT((cone_quotient<D>(l, cone_product<D>(l, x)) - x).norm(), 1e-12);
  }
}

TYPED_TEST(Cone, ScalingTakesBothVectorsToOne) {
  constexpr int D = TypeParam::value;
  Random random(5);
  for (int k = 0; k < 1000; ++k) {
    const ContactVector<D> z = random_inside<D>(random), s = random_inside<D>(random);
    const ContactMatrix<D> V = cone_scaling<D>(z, s);
    EXPECT_LT((V - V.transpose()).norm(), 1e-14 * V.norm());
    EXPECT_LT((V * (V * z) - s).norm(), 1e-9 * V.norm() * V.norm() * z.norm());
  }
}

TYPED_TEST(Cone, StepsReachTheBoundaryAndNotBeyond) {
  constexpr int D = TypeParam::value;
  Random random(6);
  int bounded = 0;
  for (int k = 0; k < 5000; ++k) {
    const ContactVector<D> x = random_inside<D>(random), dx = random_vector<D>(random);
    const double t = cone_step<D>(x, dx, 100);
    const ContactVector<D> end = x + t * dx, before = x + 0.999 * t * dx;
    EXPECT_GT(before[0] - before.template tail<D - 1>().norm(), -1e-12);
    if (t == 100) continue;
    ++bounded;
    EXPECT_NEAR(end[0] - end.template tail<D - 1>().norm(), 0, 1e-8);
  }
  EXPECT_GT(bounded, 2000);
}

}  // namespace
}  // namespace touchstone
