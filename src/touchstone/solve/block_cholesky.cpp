#include "touchstone/solve/block_cholesky.h"

#include <cmath>

namespace touchstone {
namespace {

/// C -= A B^T. (Written out: the compiler keeps a column of C in registers.)
template <int B>
void subtract_product(const double* A, const double* Bt, double* C) {
  for (int j = 0; j < B; ++j) {
    double column[B];
    for (int i = 0; i < B; ++i) column[i] = C[i + B * j];
    for (int k = 0; k < B; ++k)
      for (int i = 0; i < B; ++i) column[i] -= A[i + B * k] * Bt[j + B * k];
    for (int i = 0; i < B; ++i) C[i + B * j] = column[i];
  }
}

/// X <- X L^-T, column after column.
template <int B>
void divide_by_transpose(const double* L, double* X) {
  for (int j = 0; j < B; ++j) {
    double column[B];
    for (int i = 0; i < B; ++i) column[i] = X[i + B * j];
    for (int k = 0; k < j; ++k)
      for (int i = 0; i < B; ++i) column[i] -= X[i + B * k] * L[j + B * k];
    const double inverse = 1 / L[j + B * j];
    for (int i = 0; i < B; ++i) X[i + B * j] = column[i] * inverse;
  }
}

/// The lower triangle of A becomes L. False: not positive definite.
template <int B>
bool factor_block(double* A) {
  for (int j = 0; j < B; ++j) {
    for (int k = 0; k < j; ++k)
      for (int i = j; i < B; ++i) A[i + B * j] -= A[i + B * k] * A[j + B * k];
    if (!(A[j + B * j] > 0)) return false;
    const double root = std::sqrt(A[j + B * j]), inverse = 1 / root;
    A[j + B * j] = root;
    for (int i = j + 1; i < B; ++i) A[i + B * j] *= inverse;
  }
  return true;
}

}  // namespace

template <int B>
BlockCholesky<B>::BlockCholesky(int count, const std::vector<std::pair<int, int>>& edges)
    : pattern_(count, edges), diagonal_(count), entry_(pattern_.row.size()), y_(count) {}

template <int B>
void BlockCholesky<B>::clear() {
  for (Block& block : entry_) block.setZero();
}

/// Column k, now final, is taken off the columns of its rows.
template <int B>
void BlockCholesky<B>::update(int k) {
  for (int p = pattern_.begin[k]; p < pattern_.begin[k + 1]; ++p) {
    const int j = pattern_.row[p];
    const Block& L_jk = entry_[p];
    subtract_product<B>(L_jk.data(), L_jk.data(), diagonal_[j].data());
    int at = pattern_.begin[j];
    for (int q = p + 1; q < pattern_.begin[k + 1]; ++q) {
      while (pattern_.row[at] != pattern_.row[q]) ++at;
      subtract_product<B>(entry_[q].data(), L_jk.data(), entry_[at].data());
    }
  }
}

template <int B>
bool BlockCholesky<B>::factor() {
  for (int k = 0; k < pattern_.count; ++k) {
    if (!factor_block<B>(diagonal_[k].data())) return false;
    for (int p = pattern_.begin[k]; p < pattern_.begin[k + 1]; ++p)
      divide_by_transpose<B>(diagonal_[k].data(), entry_[p].data());
    update(k);
  }
  return true;
}

template <int B>
void BlockCholesky<B>::solve(BlockVector<B>& x) {
  for (int k = 0; k < pattern_.count; ++k) y_[k] = x[pattern_.original[k]];
  for (int k = 0; k < pattern_.count; ++k) {
    diagonal_[k].template triangularView<Eigen::Lower>().solveInPlace(y_[k]);
    for (int p = pattern_.begin[k]; p < pattern_.begin[k + 1]; ++p)
      y_[pattern_.row[p]].noalias() -= entry_[p] * y_[k];
  }
  for (int k = pattern_.count - 1; k >= 0; --k) {
    for (int p = pattern_.begin[k]; p < pattern_.begin[k + 1]; ++p)
      y_[k].noalias() -= entry_[p].transpose() * y_[pattern_.row[p]];
    diagonal_[k].transpose().template triangularView<Eigen::Upper>().solveInPlace(y_[k]);
  }
  for (int k = 0; k < pattern_.count; ++k) x[pattern_.original[k]] = y_[k];
}

template class BlockCholesky<3>;
template class BlockCholesky<6>;

}  // namespace touchstone
