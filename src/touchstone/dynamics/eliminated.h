#pragma once
// The rows of a step with velocities and joints eliminated. Inside dynamics only.
//
// With b the bilateral rows and c the others, W = G^T M^-1 G (+ compliances) and q the free rates,
//
//     p_b = -K^+ (q_b + W_bc p_c),   K = W_bb
//     w_c = (W_cc - W_cb K^+ W_bc) p_c + q_c - W_cb K^+ q_b        [Thesis eq. 2.37-2.39, corrected]
//
// K^+ is the pseudo-inverse: joints of a closed loop may say the same thing twice.

#include <utility>

#include "touchstone/dynamics/equations.h"
#include "touchstone/solve/problem.h"

namespace touchstone {

template <int D>
class Eliminated {
 public:
  /// `dense`: W is dense, which is faster where rows are few.
  Eliminated(const StepEquations<D>& equations, bool dense);

  const ProblemMatrix& W() const { return W_; }  ///< of unilateral, then tangent rows
  const VectorX& q() const { return q_; }
  /// Both are given away.
  Lcp take_problem() { return {std::move(W_), std::move(q_)}; }
  VectorX bilateral(const VectorX& p) const;  ///< p_b of given p_c

 private:
  void eliminate(const MatrixX& W, const VectorX& q, int bilateral_count);

  bool dense_;
  ProblemMatrix W_;
  VectorX q_;
  MatrixX back_;      ///< K^+ W_bc
  VectorX constant_;  ///< K^+ q_b
};

}  // namespace touchstone
