#pragma once
// Projected Gauss-Seidel on the factors of a GramMatrix. Inside solve only.

#include "touchstone/solve/linear_problem.h"

namespace touchstone {

/// As conjugate_sweeps() of splitting.h; `sizes` is the diagonal of M. Each row costs a product with two
/// blocks, however many rows they have.
template <int B>
VectorX conjugate_gram_sweeps(const LinearProblem& problem, const VectorX& sizes, VectorX z, int count);

}  // namespace touchstone
