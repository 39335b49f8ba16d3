// Random problems of contacts that stick, slide, open and contradict each other are solved to the last
// digits.

#include <gtest/gtest.h>

#include "random_pyramids.h"
#include "support/memory.h"
#include "touchstone/solve/factors/pyramid_interior_point.h"
#include "touchstone/solve/residual.h"
#include "touchstone/solve/solver.h"

namespace touchstone {
namespace {

/// q of a problem that has a solution (perhaps others too) in which contacts are open, stick and slide.
VectorX solvable(Random& random, const PyramidFactors& factors) {
  VectorX z = VectorX::Zero(factors.size), w = z;
  LocalVectors rates(factors.contact_count(), LocalVector::Zero());
  for (int c = 0; c < factors.contact_count(); ++c) {
    const PyramidContact& contact = factors.contacts[c];
    const bool pushes = random.index(3) != 0;
    if (contact.normal >= 0) (pushes ? z : w)[contact.normal] = random.uniform(0.1, 1);
    if (contact.slip < 0) continue;
    // w of the slip holds the bound of the cone for now.
    w[contact.slip] = contact.normal < 0 ? 1 : random.index(4) == 0 ? random.uniform(0.1, 1) : 0;
    const double radius = w[contact.slip] + (contact.normal >= 0 ? contact.mu * z[contact.normal] : 0);
    const int k = random.index(contact.side_count);
    if (radius == 0 || random.index(2) == 0) {  // slides against side k
      rates[c].tail<2>() = -random.uniform(0.1, 1) * factors.side[contact.sides + k];
      z[contact.slip] = rates[c].tail<2>().norm();
      z[contact.sides + k] = radius;
    } else {
      z[contact.sides + k] = random.uniform(0, 1) * radius;
    }
  }
  const VectorX image = PyramidMatrix(factors) * z;
  VectorX q = w - image;
  for (int c = 0; c < factors.contact_count(); ++c) {
    const PyramidContact& contact = factors.contacts[c];
    if (contact.slip < 0) continue;
    for (int k = contact.sides; k < contact.sides + contact.side_count; ++k)
      q[k] = factors.side[k].dot(rates[c].tail<2>()) - (image[k] - z[contact.slip]);
    q[contact.slip] = w[contact.slip];
  }
  return q;
}

TEST(PyramidNewton, SolvesRandomProblemsToTheLastDigits) {
  Random random(7);
  int solved = 0, all = 0, sticking = 0, sliding = 0, open = 0;
  RandomPyramids seen(random, 6, 1, 0);
  for (int block : {3, 6})
    for (int round = 0; round < 100; ++round) {
      const RandomPyramids set(random, block, 2 + random.index(20), 8 + random.index(40));
      const PyramidFactors& factors = set.made;
      seen.twins += set.twins, seen.motors += set.motors, seen.lines += set.lines;
      const Lcp problem{ProblemMatrix(factors), solvable(random, factors)};
      SolveSettings settings;
      settings.tolerance = 1e-12;
      const Solution found = solve(problem, "proximal-newton", settings);
      ++all, solved += found.status == SolveStatus::solved;
      const Lcp entries{ProblemMatrix(problem.M.to_sparse()), problem.q};
      EXPECT_NEAR(residual(entries, found.z), found.residual, 1e-13) << "the factors tell the truth";
      const Solution certain = solve(problem, "auto", settings);
      EXPECT_EQ(certain.status, SolveStatus::solved) << "residual " << certain.residual;
      for (const PyramidContact& contact : factors.contacts) {
        if (contact.slip < 0 || contact.normal < 0) continue;
        const bool pushes = found.z[contact.normal] > 0;
        (!pushes ? open : found.z[contact.slip] > 1e-9 ? sliding : sticking)++;
      }
    }
  EXPECT_GE(solved, all * 95 / 100) << "of " << all;
  EXPECT_GT(sticking, 200);
  EXPECT_GT(sliding, 200);
  EXPECT_GT(open, 200);
  EXPECT_GT(seen.twins, 200);
  EXPECT_GT(seen.motors, 200);
  EXPECT_GT(seen.lines, 200);
}

/// Two feet of each body on the ground, which ought to move by a little less or more along the same line.
PyramidFactors pairs_of_feet(int bodies) {
  PyramidFactors factors;
  factors.block = 3;
  for (int b = 0; b < bodies; ++b) {
    const MatrixX N = MatrixX::Identity(3, 3);
    factors.N.insert(factors.N.end(), N.data(), N.data() + N.size());
    for (const double arm : {-1, 1}) {
      MatrixX rows = MatrixX::Zero(6, 3);
      rows.col(0).head(3) << 0, 1, arm;
      rows.col(1).head(3) << 1, 0, 0.3;
      factors.G.insert(factors.G.end(), rows.data(), rows.data() + rows.size());
      PyramidContact foot;
      foot.first = b, foot.mu = 0.5, foot.normal = factors.size, foot.sides = factors.size + 1;
      foot.side_count = 2, foot.slip = factors.size + 3;
      factors.size += 4;
      factors.side.insert(factors.side.end(), {{0, 0}, {1, 0}, {-1, 0}, {0, 0}});
      factors.contacts.push_back(foot);
    }
  }
  return factors;
}

TEST(PyramidNewton, ContactsThatContradictEachOtherByALittleSlideByALittle) {
  const PyramidFactors factors = pairs_of_feet(10);
  for (const double little : {1e-12, 1e-11, 1e-10, 1e-8}) {
    VectorX q = VectorX::Zero(factors.size);
    for (int c = 0; c < factors.contact_count(); ++c) {
      const PyramidContact& foot = factors.contacts[c];
      const double rate = 0.1 + (c % 2 == 0 ? little : -little) * (1 + c);
      q[foot.normal] = -1, q[foot.sides] = rate, q[foot.sides + 1] = -rate;
    }
    SolveSettings settings;
    settings.tolerance = 1e-14;
    const Solution found = solve(Lcp{ProblemMatrix(factors), q}, "proximal-newton", settings);
    EXPECT_EQ(found.status, SolveStatus::solved) << "they differ by " << little << ": " << found.residual;
    EXPECT_LE(found.iterations, 20);
    for (int c = 0; c < factors.contact_count(); c += 2) {
      const double slips = found.z[factors.contacts[c].slip] + found.z[factors.contacts[c + 1].slip];
      EXPECT_NEAR(slips, (3 + 2 * c) * little, 1e-14) << "one of them slides";
    }
  }
}

TEST(PyramidNewton, BeginsWhereItIsToldTo) {
  Random random(8);
  const PyramidFactors factors = RandomPyramids(random, 6, 12, 40).made;
  const Lcp problem{ProblemMatrix(factors), solvable(random, factors)};
  SolveSettings settings;
  settings.tolerance = 1e-12;
  const Solution cold = solve(problem, "proximal-newton", settings);
  ASSERT_EQ(cold.status, SolveStatus::solved);
  EXPECT_GT(cold.iterations, 0);
  settings.start = cold.z;
  EXPECT_EQ(solve(problem, "proximal-newton", settings).iterations, 0);
}

TEST(PyramidNewton, KeepsToItsBudgetAndAutoIsNeverWorse) {
  Random random(11);
  int cut_short = 0;
  for (int round = 0; round < 40; ++round) {
    const PyramidFactors factors = RandomPyramids(random, 6, 4, 40).made;
    const Lcp problem{ProblemMatrix(factors), solvable(random, factors)};
    SolveSettings settings;
    settings.tolerance = 1e-13;
    settings.max_iterations = 1 + random.index(4);
    const Solution few = solve(problem, "proximal-newton", settings);
    EXPECT_LE(few.iterations, settings.max_iterations);
    cut_short += few.status != SolveStatus::solved;
    EXPECT_LE(solve(problem, "auto", settings).residual, few.residual);
  }
  EXPECT_GT(cut_short, 5);
}

TEST(PyramidNewton, FindsTheSameBitsWhateverMemoryHeldBefore) {
  Random random(10);
  const PyramidFactors factors = RandomPyramids(random, 6, 20, 60).made;
  const Lcp problem{ProblemMatrix(factors), solvable(random, factors)};
  support::leave_in_memory(0);
  const Solution first = solve(problem, "proximal-newton", {});
  support::leave_in_memory(0xff);  // numbers that are none
  const Solution second = solve(problem, "proximal-newton", {});
  EXPECT_EQ(first.z, second.z);
  EXPECT_EQ(first.iterations, second.iterations);
}

TEST(PyramidInteriorPoint, ComesNearASolutionAlone) {
  Random random(9);
  int near = 0;
  constexpr int kRounds = 60;
  for (int round = 0; round < kRounds; ++round) {
    const PyramidFactors factors = RandomPyramids(random, 6, 2 + random.index(20), 8 + random.index(40)).made;
    const Lcp problem{ProblemMatrix(factors), solvable(random, factors)};
    PyramidSystem<6> system(problem.M.pyramid()->factors());
    const auto no_guess = [](const VectorX&, const VectorX&, VectorX&, double&) {};
    const Candidate attempt = pyramid_interior_point<6>(problem, system, 60, 1e-7, no_guess);
    near += residual(problem, attempt.z) <= 1e-7;
  }
  EXPECT_GE(near, kRounds * 9 / 10);
}

}  // namespace
}  // namespace touchstone
