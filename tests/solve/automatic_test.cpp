#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "support/problem_sets.h"
#include "touchstone/solve/residual.h"
#include "touchstone/solve/solver.h"

namespace touchstone {
namespace {

constexpr double kTight = 1e-10;

/// Contacts as simulations make them: exact, with the round-off or the small errors of a collision query,
/// with masses far apart, with small and large effective masses.
Lcp contact_lcp(int seed, std::map<std::string, int>& regimes) {
  Random random(static_cast<std::uint64_t>(seed) + 77);
  const std::vector<std::string> classes = {"contact", "redundant", "stack", "wall"};
  const std::string name = classes[random.index(4)];
  const bool friction = random.unit() < 0.4;
  const int contacts = friction ? 1 + random.index(9) : 1 + random.index(45);
  support::ContactSystem system = support::make_contacts(name, contacts, seed);
  const double noise = std::vector<double>{0, 0, 1e-14, 1e-12, 1e-9, 1e-6}[random.index(6)];
  for (int i = 0; i < system.Gn.nonZeros(); ++i) system.Gn.valuePtr()[i] += noise * random.uniform(-1, 1);
  for (long i = 0; i < system.gap_rate.size(); ++i) system.gap_rate[i] += noise * random.unit();
  const int masses = random.index(4);
  for (int i = 0; i < system.inverse.nonZeros(); ++i) {
    if (masses == 1) system.inverse.valuePtr()[i] *= std::pow(10.0, (i / 6) % 5 - 2);
    if (masses == 2) system.inverse.valuePtr()[i] *= 1e-4;
    if (masses == 3) system.inverse.valuePtr()[i] *= 1e3;
  }
  ++regimes[name + (friction ? " with friction" : "")];
  ++regimes[noise == 0 ? "exact" : "noisy"];
  const Lcp problem = friction ? support::stewart_trinkle(system) : support::frictionless(system);
  return random.unit() < 0.5 ? support::dense(problem) : problem;
}

/// 2^12 supports take a millisecond.
constexpr int kEnumerable = 12;

/// By how much enumeration finds other velocities, relative to the problem's: they are unique where M is
/// symmetric, with friction they need not be. Expects that it finds some.
double disagreement(const Lcp& problem, const Solution& solution) {
  const Solution truth = solve(problem, "enumeration");
  EXPECT_EQ(truth.status, SolveStatus::solved);
  const MatrixX M = problem.M.to_dense();
  if (M != M.transpose()) return -1;
  return (M * (solution.z - truth.z)).lpNorm<Eigen::Infinity>() / (1 + problem.q.lpNorm<Eigen::Infinity>());
}

TEST(Auto, SolvesTenThousandContactProblems) {
  std::map<std::string, int> regimes, members;
  double worst = 0, apart = 0;
  int rows = 0, enumerated = 0, compared = 0;
  for (int seed = 0; seed < 10000; ++seed) {
    const Lcp problem = contact_lcp(seed, regimes);
    const Solution solution = solve(problem);
    ASSERT_EQ(solution.status, SolveStatus::solved) << "seed " << seed << ": " << solution.residual;
    ++members[solution.solver];
    worst = std::max(worst, solution.residual);
    rows = std::max(rows, static_cast<int>(problem.q.size()));
    if (problem.q.size() > kEnumerable) continue;
    const double difference = disagreement(problem, solution);
    ++enumerated;
    compared += difference >= 0;
    apart = std::max(apart, difference);
  }
  std::printf(
      "10000 contact LCPs of up to %d rows, worst residual %.1e; %d enumerated, velocities of %d agree to "
      "%.1e\n",
      rows, worst, enumerated, compared, apart);
  for (const auto& [name, count] : regimes) std::printf("  %s: %d\n", name.c_str(), count);
  for (const auto& [name, count] : members) std::printf("  by %s: %d\n", name.c_str(), count);
  EXPECT_LE(worst, kTight);
  EXPECT_LE(apart, 1e-8);
  EXPECT_GT(enumerated, 1000);
  EXPECT_GT(rows, 50);
  EXPECT_GT(compared, 500);
  EXPECT_GE(regimes.size(), 10u);
  for (const auto& [name, count] : regimes) EXPECT_GT(count, 500) << name;
}

/// Velocities are unique where impulses are not: |J^T z| must agree between solvers.
TEST(Auto, FindsTheSameMotionAsEnumeration) {
  int redundant = 0;
  for (int seed = 0; seed < 60; ++seed) {
    const Lcp problem = support::make_lcp(seed % 2 ? "redundant" : "stack", 12, seed);
    const Solution found = solve(problem), truth = solve(problem, "enumeration");
    ASSERT_EQ(truth.status, SolveStatus::solved);
    const VectorX difference = problem.M * (found.z - truth.z);
    EXPECT_LE(difference.lpNorm<Eigen::Infinity>(), 1e-9) << seed;
    redundant += (found.z - truth.z).norm() > 1e-6;
  }
  EXPECT_GT(redundant, 5) << "no problem had several solutions";
}

TEST(Auto, SolvesARedundantProblemOf120RowsAndRank60) {
  for (int seed = 0; seed < 20; ++seed) {
    const Solution solution = solve(support::make_lcp("redundant", 120, seed));
    EXPECT_EQ(solution.status, SolveStatus::solved) << seed;
    EXPECT_LE(solution.residual, 1e-11);
  }
}

TEST(Auto, SolvesAStackOfAThousandBoxes) {
  const support::ContactSystem system = support::make_contacts("stack", 4000, 1);
  for (const Problem& problem :
       {Problem(support::frictionless(system)), Problem(support::frictionless_mixed(system)),
        Problem(support::frictionless_qp(system))}) {
    const Solution cold = solve(problem);
    EXPECT_EQ(cold.status, SolveStatus::solved) << kind_of(problem) << " " << cold.residual;
    SolveSettings settings;
    settings.start = cold.z;
    EXPECT_EQ(solve(problem, "auto", settings).iterations, 0);
  }
}

TEST(Auto, SolvesLargeWallsWithFriction) {
  for (const int contacts : {60, 150, 400}) {
    const support::ContactSystem system = support::make_contacts("wall", contacts, 2);
    const Solution mixed = solve(support::stewart_trinkle_mixed(system));
    EXPECT_EQ(mixed.status, SolveStatus::solved) << contacts << " mixed " << mixed.residual;
    if (contacts > 200) continue;
    const Solution reduced = solve(support::stewart_trinkle(system));
    EXPECT_EQ(reduced.status, SolveStatus::solved) << contacts << " reduced " << reduced.residual;
  }
}

TEST(Auto, SolvesManyRandomFrictionProblemsOfSomeHundredRows) {
  for (int seed = 0; seed < 10; ++seed) {
    const Solution solution = solve(support::make_lcp("friction", 240, seed));
    EXPECT_EQ(solution.status, SolveStatus::solved) << seed << " " << solution.residual;
  }
}

/// The next step of a scene that rests or nearly rests: the same support with slightly other numbers.
TEST(Auto, AcceptsLastStepsImpulsesAfterAtMostOneFactorisation) {
  int accepted = 0, factored = 0;
  for (const char* name : {"stack", "wall", "contact", "stack-friction"})
    for (const int n : {24, 200}) {
      const Lcp before = support::make_lcp(name, n, 5);
      SolveSettings settings;
      settings.start = solve(before).z;
      const Solution same = solve(before, "auto", settings);
      EXPECT_EQ(same.solver, "start") << name;
      EXPECT_EQ(same.iterations, 0) << name;
      accepted += same.iterations == 0;
      Lcp after = before;
      after.q *= 1.001;
      const Solution next = solve(after, "auto", settings);
      EXPECT_EQ(next.status, SolveStatus::solved) << name;
      EXPECT_LE(next.iterations, 1) << name;
      factored += next.iterations == 1;
    }
  EXPECT_EQ(accepted, 8);
  EXPECT_GT(factored, 4);
}

/// Where a body slides, bounds of friction change with the speed: a few supports are tried.
TEST(Auto, FollowsASlidingSceneByAFewFactorisations) {
  int followed = 0;
  for (int seed = 0; seed < 20; ++seed) {
    const Lcp before = support::make_lcp("friction", 200, seed);
    SolveSettings settings;
    settings.start = solve(before).z;
    Lcp after = before;
    after.q *= 1.001;
    const Solution next = solve(after, "auto", settings);
    EXPECT_EQ(next.status, SolveStatus::solved) << seed;
    followed += next.iterations <= 12;
  }
  EXPECT_GE(followed, 15);
}

TEST(Auto, IsNotMisledByAWrongStart) {
  for (int seed = 0; seed < 50; ++seed) {
    const Lcp problem = support::make_lcp(seed % 2 ? "contact" : "friction", 30, seed);
    SolveSettings settings;
    Random random(seed);
    settings.start = VectorX(problem.q.size());
    for (long i = 0; i < problem.q.size(); ++i) settings.start[i] = random.uniform(-1, 5);
    EXPECT_EQ(solve(problem, "auto", settings).status, SolveStatus::solved) << seed;
  }
}

/// Rows in mm and in km.
TEST(Auto, SolvesProblemsOfBadlyScaledRows) {
  double spread = 0;
  for (int seed = 0; seed < 100; ++seed) {
    const Lcp plain = support::make_lcp(seed % 2 ? "contact" : "friction", 36, seed);
    Random random(seed);
    VectorX D(plain.q.size());
    for (long i = 0; i < D.size(); ++i) D[i] = random.log_uniform(1e-3, 1e3);
    spread = std::max(spread, D.maxCoeff() / D.minCoeff());
    const Lcp problem{MatrixX(D.asDiagonal() * plain.M.dense() * D.asDiagonal()), D.cwiseProduct(plain.q)};
    const Solution solution = solve(problem);
    EXPECT_EQ(solution.status, SolveStatus::solved) << seed << " " << solution.residual;
  }
  EXPECT_GT(spread, 1e4);
}

TEST(Auto, NamesTheMemberThatSolvedAndGivesTheSameBitsAgain) {
  for (const std::string& name : support::lcp_classes()) {
    const Lcp problem = support::make_lcp(name, 150, 7);
    const Solution first = solve(problem), second = solve(problem);
    EXPECT_EQ(first.z, second.z) << name;
    EXPECT_NE(first.solver, "auto") << name;
    EXPECT_TRUE(treats(first.solver, problem)) << first.solver;
  }
}

TEST(Auto, SaysWhatItReachedWhereThereIsNothingToFind) {
  // -z - 1 >= 0 has no z >= 0, for any size; large ones are not proved, but never called solved.
  for (const int n : {1, 10, 150}) {
    const Lcp problem{MatrixX(-MatrixX::Identity(n, n)), VectorX::Constant(n, -1)};
    const Solution solution = solve(problem);
    EXPECT_NE(solution.status, SolveStatus::solved) << n;
    EXPECT_EQ(solution.residual, residual(problem, solution.z));
    if (n <= 10) {
      EXPECT_EQ(solution.status, SolveStatus::unsolvable);
    }
  }
}

}  // namespace
}  // namespace touchstone
