#pragma once

#include "problem.h"
#include "touchstone/solve/solver.h"

namespace touchstone::python {

/// What a solver of Python returned (numbers or a Solution), judged as every other solver is: the residual
/// alone decides whether it is solved.
Solution judged(const Problem& problem, py::handle value, const SolveSettings& settings);

}  // namespace touchstone::python
