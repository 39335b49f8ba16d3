#include <gtest/gtest.h>

#include <cmath>

#include "support/problem_sets.h"
#include "touchstone/solve/lcp/lemke_tableau.h"
#include "touchstone/solve/lcp/linear_solvers.h"
#include "touchstone/solve/solver.h"

namespace touchstone {
namespace {

/// Murty's matrix: lower triangular, 1 on and 2 below the diagonal; the walk of length 2^n for some q.
Lcp murty(int n, const VectorX& q) {
  MatrixX M = MatrixX::Zero(n, n);
  for (int j = 0; j < n; ++j) {
    M(j, j) = 1;
    for (int i = j + 1; i < n; ++i) M(i, j) = 2;
  }
  return {MatrixX(M.transpose()), q};
}

TEST(Lemke, SolvesEveryClassToRoundOff) {
  double worst = 0;
  int pivots = 0;
  for (const std::string& name : support::lcp_classes())
    for (const int n : {1, 2, 7, 12, 36, 90})
      for (int seed = 0; seed < 10; ++seed) {
        const Solution solution = solve(support::make_lcp(name, n, seed), "lemke");
        EXPECT_EQ(solution.status, SolveStatus::solved) << name << " " << n << " " << seed;
        worst = std::max(worst, solution.residual);
        pivots += solution.iterations;
      }
  EXPECT_LE(worst, 1e-12);
  EXPECT_GT(pivots, 5000);
}

TEST(Lemke, TakesTheRoundOffOfARestingStackForZero) {
  const support::ContactSystem system = support::make_contacts("stack", 8, 1);
  Lcp problem = support::dense(support::stewart_trinkle(system));
  problem.q.setZero();
  problem.q[3] = -5e-18;
  const Solution solution = solve(problem, "lemke");
  EXPECT_EQ(solution.status, SolveStatus::solved);
  EXPECT_EQ(solution.iterations, 0);
  // The textbook start ends in a ray at once: the guard is what helps.
  const VectorX cover = VectorX::Ones(problem.q.size());
  LemkeTableau textbook(problem.M.dense(), problem.q, cover);
  int rays = textbook.run(100) == LemkeTableau::End::ray;
  for (int i = 0; i < problem.q.size(); ++i) {
    VectorX q = VectorX::Zero(problem.q.size());
    q[i] = -5e-18;
    LemkeTableau other(problem.M.dense(), q, cover);
    rays += other.run(100) == LemkeTableau::End::ray;
  }
  EXPECT_GT(rays, 0) << "no false ray to guard against";
}

TEST(Lemke, DoesNotTakeForZeroWhatTheToleranceCanSee) {
  const Lcp problem{MatrixX(MatrixX::Identity(2, 2)), (VectorX(2) << -5e-12, 0).finished()};
  SolveSettings settings;
  settings.tolerance = 1e-13;
  const Solution solution = solve(problem, "lemke", settings);
  EXPECT_EQ(solution.status, SolveStatus::solved);
  EXPECT_NEAR(solution.z[0], 5e-12, 1e-20);
}

TEST(Lemke, EndsOnMurtysExponentialWalk) {
  for (const int n : {4, 8, 12, 40}) {
    VectorX q(n);
    for (int i = 0; i < n; ++i) q[i] = -std::exp2(n) + std::exp2(i);
    const Lcp problem = murty(n, q);
    const Solution solution = solve(problem, "lemke");
    EXPECT_TRUE(solution.status == SolveStatus::solved || solution.status == SolveStatus::inaccurate);
    EXPECT_EQ(solve(problem).status, SolveStatus::solved) << "auto, n = " << n;
  }
}

TEST(Lemke, StopsAtTheLimitItIsGiven) {
  SolveSettings settings;
  settings.max_iterations = 3;
  const Solution solution = solve(support::make_lcp("contact", 36, 4), "lemke", settings);
  EXPECT_EQ(solution.status, SolveStatus::inaccurate);
  EXPECT_EQ(solution.iterations, 3);
}

TEST(Lemke, ProvesByItsRayThatNoPushParts) {
  // Two rows that contradict: w1 = v >= 1, w2 = -v >= 1, M = J J^T with J = (1, -1).
  const Lcp problem{MatrixX((MatrixX(2, 2) << 1, -1, -1, 1).finished()), (VectorX(2) << -1, -1).finished()};
  EXPECT_EQ(solve(problem, "lemke").status, SolveStatus::unsolvable);
  EXPECT_EQ(solve(problem, "enumeration").status, SolveStatus::unsolvable);
  EXPECT_EQ(solve(problem).status, SolveStatus::unsolvable);
}

TEST(Lemke, EndsInARayWhereTheMatrixIsNotForIt) {
  // A bimatrix game [Cottle, Pang, Stone ex. 4.4.23]: solvable, but not by this walk.
  MatrixX M = MatrixX::Zero(4, 4);
  M.topRightCorner(2, 2) << 10, 20, 30, 15;
  M.bottomLeftCorner(2, 2) << 10, 20, 30, 15;
  const Lcp game{M, VectorX::Constant(4, -1)};
  EXPECT_EQ(solve(game, "lemke").status, SolveStatus::ray);
  EXPECT_EQ(solve(game).status, SolveStatus::solved);
}

TEST(Lemke, IsTooSmallForVeryLargeProblems) {
  EXPECT_EQ(solve(support::make_lcp("banded", 4000, 1), "lemke").status, SolveStatus::too_large);
}

/// Many solutions: all rows of four copies of one contact.
TEST(Lemke, DoesNotCycleWhereEveryPivotIsATie) {
  for (int copies = 2; copies <= 40; ++copies) {
    const Lcp problem{MatrixX(MatrixX::Ones(copies, copies)), VectorX::Constant(copies, -1)};
    const Solution solution = solve(problem, "lemke");
    EXPECT_EQ(solution.status, SolveStatus::solved) << copies;
    EXPECT_NEAR(solution.z.sum(), 1, 1e-14);
  }
}

}  // namespace
}  // namespace touchstone
