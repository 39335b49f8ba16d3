#pragma once
// The kinetic energy of a change of velocities.

#include <Eigen/LU>
#include <cassert>

#include "touchstone/dynamics/equations.h"

namespace touchstone {

/// [J] 1/2 |V_1 - V_0|_M^2, of the bodies of the equations: what an impact at these velocities takes, and how
/// far they are from each other in the norm of the masses.
template <int D>
double jump_energy(const StepEquations<D>& equations, const std::vector<Twist<D>>& V_0,
                   const std::vector<Twist<D>>& V_1) {
  assert(V_0.size() == equations.inverse_mass.size() && V_1.size() == V_0.size());
  double sum = 0;
  for (int b = 0; b < equations.body_count(); ++b) {
    const Twist<D> d = V_1[b] - V_0[b];
    const Spin<D> w = angular<D>(d);
    sum += linear<D>(d).squaredNorm() / equations.inverse_mass[b];
    sum += w.dot(equations.inverse_inertia[b].inverse() * w);
  }
  return 0.5 * sum;
}

}  // namespace touchstone
