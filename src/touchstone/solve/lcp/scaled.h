#pragma once
// A problem in units in which its rows have size 1.

#include "touchstone/solve/lcp/linear_solvers.h"

namespace touchstone {

/// Lets the solver treat z = D z', w = D^-1 w': w' = D M D z' + D q, with D such that the rows and columns of
/// D M D have entries of about size 1 (Ruiz), and powers of 2, so that no digit changes.
Candidate scaled(LinearSolver solver, const LinearProblem& problem, const SolveSettings& settings);

}  // namespace touchstone
