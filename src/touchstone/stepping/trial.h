#pragma once
// One attempt at a step: what lies between the contacts and the world at the end. Inside stepping only.

#include <chrono>

#include "touchstone/stepping/advance.h"
#include "touchstone/stepping/solve_islands.h"
#include "touchstone/stepping/step.h"

namespace touchstone {

/// Seconds since the last call.
class Stopwatch {
 public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

template <int D>
struct Stepper<D>::Trial {
  const World<D>& world;
  double h;
  StepReport<D>& report;
  Stopwatch watch;
  std::vector<JointEquations<D>> joints;  ///< at the start of the step
  Assembly<D> assembly;
  IslandResult<D> result;
  SteadyBodies<D> steady;

  Trial(const World<D>& world, double h, StepReport<D>& report);
};

}  // namespace touchstone
