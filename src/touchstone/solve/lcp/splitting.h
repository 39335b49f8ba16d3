#pragma once
// Sweeps of Gauss and Seidel as the start of another solver.

#include "touchstone/solve/linear_problem.h"

namespace touchstone {

/// z >= 0 after `count` projected sweeps, each sped up by a conjugate direction [Silcowitz, Niebe, Erleben
/// 2010]. For symmetric problems without free rows; z itself where a diagonal entry is not positive.
VectorX conjugate_sweeps(const LinearProblem& problem, VectorX z, int count);

}  // namespace touchstone
