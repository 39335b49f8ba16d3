#pragma once
// (M + diag(shift)) x = b on some of the rows and columns of M: the linear system inside every active-set,
// Newton and interior-point method of this room, dense or sparse as M is.

#include <memory>

#include "touchstone/solve/linear/sparse_ldu.h"

namespace touchstone {

class MaskedSystem {
 public:
  /// M must outlive this object.
  explicit MaskedSystem(const ProblemMatrix& M);
  ~MaskedSystem();

  /// False when a pivot vanished: the solution may then be inaccurate or not finite.
  bool factor(const Mask& active, const VectorX& shift);
  /// With `refinements` steps of iterative refinement. Inactive entries are 0.
  VectorX solve(const VectorX& rhs, int refinements = 1) const;

 private:
  class Gathered;

  SparseLdu& sparse();
  VectorX multiply(const VectorX& x) const;
  void solve_once(const VectorX& rhs, VectorX& x) const;

  const ProblemMatrix& M_;
  std::unique_ptr<Gathered> gathered_;
  std::unique_ptr<SparseLdu> sparse_;  ///< there when it was needed
  bool in_full_ = true;                ///< the last factors are those of the gathered part
  Mask active_;
  VectorX shift_;
};

/// The entries of the diagonal.
VectorX diagonal_of(const ProblemMatrix& M);
/// Per row, the largest |entry|; 1 for a row of zeros.
VectorX row_sizes(const ProblemMatrix& M);

}  // namespace touchstone
