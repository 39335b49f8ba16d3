#pragma once
// Steps of a world, watched: what must hold in each of them, as the worst that was seen.

#include <string>

#include "touchstone/stepping/step.h"

namespace touchstone::support {

struct Watched {
  int steps = 0, refused = 0, divided = 0, pushed = 0;
  int passed = 0, loosened = 0, careful = 0;  ///< notes of the model `plane`, summed
  double least_gap = 0;                       ///< [m] as the steps report it
  double identity_error = 0;                  ///< of the energies involved
  double gained = 0;          ///< energy from nowhere but the tolerance of gaps, of the energies involved
  double momentum_error = 0;  ///< of the momenta and impulses involved
  double fastest = 0;         ///< [m/s]
  double most_energy = 0;     ///< [J] the largest sum of energies in a step
  double updates = 0;         ///< evaluations of contacts, in all
  std::string message;        ///< of steps that were refused
};

template <int D>
void run_watched(World<D>& world, Stepper<D>& stepper, int steps, Watched& seen);

/// The least gap of all pairs that may touch, by brute force.
template <int D>
double exact_least_gap(const World<D>& world);

}  // namespace touchstone::support
