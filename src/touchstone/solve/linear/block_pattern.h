#pragma once
// Where the entries of the factors of a sparse matrix of small full blocks stand, its pattern being
// symmetric, in an order of elimination found once. Inside solve only.

#include <utility>
#include <vector>

namespace touchstone {

/// The pairs of blocks that rows (or contacts) join: a < b, sorted, each once.
struct BlockEdges {
  std::vector<std::pair<int, int>> pairs;
  std::vector<int> of_row;  ///< the pair of each row; -1: it has one block

  /// Per row its two blocks; -1: none.
  BlockEdges(const std::vector<int>& first, const std::vector<int>& second);
};

struct BlockPattern {
  /// `edges`: the pairs of blocks, as in BlockEdges, that have an entry off the diagonal.
  BlockPattern(int count, const std::vector<std::pair<int, int>>& edges);

  int count;
  std::vector<int> position, original;  ///< of a block in the order of elimination, and back
  std::vector<int> begin, row;  ///< of the factor by columns: below the diagonal, rows in rising order
  std::vector<int> slot;        ///< of each edge: where its entry stands
  std::vector<char> turned;     ///< its first block comes earlier: the entry is that of (b, a)

 private:
  void order(const std::vector<std::pair<int, int>>& edges);
  void find_columns(const std::vector<std::pair<int, int>>& edges);
  int place_of(int row, int column) const;
};

}  // namespace touchstone
