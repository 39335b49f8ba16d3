#pragma once
// The solvers of Qp.

#include "touchstone/solve/linear_problem.h"

namespace touchstone {

/// Goldfarb and Idnani's dual active set, by dual_qp.h; z is (x, y).
Candidate dual_active_set(const Qp& problem, const SolveSettings& settings);

}  // namespace touchstone
