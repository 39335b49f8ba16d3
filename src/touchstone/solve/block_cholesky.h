#pragma once
// H = L L^T of a sparse symmetric positive definite matrix of small full blocks. Inside solve only.

#include <utility>
#include <vector>

#include "touchstone/solve/block_pattern.h"
#include "touchstone/solve/gram_products.h"

namespace touchstone {

template <int B>
class BlockCholesky {
 public:
  using Block = SmallBlock<B>;

  /// `edges` as in BlockPattern.
  BlockCholesky(int count, const std::vector<std::pair<int, int>>& edges);

  void clear();
  Block& diagonal(int block) { return diagonal_[pattern_.position[block]]; }
  /// H_ab of the edge (a, b), of which one triangle is stored.
  void set_edge(int edge, const Block& H_ab) {
    Block& entry = entry_[pattern_.slot[edge]];
    if (pattern_.turned[edge]) {
      entry = H_ab.transpose();
    } else {
      entry = H_ab;
    }
  }
  /// False: not positive definite.
  bool factor();
  void solve(BlockVector<B>& x);

 private:
  void update(int k);

  BlockPattern pattern_;
  std::vector<Block> diagonal_, entry_;
  BlockVector<B> y_;
};

}  // namespace touchstone
