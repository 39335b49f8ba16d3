#pragma once
// When a ray proves that there is no solution.

#include "touchstone/solve/linear_problem.h"

namespace touchstone {

/// y >= 0 with M^T y <= 0 and q^T y < 0 proves that no z >= 0 has M z + q >= 0, for then
/// 0 <= y^T (M z + q) = (M^T y)^T z + q^T y < 0 [Farkas]. Round-off in M^T y leaves room only for solutions
/// that are larger than the problem's own numbers by many orders of magnitude.
bool proves_infeasible(const LinearProblem& problem, const VectorX& y);

}  // namespace touchstone
