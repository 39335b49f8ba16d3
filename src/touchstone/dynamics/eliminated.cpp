#include "touchstone/dynamics/eliminated.h"

#include <cassert>
#include <utility>

#include "touchstone/dynamics/delassus.h"
#include "touchstone/solve/pseudo_inverse.h"

namespace touchstone {

template <int D>
Eliminated<D>::Eliminated(const StepEquations<D>& equations, bool dense) : dense_(dense) {
  const auto rows = all_rows(equations);
  VectorX q = free_rates(equations, rows);
  const int bilateral_count = static_cast<int>(equations.bilateral.size());
  if (bilateral_count > 0) {
    eliminate(dense_delassus(equations, rows), q, bilateral_count);
  } else {
    W_ = dense ? ProblemMatrix(dense_delassus(equations, rows)) : ProblemMatrix(delassus(equations, rows));
    q_ = std::move(q);
  }
  assert(W_.rows() == W_.cols() && W_.rows() == q_.size());
}

template <int D>
void Eliminated<D>::eliminate(const MatrixX& full, const VectorX& q, int nb) {
  assert(full.rows() == q.size() && nb <= q.size());
  const int nc = static_cast<int>(q.size()) - nb;
  const PseudoInverse K(full.topLeftCorner(nb, nb));
  constant_ = K.times(q.head(nb));
  if (nc == 0) {  // joints alone: nothing pushes back
    back_.resize(nb, 0);
    return;
  }
  back_ = K.times(full.topRightCorner(nb, nc));
  MatrixX reduced = full.bottomRightCorner(nc, nc) - full.bottomLeftCorner(nc, nb) * back_;
  reduced = 0.5 * (reduced + reduced.transpose()).eval();
  W_ = dense_ ? ProblemMatrix(std::move(reduced)) : ProblemMatrix(SparseMatrix(reduced.sparseView(1, 0)));
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
