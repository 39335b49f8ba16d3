#pragma once
// H = L U of a sparse matrix of small full blocks whose pattern, but not whose entries, is symmetric. Rows
// are exchanged within the blocks of the diagonal only. Inside solve only.

#include <cassert>
#include <utility>
#include <vector>

#include "touchstone/solve/linear/block_column.h"
#include "touchstone/solve/linear/block_pattern.h"
#include "touchstone/solve/matrix/gram_products.h"

namespace touchstone {

template <int B>
class BlockLu {
 public:
  using Block = SmallBlock<B>;

  /// `edges` as in BlockPattern.
  BlockLu(int count, const std::vector<std::pair<int, int>>& edges);

  /// No edge has an entry, and the factors of the last matrix are gone.
  void clear();
  /// Its entries begin at zero, if it had none.
  void open_edge(int edge);
  Block& diagonal(int block) {
    assert(block >= 0 && block < pattern_.count);
    return diagonal_[pattern_.position[block]];
  }
  /// H_ab and H_ba of the edge (a, b), which is open.
  Block& upper(int edge) {
    assert(edge >= 0 && edge < static_cast<int>(pattern_.slot.size()));
    return pattern_.turned[edge] ? right_[pattern_.slot[edge]] : left_[pattern_.slot[edge]];
  }
  Block& lower(int edge) {
    assert(edge >= 0 && edge < static_cast<int>(pattern_.slot.size()));
    return pattern_.turned[edge] ? left_[pattern_.slot[edge]] : right_[pattern_.slot[edge]];
  }
  /// False: a pivot vanished or is not finite. `wide`: as in BlockCholesky.
  bool factor(bool wide = has_wide_registers());
  /// Of the determinant of what was factored: 1 or -1.
  int sign() const { return sign_; }
  void solve(BlockVector<B>& x);

 private:
  BlockPattern pattern_;
  int sign_ = 1;
  std::vector<Block> diagonal_;      ///< once factored: their inverses
  std::vector<Block> left_, right_;  ///< by columns k, rows i: H_ik below and H_ki right of the diagonal
  std::vector<char> filled_;         ///< per entry: it is not zero
  BlockVector<B> y_;
};

}  // namespace touchstone
