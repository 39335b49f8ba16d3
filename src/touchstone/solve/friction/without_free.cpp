#include "touchstone/solve/friction/without_free.h"

#include <cassert>

#include "touchstone/solve/pseudo_inverse.h"

namespace touchstone {

WithoutFree::WithoutFree(const FrictionProblem& problem) {
  const int D = problem.dimension;
  std::vector<double> mu;
  for (int i = 0; i < problem.q.size(); ++i) (problem.is_free(i / D) ? free_ : kept_).push_back(i);
  for (int c = 0; c < problem.mu.size(); ++c)
    if (!problem.is_free(c)) mu.push_back(problem.mu[c]);
  const MatrixX W = problem.W.to_dense();
  const PseudoInverse K(W(free_, free_));
  constant_ = K.times(problem.q(free_));
  back_ = K.times(W(free_, kept_));
  const MatrixX reduced = W(kept_, kept_) - W(kept_, free_) * back_;
  reduced_ = {D, MatrixX(0.5 * (reduced + reduced.transpose())),
              VectorX(problem.q(kept_) - W(kept_, free_) * constant_),
              Eigen::Map<const VectorX>(mu.data(), static_cast<Eigen::Index>(mu.size()))};
}

VectorX WithoutFree::restored(const VectorX& reduced) const {
  assert(reduced.size() == static_cast<Eigen::Index>(kept_.size()));
  VectorX r(kept_.size() + free_.size());
  r(kept_) = reduced;
  r(free_) = -constant_ - back_ * reduced;
  return r;
}

}  // namespace touchstone
