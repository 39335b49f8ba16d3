// Every solver on every class: it ends, what it calls solved is solved, and it solves what it is known to.

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "support/problem_sets.h"
#include "touchstone/solve/residual.h"
#include "touchstone/solve/solver.h"

namespace touchstone {
namespace {

struct Expectation {
  std::string solver;
  std::set<std::string> solves;  ///< classes of which it must solve every problem
  double tolerance = 1e-10;
};

const std::set<std::string> kSymmetric = {"pd", "psd", "banded", "contact", "redundant", "stack", "wall"};
const std::set<std::string> kMonotone = {"pd",      "pd-skew",   "psd",   "psd-skew", "banded",
                                         "contact", "redundant", "stack", "wall"};
const std::set<std::string> kAll = {
    "pd",        "pd-skew", "psd",  "psd-skew", "banded",         "contact",
    "redundant", "stack",   "wall", "friction", "stack-friction", "wall-friction"};

const std::vector<Expectation> kExpectations = {
    {"auto", kAll},
    {"lemke", kAll},
    {"interior-point", kMonotone},
    {"fischer-newton", kMonotone},
    {"minmap-newton", {"pd", "pd-skew", "banded", "wall"}},
    {"block-pivoting", {"pd", "pd-skew", "banded", "contact", "wall"}},
    {"proximal-newton", kSymmetric},
    {"qp", kSymmetric},
    {"pgs", {"pd", "banded", "wall"}, 1e-8},
    {"psor", {"pd", "banded", "wall"}, 1e-8},
    {"jacobi", {"banded", "wall"}, 1e-8},
    {"fixed-point", {"pd-skew", "banded", "wall"}, 1e-8},
};

class EverySolver : public testing::TestWithParam<Expectation> {};

TEST_P(EverySolver, SolvesItsClassesAndNeverCallsAWrongAnswerSolved) {
  const Expectation& expected = GetParam();
  std::map<std::string, int> solved;
  SolveSettings settings;
  settings.tolerance = expected.tolerance;
  for (const std::string& name : support::lcp_classes())
    for (const int n : {6, 24})
      for (int seed = 0; seed < 5; ++seed) {
        const Lcp problem = support::make_lcp(name, n, seed);
        const Solution solution = solve(problem, expected.solver, settings);
        ASSERT_EQ(solution.z.size(), problem.q.size());
        EXPECT_EQ(solution.residual, residual(problem, solution.z));
        EXPECT_EQ(solution.status == SolveStatus::solved, solution.residual <= settings.tolerance);
        EXPECT_NE(solution.status, SolveStatus::unsolvable) << name << " " << n << " " << seed;
        if (solution.status == SolveStatus::solved) ++solved[name];
        if (expected.solves.contains(name)) {
          EXPECT_EQ(solution.status, SolveStatus::solved)
              << name << " " << n << " " << seed << ": " << text_of(solution.status) << " "
              << solution.residual;
        }
      }
  for (const std::string& name : expected.solves) EXPECT_GT(solved[name], 0) << name;
}

TEST_P(EverySolver, GivesTheSameBitsAgain) {
  for (const char* name : {"contact", "wall", "friction"}) {
    const Lcp problem = support::make_lcp(name, 30, 3);
    EXPECT_EQ(solve(problem, GetParam().solver).z, solve(problem, GetParam().solver).z);
  }
}

/// Joints and velocities as free rows: the same impulses to the same rows.
TEST_P(EverySolver, TreatsFreeRowsAsEquations) {
  SolveSettings settings;
  settings.tolerance = 1e-8;
  for (int seed = 0; seed < 3; ++seed) {
    const support::ContactSystem system = support::make_contacts("wall", 16, seed);
    const Mlcp mixed = support::frictionless_mixed(system);
    const Solution solution = solve(mixed, GetParam().solver, settings);
    EXPECT_EQ(solution.status, SolveStatus::solved) << text_of(solution.status) << " " << solution.residual;
    const VectorX velocity = solution.z.head(system.velocity.size());
    EXPECT_GE((system.Gn * velocity + system.gap_rate).minCoeff(), -1e-7);
  }
}

INSTANTIATE_TEST_SUITE_P(Solve, EverySolver, testing::ValuesIn(kExpectations), [](const auto& info) {
  std::string name = info.param.solver;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Splittings, SayThatADiagonalIsMissing) {
  const Lcp friction = support::make_lcp("friction", 12, 1);
  for (const char* name : {"pgs", "psor", "jacobi"})
    EXPECT_EQ(solve(friction, name).status, SolveStatus::singular) << name;
}

TEST(Splittings, GoOnFromTheStartTheyAreGiven) {
  const Lcp problem = support::make_lcp("banded", 40, 1);
  for (const char* name : {"pgs", "psor", "jacobi", "fixed-point"}) {
    const Solution cold = solve(problem, name);
    ASSERT_EQ(cold.status, SolveStatus::solved) << name;
    SolveSettings settings;
    settings.start = cold.z;
    const Solution warm = solve(problem, name, settings);
    EXPECT_EQ(warm.iterations, 0) << name;
    EXPECT_GT(cold.iterations, 10) << name;
  }
}

TEST(Splittings, RelaxationIsTheUsers) {
  const Lcp problem = support::make_lcp("banded", 40, 1);
  SolveSettings settings;
  std::set<int> iterations;
  for (const double relaxation : {0.5, 1.0, 1.5, 1.8}) {
    settings.relaxation = relaxation;
    const Solution solution = solve(problem, "psor", settings);
    EXPECT_EQ(solution.status, SolveStatus::solved) << relaxation;
    iterations.insert(solution.iterations);
  }
  EXPECT_EQ(iterations.size(), 4u);
}

/// Block pivoting cycles on such problems: rows that push and rows that depend on them change sides for ever.
TEST(ProximalNewton, EndsOnLargeRedundantProblemsInFewFactorisations) {
  for (const char* name : {"contact", "redundant", "stack", "wall"}) {
    for (int seed = 0; seed < 3; ++seed) {
      const Lcp problem = support::make_lcp(name, 300, seed);
      const Solution solution = solve(problem, "proximal-newton", {});
      EXPECT_EQ(solution.status, SolveStatus::solved) << name << " " << seed << ": " << solution.residual;
      EXPECT_LE(solution.iterations, 60) << name << " " << seed;
    }
  }
}

TEST(ProximalNewton, LeavesProblemsThatAreNotSymmetricAsTheyAre) {
  const Lcp problem = support::make_lcp("pd-skew", 24, 0);
  EXPECT_EQ(solve(problem, "proximal-newton", {}).iterations, 0);
}

TEST(ProblemMatrix, IsSymmetricToTheLastBitOrNot) {
  MatrixX M = MatrixX::Zero(4, 4);
  M(0, 0) = 1, M(0, 2) = M(2, 0) = 3, M(1, 3) = M(3, 1) = 4;
  EXPECT_TRUE(is_symmetric(M));
  EXPECT_TRUE(is_symmetric(SparseMatrix(M.sparseView())));
  for (const auto& [i, j] : {std::pair(0, 2), {2, 0}, {3, 1}, {3, 2}, {0, 1}}) {
    MatrixX other = M;
    other(i, j) += 1e-15 + 1e-15 * M(i, j);
    EXPECT_FALSE(is_symmetric(other)) << i << " " << j;
    EXPECT_FALSE(is_symmetric(SparseMatrix(other.sparseView()))) << i << " " << j;
  }
}

}  // namespace
}  // namespace touchstone
