#include "touchstone/solve/factors/gram_hessian.h"

#include <cassert>

namespace touchstone {

template <int B>
GramHessian<B>::GramHessian(const GramFactors& factors, const Eigen::VectorXd& sizes)
    : factors_(factors),
      sizes_(sizes),
      edges_(factors.first, factors.second),
      cholesky_(factors.block_count(), edges_.pairs),
      mass_(inverse_blocks<B>(factors.N)),
      diagonal_(mass_.size(), SmallBlock<B>::Zero()),
      edge_(edges_.pairs.size(), SmallBlock<B>::Zero()),
      members_(edge_.size()),
      summed_(factors.row_count(), false) {}

/// The row enters the set, or leaves it. What it leaves behind is round-off, which only slows down the
/// proximal steps; an edge that its last row leaves is empty again.
template <int B>
void GramHessian<B>::move_row(int i, bool enters) {
  const BlockPart<B> a(&factors_.G[2 * B * i]), b(&factors_.G[2 * B * i + B]);
  const int first = factors_.first[i], second = factors_.second[i], edge = edges_.of_row[i];
  const double weight = (enters ? 1 : -1) / sizes_[i];
  const Eigen::Matrix<double, B, 1> wa = weight * a, wb = weight * b;
  summed_[i] = enters;
  if (first >= 0) diagonal_[first].noalias() += wa * a.transpose();
  if (second >= 0) diagonal_[second].noalias() += wb * b.transpose();
  if (edge < 0) return;
  SmallBlock<B>& between = edge_[edge];  // of the lower block and the higher
  if (first < second) {
    between.noalias() += wa * b.transpose();
  } else {
    between.noalias() += wb * a.transpose();
  }
  members_[edge] += enters ? 1 : -1;
  assert(members_[edge] >= 0);
  if (members_[edge] == 0) between.setZero();
}

template <int B>
bool GramHessian<B>::factor(const std::vector<char>& set, double softness) {
  assert(static_cast<int>(set.size()) == factors_.row_count() && softness > 0);
  for (int i = 0; i < factors_.row_count(); ++i)
    if (set[i] != summed_[i]) move_row(i, set[i]);
  cholesky_.clear();
  for (std::size_t b = 0; b < mass_.size(); ++b) cholesky_.diagonal(b) = mass_[b] + diagonal_[b] / softness;
  for (std::size_t e = 0; e < edge_.size(); ++e)
    if (members_[e] > 0) cholesky_.set_edge(e, edge_[e] / softness);
  return cholesky_.factor();
}

template class GramHessian<3>;
template class GramHessian<6>;

}  // namespace touchstone
