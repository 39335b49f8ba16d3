#pragma once
// Which of n things belong together, when pairs of them do? (Union and find.)

#include <algorithm>
#include <cassert>
#include <numeric>
#include <vector>

#include "touchstone/math/checks.h"

namespace touchstone {

/// A set is named by its lowest member, so that the answer does not depend on the order in which pairs are
/// joined.
class JoinedSets {
 public:
  explicit JoinedSets(int n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0); }
  int find(int i) {
    assert(is_index(i, parent_.size()));
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(int i, int j) {
    i = find(i), j = find(j);
    parent_[std::max(i, j)] = std::min(i, j);
  }

 private:
  std::vector<int> parent_;
};

}  // namespace touchstone
