#pragma once
// Proximal points of a problem whose matrix is G N G^T in factors. Inside solve only.

#include "touchstone/solve/linear_problem.h"

namespace touchstone {

/// The problem has no free rows, and problem.M.gram() is not null.
Candidate gram_newton(const LinearProblem& problem, const SolveSettings& settings);

}  // namespace touchstone
