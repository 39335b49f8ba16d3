#include "touchstone/solve/dual_qp.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "support/problem_sets.h"

namespace touchstone {
namespace {

DualQp::Inverse identity() {
  return [](VectorX&) {};
}

DualQp::Row row(const VectorX& a, double b, bool equality = false) { return {a.sparseView(), b, equality}; }

/// min |v - v_f|_M^2 / 2 subject to the contacts of a system; P^-1 is only ever applied.
DualQp qp_of(const support::ContactSystem& system, bool with_rows = true) {
  DualQp qp([inverse = system.inverse](VectorX& y) { y = inverse * y; }, -(system.mass * system.velocity));
  for (int i = 0; with_rows && i < system.mu.size(); ++i)
    qp.add_row({system.Gn.row(i), system.gap_rate[i], false});
  return qp;
}

VectorX multipliers(const DualQp& qp, long rows) {
  VectorX y(rows);
  for (int i = 0; i < rows; ++i) y[i] = qp.multiplier(i);
  return y;
}

/// The four conditions, each to 1e-12 of its terms.
void expect_optimal(const DualQp& qp, const support::ContactSystem& system, const std::string& where) {
  const VectorX y = multipliers(qp, system.mu.size());
  const VectorX force = system.Gn.transpose() * y;
  const VectorX momentum = system.mass * (qp.x() - system.velocity);
  EXPECT_LE((momentum - force).lpNorm<Eigen::Infinity>(), 1e-12 * (1 + force.lpNorm<Eigen::Infinity>()))
      << where;
  const VectorX w = system.Gn * qp.x() + system.gap_rate;
  EXPECT_GE(w.minCoeff(), -1e-12) << where;
  EXPECT_GE(y.minCoeff(), 0) << where;
  EXPECT_LE(w.cwiseProduct(y).lpNorm<Eigen::Infinity>(), 1e-11 * (1 + y.lpNorm<Eigen::Infinity>())) << where;
}

TEST(DualQp, MeetsItsConditionsOnEveryClassOfContacts) {
  int active = 0, idle = 0;
  for (const char* name : {"contact", "redundant", "stack", "wall"})
    for (const int contacts : {1, 4, 12, 40, 80})
      for (int seed = 0; seed < 5; ++seed) {
        const support::ContactSystem system = support::make_contacts(name, contacts, seed);
        DualQp qp = qp_of(system);
        ASSERT_EQ(qp.solve(), SolveStatus::solved) << name << contacts << seed;
        expect_optimal(qp, system, std::string(name) + " " + std::to_string(contacts));
        for (int i = 0; i < system.mu.size(); ++i) (qp.multiplier(i) > 0 ? active : idle) += 1;
      }
  EXPECT_GT(active, 300);
  EXPECT_GT(idle, 300);
}

TEST(DualQp, OfRowsAddedOneByOneIsThatOfAllAtOnce) {
  for (int seed = 0; seed < 20; ++seed) {
    const support::ContactSystem system = support::make_contacts(seed % 2 ? "redundant" : "wall", 24, seed);
    DualQp all = qp_of(system), growing = qp_of(system, false);
    ASSERT_EQ(all.solve(), SolveStatus::solved);
    int work = 0;
    for (int i = 0; i < system.mu.size(); ++i) {
      growing.add_row({system.Gn.row(i), system.gap_rate[i], false});
      ASSERT_EQ(growing.solve(), SolveStatus::solved);
      work = std::max(work, growing.iterations());
    }
    EXPECT_LE((all.x() - growing.x()).lpNorm<Eigen::Infinity>(), 1e-12) << seed;
    expect_optimal(growing, system, "growing");
    EXPECT_LT(work, 20);
  }
}

/// A warm start may save work but must not change the answer.
TEST(DualQp, StartedFromAGuessEndsWhereItEndsWithout) {
  int saved = 0;
  for (int seed = 0; seed < 30; ++seed) {
    const support::ContactSystem system = support::make_contacts(seed % 2 ? "redundant" : "stack", 24, seed);
    DualQp cold = qp_of(system);
    ASSERT_EQ(cold.solve(), SolveStatus::solved);
    DualQp warm = qp_of(system), wrong = qp_of(system);
    Random random(seed);
    for (int i = 0; i < system.mu.size(); ++i) {
      if (cold.multiplier(i) > 0) warm.guess_active(i);
      if (random.unit() < 0.5) wrong.guess_active(i);
    }
    ASSERT_EQ(warm.solve(), SolveStatus::solved);
    ASSERT_EQ(wrong.solve(), SolveStatus::solved);
    EXPECT_LE((cold.x() - warm.x()).lpNorm<Eigen::Infinity>(), 1e-13) << seed;
    EXPECT_LE((cold.x() - wrong.x()).lpNorm<Eigen::Infinity>(), 1e-12) << seed;
    EXPECT_EQ(warm.iterations(), 0) << seed;
    saved += cold.iterations();
  }
  EXPECT_GT(saved, 100);
}

TEST(DualQp, FollowsAMovingTargetFromItsLastActiveSet) {
  const support::ContactSystem system = support::make_contacts("stack", 40, 1);
  DualQp qp = qp_of(system);
  ASSERT_EQ(qp.solve(), SolveStatus::solved);
  const int cold = qp.iterations();
  for (int step = 1; step <= 300; ++step) {
    support::ContactSystem moved = system;
    moved.velocity *= 1 + 0.001 * step;
    qp.set_linear(-(moved.mass * moved.velocity));
    ASSERT_EQ(qp.solve(), SolveStatus::solved);
    EXPECT_LE(qp.iterations(), cold / 2);
    expect_optimal(qp, moved, "step " + std::to_string(step));
  }
}

/// The closest point of x1 + x2 = sum, x1 - x2 = 3, twice each, to the origin; an inequality is far away.
DualQp twice_two_equations(double sum) {
  DualQp qp(identity(), VectorX::Zero(2));
  const VectorX difference = (VectorX(2) << 1, -1).finished();
  for (int copy = 0; copy < 2; ++copy) {
    qp.add_row(row(VectorX::Ones(2), -sum, true));
    qp.add_row(row(2 * difference, -6, true));
  }
  qp.add_row(row(VectorX::Unit(2, 1), 5));
  return qp;
}

TEST(DualQp, KeepsEqualitiesAndLetsTheirMultipliersPull) {
  DualQp qp = twice_two_equations(1);
  ASSERT_EQ(qp.solve(), SolveStatus::solved);
  EXPECT_NEAR(qp.x()[0], 2, 1e-15);
  EXPECT_NEAR(qp.x()[1], -1, 1e-15);
  const double pull = qp.multiplier(0) + qp.multiplier(2);
  EXPECT_NEAR(pull, 0.5, 1e-15);
  DualQp other = twice_two_equations(-1);
  ASSERT_EQ(other.solve(), SolveStatus::solved);
  EXPECT_LT(other.multiplier(0) + other.multiplier(2), 0);
}

TEST(DualQp, SaysThatRowsContradictEachOther) {
  DualQp qp(identity(), VectorX::Zero(2));
  qp.add_row(row(VectorX::Unit(2, 0), -1));
  qp.add_row(row(-VectorX::Unit(2, 0), 0.5));
  EXPECT_EQ(qp.solve(), SolveStatus::unsolvable);
  DualQp equations(identity(), VectorX::Zero(2));
  equations.add_row(row(VectorX::Ones(2), -1, true));
  equations.add_row(row(2 * VectorX::Ones(2), -3, true));
  EXPECT_EQ(equations.solve(), SolveStatus::unsolvable);
}

TEST(DualQp, ForgivesABodyThatJustFitsBetweenTwoWalls) {
  int contradicted = 0;
  for (int seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const VectorX normal = Eigen::VectorXd(random.direction<3>());
    const double place = random.uniform(-1, 1), noise = random.uniform(-1e-15, 1e-15);
    DualQp qp(identity(), VectorX::Constant(3, random.uniform(-1, 1)));
    qp.add_row(row(normal, -place));
    qp.add_row(row(-normal, place + noise));
    qp.add_row(row(normal * (1 + 1e-16), -place));
    EXPECT_EQ(qp.solve(), SolveStatus::solved) << seed;
    EXPECT_NEAR(normal.dot(qp.x()), place, 1e-14);
    contradicted += noise < 0;
  }
  EXPECT_GT(contradicted, 50);
}

/// Rows that differ by an angle from 1e-15 to 1e-3: feasible far below 1e-9 whatever the angle.
TEST(DualQp, IsFeasibleToRoundOffAmongNearlyDependentRows) {
  double worst = 0;
  int active = 0;
  for (int seed = 0; seed < 500; ++seed) {
    Random random(seed);
    const int n = 3 + random.index(8);
    const double angle = random.log_uniform(1e-15, 1e-3);
    VectorX c(n), normal(n);
    for (int i = 0; i < n; ++i) c[i] = random.uniform(-1, 1), normal[i] = random.uniform(-1, 1);
    DualQp qp(identity(), c);
    const VectorX inside = normal.normalized();  // every row holds there
    for (int k = 0; k < 3 * n; ++k) {
      VectorX a = normal;
      for (int i = 0; i < n; ++i) a[i] += angle * random.uniform(-1, 1);
      qp.add_row(row(a, -a.dot(inside) + angle * random.unit() * (k % 2)));
    }
    ASSERT_EQ(qp.solve(), SolveStatus::solved) << seed << " angle " << angle;
    worst = std::max(worst, qp.worst_violation());
    for (int k = 0; k < 3 * n; ++k) active += qp.multiplier(k) > 0;
  }
  EXPECT_LE(worst, 1e-12);
  EXPECT_GT(active, 300);
}

TEST(DualQp, NeedsOnlyTheInverseOfP) {
  Random random(4);
  MatrixX A(6, 6);
  for (int i = 0; i < 36; ++i) A.data()[i] = random.uniform(-1, 1);
  const MatrixX P = A * A.transpose() + MatrixX::Identity(6, 6);
  const Eigen::LLT<MatrixX> cholesky(P);
  const VectorX c = VectorX::Ones(6);
  DualQp qp([&](VectorX& y) { cholesky.solveInPlace(y); }, c);
  for (int i = 0; i < 6; ++i) qp.add_row(row(VectorX::Unit(6, i), 0.01));
  ASSERT_EQ(qp.solve(), SolveStatus::solved);
  VectorX gradient = P * qp.x() + c;
  for (int i = 0; i < 6; ++i) gradient[i] -= qp.multiplier(i);
  EXPECT_LE(gradient.lpNorm<Eigen::Infinity>(), 1e-14);
}

}  // namespace
}  // namespace touchstone
