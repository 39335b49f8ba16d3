// Somebody who wishes to stop need not wait for the end of a step.

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>

#include "../support/random_worlds.h"
#include "touchstone/solve/solver.h"
#include "touchstone/stepping/step.h"

namespace touchstone {
namespace {

template <int D>
bool has_same_state(const World<D>& a, const World<D>& b) {
  bool same = a.time == b.time && a.steps == b.steps && a.bodies.size() == b.bodies.size();
  for (std::size_t i = 0; same && i < a.bodies.size(); ++i) {
    same = a.bodies[i].position == b.bodies[i].position && a.bodies[i].velocity == b.bodies[i].velocity &&
           a.bodies[i].attitude.matrix() == b.bodies[i].attitude.matrix();
  }
  return same;
}

/// Raises the flag within the n-th problem that is solved in a step, for every n, and then lets the step go
/// on.
template <int D>
void stop_everywhere(const char* model) {
  World<D> world = random_pile<D>(5, 0.4, 6);
  std::atomic<bool> stop = false;
  StepSettings settings;
  settings.h = 0.01, settings.threads = 1, settings.solve.stop = &stop;
  Stepper<D> stepper(settings, model);
  int calls = 0, raised = 0, stopped = 0;
  stepper.set_solver([&](const Problem& problem, const SolveSettings& told) {
    if (++calls == raised) stop = true;
    return solve(problem, "auto", told);
  });
  for (int step = 0; step < 60; ++step) {
    const World<D> before = world;
    for (raised = 1; raised < 100; raised += 1 + raised / 4) {
      calls = 0, stop = false;
      Stepper<D> other = stepper;
      World<D> tried = before;
      const StepReport<D> report = other.step(tried);
      if (calls < raised) break;
      if (report.status == StepStatus::done) continue;
      ++stopped;
      ASSERT_EQ(report.status, StepStatus::stopped) << report.message;
      ASSERT_EQ(calls, raised) << "nothing is solved once the wish is there";
      ASSERT_TRUE(has_same_state(tried, before));
    }
    raised = 0, stop = false;
    ASSERT_EQ(stepper.step(world).status, StepStatus::done);
    ASSERT_FALSE(has_same_state(world, before));
  }
  EXPECT_GT(stopped, 50);
}

TEST(Stop, AStepThatIsStoppedLeavesTheWorldAsItWas) {
  for (const char* model : {"plane", "manifold", "peg"}) stop_everywhere<2>(model);
  stop_everywhere<3>("plane");
}

TEST(Stop, NoStepIsBegunOnceTheWishIsThere) {
  World<3> world = random_pile<3>(1, 0.4, 3);
  const World<3> before = world;
  const std::atomic<bool> stop = true;
  StepSettings settings;
  settings.solve.stop = &stop;
  Stepper<3> stepper(settings);
  EXPECT_EQ(stepper.step(world).status, StepStatus::stopped);
  EXPECT_TRUE(has_same_state(world, before));
}

}  // namespace
}  // namespace touchstone
