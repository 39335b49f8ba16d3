#pragma once
// W = G^T M^-1 G: how an impulse at one row changes the rate of another (the Delassus matrix).

#include "touchstone/dynamics/equations.h"
#include "touchstone/solve/problem_matrix.h"

namespace touchstone {

/// The rows in the order bilateral, unilateral, tangent.
template <int D>
std::vector<const Row<D>*> all_rows(const StepEquations<D>& equations);

/// Sparse; the compliances stand on the diagonal.
template <int D>
SparseMatrix delassus(const StepEquations<D>& equations, const std::vector<const Row<D>*>& rows);

/// The same entries, dense.
template <int D>
MatrixX dense_delassus(const StepEquations<D>& equations, const std::vector<const Row<D>*>& rows);

/// W in its factors, without compliances.
template <int D>
GramFactors gram_factors(const StepEquations<D>& equations, const std::vector<const Row<D>*>& rows);

/// G.V_free + offset of each row.
template <int D>
VectorX free_rates(const StepEquations<D>& equations, const std::vector<const Row<D>*>& rows);

}  // namespace touchstone
