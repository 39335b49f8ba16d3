#include "touchstone/solve/linear/block_pattern.h"

#include <Eigen/OrderingMethods>
#include <algorithm>
#include <cassert>

namespace touchstone {

/// Rows of one pair mostly stand side by side.
BlockEdges::BlockEdges(const std::vector<int>& first, const std::vector<int>& second)
    : of_row(first.size(), -1) {
  assert(first.size() == second.size());
  const auto pair_of = [&](std::size_t i) { return std::pair<int, int>(std::minmax(first[i], second[i])); };
  for (std::size_t i = 0; i < first.size(); ++i) {
    const auto pair = pair_of(i);
    if (pair.first >= 0 && (pairs.empty() || pairs.back() != pair)) pairs.push_back(pair);
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  std::size_t at = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const auto pair = pair_of(i);
    if (pair.first < 0) continue;
    if (at >= pairs.size() || pairs[at] != pair)
      at = std::lower_bound(pairs.begin(), pairs.end(), pair) - pairs.begin();
    of_row[i] = static_cast<int>(at);
  }
}

BlockPattern::BlockPattern(int blocks, const std::vector<std::pair<int, int>>& edges)
    : count(blocks), position(blocks), original(blocks) {
  assert(std::is_sorted(edges.begin(), edges.end()));
  assert(std::all_of(edges.begin(), edges.end(), [&](const auto& edge) {
    return 0 <= edge.first && edge.first < edge.second && edge.second < count;
  }));
  order(edges);
  find_columns(edges);
  for (const auto& [a, b] : edges) {
    const auto [column, place] = std::minmax(position[a], position[b]);
    slot.push_back(place_of(place, column));
    turned.push_back(position[a] < position[b]);
  }
}

/// Least degree first.
void BlockPattern::order(const std::vector<std::pair<int, int>>& edges) {
  Eigen::VectorXi degree = Eigen::VectorXi::Ones(count);
  for (const auto& [a, b] : edges) ++degree[a], ++degree[b];
  Eigen::SparseMatrix<double> A(count, count);
  A.reserve(degree);
  // Edges are sorted: those of b with lower blocks come before those with higher ones, and rows rise.
  for (const auto& [a, b] : edges) A.insert(a, b) = 1;
  for (int i = 0; i < count; ++i) A.insert(i, i) = 1;
  for (const auto& [a, b] : edges) A.insert(b, a) = 1;
  A.makeCompressed();
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> P;
  Eigen::AMDOrdering<int>()(A, P);
  for (int k = 0; k < count; ++k) {
    original[k] = P.indices()[k];
    position[original[k]] = k;
  }
}

/// A column fills with the rows of the columns that it is the first row of (its children in the tree).
void BlockPattern::find_columns(const std::vector<std::pair<int, int>>& edges) {
  std::vector<std::vector<int>> rows(count);
  for (const auto& [a, b] : edges) {
    const auto [column, below] = std::minmax(position[a], position[b]);
    rows[column].push_back(below);
  }
  begin.assign(1, 0);
  for (int k = 0; k < count; ++k) {
    std::vector<int>& own = rows[k];
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    row.insert(row.end(), own.begin(), own.end());
    begin.push_back(static_cast<int>(row.size()));
    if (!own.empty()) rows[own[0]].insert(rows[own[0]].end(), own.begin() + 1, own.end());
  }
}

int BlockPattern::place_of(int below, int column) const {
  const auto first = row.begin() + begin[column], last = row.begin() + begin[column + 1];
  const auto found = std::lower_bound(first, last, below);
  assert(found != last && *found == below);
  return static_cast<int>(found - row.begin());
}

}  // namespace touchstone
