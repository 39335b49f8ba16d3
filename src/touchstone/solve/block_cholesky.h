#pragma once
// H = L L^T of a sparse symmetric positive definite matrix of small full blocks, in an order of elimination
// found once from its pattern. Inside solve only.

#include <utility>
#include <vector>

#include "touchstone/solve/gram_products.h"

namespace touchstone {

template <int B>
class BlockCholesky {
 public:
  using Block = SmallBlock<B>;

  /// `edges`: the pairs of blocks (a < b, sorted, each once) that have an entry off the diagonal.
  BlockCholesky(int count, const std::vector<std::pair<int, int>>& edges);

  void clear();
  Block& diagonal(int block) { return diagonal_[position_[block]]; }
  /// Adds H_ab = g_a g_b^T to the entry of edge (a, b), of which one triangle is stored.
  template <class V>
  void add_to_edge(int edge, const V& g_a, const V& g_b) {
    if (turned_[edge]) {
      entry_[slot_[edge]].noalias() += g_b * g_a.transpose();
    } else {
      entry_[slot_[edge]].noalias() += g_a * g_b.transpose();
    }
  }
  /// False: not positive definite.
  bool factor();
  void solve(BlockVector<B>& x);

 private:
  void order(const std::vector<std::pair<int, int>>& edges);
  void find_columns(const std::vector<std::pair<int, int>>& edges);
  int place_of(int row, int column) const;
  void update(int k);

  int count_;
  std::vector<int> position_, original_;  ///< of a block in the order of elimination, and back
  std::vector<int> begin_, row_;          ///< L by columns: below the diagonal, rows in rising order
  std::vector<int> slot_;                 ///< of each edge: where its entry stands
  std::vector<char> turned_;              ///< its first block comes earlier: H_ba is stored
  std::vector<Block> diagonal_, entry_;
  BlockVector<B> y_;
};

}  // namespace touchstone
