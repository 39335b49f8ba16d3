// Every guess of the support is tried: 2^n of them. Slow and obviously right; and when every guess is
// refuted, a proof that there is no solution. A guess whose rows are dependent stands for a whole polyhedron
// of points: it is refuted only when the nonnegative least-squares fit of its equations and inequalities
// leaves an error.

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "touchstone/solve/lcp/linear_solvers.h"
#include "touchstone/solve/lcp/nonnegative_least_squares.h"

namespace touchstone {
namespace {

constexpr int kMostRows = 20;
/// Pivots below these, relative to the largest entry: as good as 0; too small to trust what follows.
constexpr double kVanished = 1e-13, kDependent = 1e-9;
/// 0 = number, relative to the right sides: beyond doubt.
constexpr double kContradiction = 1e-7;
/// A guess is refuted when it misses by more than this, relative to the sizes of its terms. A guess that
/// misses by less, and yet is no solution, leaves the question open.
constexpr double kRefuted = 1e-9;

/// A x = b by elimination with row exchanges, within one small array.
class SmallSystem {
 public:
  enum class Rows { independent, dependent, contradictory };

  double& at(int i, int j) { return table_[i][j]; }

  Rows solve(int n, double* x) {
    assert(n >= 0 && n <= kMostRows);
    double largest = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) largest = std::max(largest, std::abs(table_[i][j]));
    int rank = 0;
    for (int col = 0; col < n; ++col) {
      const double pivot = exchange(rank, col, n);
      if (pivot <= kVanished * largest) continue;
      if (pivot <= kDependent * largest) return Rows::dependent;
      eliminate(rank++, col, n);
    }
    if (rank < n) return contradicts(rank, n) ? Rows::contradictory : Rows::dependent;
    for (int i = n - 1; i >= 0; --i) {
      x[i] = table_[i][n];
      for (int j = i + 1; j < n; ++j) x[i] -= table_[i][j] * x[j];
      x[i] /= table_[i][i];
    }
    return Rows::independent;
  }

 private:
  /// Brings the largest entry of the column to the row; returns its size.
  double exchange(int row, int col, int n) {
    int best = row;
    for (int i = row + 1; i < n; ++i)
      if (std::abs(table_[i][col]) > std::abs(table_[best][col])) best = i;
    if (best != row) std::swap_ranges(table_[row].begin(), table_[row].begin() + n + 1, table_[best].begin());
    return std::abs(table_[row][col]);
  }
  void eliminate(int row, int col, int n) {
    for (int i = row + 1; i < n; ++i) {
      const double factor = table_[i][col] / table_[row][col];
      table_[i][col] = 0;
      if (factor == 0) continue;
      for (int j = col + 1; j <= n; ++j) table_[i][j] -= factor * table_[row][j];
    }
  }
  /// Below the rank, 0 = right side is left.
  bool contradicts(int rank, int n) const {
    double size = 0, left = 0;
    for (int i = 0; i < n; ++i) size = std::max(size, std::abs(table_[i][n]));
    for (int i = rank; i < n; ++i) left = std::max(left, std::abs(table_[i][n]));
    return left > kContradiction * size;
  }

  std::array<std::array<double, kMostRows + 1>, kMostRows> table_;
};

class Enumeration {
 public:
  Enumeration(const LinearProblem& problem, const SolveSettings& settings)
      : problem_(problem), settings_(settings), M_(problem.M.to_dense()), n_(problem.size()) {}

  Candidate run() {
    const unsigned guesses = 1u << n_;
    for (unsigned guess = 0; guess < guesses; ++guess) {
      if (try_guess(guess)) return {z_, SolveStatus::solved, static_cast<int>(guess) + 1};
      if (settings_.is_stopped())
        return {VectorX::Zero(n_), SolveStatus::inaccurate, static_cast<int>(guess) + 1};
    }
    return {VectorX::Zero(n_), open_ ? SolveStatus::inaccurate : SolveStatus::unsolvable,
            static_cast<int>(guesses)};
  }

 private:
  bool try_guess(unsigned guess) {
    support_.clear();
    for (int i = 0; i < n_; ++i)
      if (guess >> i & 1) support_.push_back(i);
    const int k = static_cast<int>(support_.size());
    for (int a = 0; a < k; ++a) {
      for (int b = 0; b < k; ++b) system_.at(a, b) = M_(support_[a], support_[b]);
      system_.at(a, k) = -problem_.q[support_[a]];
    }
    std::array<double, kMostRows> x;
    const SmallSystem::Rows rows = system_.solve(k, x.data());
    if (rows == SmallSystem::Rows::contradictory) return false;
    if (rows == SmallSystem::Rows::dependent) return try_dependent(guess);
    z_.setZero(n_);
    for (int a = 0; a < k; ++a) z_[support_[a]] = x[a];
    return judge(guess);
  }

  /// Solution, or refuted beyond doubt, or open.
  bool judge(unsigned guess) {
    if (is_refuted(guess)) return false;
    for (int i = 0; i < n_; ++i) z_[i] = std::max(0.0, z_[i]);
    if (residual(problem_, z_) <= settings_.tolerance) return true;
    open_ = true;
    return false;
  }

  bool is_refuted(unsigned guess) const {
    const double z_size = z_.lpNorm<Eigen::Infinity>();
    for (int i = 0; i < n_; ++i) {
      if (guess >> i & 1) {
        if (z_[i] < -kRefuted * z_size) return true;
        continue;
      }
      double w = problem_.q[i], size = std::abs(w);
      for (const int j : support_) {
        w += M_(i, j) * z_[j];
        size += std::abs(M_(i, j) * z_[j]);
      }
      if (w < -kRefuted * size) return true;
    }
    return false;
  }

  /// z >= 0 on the support and s >= 0 elsewhere with M z - s = -q, if there are such.
  bool try_dependent(unsigned guess) {
    MatrixX A(n_, n_);
    for (int j = 0; j < n_; ++j) {
      if (guess >> j & 1)
        A.col(j) = M_.col(j);
      else
        A.col(j) = -VectorX::Unit(n_, j);
    }
    const NonnegativeFit fit = fit_nonnegative(A, -problem_.q, std::vector<char>(n_, 0));
    if (fit.converged && fit.error > kRefuted * problem_.q.norm()) return false;
    z_.setZero(n_);
    for (const int j : support_) z_[j] = fit.x[j];
    if (residual(problem_, z_) <= settings_.tolerance) return true;
    open_ = true;
    return false;
  }

  const LinearProblem& problem_;
  const SolveSettings& settings_;
  const MatrixX M_;
  int n_;
  std::vector<int> support_;
  SmallSystem system_;
  VectorX z_;
  bool open_ = false;
};

}  // namespace

Candidate enumeration(const LinearProblem& problem, const SolveSettings& settings) {
  assert(problem.free_count() == 0);
  const int n = problem.size();
  if (n > kMostRows) return {VectorX::Zero(n), SolveStatus::too_large, 0};
  return Enumeration(problem, settings).run();
}

}  // namespace touchstone
