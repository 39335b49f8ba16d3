#pragma once
// The loop around the damped Newton methods, fischer_newton.cpp and minmap_newton.cpp. Inside solve only.

#include <functional>

#include "touchstone/solve/linear_problem.h"

namespace touchstone {

/// Moves z by one damped step of Newton's method. False: no step lessens the error.
using DampedStep = std::function<bool(VectorX& z)>;

/// Makes steps from the start of the settings, or else from z = (cold, cold, ...), and keeps the best z that
/// they met. Where no z is exact enough, the point on the support of the best is tried.
Candidate run_damped_newton(const LinearProblem& problem, const SolveSettings& settings, double cold,
                            const DampedStep& step);

}  // namespace touchstone
