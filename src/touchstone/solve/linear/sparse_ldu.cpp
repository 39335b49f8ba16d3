// Up-looking: row k of L and column k of U are found together from those before; their common pattern is what
// the elimination tree reaches from the entries of row k [Davis, Direct Methods for Sparse Linear Systems,
// ch. 4].

#include "touchstone/solve/linear/sparse_ldu.h"

#include <Eigen/OrderingMethods>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace touchstone {
namespace {

/// A pivot below this, relative to the largest entry, is taken for 0 ...
constexpr double kVanished = 1e-14;
/// ... and replaced by this: the square root of the round-off balances the two errors that follow.
constexpr double kReplacement = 1e-8;
/// The largest entry of a matrix of zeros counts as this.
constexpr double kLeastEntry = 1e-300;

}  // namespace

SparseLdu::SparseLdu(const SparseMatrix& M) : M_(M), values_(M.valuePtr()) {
  assert(M.isCompressed() && M.rows() == M.cols());
  order();
  collect_entries();
  find_tree();
}

void SparseLdu::order() {
  const int n = static_cast<int>(M_.rows());
  // Its columns for our rows: the ordering makes the pattern symmetric anyway. It is poor where a diagonal
  // entry is missing, as in the rows of a friction bound: all are there.
  using Columns = Eigen::SparseMatrix<double>;
  const Eigen::Map<const Columns> transposed(n, n, M_.nonZeros(), M_.outerIndexPtr(), M_.innerIndexPtr(),
                                             M_.valuePtr());
  Columns pattern = transposed;
  if (M_.diagonal().cwiseAbs().minCoeff() == 0) {
    Columns all(n, n);
    all.setIdentity();
    pattern += all;
  }
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation;
  Eigen::AMDOrdering<int>()(pattern, permutation);
  original_.assign(permutation.indices().data(), permutation.indices().data() + n);
  position_.resize(n);
  for (int k = 0; k < n; ++k) position_[original_[k]] = k;
}

/// Also finds the diagonal.
std::vector<SparseLdu::Placed> SparseLdu::place_entries() {
  const int n = static_cast<int>(M_.rows());
  std::vector<Placed> placed;
  placed.reserve(M_.nonZeros());
  diagonal_.assign(n, -1);
  for (int i = 0; i < n; ++i)
    for (int p = M_.outerIndexPtr()[i]; p < M_.outerIndexPtr()[i + 1]; ++p) {
      const int a = position_[i], b = position_[M_.innerIndexPtr()[p]];
      if (a == b) diagonal_[a] = p;
      if (a != b) placed.push_back({std::max(a, b), std::min(a, b), p, a < b});
    }
  return placed;
}

void SparseLdu::collect_entries() {
  const int n = static_cast<int>(M_.rows());
  const std::vector<Placed> placed = place_entries();
  // A counting sort by column, then by row within each: linear where std::sort would be felt.
  std::vector<int> start(n + 1, 0);
  for (const Placed& e : placed) ++start[e.col + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<Placed> sorted(placed.size());
  std::vector<int> next(start.begin(), start.end() - 1);
  for (const Placed& e : placed) sorted[next[e.col]++] = e;
  first_.assign(n + 1, 0);
  std::vector<int> where(n, -1);
  entries_.reserve(placed.size() / 2 + 1);
  for (int k = 0; k < n; ++k) {
    first_[k] = static_cast<int>(entries_.size());
    for (int p = start[k]; p < start[k + 1]; ++p) {
      const Placed& e = sorted[p];
      if (where[e.row] < first_[k]) {
        where[e.row] = static_cast<int>(entries_.size());
        entries_.emplace_back().row = e.row;
      }
      (e.upper ? entries_[where[e.row]].upper : entries_[where[e.row]].lower) = e.source;
    }
  }
  first_[n] = static_cast<int>(entries_.size());
  symmetric_ = std::all_of(entries_.begin(), entries_.end(),
                           [&](const Entry& e) { return value(e.upper) == value(e.lower); });
}

/// The elimination tree, and the number of entries that each column of L can get.
void SparseLdu::find_tree() {
  const int n = static_cast<int>(M_.rows());
  parent_.assign(n, -1);
  mark_.assign(n, -1);
  std::vector<int> count(n, 0);
  for (int k = 0; k < n; ++k) {
    mark_[k] = k;
    for (int p = first_[k]; p < first_[k + 1]; ++p)
      for (int i = entries_[p].row; mark_[i] != k; i = parent_[i]) {
        if (parent_[i] < 0) parent_[i] = k;
        ++count[i];
        mark_[i] = k;
      }
  }
  column_.assign(n + 1, 0);
  std::partial_sum(count.begin(), count.end(), column_.begin() + 1);
  row_index_.resize(column_[n]);
  lower_.resize(column_[n]);
  if (!symmetric_) upper_.resize(column_[n]);
  pivot_.resize(n);
  x_.assign(n, 0);
  y_.assign(n, 0);
  stack_.resize(n);
  filled_.resize(n);
}

/// The columns that row k depends on, in an order in which each comes before those it changes: stack[top ..).
int SparseLdu::reach(int k, int* stack) {
  int top = static_cast<int>(pivot_.size());
  mark_[k] = k;
  for (int p = first_[k]; p < first_[k + 1]; ++p) {
    int length = 0;
    for (int i = entries_[p].row; mark_[i] != k; i = parent_[i]) {
      stack[length++] = i;
      mark_[i] = k;
    }
    while (length > 0) stack[--top] = stack[--length];
  }
  return top;
}

void SparseLdu::scatter(int k, const Mask& active) {
  for (int p = first_[k]; p < first_[k + 1]; ++p) {
    const Entry& e = entries_[p];
    if (!active[original_[e.row]]) continue;
    y_[e.row] = value(e.upper);
    if (!symmetric_) x_[e.row] = value(e.lower);
  }
}

/// Solves for row k of L and column k of U; returns the pivot after elimination.
double SparseLdu::eliminate(int k, int top, double pivot) {
  const int n = static_cast<int>(pivot_.size());
  for (; top < n; ++top) {
    const int i = stack_[top];
    const double y = y_[i], x = symmetric_ ? y : x_[i];
    y_[i] = x_[i] = 0;
    if (y == 0 && x == 0) continue;
    const int end = column_[i] + filled_[i];
    assert(end < column_[i + 1]);
    if (symmetric_)
      for (int p = column_[i]; p < end; ++p) y_[row_index_[p]] -= lower_[p] * y;
    else
      for (int p = column_[i]; p < end; ++p) {
        y_[row_index_[p]] -= lower_[p] * y;
        x_[row_index_[p]] -= upper_[p] * x;
      }
    const double l = x / pivot_[i];
    pivot -= l * y;
    row_index_[end] = k;
    lower_[end] = l;
    if (!symmetric_) upper_[end] = y / pivot_[i];
    ++filled_[i];
  }
  return pivot;
}

int SparseLdu::factor(const Mask& active, const VectorX& shift) {
  const int n = static_cast<int>(pivot_.size());
  assert(static_cast<int>(active.size()) == n && shift.size() == n);
  used_ = active;
  std::fill(mark_.begin(), mark_.end(), -1);
  std::fill(filled_.begin(), filled_.end(), 0);
  double largest = 0;
  for (int p = 0; p < M_.nonZeros(); ++p) largest = std::max(largest, std::abs(values_[p]));
  int replaced = 0;
  for (int k = 0; k < n; ++k) {
    const int row = original_[k];
    pivot_[k] = 1;
    if (!active[row]) continue;
    const int top = reach(k, stack_.data());
    scatter(k, active);
    double pivot = eliminate(k, top, value(diagonal_[k]) + shift[row]);
    if (!(std::abs(pivot) > kVanished * largest)) {
      pivot = std::copysign(kReplacement * std::max(largest, kLeastEntry), pivot);
      ++replaced;
    }
    pivot_[k] = pivot;
  }
  return replaced;
}

bool SparseLdu::positive(double part) const {
  const auto [least, most] = std::minmax_element(pivot_.begin(), pivot_.end());
  return pivot_.empty() || (*least > 0 && *least > part * *most);
}

void SparseLdu::solve(const VectorX& rhs, VectorX& x) const {
  const int n = static_cast<int>(pivot_.size());
  assert(rhs.size() == n && static_cast<int>(used_.size()) == n);  // factor() was called
  VectorX t(n);
  for (int k = 0; k < n; ++k) t[k] = used_[original_[k]] ? rhs[original_[k]] : 0.0;
  for (int k = 0; k < n; ++k)
    for (int p = column_[k]; p < column_[k] + filled_[k]; ++p) t[row_index_[p]] -= lower_[p] * t[k];
  const std::vector<double>& U = symmetric_ ? lower_ : upper_;
  for (int k = n - 1; k >= 0; --k) {
    t[k] /= pivot_[k];
    for (int p = column_[k]; p < column_[k] + filled_[k]; ++p) t[k] -= U[p] * t[row_index_[p]];
  }
  x.resize(n);
  for (int k = 0; k < n; ++k) x[original_[k]] = t[k];
}

}  // namespace touchstone
