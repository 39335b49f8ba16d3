#include "touchstone/solve/linear/block_lu.h"

#include <Eigen/LU>
#include <algorithm>
#include <cassert>

namespace touchstone {
namespace {

/// C -= A X. (Written out: the compiler keeps a column of C in registers.)
template <int B>
void subtract_product(const double* A, const double* X, double* C) {
  for (int j = 0; j < B; ++j) {
    double column[B];
    for (int i = 0; i < B; ++i) column[i] = C[i + B * j];
    for (int k = 0; k < B; ++k)
      for (int i = 0; i < B; ++i) column[i] -= A[i + B * k] * X[k + B * j];
    for (int i = 0; i < B; ++i) C[i + B * j] = column[i];
  }
}

}  // namespace

template <int B>
BlockLu<B>::BlockLu(int count, const std::vector<std::pair<int, int>>& edges)
    : pattern_(count, edges),
      diagonal_(count),
      left_(pattern_.row.size()),
      right_(pattern_.row.size()),
      y_(count) {}

template <int B>
void BlockLu<B>::clear() {
  for (Block& block : left_) block.setZero();
  for (Block& block : right_) block.setZero();
}

/// Column k becomes that of L, and its product with row k of U is taken off what follows.
template <int B>
void BlockLu<B>::eliminate(int k) {
  const int first = pattern_.begin[k], last = pattern_.begin[k + 1];
  for (int p = first; p < last; ++p) left_[p] = (left_[p] * diagonal_[k]).eval();
  for (int p = first; p < last; ++p) {
    const int j = pattern_.row[p];
    subtract_product<B>(left_[p].data(), right_[p].data(), diagonal_[j].data());
    int at = pattern_.begin[j];
    for (int q = p + 1; q < last; ++q) {
      while (pattern_.row[at] != pattern_.row[q]) ++at;
      assert(at < pattern_.begin[j + 1]);
      subtract_product<B>(left_[q].data(), right_[p].data(), left_[at].data());
      subtract_product<B>(left_[p].data(), right_[q].data(), right_[at].data());
    }
  }
}

template <int B>
bool BlockLu<B>::factor() {
  sign_ = 1;
  for (int k = 0; k < pattern_.count; ++k) {
    const Eigen::PartialPivLU<Block> pivots(diagonal_[k]);
    if (pivots.determinant() < 0) sign_ = -sign_;
    diagonal_[k] = pivots.inverse();
    if (!diagonal_[k].allFinite()) return false;
    eliminate(k);
  }
  return true;
}

template <int B>
void BlockLu<B>::solve(BlockVector<B>& x) {
  assert(static_cast<int>(x.size()) == pattern_.count);
  const auto& row = pattern_.row;
  for (int k = 0; k < pattern_.count; ++k) y_[k] = x[pattern_.original[k]];
  for (int k = 0; k < pattern_.count; ++k)
    for (int p = pattern_.begin[k]; p < pattern_.begin[k + 1]; ++p) y_[row[p]].noalias() -= left_[p] * y_[k];
  for (int k = pattern_.count - 1; k >= 0; --k) {
    for (int p = pattern_.begin[k]; p < pattern_.begin[k + 1]; ++p) y_[k].noalias() -= right_[p] * y_[row[p]];
    y_[k] = (diagonal_[k] * y_[k]).eval();
  }
  for (int k = 0; k < pattern_.count; ++k) x[pattern_.original[k]] = y_[k];
}

template class BlockLu<3>;
template class BlockLu<6>;

}  // namespace touchstone
