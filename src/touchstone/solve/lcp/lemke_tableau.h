#pragma once
// Lemke's walk over almost complementary bases, on a condensed tableau
//
//     basic = rhs + T * nonbasic,     at first   w = q + M z + d z0,
//
// with the lexicographic rule, under which no basis comes twice however degenerate the problem is
// [Cottle, Pang, Stone: The Linear Complementarity Problem, 4.4 and 4.9].

#include <atomic>
#include <vector>

#include "touchstone/solve/problem_matrix.h"

namespace touchstone {

class LemkeTableau {
 public:
  enum class End { solution, ray, limit };

  /// `cover` (d above) must be positive. M, q and cover must outlive this object.
  LemkeTableau(const MatrixX& M, const VectorX& q, const VectorX& cover);

  /// Ends at its limit, too, once `stop` is true; null: nobody asks for that.
  End run(int max_pivots, const std::atomic<bool>* stop = nullptr);
  int pivots() const { return pivots_; }
  /// The z of the present basis.
  VectorX z() const;
  /// Is z_i basic?
  bool is_basic(int i) const { return column_of_[n_ + i] < 0; }
  /// After a ray: how z moves along it.
  VectorX ray() const;

 private:
  int complement(int variable) const { return variable < n_ ? variable + n_ : variable - n_; }
  double* row(int i) { return table_.data() + static_cast<std::size_t>(i) * stride_; }
  const double* row(int i) const { return table_.data() + static_cast<std::size_t>(i) * stride_; }
  int start_row() const;
  int leaving_row(int column);
  double least_ratio(int column, double least_pivot) const;
  bool comes_first(int a, int b, int column) const;
  double inverse_entry(int row, int k) const;
  int pivot(int row, int column);
  VectorX column_of(int variable) const;
  void refresh();

  const MatrixX& M_;
  const VectorX &q_, &cover_;
  int n_, stride_, rhs_;
  std::vector<double> table_;
  std::vector<int> row_variable_, column_variable_;  ///< 0 .. n-1: w, n .. 2n-1: z, 2n: z0
  std::vector<int> column_of_, row_of_;              ///< of a variable; -1: it is basic / it is not
  std::vector<int> tied_;
  double q_size_ = 0;
  int pivots_ = 0, ray_column_ = -1;
};

}  // namespace touchstone
