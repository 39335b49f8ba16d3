#include "touchstone/solve/linear/block_lu.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "touchstone/solve/linear/block_column.h"

namespace touchstone {
namespace {

/// C -= A X.
template <int B>
TOUCHSTONE_INLINE void subtract_product(const double* A, const double* X, double* C) {
  BlockColumn<B> a[B];
  for (int k = 0; k < B; ++k) a[k] = BlockColumn<B>::load(A + B * k);
  for (int j = 0; j < B; ++j) {
    auto c = BlockColumn<B>::load(C + B * j);
    for (int k = 0; k < B; ++k) c.subtract(X[k + B * j], a[k]);
    c.store(C + B * j);
  }
}

/// A <- A X.
template <int B>
TOUCHSTONE_INLINE void multiply_right(double* A, const double* X) {
  BlockColumn<B> a[B];
  for (int k = 0; k < B; ++k) a[k] = BlockColumn<B>::load(A + B * k);
  for (int j = 0; j < B; ++j) {
    BlockColumn<B> c;
    for (int k = 0; k < B; ++k) c.subtract(-X[k + B * j], a[k]);
    c.store(A + B * j);
  }
}

/// y -= A x.
template <int B>
TOUCHSTONE_INLINE void subtract_image(const double* A, const double* x, double* y) {
  auto c = BlockColumn<B>::load(y);
  for (int k = 0; k < B; ++k) c.subtract(x[k], BlockColumn<B>::load(A + B * k));
  c.store(y);
}

/// A <- A^-1 by Gauss and Jordan, the largest entry of each row as pivot: columns are exchanged. Returns the
/// sign of the determinant; 0: a pivot vanished, or a number is not finite.
template <int B>
TOUCHSTONE_INLINE int invert(double* A) {
  int sign = 1, from[B];
  for (int k = 0; k < B; ++k) {
    int pivot = k;
    for (int j = k + 1; j < B; ++j)
      if (std::abs(A[k + B * j]) > std::abs(A[k + B * pivot])) pivot = j;
    from[k] = pivot;
    if (pivot != k) {
      sign = -sign;
      for (int i = 0; i < B; ++i) std::swap(A[i + B * k], A[i + B * pivot]);
    }
    const double value = A[k + B * k];
    if (!(std::abs(value) > 0) || !std::isfinite(value)) return 0;
    if (value < 0) sign = -sign;
    A[k + B * k] = 1;
    auto column = BlockColumn<B>::load(A + B * k);
    column.multiply(1 / value);
    column.store(A + B * k);
    for (int j = 0; j < B; ++j) {
      if (j == k) continue;
      const double factor = A[k + B * j];
      A[k + B * j] = 0;
      auto other = BlockColumn<B>::load(A + B * j);
      other.subtract(factor, column);
      other.store(A + B * j);
    }
  }
  for (int k = B - 1; k >= 0; --k)
    for (int j = 0; from[k] != k && j < B; ++j) std::swap(A[k + B * j], A[from[k] + B * j]);
  return sign;
}

/// The arrays that a factorisation works on. Entries that are not filled count as zero, whatever they hold,
/// and cost nothing.
struct Columns {
  int count;
  const int *begin, *row;
  double *diagonal, *left, *right;
  char* filled;  ///< per entry

  template <int B>
  TOUCHSTONE_INLINE void begin_entry(int at) const {
    std::fill_n(left + B * B * at, B * B, 0.);
    std::fill_n(right + B * B * at, B * B, 0.);
    filled[at] = true;
  }
};

/// Column k becomes that of L, and its product with row k of U is taken off what follows.
template <int B>
TOUCHSTONE_INLINE void eliminate(const Columns& c, int k) {
  constexpr int kSize = B * B;
  const int end = c.begin[k + 1];
  for (int p = c.begin[k]; p < end; ++p)
    if (c.filled[p]) multiply_right<B>(c.left + kSize * p, c.diagonal + kSize * k);
  for (int p = c.begin[k]; p < end; ++p) {
    if (!c.filled[p]) continue;
    const int j = c.row[p];
    const double *L = c.left + kSize * p, *U = c.right + kSize * p;
    subtract_product<B>(L, U, c.diagonal + kSize * j);
    int at = c.begin[j];
    for (int q = p + 1; q < end; ++q) {
      if (!c.filled[q]) continue;
      while (c.row[at] != c.row[q]) ++at;
      assert(at < c.begin[j + 1]);
      if (!c.filled[at]) c.begin_entry<B>(at);
      subtract_product<B>(c.left + kSize * q, U, c.left + kSize * at);
      subtract_product<B>(L, c.right + kSize * q, c.right + kSize * at);
    }
  }
}

/// Returns the sign of the determinant, or 0.
template <int B>
TOUCHSTONE_INLINE int factor_columns(const Columns& c) {
  int sign = 1;
  for (int k = 0; k < c.count && sign != 0; ++k) {
    sign *= invert<B>(c.diagonal + B * B * k);
    if (sign != 0) eliminate<B>(c, k);
  }
  return sign;
}

/// y <- U^-1 L^-1 y.
template <int B>
TOUCHSTONE_INLINE void solve_columns(const Columns& c, double* y) {
  constexpr int kSize = B * B;
  for (int k = 0; k < c.count; ++k)
    for (int p = c.begin[k]; p < c.begin[k + 1]; ++p)
      if (c.filled[p]) subtract_image<B>(c.left + kSize * p, y + B * k, y + B * c.row[p]);
  for (int k = c.count - 1; k >= 0; --k) {
    for (int p = c.begin[k]; p < c.begin[k + 1]; ++p)
      if (c.filled[p]) subtract_image<B>(c.right + kSize * p, y + B * c.row[p], y + B * k);
    BlockColumn<B> x;
    for (int i = 0; i < B; ++i)
      x.subtract(-y[B * k + i], BlockColumn<B>::load(c.diagonal + kSize * k + B * i));
    x.store(y + B * k);
  }
}

template <int B>
TOUCHSTONE_WIDE int factor_wide(const Columns& c) {
  return factor_columns<B>(c);
}
template <int B>
int factor_narrow(const Columns& c) {
  return factor_columns<B>(c);
}
template <int B>
TOUCHSTONE_WIDE void solve_wide(const Columns& c, double* y) {
  solve_columns<B>(c, y);
}
template <int B>
void solve_narrow(const Columns& c, double* y) {
  solve_columns<B>(c, y);
}

template <class Block>
double* first_of(std::vector<Block>& blocks) {
  return blocks.empty() ? nullptr : blocks[0].data();
}

}  // namespace

template <int B>
BlockLu<B>::BlockLu(int count, const std::vector<std::pair<int, int>>& edges)
    : pattern_(count, edges),
      diagonal_(count),
      left_(pattern_.row.size()),
      right_(pattern_.row.size()),
      filled_(pattern_.row.size()),
      y_(count) {}

template <int B>
void BlockLu<B>::clear() {
  std::fill(filled_.begin(), filled_.end(), false);
}

template <int B>
void BlockLu<B>::open_edge(int edge) {
  assert(edge >= 0 && edge < static_cast<int>(pattern_.slot.size()));
  const int slot = pattern_.slot[edge];
  if (filled_[slot]) return;
  filled_[slot] = true;
  left_[slot].setZero(), right_[slot].setZero();
}

template <int B>
bool BlockLu<B>::factor(bool wide) {
  const Columns columns{pattern_.count,  pattern_.begin.data(), pattern_.row.data(), first_of(diagonal_),
                        first_of(left_), first_of(right_),      filled_.data()};
  sign_ = wide && has_wide_registers() ? factor_wide<B>(columns) : factor_narrow<B>(columns);
  return sign_ != 0;
}

template <int B>
void BlockLu<B>::solve(BlockVector<B>& x) {
  assert(static_cast<int>(x.size()) == pattern_.count);
  if (x.empty()) return;
  for (int k = 0; k < pattern_.count; ++k) y_[k] = x[pattern_.original[k]];
  const Columns columns{pattern_.count,  pattern_.begin.data(), pattern_.row.data(), first_of(diagonal_),
                        first_of(left_), first_of(right_),      filled_.data()};
  has_wide_registers() ? solve_wide<B>(columns, y_[0].data()) : solve_narrow<B>(columns, y_[0].data());
  for (int k = 0; k < pattern_.count; ++k) x[pattern_.original[k]] = y_[k];
}

template class BlockLu<3>;
template class BlockLu<6>;

}  // namespace touchstone
