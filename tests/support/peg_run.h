#pragma once
// Runs of worlds whose steps choose between contacts, and what the choices were.

#include <gtest/gtest.h>

#include <algorithm>

#include "support/peg_worlds.h"

namespace touchstone::support {

/// Sums over a run; most_solves is of the worst step.
struct ChoiceTally {
  long steps = 0, guards = 0, solves = 0, backtracks = 0, flips = 0, relaxed = 0, illegal = 0;
  int most_solves = 0;
  double most_gained = 0;    ///< [J] of one step
  double worst_balance = 0;  ///< error of the energy identity over its scale

  template <int D>
  void add(const StepReport<D>& report) {
    ++steps;
    guards += report.choice.guards, solves += report.choice.solves, backtracks += report.choice.backtracks;
    flips += report.choice.flips, relaxed += report.choice.relaxed, illegal += report.choice.illegal;
    most_solves = std::max(most_solves, report.choice.solves);
    const EnergyBalance& b = report.balance;
    most_gained = std::max(most_gained, b.kinetic + b.potential - b.work);
    // Heights of bodies are sums of numbers near 1: round-off of a picojoule means nothing.
    constexpr double kSmallEnergy = 1e-3;
    worst_balance = std::max(worst_balance, std::abs(b.error) / (b.scale + kSmallEnergy));
  }
};

/// Steps until `end`, calling `each` after every step; a step that fails ends the run and the test.
template <int D, typename Function>
ChoiceTally run_steps(World<D>& world, const StepSettings& settings, const char* model, double end,
                      const Function& each) {
  Stepper<D> stepper(settings, model);
  ChoiceTally tally;
  const long steps = std::lround(end / settings.h);
  for (long i = 0; i < steps; ++i) {
    const StepReport<D> report = stepper.step(world);
    EXPECT_EQ(report.status, StepStatus::done) << report.message << " in step " << i;
    if (report.status != StepStatus::done) break;
    tally.add(report);
    each(world);
  }
  return tally;
}
template <int D>
ChoiceTally run_steps(World<D>& world, const StepSettings& settings, const char* model, double end) {
  return run_steps(world, settings, model, end, [](const World<D>&) {});
}

}  // namespace touchstone::support
