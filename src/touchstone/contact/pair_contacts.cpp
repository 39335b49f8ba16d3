#include "touchstone/contact/pair_contacts.h"

#include <cassert>

#include "touchstone/contact/row_key.h"
#include "touchstone/math/checks.h"
#include "touchstone/proximity/witnesses.h"

namespace touchstone {

template <int D>
std::shared_ptr<PairModelMemory<D>> followed(const ModelMemoryPtr& last,
                                             std::span<const std::pair<int, int>> pairs) {
  auto memory = std::make_shared<PairModelMemory<D>>();
  if (const auto* known = dynamic_cast<const PairModelMemory<D>*>(last.get())) memory->pairs = known->pairs;
  memory->pairs.follow(pairs);
  return memory;
}

template <int D>
Pair<D> pair_at_start(const TriedMotion<D>& motion, PairModelMemory<D>& memory, int i) {
  assert(is_index(i, motion.pairs.size()));
  const auto [a, b] = motion.pairs[i];
  return {a, b, motion.part_at_start(a), motion.part_at_start(b), motion.margin, &memory.pairs.of(i)};
}

template <int D>
Contact<D> contact_of(const TriedMotion<D>& motion, const Pair<D>& pair, const PairContact<D>& found) {
  assert(is_unit(found.normal) && pair.shape_A < pair.shape_B);
  const ContactShape<D>&A = motion.shapes[pair.shape_A], &B = motion.shapes[pair.shape_B];
  return {A.body,      B.body,       A.material, B.material,
          found.point, found.normal, found.gap,  row_key(pair.shape_A, pair.shape_B, found.features)};
}

template <int D>
void add_manifold(const Pair<D>& pair, PairContacts<D>& found) {
  std::vector<Witness<D>> witnesses;
  find_witnesses(pair.A, pair.B, pair.margin, witnesses, pair.memory);
  for (const Witness<D>& at : witnesses) found.push_back({at.point, at.normal, at.gap, at.features});
}

#define TOUCHSTONE_INSTANTIATE(D)                                                               \
  template std::shared_ptr<PairModelMemory<D>> followed(const ModelMemoryPtr&,                  \
                                                        std::span<const std::pair<int, int>>);  \
  template Pair<D> pair_at_start(const TriedMotion<D>&, PairModelMemory<D>&, int);              \
  template Contact<D> contact_of(const TriedMotion<D>&, const Pair<D>&, const PairContact<D>&); \
  template void add_manifold(const Pair<D>&, PairContacts<D>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
