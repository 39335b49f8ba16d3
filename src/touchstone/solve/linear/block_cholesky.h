#pragma once
// H = L L^T of a sparse symmetric positive definite matrix of small full blocks. Inside solve only.

#include <cassert>
#include <utility>
#include <vector>

#include "touchstone/solve/linear/block_column.h"
#include "touchstone/solve/linear/block_pattern.h"
#include "touchstone/solve/matrix/gram_products.h"

namespace touchstone {

template <int B>
class BlockCholesky {
 public:
  using Block = SmallBlock<B>;

  /// `edges` as in BlockPattern.
  BlockCholesky(int count, const std::vector<std::pair<int, int>>& edges);

  /// No edge has an entry, and the factors of the last matrix are gone.
  void clear();
  Block& diagonal(int block) {
    assert(block >= 0 && block < pattern_.count);
    return diagonal_[pattern_.position[block]];
  }
  /// H_ab of the edge (a, b), of which one triangle is stored.
  void set_edge(int edge, const Block& H_ab) {
    assert(edge >= 0 && edge < static_cast<int>(pattern_.slot.size()));
    Block& entry = entry_[pattern_.slot[edge]];
    filled_[pattern_.slot[edge]] = true;
    if (pattern_.turned[edge]) {
      entry = H_ab.transpose();
    } else {
      entry = H_ab;
    }
  }
  /// False: not positive definite. `wide`: by registers of four numbers, where the processor has them; the
  /// factors have the same bits.
  bool factor(bool wide = has_wide_registers());
  /// The cost of factor() where all edges have entries: the number of products of two blocks that it makes.
  long product_count() const;
  void solve(BlockVector<B>& x);

 private:
  BlockPattern pattern_;
  std::vector<Block> diagonal_, entry_;
  std::vector<char> filled_;  ///< per entry: it is not zero
  BlockVector<B> y_;
};

}  // namespace touchstone
