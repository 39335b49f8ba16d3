#include "touchstone/solve/block_cholesky.h"

#include <Eigen/OrderingMethods>
#include <algorithm>
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
    : count_(count), position_(count), original_(count), diagonal_(count), y_(count) {
  order(edges);
  find_columns(edges);
  entry_.resize(row_.size());
  for (const auto& [a, b] : edges) {
    const auto [column, row] = std::minmax(position_[a], position_[b]);
    slot_.push_back(place_of(row, column));
    turned_.push_back(position_[a] < position_[b]);
  }
}

/// Least degree first.
template <int B>
void BlockCholesky<B>::order(const std::vector<std::pair<int, int>>& edges) {
  std::vector<Eigen::Triplet<double>> pattern;
  for (const auto& [a, b] : edges) pattern.emplace_back(a, b, 1), pattern.emplace_back(b, a, 1);
  for (int i = 0; i < count_; ++i) pattern.emplace_back(i, i, 1);
  Eigen::SparseMatrix<double> A(count_, count_);
  A.setFromTriplets(pattern.begin(), pattern.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> P;
  Eigen::AMDOrdering<int>()(A, P);
  for (int k = 0; k < count_; ++k) {
    original_[k] = P.indices()[k];
    position_[original_[k]] = k;
  }
}

/// A column fills with the rows of the columns that it is the first row of (its children in the tree).
template <int B>
void BlockCholesky<B>::find_columns(const std::vector<std::pair<int, int>>& edges) {
  std::vector<std::vector<int>> rows(count_);
  for (const auto& [a, b] : edges) {
    const auto [column, row] = std::minmax(position_[a], position_[b]);
    rows[column].push_back(row);
  }
  begin_.assign(1, 0);
  for (int k = 0; k < count_; ++k) {
    std::vector<int>& own = rows[k];
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    row_.insert(row_.end(), own.begin(), own.end());
    begin_.push_back(static_cast<int>(row_.size()));
    if (!own.empty()) rows[own[0]].insert(rows[own[0]].end(), own.begin() + 1, own.end());
  }
}

template <int B>
int BlockCholesky<B>::place_of(int row, int column) const {
  const auto first = row_.begin() + begin_[column], last = row_.begin() + begin_[column + 1];
  return static_cast<int>(std::lower_bound(first, last, row) - row_.begin());
}

template <int B>
void BlockCholesky<B>::clear() {
  for (Block& block : entry_) block.setZero();
}

/// Column k, now final, is taken off the columns of its rows.
template <int B>
void BlockCholesky<B>::update(int k) {
  for (int p = begin_[k]; p < begin_[k + 1]; ++p) {
    const int j = row_[p];
    const Block& L_jk = entry_[p];
    subtract_product<B>(L_jk.data(), L_jk.data(), diagonal_[j].data());
    int at = begin_[j];
    for (int q = p + 1; q < begin_[k + 1]; ++q) {
      while (row_[at] != row_[q]) ++at;
      subtract_product<B>(entry_[q].data(), L_jk.data(), entry_[at].data());
    }
  }
}

template <int B>
bool BlockCholesky<B>::factor() {
  for (int k = 0; k < count_; ++k) {
    if (!factor_block<B>(diagonal_[k].data())) return false;
    for (int p = begin_[k]; p < begin_[k + 1]; ++p)
      divide_by_transpose<B>(diagonal_[k].data(), entry_[p].data());
    update(k);
  }
  return true;
}

template <int B>
void BlockCholesky<B>::solve(BlockVector<B>& x) {
  for (int k = 0; k < count_; ++k) y_[k] = x[original_[k]];
  for (int k = 0; k < count_; ++k) {
    diagonal_[k].template triangularView<Eigen::Lower>().solveInPlace(y_[k]);
    for (int p = begin_[k]; p < begin_[k + 1]; ++p) y_[row_[p]].noalias() -= entry_[p] * y_[k];
  }
  for (int k = count_ - 1; k >= 0; --k) {
    for (int p = begin_[k]; p < begin_[k + 1]; ++p) y_[k].noalias() -= entry_[p].transpose() * y_[row_[p]];
    diagonal_[k].transpose().template triangularView<Eigen::Upper>().solveInPlace(y_[k]);
  }
  for (int k = 0; k < count_; ++k) x[original_[k]] = y_[k];
}

template class BlockCholesky<3>;
template class BlockCholesky<6>;

}  // namespace touchstone
