#pragma once
// Friction with round cones whose matrix is in factors: the solution of vanishing compliance. Inside solve
// only.

#include "touchstone/solve/problem.h"
#include "touchstone/solve/solver.h"

namespace touchstone {

/// problem.W.cones() is not null. The residual is not judged yet.
Solution cone_newton(const FrictionProblem& problem, const SolveSettings& settings);

}  // namespace touchstone
