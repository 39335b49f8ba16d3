#include "touchstone/solve/lcp/lemke_tableau.h"

#include <Eigen/LU>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace touchstone {
namespace {

/// A basic variable this close to 0, relative to the largest |q|, blocks together with the first.
constexpr double kTie = 1e-12;
/// Entries of a column below this, relative to its largest, are round-off and never pivots.
constexpr double kNoPivot = 1e-10;
/// Among tied rows a pivot below this, relative to the largest of them, is passed over: it would spoil the
/// tableau, and the lexicographic order of rows that are tied by round-off alone means nothing.
constexpr double kWeakPivot = 1e-6;
/// Ratios that differ by less than this, relatively, are equal in the lexicographic comparison.
constexpr double kSameRatio = 1e-11;
/// The tableau is made anew after this number of pivots (or one per row, if that is more), before their
/// round-offs add up.
constexpr int kPivotsPerTableau = 100;

}  // namespace

LemkeTableau::LemkeTableau(const MatrixX& M, const VectorX& q, const VectorX& cover)
    : M_(M), q_(q), cover_(cover), n_(static_cast<int>(q.size())), stride_((n_ + 3) & ~1), rhs_(n_ + 1) {
  assert(M.rows() == n_ && M.cols() == n_ && cover.size() == n_ && (cover.array() > 0).all());
  table_.resize(static_cast<std::size_t>(n_) * stride_);
  row_variable_.resize(n_);
  column_variable_.resize(n_ + 1);
  column_of_.assign(2 * n_ + 1, -1);
  row_of_.assign(2 * n_ + 1, -1);
  tied_.reserve(n_);
  for (int i = 0; i < n_; ++i) {
    double* r = row(i);
    for (int j = 0; j < n_; ++j) r[j] = M(i, j);
    r[n_] = cover[i];
    r[rhs_] = q[i];
    q_size_ = std::max(q_size_, std::abs(q[i]));
    row_variable_[i] = i;
    row_of_[i] = i;
    column_variable_[i] = n_ + i;
    column_of_[n_ + i] = i;
  }
  column_variable_[n_] = 2 * n_;
  column_of_[2 * n_] = n_;
}

/// z0 becomes just so large that w >= 0: its row leaves. Of equal rows the last, as the lexicographic order
/// of the unit rows wants it.
int LemkeTableau::start_row() const {
  int first = -1;
  double least = 0;
  for (int i = 0; i < n_; ++i) {
    const double ratio = row(i)[rhs_] / row(i)[n_];
    if (ratio < least || (first >= 0 && ratio == least)) first = i, least = ratio;
  }
  return first;
}

/// Entry (row, k) of the inverse of the basis: the column of w_k with its sign, or a unit vector.
double LemkeTableau::inverse_entry(int i, int k) const {
  if (column_of_[k] >= 0) return -row(i)[column_of_[k]];
  return row_of_[k] == i ? 1.0 : 0.0;
}

/// Does row a precede row b in the lexicographic order of (rows of the inverse) / (entry of the column)?
bool LemkeTableau::comes_first(int a, int b, int column) const {
  const double scale_a = -1 / row(a)[column], scale_b = -1 / row(b)[column];
  for (int k = 0; k < n_; ++k) {
    const double x = inverse_entry(a, k) * scale_a, y = inverse_entry(b, k) * scale_b;
    if (std::abs(x - y) > kSameRatio * (std::abs(x) + std::abs(y))) return x < y;
  }
  return a < b;
}

double LemkeTableau::least_ratio(int column, double least_pivot) const {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < n_; ++i) {
    const double entry = -row(i)[column];
    if (entry > least_pivot) least = std::min(least, std::max(0.0, row(i)[rhs_]) / entry);
  }
  return least;
}

/// -1: nothing blocks, the walk goes off along a ray. A tie is broken for z0, which ends the walk.
int LemkeTableau::leaving_row(int column) {
  assert(column >= 0 && column <= n_);
  double largest = 0;
  for (int i = 0; i < n_; ++i) largest = std::max(largest, std::abs(row(i)[column]));
  const double least_pivot = kNoPivot * largest, step = least_ratio(column, least_pivot);
  if (!std::isfinite(step)) return -1;
  tied_.clear();
  double strongest = 0;
  for (int i = 0; i < n_; ++i) {
    const double entry = row(i)[column];
    if (-entry <= least_pivot || row(i)[rhs_] + entry * step > kTie * q_size_) continue;
    if (row_variable_[i] == 2 * n_) return i;
    tied_.push_back(i);
    strongest = std::max(strongest, -entry);
  }
  int best = -1;
  for (const int i : tied_)
    if (-row(i)[column] >= kWeakPivot * strongest && (best < 0 || comes_first(i, best, column))) best = i;
  return best;
}

/// The variable of the column becomes basic in this row; returns the variable that leaves.
int LemkeTableau::pivot(int r, int c) {
  double* pivot_row = row(r);
  assert(pivot_row[c] != 0);
  const double inverse = 1 / pivot_row[c];
  for (int j = 0; j < stride_; ++j) pivot_row[j] *= -inverse;
  pivot_row[c] = inverse;
  for (int i = 0; i < n_; ++i) {
    double* other = row(i);
    const double factor = other[c];
    if (i == r || factor == 0) continue;
    other[c] = 0;
    for (int j = 0; j < stride_; ++j) other[j] += factor * pivot_row[j];
  }
  const int entering = column_variable_[c], leaving = row_variable_[r];
  column_variable_[c] = leaving;
  row_variable_[r] = entering;
  column_of_[leaving] = c;
  row_of_[leaving] = -1;
  column_of_[entering] = -1;
  row_of_[entering] = r;
  assert(column_variable_[column_of_[leaving]] == leaving && row_variable_[row_of_[entering]] == entering);
  ++pivots_;
  return leaving;
}

/// In the equations w - M z - d z0 = q.
VectorX LemkeTableau::column_of(int variable) const {
  if (variable < n_) return VectorX::Unit(n_, variable);
  return variable < 2 * n_ ? VectorX(-M_.col(variable - n_)) : VectorX(-cover_);
}

/// The tableau of the present basis, made afresh: basic = B^-1 q - B^-1 N nonbasic.
void LemkeTableau::refresh() {
  MatrixX B(n_, n_), N(n_, n_ + 2);
  for (int i = 0; i < n_; ++i) B.col(i) = column_of(row_variable_[i]);
  for (int j = 0; j <= n_; ++j) N.col(j) = -column_of(column_variable_[j]);
  N.col(rhs_) = q_;
  const MatrixX fresh = Eigen::PartialPivLU<MatrixX>(B).solve(N);
  if (!fresh.allFinite()) return;
  for (int i = 0; i < n_; ++i) Eigen::Map<Eigen::RowVectorXd>(row(i), n_ + 2) = fresh.row(i);
}

LemkeTableau::End LemkeTableau::run(int max_pivots, const std::atomic<bool>* stop) {
  int r = start_row();
  if (r < 0) return End::solution;
  int c = n_;
  for (;;) {
    const int leaving = pivot(r, c);
    if (leaving == 2 * n_) return End::solution;
    if (pivots_ >= max_pivots || (stop && stop->load(std::memory_order_relaxed))) return End::limit;
    if (pivots_ % std::max(kPivotsPerTableau, n_) == 0) refresh();
    c = column_of_[complement(leaving)];
    r = leaving_row(c);
    if (r < 0) {
      ray_column_ = c;
      return End::ray;
    }
  }
}

VectorX LemkeTableau::z() const {
  VectorX z = VectorX::Zero(n_);
  for (int i = 0; i < n_; ++i)
    if (row_of_[n_ + i] >= 0) z[i] = std::max(0.0, row(row_of_[n_ + i])[rhs_]);
  return z;
}

VectorX LemkeTableau::ray() const {
  VectorX direction = VectorX::Zero(n_);
  if (ray_column_ < 0) return direction;
  for (int i = 0; i < n_; ++i)
    if (row_of_[n_ + i] >= 0) direction[i] = row(row_of_[n_ + i])[ray_column_];
  const int driving = column_variable_[ray_column_];
  if (driving >= n_ && driving < 2 * n_) direction[driving - n_] = 1;
  return direction;
}

}  // namespace touchstone
