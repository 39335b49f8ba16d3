// A solver that nobody waits for ends soon.

#include <gtest/gtest.h>

#include <atomic>

#include "touchstone/math/random.h"
#include "touchstone/solve/solver.h"

namespace touchstone {
namespace {

/// A chain of masses and springs that is pushed against stops: half of its unknowns vanish.
Lcp pushed_chain(int n) {
  Random random(n);
  MatrixX M = MatrixX::Zero(n, n);
  VectorX q(n);
  for (int i = 0; i < n; ++i) {
    M(i, i) = 2.001;
    if (i > 0) M(i, i - 1) = M(i - 1, i) = -1;
    q[i] = random.uniform(-1, 1);
  }
  return {ProblemMatrix(M), q};
}

TEST(Stop, EverySolverEndsSoonWithWhatItHas) {
  const Problem problem = pushed_chain(60);
  const std::atomic<bool> stop = true;
  int judged = 0;
  for (const SolverEntry& entry : solvers()) {
    const Solution whole = solve(problem, entry.name);
    if (whole.status == SolveStatus::absent || whole.iterations < 8) continue;
    SolveSettings settings;
    settings.stop = &stop;
    const Solution stopped = solve(problem, entry.name, settings);
    EXPECT_EQ(stopped.z.size(), 60) << entry.name;
    EXPECT_LE(stopped.iterations, whole.iterations / 2) << entry.name;
    ++judged;
  }
  EXPECT_GE(judged, 5);
}

TEST(Stop, AnEnumerationEndsBetweenTwoGuesses) {
  const Problem problem = pushed_chain(14);
  const std::atomic<bool> stop = true;
  SolveSettings settings;
  settings.stop = &stop;
  EXPECT_LE(solve(problem, "enumeration", settings).iterations, 1);
  EXPECT_GT(solve(problem, "enumeration").iterations, 100);
}

TEST(Stop, AFlagThatIsDownChangesNothing) {
  const Problem problem = pushed_chain(60);
  const std::atomic<bool> stop = false;
  SolveSettings settings;
  settings.stop = &stop;
  for (const char* solver : {"auto", "lemke", "pgs", "interior-point", "fischer-newton", "block-pivoting"})
    EXPECT_EQ(solve(problem, solver, settings).z, solve(problem, solver).z) << solver;
}

}  // namespace
}  // namespace touchstone
