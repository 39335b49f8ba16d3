#include "touchstone/solve/friction/friction_contact.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "touchstone/math/random.h"

namespace touchstone {
namespace {

template <class Dimension>
class FrictionContact : public testing::Test {};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(FrictionContact, Dimensions);

template <int D>
OneContact<D> random_contact(Random& random) {
  OneContact<D> contact;
  ContactMatrix<D> A;
  for (double& entry : A.reshaped()) entry = random.uniform(-1, 1);
  contact.W = A * A.transpose();
  contact.W.diagonal().array() += 0.05;
  contact.W *= random.log_uniform(1e-6, 1e3);
  for (double& component : contact.q) component = random.uniform(-1, 1);
  contact.mu = random.unit() < 0.1 ? 0 : random.log_uniform(0.01, 3);
  return contact;
}

/// How far r is from Coulomb's law, relative to q; rho makes impulses comparable with velocities.
template <int D>
double violation(const OneContact<D>& contact, const ContactVector<D>& r) {
  const double w = contact.W.trace() / D;
  const ContactVector<D> u = contact.W * r + contact.q;
  return w * natural_map<D>(r, u, contact.mu, 1 / w).norm() / contact.q.norm();
}

TYPED_TEST(FrictionContact, IsSolvedToTheLastDigitsInEveryState) {
  constexpr int D = TypeParam::value;
  Random random(11);
  int count[3] = {};
  double worst = 0;
  for (int k = 0; k < 20000; ++k) {
    const OneContact<D> contact = random_contact<D>(random);
    const ContactAnswer<D> answer = solve_contact<D>(contact, ContactVector<D>::Zero());
    worst = std::max(worst, violation<D>(contact, answer.r));
    ++count[static_cast<int>(answer.state)];
  }
  EXPECT_LT(worst, 1e-12);
  for (const int met : count) EXPECT_GT(met, 1000);
}

TYPED_TEST(FrictionContact, StaysAtAnAnswerThatItHas) {
  constexpr int D = TypeParam::value;
  Random random(12);
  int several = 0;
  for (int k = 0; k < 20000; ++k) {
    OneContact<D> contact = random_contact<D>(random);
    contact.mu = random.uniform(0.5, 3);
    // An answer that sticks or slides, made before q.
    const bool slides = k % 2;
    const double push = random.uniform(0.1, 1);
    ContactVector<D> r, u = ContactVector<D>::Zero();
    const ContactVector<D - 1> d = random.direction<3>().template head<D - 1>().normalized();
    r << push, (slides ? 1.0 : 0.5) * contact.mu * push * d;
    if (slides) u.template tail<D - 1>() = -0.3 * d;
    contact.q = u - contact.W * r;
    const ContactAnswer<D> answer = solve_contact<D>(contact, r);
    EXPECT_LT(violation<D>(contact, answer.r), 1e-11);
    EXPECT_LT((answer.r - r).norm(), 1e-6 * r.norm()) << k;
    several += contact.q[0] >= 0;
  }
  EXPECT_GT(several, 100) << "contacts that could as well be open";
}

TYPED_TEST(FrictionContact, ThatNothingCanPushGetsNoImpulse) {
  constexpr int D = TypeParam::value;
  OneContact<D> contact;
  contact.W.setZero();
  contact.q.setConstant(-1);
  contact.mu = 0.5;
  EXPECT_TRUE(solve_contact<D>(contact, ContactVector<D>::Zero()).r.isZero(0));
}

TYPED_TEST(FrictionContact, IsSolvedForRoundOffToo) {
  constexpr int D = TypeParam::value;
  OneContact<D> contact;
  contact.W.setIdentity();
  contact.q.setZero();
  contact.q[0] = -5e-18;
  contact.mu = 0.3;
  EXPECT_EQ(solve_contact<D>(contact, ContactVector<D>::Zero()).r[0], 5e-18);
  contact.q[1] = 1;  // slides
  const ContactAnswer<D> answer = solve_contact<D>(contact, ContactVector<D>::Zero());
  EXPECT_EQ(answer.state, ContactState::slide);
  EXPECT_NEAR(answer.r[1], -0.3 * 5e-18, 1e-30);
}

}  // namespace
}  // namespace touchstone
