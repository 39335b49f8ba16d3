#include "touchstone/stepping/impulse_memory.h"

#include <algorithm>

namespace touchstone {

template <int D>
StepImpulses<D> ImpulseMemory::guess(const ConstraintSet<D>& set, const Assembly<D>& assembly) const {
  const StepEquations<D>& equations = assembly.equations;
  StepImpulses<D> guess;
  guess.V = equations.V_free;
  guess.bilateral.assign(equations.bilateral.size(), 0);
  guess.unilateral.assign(equations.unilateral.size(), 0);
  guess.tangent.assign(equations.tangent.size(), 0);
  guess.slip.assign(equations.groups.size(), 0);
  for (std::size_t i = 0; i < set.unilateral.size(); ++i) {
    const std::uint64_t key = set.contacts[set.unilateral[i]].key;
    const auto entry = std::lower_bound(entries_.begin(), entries_.end(), key,
                                        [](const Entry& e, std::uint64_t k) { return e.key < k; });
    if (entry == entries_.end() || entry->key != key || assembly.row_of_contact[i] < 0) continue;
    guess.unilateral[assembly.row_of_contact[i]] = entry->normal;
    const int g = assembly.group_of_contact[i];
    if (g < 0 || equations.groups[g].count != entry->count) continue;
    guess.slip[g] = entry->slip;
    std::copy_n(tangents_.begin() + entry->first, entry->count,
                guess.tangent.begin() + equations.groups[g].first);
  }
  return guess;
}

template <int D>
void ImpulseMemory::remember(const ConstraintSet<D>& set, const Assembly<D>& assembly,
                             const StepImpulses<D>& found) {
  entries_.clear(), tangents_.clear();
  for (std::size_t i = 0; i < set.unilateral.size(); ++i) {
    if (assembly.row_of_contact[i] < 0) continue;
    Entry entry{set.contacts[set.unilateral[i]].key, found.unilateral[assembly.row_of_contact[i]], 0,
                static_cast<int>(tangents_.size()), 0};
    const int g = assembly.group_of_contact[i];
    if (g >= 0) {
      const FrictionGroup& group = assembly.equations.groups[g];
      entry.slip = found.slip[g], entry.count = group.count;
      const auto first = found.tangent.begin() + group.first;
      tangents_.insert(tangents_.end(), first, first + group.count);
    }
    entries_.push_back(entry);
  }
  std::stable_sort(entries_.begin(), entries_.end(),
                   [](const Entry& a, const Entry& b) { return a.key < b.key; });
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                   \
  template StepImpulses<D> ImpulseMemory::guess(const ConstraintSet<D>&, const Assembly<D>&) const; \
  template void ImpulseMemory::remember(const ConstraintSet<D>&, const Assembly<D>&, const StepImpulses<D>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
