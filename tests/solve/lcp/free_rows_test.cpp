#include "touchstone/solve/lcp/free_rows.h"

#include <gtest/gtest.h>

#include "support/problem_sets.h"
#include "touchstone/solve/residual.h"
#include "touchstone/solve/solver.h"

namespace touchstone {
namespace {

/// A random monotone mixed problem; `copies` of its equations are repeated, `saddle` makes M_ff vanish.
Mlcp random_mixed(int seed, int equations, int copies, bool saddle) {
  Random random(seed);
  const int pairs = 2 + random.index(6), n = equations + copies + pairs;
  MatrixX J(n, n + 2);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < J.cols(); ++j) J(i, j) = random.uniform(-1, 1);
  for (int c = 0; c < copies; ++c) J.row(equations + c) = (c + 1.5) * J.row(c % equations);
  MatrixX M = J * J.transpose();
  const int f = equations + copies;
  if (saddle) {
    M.topLeftCorner(f, f).setZero();
    M.topRightCorner(f, pairs) = -M.bottomLeftCorner(pairs, f).transpose().eval();
  }
  Mlcp problem{M, VectorX(n), std::vector<bool>(n, false)};
  std::fill(problem.free.begin(), problem.free.begin() + f, true);
  VectorX z(n), w = VectorX::Zero(n);
  for (int i = 0; i < n; ++i) z[i] = random.uniform(problem.free[i] ? -1 : 0, 1);
  for (int i = f; i < n; i += 2) w[i] = random.unit(), z[i] = 0;
  problem.q = w - M * z;
  return problem;
}

TEST(FreeRows, AreEliminatedExactly) {
  for (int seed = 0; seed < 100; ++seed) {
    const Mlcp problem = random_mixed(seed, 1 + seed % 5, 0, false);
    const FreeRows rows(problem);
    EXPECT_EQ(rows.lcp().q.size(), problem.q.size() - LinearProblem(problem).free_count());
    const Solution reduced = solve(rows.lcp());
    ASSERT_EQ(reduced.status, SolveStatus::solved);
    EXPECT_LE(residual(problem, rows.expand(reduced.z)), 1e-10);
  }
}

TEST(FreeRows, MayRepeatEachOther) {
  for (int seed = 0; seed < 100; ++seed) {
    const Mlcp problem = random_mixed(seed, 2, 1 + seed % 4, false);
    EXPECT_FALSE(FreeRows(problem).contradict());
    for (const char* name : {"auto", "lemke", "interior-point", "enumeration", "fischer-newton"})
      EXPECT_EQ(solve(problem, name).status, SolveStatus::solved) << name << " " << seed;
  }
}

/// Saddle points: the free block is 0, and pairs change their roles.
TEST(FreeRows, MayHaveNoBlockOfTheirOwn) {
  int exchanged = 0;
  for (int seed = 0; seed < 100; ++seed) {
    const Mlcp problem = random_mixed(seed, 1 + seed % 2, 0, true);
    const FreeRows rows(problem);
    exchanged += rows.lcp().q.size() == problem.q.size() - LinearProblem(problem).free_count();
    for (const char* name : {"auto", "lemke", "interior-point"}) {
      const Solution solution = solve(problem, name);
      EXPECT_EQ(solution.status, SolveStatus::solved) << name << " " << seed << " " << solution.residual;
    }
  }
  EXPECT_GT(exchanged, 50);
}

TEST(FreeRows, ThatContradictEachOtherLeaveNoSolution) {
  Mlcp problem = random_mixed(3, 2, 1, false);
  problem.q[2] += 0.1;
  EXPECT_TRUE(FreeRows(problem).contradict());
  EXPECT_EQ(solve(problem).status, SolveStatus::unsolvable);
  EXPECT_EQ(solve(problem, "lemke").status, SolveStatus::unsolvable);
}

TEST(FreeRows, GiveAStartToTheReducedProblem) {
  for (int seed = 0; seed < 50; ++seed) {
    const Mlcp problem = random_mixed(seed, 2, seed % 2, seed % 3 == 0);
    const FreeRows rows(problem);
    const Solution solution = solve(problem);
    ASSERT_EQ(solution.status, SolveStatus::solved);
    const VectorX t = rows.restrict(solution.z, problem.M * solution.z + problem.q);
    EXPECT_LE(residual(rows.lcp(), t), 1e-9) << seed;
  }
}

TEST(MixedProblem, OfEquationsAloneIsALinearSystem) {
  const Mlcp problem{
      MatrixX((MatrixX(2, 2) << 2, 1, 1, 2).finished()), (VectorX(2) << -4, 1).finished(), {true, true}};
  for (const char* name :
       {"auto", "lemke", "pgs", "interior-point", "fischer-newton", "minmap-newton", "enumeration"}) {
    const Solution solution = solve(problem, name);
    EXPECT_EQ(solution.status, SolveStatus::solved) << name;
    EXPECT_NEAR(solution.z[0], 3, 1e-9) << name;
    EXPECT_NEAR(solution.z[1], -2, 1e-9) << name;
  }
}

TEST(MixedProblem, HasTheMotionOfTheReducedOne) {
  for (const char* name : {"contact", "redundant", "stack", "wall"})
    for (int seed = 0; seed < 5; ++seed) {
      const support::ContactSystem system = support::make_contacts(name, 24, seed);
      const long v = system.velocity.size();
      const Solution mixed = solve(support::frictionless_mixed(system)),
                     reduced = solve(support::frictionless(system));
      ASSERT_EQ(mixed.status, SolveStatus::solved);
      const VectorX velocity = system.velocity + system.inverse * (system.Gn.transpose() * reduced.z);
      EXPECT_LE((mixed.z.head(v) - velocity).lpNorm<Eigen::Infinity>(), 1e-9) << name << seed;
    }
}

}  // namespace
}  // namespace touchstone
