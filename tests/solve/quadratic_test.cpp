#include <gtest/gtest.h>

#include "support/problem_sets.h"
#include "touchstone/solve/residual.h"
#include "touchstone/solve/solver.h"

namespace touchstone {
namespace {

MatrixX random_matrix(Random& random, int rows, int cols) {
  MatrixX A(rows, cols);
  for (int j = 0; j < cols; ++j)
    for (int i = 0; i < rows; ++i) A(i, j) = random.uniform(-1, 1);
  return A;
}

/// Feasible; P of full or half rank; the first rows are equalities, some of them repeated.
Qp random_qp(int seed, bool singular) {
  Random random(seed);
  const int n = 2 + random.index(10), m = 1 + random.index(12),
            equalities = random.index(std::min(n, m) / 2 + 1);
  const MatrixX B = random_matrix(random, n, singular ? std::max(1, n / 2) : n);
  Qp problem;
  problem.P = MatrixX(B * B.transpose() + (singular ? 0.0 : 0.1) * MatrixX::Identity(n, n));
  MatrixX A = random_matrix(random, m, n);
  if (equalities > 1) A.row(1) = 2 * A.row(0);
  const VectorX inside = random_matrix(random, n, 1);
  problem.b = -A * inside;
  problem.equality.assign(m, false);
  for (int i = 0; i < m; ++i) {
    problem.equality[i] = i < equalities;
    if (i >= equalities && random.unit() < 0.7) problem.b[i] += random.unit();
  }
  problem.A = A;
  // Of a singular P, a c in its range and in that of the rows: the minimum exists.
  VectorX pushes = VectorX::Zero(m);
  for (int i = 0; i < m; ++i) pushes[i] = random.unit();
  problem.c = problem.P * random_matrix(random, n, 1) + A.transpose() * pushes;
  return problem;
}

class QpSolver : public testing::TestWithParam<const char*> {};

TEST_P(QpSolver, MeetsTheFourConditions) {
  int solved = 0;
  for (int seed = 0; seed < 200; ++seed) {
    const Qp problem = random_qp(seed, false);
    const Solution solution = solve(problem, GetParam());
    EXPECT_EQ(solution.status, SolveStatus::solved) << seed << " " << solution.residual;
    EXPECT_EQ(solution.residual, residual(problem, solution.z));
    solved += solution.status == SolveStatus::solved;
  }
  EXPECT_EQ(solved, 200);
}

TEST_P(QpSolver, TreatsASingularP) {
  for (int seed = 0; seed < 100; ++seed) {
    const Solution solution = solve(random_qp(seed, true), GetParam());
    EXPECT_EQ(solution.status, SolveStatus::solved) << seed << " " << solution.residual;
  }
}

TEST_P(QpSolver, FindsTheMotionOfAnIsland) {
  for (const char* name : {"contact", "redundant", "stack", "wall"}) {
    const support::ContactSystem system = support::make_contacts(name, 24, 2);
    const Solution qp = solve(support::frictionless_qp(system), GetParam());
    const Solution mixed = solve(support::frictionless_mixed(system));
    ASSERT_EQ(qp.status, SolveStatus::solved) << name << " " << qp.residual;
    const long v = system.velocity.size();
    EXPECT_LE((qp.z.head(v) - mixed.z.head(v)).lpNorm<Eigen::Infinity>(), 1e-8) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Solve, QpSolver, testing::Values("auto", "qp", "interior-point", "lemke"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Qp, WithContradictingRowsHasNoSolution) {
  const Qp problem{MatrixX(MatrixX::Identity(2, 2)),
                   VectorX::Zero(2),
                   MatrixX((MatrixX(2, 2) << 1, 0, -1, 0).finished()),
                   (VectorX(2) << -1, -1).finished(),
                   {false, false}};
  EXPECT_EQ(solve(problem).status, SolveStatus::unsolvable);
  EXPECT_EQ(solve(problem, "qp").status, SolveStatus::unsolvable);
}

TEST(Qp, WithoutRowsIsALinearSystem) {
  const Qp problem{MatrixX(2 * MatrixX::Identity(2, 2)), VectorX::Ones(2), MatrixX(0, 2), VectorX(0), {}};
  for (const char* name : {"auto", "qp", "interior-point"}) {
    const Solution solution = solve(problem, name);
    EXPECT_EQ(solution.status, SolveStatus::solved) << name;
    EXPECT_NEAR(solution.z[0], -0.5, 1e-9);
  }
}

TEST(Qp, StartedFromItsSolutionIsDoneAtOnce) {
  const Qp problem = support::frictionless_qp(support::make_contacts("stack", 40, 3));
  const Solution cold = solve(problem);
  SolveSettings settings;
  settings.start = cold.z;
  const Solution warm = solve(problem, "auto", settings);
  EXPECT_EQ(warm.status, SolveStatus::solved);
  EXPECT_GT(cold.iterations, 10);
  EXPECT_EQ(warm.iterations, 0);
}

}  // namespace
}  // namespace touchstone
