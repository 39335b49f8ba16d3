#include "touchstone/dynamics/eliminated.h"

#include <cassert>

#include "touchstone/dynamics/delassus.h"
#include "touchstone/solve/pseudo_inverse.h"

namespace touchstone {

template <int D>
Eliminated<D>::Eliminated(const StepEquations<D>& equations) {
  const auto rows = all_rows(equations);
  SparseMatrix W = delassus(equations, rows);
  VectorX q = free_rates(equations, rows);
  const int bilateral_count = static_cast<int>(equations.bilateral.size());
  if (bilateral_count == 0) {
    W_ = std::move(W), q_ = std::move(q);
  } else {
    eliminate(W, q, bilateral_count);
  }
  assert(W_.rows() == W_.cols() && W_.rows() == q_.size());
}

template <int D>
void Eliminated<D>::eliminate(const SparseMatrix& W, const VectorX& q, int nb) {
  assert(W.rows() == q.size() && nb <= q.size());
  const int nc = static_cast<int>(q.size()) - nb;
  const MatrixX full = W;
  const PseudoInverse K(full.topLeftCorner(nb, nb));
  constant_ = K.times(q.head(nb));
  if (nc == 0) {  // joints alone: nothing pushes back
    back_.resize(nb, 0);
    return;
  }
  back_ = K.times(full.topRightCorner(nb, nc));
  MatrixX reduced = full.bottomRightCorner(nc, nc) - full.bottomLeftCorner(nc, nb) * back_;
  reduced = 0.5 * (reduced + reduced.transpose()).eval();
  W_ = reduced.sparseView(1, 0);
  q_ = q.tail(nc) - full.bottomLeftCorner(nc, nb) * constant_;
}

template <int D>
VectorX Eliminated<D>::bilateral(const VectorX& p) const {
  assert(back_.cols() == p.size());
  return -constant_ - back_ * p;
}

template class Eliminated<2>;
template class Eliminated<3>;

}  // namespace touchstone
