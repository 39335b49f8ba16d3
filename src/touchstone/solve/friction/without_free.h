#pragma once
// A friction problem with its equations (joints) eliminated, for solvers that know cones only. Inside solve
// only.
//
// With b the rows of free contacts and c the others,
//
//     r_b = -K^+ (q_b + W_bc r_c),   K = W_bb,       W_cc - W_cb K^+ W_bc,   q_c - W_cb K^+ q_b
//
// K^+ is the pseudo-inverse: joints of a closed loop may say the same thing twice. W is formed: for small
// problems.

#include "touchstone/solve/problem.h"

namespace touchstone {

class WithoutFree {
 public:
  explicit WithoutFree(const FrictionProblem& problem);

  const FrictionProblem& problem() const { return reduced_; }
  VectorX reduced(const VectorX& r) const { return r(kept_); }
  VectorX restored(const VectorX& reduced) const;

 private:
  std::vector<int> kept_, free_;  ///< rows
  FrictionProblem reduced_;
  MatrixX back_;      ///< K^+ W_bc
  VectorX constant_;  ///< K^+ q_b
};

}  // namespace touchstone
