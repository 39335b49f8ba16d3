#include <gtest/gtest.h>

#include "support/problem_sets.h"
#include "touchstone/solve/lcp/nonnegative_least_squares.h"
#include "touchstone/solve/residual.h"
#include "touchstone/solve/solver.h"

namespace touchstone {
namespace {

TEST(Enumeration, SolvesEveryClassThatIsSmallEnough) {
  for (const std::string& name :
       {"pd", "pd-skew", "psd", "psd-skew", "banded", "contact", "redundant", "friction"})
    for (int seed = 0; seed < 10; ++seed) {
      const Solution solution = solve(support::make_lcp(name, 10, seed), "enumeration");
      EXPECT_EQ(solution.status, SolveStatus::solved) << name << " " << seed;
    }
}

TEST(Enumeration, RefusesMoreRowsThanItCanCount) {
  EXPECT_EQ(solve(support::make_lcp("pd", 21, 0), "enumeration").status, SolveStatus::too_large);
}

/// Whatever auto says of a random problem, of any sign, enumeration must not contradict.
TEST(Enumeration, AgreesWithAutoOnWhatCanBeSolvedAtAll) {
  int solvable = 0, unsolvable = 0;
  for (int seed = 0; seed < 1500; ++seed) {
    Random random(seed);
    const int n = 1 + random.index(6);
    MatrixX M(n, n);
    VectorX q(n);
    for (int i = 0; i < n; ++i) {
      q[i] = random.uniform(-1, 0.5);
      for (int j = 0; j < n; ++j) M(i, j) = std::round(random.uniform(-2, 2));  // singular now and then
    }
    const Lcp problem{M, q};
    const Solution truth = solve(problem, "enumeration"), found = solve(problem);
    solvable += truth.status == SolveStatus::solved;
    unsolvable += truth.status == SolveStatus::unsolvable;
    EXPECT_EQ(found.status == SolveStatus::solved, truth.status == SolveStatus::solved) << seed;
    EXPECT_FALSE(found.status == SolveStatus::unsolvable && truth.status == SolveStatus::solved) << seed;
    for (const char* name :
         {"lemke", "qp", "minmap-newton", "fischer-newton", "interior-point", "block-pivoting"}) {
      const Solution other = solve(problem, name);
      if (other.status == SolveStatus::solved || other.status == SolveStatus::unsolvable) {
        EXPECT_EQ(other.status, truth.status) << name << seed;
      }
    }
  }
  EXPECT_GT(solvable, 300);
  EXPECT_GT(unsolvable, 300);
}

TEST(Enumeration, FindsASolutionAmongDependentRows) {
  // Every basis that could solve it is singular: w = (z2 - 1, -z2 + 1) >= 0 forces z2 = 1, and z1 is any.
  const Lcp problem{MatrixX((MatrixX(2, 2) << 0, 1, 0, -1).finished()), (VectorX(2) << -1, 1).finished()};
  EXPECT_EQ(solve(problem, "enumeration").status, SolveStatus::solved);
}

TEST(NonnegativeLeastSquares, MeetsItsOptimalityConditions) {
  int at_bound = 0, inside = 0;
  for (int seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const int rows = 1 + random.index(8), cols = 1 + random.index(8);
    MatrixX A(rows, cols);
    VectorX b(rows);
    for (int i = 0; i < rows; ++i) {
      b[i] = random.uniform(-1, 1);
      for (int j = 0; j < cols; ++j) A(i, j) = random.uniform(-1, 1);
    }
    if (seed % 3 == 0 && cols > 1) A.col(1) = A.col(0);
    const NonnegativeFit fit = fit_nonnegative(A, b, std::vector<char>(cols, 0));
    ASSERT_TRUE(fit.converged) << seed;
    const VectorX slope = A.transpose() * (A * fit.x - b);
    for (int j = 0; j < cols; ++j) {
      EXPECT_GE(fit.x[j], 0);
      EXPECT_GE(slope[j], -1e-12);
      EXPECT_NEAR(fit.x[j] * slope[j], 0, 1e-12);
      (fit.x[j] > 0 ? inside : at_bound) += 1;
    }
  }
  EXPECT_GT(at_bound, 100);
  EXPECT_GT(inside, 100);
}

}  // namespace
}  // namespace touchstone
