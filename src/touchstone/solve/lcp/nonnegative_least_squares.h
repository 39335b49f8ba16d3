#pragma once
// min |A x - b| over x >= 0 [Lawson, Hanson: Solving Least Squares Problems, ch. 23].

#include <vector>

#include "touchstone/solve/problem_matrix.h"

namespace touchstone {

struct NonnegativeFit {
  VectorX x;
  double error = 0;        ///< |A x - b|
  bool converged = false;  ///< else `error` is only an upper bound of the least error
};

/// Entries with is_free[i] may be negative.
NonnegativeFit fit_nonnegative(const MatrixX& A, const VectorX& b, const std::vector<char>& is_free);

}  // namespace touchstone
