#pragma once
// From a guess of which z_i are positive (the support) to the point that it stands for.

#include "touchstone/solve/linear/masked_system.h"
#include "touchstone/solve/linear_problem.h"

namespace touchstone {

/// w = 0 on the support and on free rows, z = 0 elsewhere. Where those rows are dependent, a point near
/// `near`. `system` is of the problem's matrix.
VectorX point_on_support(const LinearProblem& problem, MaskedSystem& system, const Mask& support,
                         const VectorX& near);

/// The rows with z_i > w_i, and the free ones.
Mask support_of(const LinearProblem& problem, const VectorX& z);

/// z or the point on its support, whichever has the smaller residual.
VectorX polished(const LinearProblem& problem, const VectorX& z);

}  // namespace touchstone
