#pragma once
// The solver `auto`: chains of solvers chosen by size and structure, with the residual after each member.

#include "touchstone/solve/linear_problem.h"

namespace touchstone {

Candidate automatic(const LinearProblem& problem, const SolveSettings& settings);
Candidate automatic(const Qp& problem, const SolveSettings& settings);

}  // namespace touchstone
