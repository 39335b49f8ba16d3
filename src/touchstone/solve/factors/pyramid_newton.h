#pragma once
// Proximal points of linearised friction whose matrix is in factors. Inside solve only.

#include "touchstone/solve/linear_problem.h"

namespace touchstone {

/// The problem has no free rows, and problem.M.pyramid() is not null.
Candidate pyramid_newton(const LinearProblem& problem, const SolveSettings& settings);

}  // namespace touchstone
