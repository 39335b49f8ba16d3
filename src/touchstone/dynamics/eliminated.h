#pragma once
// The rows of a step with velocities and joints eliminated. Inside dynamics only.
//
// With b the bilateral rows and c the others, W = G^T M^-1 G (+ compliances) and q the free rates,
//
//     p_b = -K^+ (q_b + W_bc p_c),   K = W_bb
//     w_c = (W_cc - W_cb K^+ W_bc) p_c + q_c - W_cb K^+ q_b        [Thesis eq. 2.37-2.39, corrected]
//
// K^+ is the pseudo-inverse: joints of a closed loop may say the same thing twice.

#include "touchstone/dynamics/equations.h"
#include "touchstone/solve/problem_matrix.h"

namespace touchstone {

template <int D>
class Eliminated {
 public:
  explicit Eliminated(const StepEquations<D>& equations);

  const SparseMatrix& W() const { return W_; }  ///< of unilateral, then tangent rows
  const VectorX& q() const { return q_; }
  VectorX bilateral(const VectorX& p) const;  ///< p_b of given p_c

 private:
  void eliminate(const SparseMatrix& W, const VectorX& q, int bilateral_count);

  SparseMatrix W_;
  VectorX q_;
  MatrixX back_;      ///< K^+ W_bc
  VectorX constant_;  ///< K^+ q_b
};

}  // namespace touchstone
