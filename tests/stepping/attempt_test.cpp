// An attempt at a step is a value: it changes nothing, and what it says is what commit makes.

#include "touchstone/stepping/attempt.h"

#include <gtest/gtest.h>

#include "support/random_worlds.h"
#include "touchstone/stepping/step.h"

namespace touchstone {
namespace {

template <int D>
bool same_bits(const World<D>& a, const World<D>& b) {
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    const Body<D>&x = a.bodies[i], &y = b.bodies[i];
    const bool same = x.position == y.position && x.velocity == y.velocity &&
                      x.attitude.matrix() == y.attitude.matrix() && x.force == y.force;
    if (!same) return false;
  }
  return a.time == b.time && a.steps == b.steps;
}

/// A pile on its way, and the stepper that brought it there.
struct Pile {
  World<3> world;
  Stepper<3> stepper;

  explicit Pile(std::string_view model)
      : world(random_world<3>(5, {})), stepper({.h = 0.01, .threads = 1}, model) {
    for (int i = 0; i < 60; ++i) stepper.step(world);
  }
};

const std::vector<std::string_view> kModels = {"plane", "peg", "manifold"};

TEST(Attempt, ChangesNeitherTheWorldNorTheMemory) {
  for (const std::string_view model : kModels) {
    const Pile pile(model);
    const World<3> before = pile.world;
    const Attempt<3> one = attempt_step(pile.world, 0.01, pile.stepper.stages(), pile.stepper.memory());
    const Attempt<3> two = attempt_step(pile.world, 0.01, pile.stepper.stages(), pile.stepper.memory());
    ASSERT_EQ(one.status, StepStatus::done) << model << ": " << one.why;
    EXPECT_TRUE(same_bits(pile.world, before)) << model;
    for (std::size_t b = 0; b < one.paths.size(); ++b) {
      EXPECT_EQ(one.paths[b].velocity, two.paths[b].velocity) << model << ", body " << b;
    }
    EXPECT_EQ(one.solved.residual, two.solved.residual) << model;
    EXPECT_EQ(one.updates, two.updates) << model;
  }
}

TEST(Attempt, OneThatIsThrownAwayLeavesNoTraceInTheStepsThatFollow) {
  for (const std::string_view model : kModels) {
    Pile tries(model), plain(model);
    for (int i = 0; i < 20; ++i) {
      for (const double h : {0.1, 0.02}) {
        attempt_step(tries.world, h, tries.stepper.stages(), tries.stepper.memory());
      }
      const StepReport<3> a = tries.stepper.step(tries.world), b = plain.stepper.step(plain.world);
      EXPECT_EQ(a.residual, b.residual) << model;
      EXPECT_EQ(a.iterations, b.iterations) << model;
    }
    EXPECT_TRUE(same_bits(tries.world, plain.world)) << model;
  }
}

TEST(Attempt, CommitLeavesBodiesAtTheEndsOfTheirPathsToTheBit) {
  for (const std::string_view model : kModels) {
    Pile pile(model);
    const Attempt<3> attempt = attempt_step(pile.world, 0.01, pile.stepper.stages(), pile.stepper.memory());
    StepReport<3> report;
    commit(attempt, pile.stepper.settings(), pile.world, report);
    for (std::size_t b = 0; b < attempt.paths.size(); ++b) {
      const Pose<3> end = attempt.paths[b].at(1), now = pile.world.bodies[b].X_WC();
      EXPECT_EQ(end.p, now.p) << model << ", body " << b;
      EXPECT_EQ(end.R, now.R) << model << ", body " << b;
    }
  }
}

/// Every evaluation of the step that is taken counts, not only the last.
TEST(Attempt, IterationsAreThoseOfAllEvaluations) {
  World<3> world = random_pile<3>(1, 0, 6);
  Stepper<3> stepper({.h = 0.01, .impacts = Impacts::merged, .threads = 1}, "plane");
  int asked = 0, calls = 0, several = 0;
  stepper.set_solver([&](const Problem& problem, const SolveSettings& settings) {
    Solution solution = solve(problem, "auto", settings);
    asked += solution.iterations, ++calls;
    return solution;
  });
  for (int i = 0; i < 250; ++i) {
    asked = calls = 0;
    const StepReport<3> report = stepper.step(world);
    if (report.substeps > 1) continue;  // attempts that were thrown away are not counted
    EXPECT_EQ(report.iterations, asked) << "step " << i;
    several += calls > report.islands && asked > 0;
  }
  EXPECT_GT(several, 10) << "steps that were solved several times";
}

/// The copy of a stepper shares what is remembered, and neither sees the steps of the other.
TEST(Attempt, ACopyOfAStepperMakesTheSameStepsToTheBit) {
  Pile pile("plane");
  Stepper<3> copy = pile.stepper;
  World<3> other = pile.world;
  for (int i = 0; i < 30; ++i) pile.stepper.step(pile.world);
  for (int i = 0; i < 30; ++i) copy.step(other);
  EXPECT_TRUE(same_bits(pile.world, other));
}

}  // namespace
}  // namespace touchstone
