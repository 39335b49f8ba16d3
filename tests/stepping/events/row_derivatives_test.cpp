// The derivatives of contact rows are those of their gaps; the integrator has its order; the law is
// Coulomb's.

#include <gtest/gtest.h>

#include "touchstone/math/random.h"
#include "touchstone/stepping/build_world.h"
#include "touchstone/stepping/events/contact_law.h"
#include "touchstone/stepping/events/contact_row.h"
#include "touchstone/stepping/events/dense_step.h"

namespace touchstone {
namespace {

Moving<3> somewhere(Random& random) {
  const auto vector = [&](double size) {
    return Vec<3>(random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size));
  };
  Moving<3> m;
  m.x = vector(2);
  m.attitude = Attitude<3>{}.turned(vector(3));
  m.R = m.attitude.matrix();
  m.V = twist<3>(vector(2), vector(2));
  return m;
}

/// The body after a time, with constant velocities.
Moving<3> later(Moving<3> m, double time) {
  shift<3>(m, time * m.V);
  return m;
}

TEST(ContactRows, HaveTheRatesOfTheirGaps) {
  Random random(5);
  int met[4] = {};
  for (int i = 0; i < 400; ++i) {
    const auto vector = [&] {
      return Vec<3>(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    };
    ContactRow<3> row;
    row.kind = static_cast<TouchKind>(i % 4);
    row.point_P = vector(), row.point_E = vector();
    row.along_P = vector().normalized(), row.along_E = vector().normalized();
    row.radius_P = 0.1, row.radius_E = 0.2;
    const Moving<3> P = somewhere(random), E = somewhere(random);
    const auto gap = [&](double t) { return row_now<3>(row, later(P, t), later(E, t)).gap; };
    const RowNow<3> now = row_now<3>(row, P, E);
    const double e = 1e-3;
    const double rate = (gap(-2 * e) - 8 * gap(-e) + 8 * gap(e) - gap(2 * e)) / (12 * e);
    const double bend = (-gap(-2 * e) + 16 * gap(-e) - 30 * gap(0) + 16 * gap(e) - gap(2 * e)) / (12 * e * e);
    const Vec<3> d = P.R * row.along_P, f = E.R * row.along_E;
    if (d.cross(f).norm() < 0.3 || now.gap < -1e3)
      continue;  // nearly parallel edges: differences are no oracle
    const double size = 1 + std::abs(bend);
    EXPECT_NEAR(now.speed, rate, 1e-7 * size) << i;
    EXPECT_NEAR(now.speed, now.N_P.dot(P.V) + now.N_E.dot(E.V), 1e-12 * size) << i;
    EXPECT_NEAR(now.bend, bend, 1e-5 * size) << i;
    ++met[i % 4];
  }
  for (const int count : met) EXPECT_GT(count, 50);
}

TEST(OdeStepper, MeetsItsToleranceAndKnowsTheWayBetween) {
  const OdeStepper::Rate swing = [](double, const Eigen::VectorXd& y, Eigen::VectorXd& rate) {
    rate[0] = y[1], rate[1] = -y[0];
  };
  for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
    OdeStepper ode(swing, {tolerance, tolerance / 100});
    ode.start(0, Eigen::Vector2d(1, 0));
    DenseStep step;
    double worst = 0;
    while (step.end() < 10) {
      ASSERT_TRUE(ode.step(100, step));
      const auto points = step.control_points();
      for (int k = 0; k <= 20; ++k) {
        const double t = step.begin + step.h * k / 20;
        worst = std::max(worst, std::abs(step.at(t)[0] - std::cos(t)));
        EXPECT_LE(step.at(t)[0], points.row(0).maxCoeff() + 1e-14);
        EXPECT_GE(step.at(t)[0], points.row(0).minCoeff() - 1e-14);
      }
    }
    EXPECT_LT(worst, 200 * tolerance);
    EXPECT_LT(ode.steps(), 60 * std::pow(1e-6 / tolerance, 1. / 7));
  }
}

/// A point of mass 1 in space that a load presses on a plane.
LawProblem pressed_point(const Eigen::Vector3d& load, double mu) {
  LawProblem P;
  P.tangents = 2;
  P.M = Eigen::Matrix3d::Identity(), P.f = load;
  P.N = Eigen::RowVector3d(0, 0, 1);
  P.T = Eigen::MatrixXd::Zero(2, 3), P.T(0, 0) = P.T(1, 1) = 1;
  P.G = Eigen::MatrixXd(0, 3), P.g = Eigen::VectorXd(0);
  P.bn = Eigen::VectorXd::Zero(1), P.bt = Eigen::VectorXd::Zero(2);
  P.contacts = {{mu}};
  return P;
}

TEST(ContactLaw, SticksSlidesAndOpens) {
  const LawAnswer stick = solve_law(pressed_point({0.3, 0, -1}, 0.5));
  ASSERT_TRUE(stick.found);
  EXPECT_EQ(stick.pieces[0], LawPiece::stick);
  EXPECT_LT(stick.x.norm(), 1e-15);
  const LawAnswer slide = solve_law(pressed_point({0.6, 0.8, -1}, 0.5));
  ASSERT_TRUE(slide.found);
  EXPECT_EQ(slide.pieces[0], LawPiece::slide);
  EXPECT_LT((slide.x - Eigen::Vector3d(0.3, 0.4, 0)).norm(), 1e-14);
  const LawAnswer open = solve_law(pressed_point({0, 0, 1}, 0.5));
  ASSERT_TRUE(open.found);
  EXPECT_EQ(open.pieces[0], LawPiece::open);
}

TEST(ContactLaw, SharesALoadAmongRedundantContactsAlike) {
  LawProblem P = pressed_point({0.1, 0, -1}, 0.5);
  P.N = P.N.replicate(4, 1).eval(), P.T = P.T.replicate(4, 1).eval();
  P.bn = Eigen::VectorXd::Zero(4), P.bt = Eigen::VectorXd::Zero(8);
  P.contacts.assign(4, {0.5});
  const LawAnswer answer = solve_law(P);
  ASSERT_TRUE(answer.found);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(answer.pn[i], 0.25, 1e-12);
}

}  // namespace
}  // namespace touchstone
