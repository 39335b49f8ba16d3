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

/// The normal impulse at each contact of the set [N s]; 0 where it has no row.
template <int D>
std::vector<double> pushes(const ConstraintSet<D>& set, const Assembly<D>& assembly,
                           const StepImpulses<D>& found) {
  std::vector<double> push(set.contacts.size(), 0.);
  for (std::size_t i = 0; i < set.unilateral.size(); ++i) {
    const int row = assembly.row_of_contact[i];
    if (row >= 0) push[set.unilateral[i]] = found.unilateral[row];
  }
  return push;
}

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

  /// Does the motion found keep all bodies in the world? If not, the report says which it loses.
  bool stays_in_world() const;
};

}  // namespace touchstone
