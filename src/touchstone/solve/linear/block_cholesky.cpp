#include "touchstone/solve/linear/block_cholesky.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace touchstone {
namespace {

/// C -= A B^T.
template <int B>
TOUCHSTONE_INLINE void subtract_product(const double* A, const double* Bt, double* C) {
  BlockColumn<B> a[B];
  for (int k = 0; k < B; ++k) a[k] = BlockColumn<B>::load(A + B * k);
  for (int j = 0; j < B; ++j) {
    auto c = BlockColumn<B>::load(C + B * j);
    for (int k = 0; k < B; ++k) c.subtract(Bt[j + B * k], a[k]);
    c.store(C + B * j);
  }
}

/// X <- X L^-T, column after column; `inverse`: of L's diagonal.
template <int B>
TOUCHSTONE_INLINE void divide_by_transpose(const double* L, const double* inverse, double* X) {
  BlockColumn<B> x[B];
  for (int j = 0; j < B; ++j) {
    x[j] = BlockColumn<B>::load(X + B * j);
    for (int k = 0; k < j; ++k) x[j].subtract(L[j + B * k], x[k]);
    x[j].multiply(inverse[j]);
    x[j].store(X + B * j);
  }
}

/// The lower triangle of A becomes L. False: not positive definite.
template <int B>
TOUCHSTONE_INLINE bool factor_block(double* A) {
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

/// The arrays that a factorisation works on. Entries that are not filled count as zero, whatever they hold,
/// and cost nothing: they belong to pairs of blocks without a row in the set.
struct Columns {
  int count;
  const int *begin, *row;
  double *diagonal, *entry;
  char* filled;  ///< per entry

  template <int B>
  TOUCHSTONE_INLINE void begin_entry(int at) const {
    for (int j = 0; j < B; ++j) BlockColumn<B>{}.store(entry + B * B * at + B * j);
    filled[at] = true;
  }
};

/// Column k, now final, is taken off the columns of its rows.
template <int B>
TOUCHSTONE_INLINE void update(const Columns& c, int k) {
  constexpr int kSize = B * B;
  const int end = c.begin[k + 1];
  for (int p = c.begin[k]; p < end; ++p) {
    if (!c.filled[p]) continue;
    const int j = c.row[p];
    const double* L_jk = c.entry + kSize * p;
    subtract_product<B>(L_jk, L_jk, c.diagonal + kSize * j);
    int at = c.begin[j];
    for (int q = p + 1; q < end; ++q) {
      if (!c.filled[q]) continue;
      while (c.row[at] != c.row[q]) ++at;
      assert(at < c.begin[j + 1]);
      if (!c.filled[at]) c.begin_entry<B>(at);
      subtract_product<B>(c.entry + kSize * q, L_jk, c.entry + kSize * at);
    }
  }
}

template <int B>
TOUCHSTONE_INLINE bool factor_columns(const Columns& c) {
  constexpr int kSize = B * B;
  for (int k = 0; k < c.count; ++k) {
    double* L_kk = c.diagonal + kSize * k;
    if (!factor_block<B>(L_kk)) return false;
    double inverse[B];
    for (int j = 0; j < B; ++j) inverse[j] = 1 / L_kk[j + B * j];
    for (int p = c.begin[k]; p < c.begin[k + 1]; ++p)
      if (c.filled[p]) divide_by_transpose<B>(L_kk, inverse, c.entry + kSize * p);
    update<B>(c, k);
  }
  return true;
}

template <int B>
TOUCHSTONE_WIDE bool factor_wide(const Columns& c) {
  return factor_columns<B>(c);
}
template <int B>
bool factor_narrow(const Columns& c) {
  return factor_columns<B>(c);
}

}  // namespace

template <int B>
BlockCholesky<B>::BlockCholesky(int count, const std::vector<std::pair<int, int>>& edges)
    : pattern_(count, edges),
      diagonal_(count),
      entry_(pattern_.row.size()),
      filled_(entry_.size()),
      y_(count) {}

template <int B>
void BlockCholesky<B>::clear() {
  std::fill(filled_.begin(), filled_.end(), false);
}

template <int B>
bool BlockCholesky<B>::factor(bool wide) {
  const auto first_of = [](std::vector<Block>& blocks) {
    return blocks.empty() ? nullptr : blocks[0].data();
  };
  const Columns columns{pattern_.count,      pattern_.begin.data(), pattern_.row.data(),
                        first_of(diagonal_), first_of(entry_),      filled_.data()};
  return wide && has_wide_registers() ? factor_wide<B>(columns) : factor_narrow<B>(columns);
}

template <int B>
long BlockCholesky<B>::product_count() const {
  long products = 0;
  for (int k = 0; k < pattern_.count; ++k) {
    const long below = pattern_.begin[k + 1] - pattern_.begin[k];
    products += below * (below + 1) / 2;
  }
  return products;
}

template <int B>
void BlockCholesky<B>::solve(BlockVector<B>& x) {
  assert(static_cast<int>(x.size()) == pattern_.count);
  for (int k = 0; k < pattern_.count; ++k) y_[k] = x[pattern_.original[k]];
  for (int k = 0; k < pattern_.count; ++k) {
    diagonal_[k].template triangularView<Eigen::Lower>().solveInPlace(y_[k]);
    for (int p = pattern_.begin[k]; p < pattern_.begin[k + 1]; ++p)
      if (filled_[p]) y_[pattern_.row[p]].noalias() -= entry_[p] * y_[k];
  }
  for (int k = pattern_.count - 1; k >= 0; --k) {
    for (int p = pattern_.begin[k]; p < pattern_.begin[k + 1]; ++p)
      if (filled_[p]) y_[k].noalias() -= entry_[p].transpose() * y_[pattern_.row[p]];
    diagonal_[k].transpose().template triangularView<Eigen::Upper>().solveInPlace(y_[k]);
  }
  for (int k = 0; k < pattern_.count; ++k) x[pattern_.original[k]] = y_[k];
}

template class BlockCholesky<3>;
template class BlockCholesky<6>;

}  // namespace touchstone
