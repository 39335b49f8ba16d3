#pragma once
// The solvers of friction problems by name: auto, nsgs, semismooth-newton, interior-point, fixed-point.

#include <string_view>

#include "touchstone/solve/problem.h"
#include "touchstone/solve/solver.h"

namespace touchstone {

/// Does a friction solver of this name exist?
bool solves_friction(std::string_view solver);

/// The problem and the settings have been checked. The residual of residual.h alone decides whether the
/// answer is called solved; coefficients of friction for which there is no answer end as `inaccurate`.
Solution solve_friction(const FrictionProblem& problem, std::string_view solver,
                        const SolveSettings& settings);
/// By way of the local form W = H^T M^-1 H, q = w + H^T M^-1 f. A singular M ends as `singular`.
Solution solve_friction(const GlobalFrictionProblem& problem, std::string_view solver,
                        const SolveSettings& settings);

}  // namespace touchstone
