#pragma once
// A strictly convex QP to which rows may be added and whose linear part may change; it keeps its
// factorisation in between:
//
//     min 1/2 x^T P x + c^T x   subject to   a_i^T x + b_i >= 0   (= 0 for an equality).
//
// The dual active-set method of Goldfarb and Idnani (1983): start from the free minimum -P^-1 c and let the
// violated rows in, one by one, while the multipliers stay >= 0. Of P only the product with its inverse is
// needed, so a block-diagonal mass matrix is never assembled. Redundant and nearly dependent rows are let in
// only where they replace another.

#include <Eigen/SparseCore>
#include <functional>
#include <vector>

#include "touchstone/solve/problem_matrix.h"
#include "touchstone/solve/solver.h"

namespace touchstone {

class DualQp {
 public:
  /// In place, y <- P^-1 y; P is symmetric and positive definite.
  using Inverse = std::function<void(VectorX& y)>;

  struct Row {
    Eigen::SparseVector<double> a;
    double b = 0;
    bool equality = false;
  };

  DualQp(Inverse inverse, VectorX c);

  /// Returns the number under which the row is known: 0, 1, 2, ...
  int add_row(Row row);
  void set_linear(VectorX c);
  /// A row that was active in a similar problem. It saves work and never changes the answer x.
  void guess_active(int row);

  /// solved; unsolvable (no x satisfies the rows: x is then the last iterate); inaccurate (gave up).
  /// `stop`: as in SolveSettings.
  SolveStatus solve(const std::atomic<bool>* stop = nullptr);

  const VectorX& x() const { return x_; }
  /// y_i with P x + c = sum a_i y_i; >= 0 for inequalities, 0 for rows that are not active.
  double multiplier(int row) const;
  /// Rows that entered or left in the last solve().
  int iterations() const { return iterations_; }
  /// The largest violation of a row, each relative to the size of its terms.
  double worst_violation() const;

 private:
  struct KeptRow : Row {
    double norm = 0;         ///< sqrt(a^T P^-1 a)
    double multiplier = 0;   ///< while active
    int place = -1;          ///< among the active rows; -1: not active
    bool set_aside = false;  ///< in this solve: contradicts the others by round-off
  };
  /// What moving against a row does: x along `primal`, the active multipliers along -`dual`.
  struct Direction {
    VectorX primal, image;  ///< z = P^-1 a without its part in the active rows, and P z
    VectorX coefficients;   ///< of a in the basis G
    VectorX dual;
    double curvature = 0;  ///< z^T P z; 0 when the row depends on the active ones
  };

  int active_count() const { return static_cast<int>(active_.size()); }
  double value(const KeptRow& row) const { return row.a.dot(x_) + row.b; }
  double scale(const KeptRow& row) const;
  double violation(const KeptRow& row) const;
  int most_violated() const;
  VectorX coefficients_of(const KeptRow& row) const;
  Direction direction_of(const KeptRow& row) const;
  bool let_in(int row);
  int blocking(const Direction& direction, double sign, double& step) const;
  void move(int row, const Direction& direction, double step);
  void append(int row, const Direction& direction);
  void drop(int place);
  void make_room();
  void drop_negative();
  void settle();
  SolveStatus let_in_all(int limit, const std::atomic<bool>* stop);
  void rebuild();

  Inverse inverse_;
  VectorX c_, free_x_, x_;
  VectorX size_;  ///< per entry of x: the sum of the sizes of its terms, for the level of round-off
  std::vector<KeptRow> rows_;
  std::vector<int> active_;
  // The active rows are the columns of N = G R with U = P^-1 G and U^T G = 1.
  MatrixX U_, G_, R_;
  int iterations_ = 0, changes_ = 0;
};

}  // namespace touchstone
