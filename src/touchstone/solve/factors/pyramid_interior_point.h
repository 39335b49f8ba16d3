#pragma once
// The interior-point method on the factors of a PyramidMatrix. Inside solve only.

#include <functional>

#include "touchstone/solve/factors/pyramid_system.h"
#include "touchstone/solve/linear_problem.h"

namespace touchstone {

/// Shown z > 0 with w = M z + q once two digits are right: may put a better z and its residual, and may
/// factor the system.
using PyramidGuess = std::function<void(const VectorX& z, const VectorX& w, VectorX& best, double& least)>;

/// As interior_point() of linear_solvers.h, but each linear system has the size of the bodies' velocities.
template <int B>
Candidate pyramid_interior_point(const LinearProblem& problem, PyramidSystem<B>& system, int limit,
                                 double tolerance, const PyramidGuess& guess);

}  // namespace touchstone
