#include "touchstone/contact/pair_memory.h"

#include <cassert>

namespace touchstone {

template <int D>
void PairMemory<D>::follow(std::span<const std::pair<int, int>> pairs) {
  assert(memories_.size() == pairs_.size() && std::is_sorted(pairs.begin(), pairs.end()));
  std::vector<GapMemory<D>> kept(pairs.size());
  std::size_t old = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    while (old < pairs_.size() && pairs_[old] < pairs[i]) ++old;
    if (old < pairs_.size() && pairs_[old] == pairs[i]) kept[i] = std::move(memories_[old]);
  }
  pairs_.assign(pairs.begin(), pairs.end());
  memories_ = std::move(kept);
}

template class PairMemory<2>;
template class PairMemory<3>;

}  // namespace touchstone
