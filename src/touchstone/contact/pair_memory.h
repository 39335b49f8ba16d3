#pragma once
// What pairs of parts remember from one step to the next, so that contact data come fast.

#include <span>
#include <utility>
#include <vector>

#include "touchstone/proximity/gap.h"

namespace touchstone {

/// Sorted by pair; pairs that left the broad phase are forgotten.
template <int D>
class PairMemory {
 public:
  /// Keeps the memories of these sorted pairs and forgets all others.
  void follow(std::span<const std::pair<int, int>> pairs);
  /// Of the i-th pair last followed.
  GapMemory<D>& of(int i) { return memories_[i]; }

 private:
  std::vector<std::pair<int, int>> pairs_;
  std::vector<GapMemory<D>> memories_;
};

}  // namespace touchstone
