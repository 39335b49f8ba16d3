#pragma once
// Mehrotra's predictor and corrector on the factors of a PyramidMatrix. Inside solve only.

#include <functional>

#include "touchstone/solve/linear_problem.h"
#include "touchstone/solve/pyramid_system.h"

namespace touchstone {

/// As interior_point() of linear_solvers.h, but each linear system has the size of the bodies' velocities.
/// `is_enough` is shown every z > 0 with its w = M z + q once the residual is below 1e-2, and may end it; it
/// may factor the system. Ends otherwise where the residual is at most settings.tolerance, or after many
/// steps.
template <int B>
Attempt pyramid_interior_point(const LinearProblem& problem, PyramidSystem<B>& system,
                               const SolveSettings& settings,
                               const std::function<bool(const VectorX& z, const VectorX& w)>& is_enough);

}  // namespace touchstone
