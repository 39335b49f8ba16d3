#include "touchstone/dynamics/impulse_memory.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace touchstone {

const ImpulseMemory::Entry* ImpulseMemory::find(std::uint64_t key) const {
  if (places_.empty()) return nullptr;
  assert(std::has_single_bit(places_.size()));
  const std::size_t mask = places_.size() - 1;
  for (std::size_t at = key & mask; places_[at] >= 0; at = (at + 1) & mask)
    if (entries_[places_[at]].key == key) return &entries_[places_[at]];
  return nullptr;
}

/// Of rows with the same key the first counts.
void ImpulseMemory::fill_places() {
  places_.assign(std::bit_ceil(2 * entries_.size() + 1), -1);
  const std::size_t mask = places_.size() - 1;
  for (int e = 0; e < static_cast<int>(entries_.size()); ++e) {
    std::size_t at = entries_[e].key & mask;
    while (places_[at] >= 0 && entries_[places_[at]].key != entries_[e].key) at = (at + 1) & mask;
    if (places_[at] < 0) places_[at] = e;
  }
}

void ImpulseMemory::add(const ImpulseMemory& other) {
  const int first = static_cast<int>(tangents_.size());
  for (Entry entry : other.entries_) {
    entry.first += first;
    entries_.push_back(entry);
  }
  tangents_.insert(tangents_.end(), other.tangents_.begin(), other.tangents_.end());
  fill_places();
}

template <int D>
StepImpulses<D> ImpulseMemory::guess(const ConstraintSet<D>& set, const Assembly<D>& assembly) const {
  assert(assembly.row_of_contact.size() == set.unilateral.size());
  const StepEquations<D>& equations = assembly.equations;
  StepImpulses<D> guess;
  guess.V = equations.V_free;
  guess.bilateral.assign(equations.bilateral.size(), 0);
  guess.unilateral.assign(equations.unilateral.size(), 0);
  guess.tangent.assign(equations.tangent.size(), 0);
  guess.slip.assign(equations.groups.size(), 0);
  for (std::size_t i = 0; i < set.unilateral.size(); ++i) {
    if (assembly.row_of_contact[i] < 0) continue;
    const Entry* entry = find(set.contacts[set.unilateral[i]].key);
    if (!entry) continue;
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
  assert(assembly.row_of_contact.size() == set.unilateral.size());
  assert(found.unilateral.size() == assembly.equations.unilateral.size());
  entries_.clear(), tangents_.clear();
  entries_.reserve(set.unilateral.size());
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
  fill_places();
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                   \
  template StepImpulses<D> ImpulseMemory::guess(const ConstraintSet<D>&, const Assembly<D>&) const; \
  template void ImpulseMemory::remember(const ConstraintSet<D>&, const Assembly<D>&, const StepImpulses<D>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
