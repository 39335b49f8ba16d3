#include "touchstone/solve/lcp/free_rows.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace touchstone {
namespace {

/// An entry this small, relative to its row of M, is what round-off left of 0.
constexpr double kVanished = 1e-11;
/// A pivot this large, relative to its row of M, is taken without looking for a larger one.
constexpr double kGoodPivot = 1e-2;
/// 0 = number contradicts when the number exceeds this, relative to 1 + |q|.
constexpr double kContradiction = 1e-8;

}  // namespace

FreeRows::FreeRows(const LinearProblem& problem)
    : n_(problem.size()),
      table_(n_, n_ + 1),
      row_size_(row_sizes(problem.M)),
      q_size_(1 + problem.q.lpNorm<Eigen::Infinity>()),
      basic_row_(n_, -1),
      partner_row_(n_, -1),
      partner_col_(n_, -1),
      dead_(n_, 0) {
  if (problem.M.is_sparse())
    table_.leftCols(n_) = problem.M.sparse();
  else
    table_.leftCols(n_) = problem.M.dense();
  table_.col(n_) = problem.q;
  for (int i = 0; i < n_; ++i) {
    if (problem.is_free(i))
      rows_.push_back(i), cols_.push_back(i);
    else
      partner_row_[i] = partner_col_[i] = i;
  }
  eliminate_free();
  exchange_roles();
  look_for_contradiction();
  pair_up(problem);
  build();
}

bool FreeRows::vanishes(int row, int col) const {
  return std::abs(table_(row, col)) <= kVanished * row_size_[row];
}

/// z of the column becomes basic in the row, whose w = 0 takes over the column and is dead there.
void FreeRows::pivot(int row, int col) {
  assert(table_(row, col) != 0);
  const double inverse = 1 / table_(row, col);
  table_.row(row) *= -inverse;
  table_(row, col) = inverse;
  for (int i = 0; i < n_; ++i) {
    const double factor = table_(i, col);
    if (i == row || factor == 0) continue;
    table_(i, col) = 0;
    table_.row(i) += factor * table_.row(row);
  }
}

void FreeRows::eliminate(int row, int col) {
  pivot(row, col);
  basic_row_[col] = row;
  dead_[col] = 1;
  std::erase(rows_, row);
  std::erase(cols_, col);
}

/// The free column with the largest entry in this row, relative to the row; -1: all vanish.
int FreeRows::best_column(int row, double least) const {
  int best = -1;
  for (const int col : cols_)
    if (const double size = std::abs(table_(row, col)) / row_size_[row]; size > least)
      best = col, least = size;
  return best;
}

/// First the rows with a good pivot, as they come: of a mass matrix that is all of them. Then the other rows,
/// the one with the largest pivot first.
void FreeRows::eliminate_free() {
  const std::vector<int> all = rows_;
  for (const int row : all)
    if (const int col = best_column(row, kGoodPivot); col >= 0) eliminate(row, col);
  for (;;) {
    int best_row = -1, best_col = -1;
    double best = kVanished;
    for (const int row : rows_)
      if (const int col = best_column(row, best); col >= 0)
        best_row = row, best_col = col, best = std::abs(table_(row, col)) / row_size_[row];
    if (best_row < 0) return;
    eliminate(best_row, best_col);
  }
}

void FreeRows::exchange_roles() {
  const std::vector<int> left = rows_;
  for (const int row : left)
    if (exchange_one(row)) std::erase(rows_, row);
}

/// Step 2 of the head of free_rows.h: z_i for the equation, then a free z_j for w_i, whose two pivots are as
/// large as can be.
bool FreeRows::exchange_one(int row) {
  int best_i = -1, best_j = -1;
  double best = kVanished;
  for (int i = 0; i < n_; ++i) {
    if (partner_row_[i] != i || vanishes(row, i)) continue;
    const double first = std::abs(table_(row, i)) / row_size_[row];
    for (const int j : cols_) {
      const double size = std::min(first, std::abs(table_(i, j)) / row_size_[i]);
      if (size > best) best = size, best_i = i, best_j = j;
    }
  }
  if (best_i < 0) return false;
  pivot(row, best_i);
  dead_[best_i] = 1;
  basic_row_[best_i] = row;
  pivot(best_i, best_j);
  basic_row_[best_j] = best_i;
  partner_row_[best_i] = row;
  partner_col_[best_i] = best_j;
  std::erase(cols_, best_j);
  return true;
}

void FreeRows::look_for_contradiction() {
  for (const int row : rows_) {
    bool empty = true;
    for (int j = 0; j < n_; ++j) empty = empty && (dead_[j] || vanishes(row, j));
    if (!empty) continue;
    contradict_ = contradict_ || std::abs(table_(row, n_)) > kContradiction * q_size_;
    table_.row(row).setZero();
  }
}

void FreeRows::pair_up(const LinearProblem& problem) {
  assert(rows_.size() == cols_.size());
  for (int i = 0; i < n_; ++i)
    if (!problem.is_free(i))
      pairs_.push_back({partner_row_[i], partner_col_[i], 1.0, i, partner_row_[i] != i});
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    pairs_.push_back({rows_[k], cols_[k], 1.0, cols_[k], false});
    pairs_.push_back({rows_[k], cols_[k], -1.0, cols_[k], false});
  }
}

void FreeRows::build() {
  const int m = static_cast<int>(pairs_.size());
  MatrixX M(m, m);
  lcp_.q.resize(m);
  for (int a = 0; a < m; ++a) {
    lcp_.q[a] = pairs_[a].sign * table_(pairs_[a].row, n_);
    for (int b = 0; b < m; ++b)
      M(a, b) = pairs_[a].sign * pairs_[b].sign * table_(pairs_[a].row, pairs_[b].col);
  }
  lcp_.M = std::move(M);
}

VectorX FreeRows::expand(const VectorX& t) const {
  assert(t.size() == static_cast<Eigen::Index>(pairs_.size()));
  VectorX nonbasic = VectorX::Zero(n_);
  for (std::size_t a = 0; a < pairs_.size(); ++a)
    nonbasic[pairs_[a].col] += pairs_[a].sign * t[static_cast<long>(a)];
  const VectorX basic = table_.leftCols(n_) * nonbasic + table_.col(n_);
  VectorX z(n_);
  for (int i = 0; i < n_; ++i) z[i] = basic_row_[i] < 0 ? nonbasic[i] : basic[basic_row_[i]];
  return z;
}

VectorX FreeRows::restrict(const VectorX& z, const VectorX& w) const {
  assert(z.size() == n_ && w.size() == n_);
  VectorX t(static_cast<long>(pairs_.size()));
  for (std::size_t a = 0; a < pairs_.size(); ++a) {
    const Pair& pair = pairs_[a];
    t[static_cast<long>(a)] = std::max(0.0, pair.sign * (pair.exchanged ? w : z)[pair.owner]);
  }
  return t;
}

}  // namespace touchstone
