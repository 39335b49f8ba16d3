#pragma once
// A = L D U of a sparse matrix whose pattern is symmetric (or is made so), in an order fixed by the pattern
// alone. Active-set and interior-point methods factorise one matrix again and again, each time with other
// active rows and another diagonal shift: one analysis of the pattern serves all of these factorisations.
//
// Pivots are not exchanged: matrices M + shift of monotone problems need no exchange, and for the others a
// pivot that vanishes is replaced by a small one and counted; the caller refines and looks at the error.

#include <vector>

#include "touchstone/solve/problem_matrix.h"

namespace touchstone {

/// Per row: does it take part?
using Mask = std::vector<char>;

class SparseLdu {
 public:
  /// M must outlive this object and keep its pattern.
  explicit SparseLdu(const SparseMatrix& M);

  bool symmetric() const { return symmetric_; }
  /// Factorises (M + diag(shift)) on the active rows and columns. Returns the number of replaced pivots.
  int factor(const Mask& active, const VectorX& shift);
  /// After factor(): all pivots are positive, and none is smaller than this part of the largest.
  bool positive(double part) const;
  /// Inactive entries of x become 0.
  void solve(const VectorX& rhs, VectorX& x) const;

 private:
  /// Entry (row, k) above the diagonal and its mirror (k, row), as positions in M's values; -1: not stored.
  struct Entry {
    int row = -1, upper = -1, lower = -1;
  };
  /// One stored entry of M off the diagonal: its place above the diagonal after ordering, or its mirror's.
  struct Placed {
    int col, row, source;
    bool upper;
  };

  void order();
  std::vector<Placed> place_entries();
  void collect_entries();
  void find_tree();
  int reach(int k, int* stack);
  double value(int position) const { return position < 0 ? 0.0 : values_[position]; }
  void scatter(int k, const Mask& active);
  double eliminate(int k, int top, double pivot);

  const SparseMatrix& M_;
  const double* values_;
  bool symmetric_ = true;
  std::vector<int> original_, position_;  ///< of the k-th pivot; where a row went
  std::vector<int> diagonal_;             ///< position of M's diagonal entries, in pivot order
  std::vector<Entry> entries_;            ///< of column k of the ordered matrix: [first_[k], first_[k+1])
  std::vector<int> first_;
  std::vector<int> parent_, mark_;
  std::vector<int> column_, filled_, row_index_;  ///< L by columns: start, entries so far, their rows
  std::vector<double> lower_, upper_;             ///< values of L, and of U^T in the same places
  std::vector<double> pivot_, x_, y_;
  std::vector<int> stack_;
  Mask used_;
};

}  // namespace touchstone
