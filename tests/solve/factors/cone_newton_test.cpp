// Friction in factors has one answer, that of vanishing compliance, whatever the start and the order.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "oracles/vanishing_compliance.h"
#include "support/cone_sets.h"
#include "support/friction_sets.h"
#include "touchstone/solve/factors/cone_law.h"
#include "touchstone/solve/factors/cone_trace.h"
#include "touchstone/solve/residual.h"
#include "touchstone/solve/solver.h"

namespace touchstone {
namespace {

SolveSettings exact() {
  SolveSettings settings;
  settings.tolerance = 1e-12;
  return settings;
}

/// How far the rates of two answers are apart, relative to the problem.
double rates_apart(const FrictionProblem& problem, const VectorX& a, const VectorX& b) {
  return (problem.W * VectorX(a - b)).norm() / problem.q.norm();
}

TEST(ConeMatrix, IsTheProductOfItsFactors) {
  Random random(1);
  for (const int dimension : {2, 3}) {
    const GlobalFrictionProblem global = support::make_friction({"wall", dimension, 8, true, 0.5}, random);
    const FrictionProblem problem = support::cone_form(global);
    const MatrixX truth = support::local_form(global).W.to_dense();
    EXPECT_LE((problem.W.to_dense() - truth).norm(), 1e-14 * truth.norm());
    const VectorX r = VectorX::NullaryExpr(truth.rows(), [&] { return random.uniform(-1, 1); });
    EXPECT_LE((problem.W * r - truth * r).norm(), 1e-14 * truth.norm() * r.norm());
  }
}

/// The law of compliance: with u' = u + R (p - c), p and u' obey Coulomb's law.
TEST(ConeLaw, IsCoulombsLawOfARateThatYields) {
  Random random(2);
  int pieces[3] = {0, 0, 0};
  for (int round = 0; round < 2000; ++round) {
    Cone cone;
    cone.mu = random.index(5) == 0 ? 0 : random.uniform(0.1, 2);
    const auto any = [&](double most) {
      return LocalVector(random.uniform(-most, most), random.uniform(-most, most),
                         random.uniform(-most, most));
    };
    LocalVector c = any(1);
    c[0] = std::abs(c[0]), c.tail<2>() *= cone.mu * c[0];
    const LocalVector u = any(1);
    const double R = random.log_uniform(1e-3, 10);
    const ConeResponse response = respond(cone, c, u, R);
    const LocalVector p = c + response.change, yielded = u + R * response.change;
    EXPECT_LE(natural_error(cone, p, yielded).norm(), 1e-12 * (1 + 1 / R));
    ++pieces[static_cast<int>(response.piece)];
    // K is the derivative, where both ends lie on the same piece.
    const LocalVector du = 1e-7 * R * any(1);
    const ConeResponse moved = respond(cone, c, u + du, R);
    if (moved.piece != response.piece) continue;
    EXPECT_LE((moved.change - response.change + response.K * du).norm(), 1e-11 * (1 + 1 / R));
  }
  for (const int seen : pieces) EXPECT_GE(seen, 100);
}

TEST(ConeNewton, FindsTheAnswerOfVanishingCompliance) {
  Random random(3);
  int compared = 0;
  double worst = 0;
  for (const char* name : {"stack", "wall", "random"})
    for (int round = 0; round < 6; ++round) {
      const FrictionProblem problem =
          support::cone_form(support::make_friction({name, 2 + round % 2, 3 + round, true, 0.4}, random));
      const Solution found = solve(problem, "proximal-newton", exact());
      ASSERT_EQ(found.status, SolveStatus::solved) << name << " " << round << " " << found.residual;
      ASSERT_TRUE(found.canonical);
      VectorX R(problem.q.size());
      const std::vector<Cone> cones = cones_of(problem);
      for (Eigen::Index i = 0; i < R.size(); ++i) R[i] = cones[i / problem.dimension].size;
      const VectorX truth = oracles::vanishing_compliance(problem, R);
      const double apart = (found.z - truth).norm() / truth.norm();
      worst = std::max(worst, apart);
      EXPECT_LE(apart, 1e-5) << name << " " << round;
      ++compared;
    }
  RecordProperty("worst", std::to_string(worst));
  EXPECT_EQ(compared, 18);
}

TEST(ConeNewton, HasOneAnswerForEveryStartAndOrder) {
  Random random(4);
  for (int round = 0; round < 10; ++round) {
    const int bodies = 4 + round;
    const FrictionProblem problem = support::cone_form(
        support::make_friction({round % 2 ? "stack" : "wall", 3, bodies, true, 0.5}, random));
    const Solution cold = solve(problem, "proximal-newton", exact());
    ASSERT_EQ(cold.status, SolveStatus::solved);
    SolveSettings settings = exact();
    settings.start = VectorX::NullaryExpr(problem.q.size(), [&] { return random.uniform(0, 0.1); });
    const Solution warm = solve(problem, "proximal-newton", settings);
    EXPECT_EQ(warm.status, SolveStatus::solved);
    EXPECT_LE((warm.z - cold.z).norm(), 1e-8 * cold.z.norm());
    EXPECT_LE(rates_apart(problem, warm.z, cold.z), 1e-10);
    std::vector<int> order(problem.mu.size());
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[random.index(static_cast<int>(i))]);
    const Solution other = solve(support::reordered(problem, order), "proximal-newton", exact());
    VectorX back(problem.q.size());
    for (std::size_t i = 0; i < order.size(); ++i)
      back.segment<3>(3 * order[i]) = other.z.segment<3>(3 * static_cast<Eigen::Index>(i));
    EXPECT_LE((back - cold.z).norm(), 1e-8 * cold.z.norm());
  }
}

/// Along the curve from a neighbour's answer, and by that of the softness from soft contacts.
TEST(ConeTrace, LeadsFromANeighboursAnswerToThisOne) {
  Random random(6);
  int crossed = 0, all = 0;
  for (const double spread : {0.01, 0.1, 0.5})
    for (int round = 0; round < 10; ++round) {
      const FrictionProblem neighbour = support::cone_form(
          support::make_friction({round % 2 ? "stack" : "wall", 3, 3 + round, true, 0.3}, random));
      const Solution known = solve(neighbour, "proximal-newton", exact());
      FrictionProblem problem = neighbour;
      const double size = spread * problem.q.norm() / std::sqrt(static_cast<double>(problem.q.size()));
      for (double& q : problem.q) q += random.uniform(-size, size);
      LocalVectors start(problem.mu.size(), LocalVector::Zero());
      local_of(problem.W.cones()->factors(), known.z, start);
      const SolveSettings settings;
      ConeStep<6> soft(problem, settings), hard(problem, settings);
      soft.set_softness(100);
      ASSERT_TRUE(soft.solve(100));
      ASSERT_TRUE(ConeTrace<6>(soft).harden(1e-4, 1000)) << spread << " " << round;
      hard.set_softness(1e-4);
      ++all;
      if (!ConeTrace<6>(hard).cross(start, 300)) continue;
      ++crossed;
      double apart = 0, speed = 0;
      for (std::size_t b = 0; b < hard.place().v.size(); ++b) {
        apart += (hard.place().v[b] - soft.place().v[b]).squaredNorm();
        speed += soft.place().v[b].squaredNorm();
      }
      EXPECT_LE(std::sqrt(apart), 1e-6 * std::sqrt(speed)) << spread << " " << round;
    }
  EXPECT_GE(crossed, 24) << "of " << all;
}

TEST(ConeNewton, AStackAtRestLoadsItsCornersAlike) {
  Random random(5);
  const FrictionProblem problem =
      support::cone_form(support::make_friction({"stack", 3, 10, false, 0.5}, random));
  const Solution found = solve(problem, "proximal-newton", exact());
  ASSERT_EQ(found.status, SolveStatus::solved);
  for (Eigen::Index c = 0; c < problem.mu.size(); c += 4)
    for (int k = 1; k < 4; ++k) {
      EXPECT_NEAR(found.z[3 * (c + k)] / found.z[3 * c], 1, 1e-9);
      EXPECT_LE(found.z.segment<2>(3 * (c + k) + 1).norm(), 1e-9 * found.z[3 * c]) << "no lateral load";
    }
  // From there, with other loads or the same, a few factorisations are enough.
  SolveSettings settings = exact();
  settings.start = found.z;
  EXPECT_LE(solve(problem, "proximal-newton", settings).iterations, 3);
}

}  // namespace
}  // namespace touchstone
