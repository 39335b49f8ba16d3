#pragma once
// The contacts of one pair of parts, by model; inside contact only.

#include "touchstone/contact/contact_model.h"
#include "touchstone/contact/pair_memory.h"

namespace touchstone {

/// Two parts as they lie. A is the part of the lower index.
template <int D>
struct Pair {
  int shape_A, shape_B;
  PlacedShape<D> A, B;
  double margin;         ///< [m]
  GapMemory<D>* memory;  ///< may be null
};

/// A point where the pair may touch; the model adds bodies and materials.
template <int D>
struct PairContact {
  Vec<D> point, normal;
  double gap;
  FeaturePair features;
};
template <int D>
using PairContacts = std::vector<PairContact<D>>;

/// What models that look at one pair at a time remember.
template <int D>
struct PairModelMemory : ModelMemory {
  PairMemory<D> pairs;
};
/// What `last` knows of the pairs; nothing where it is the memory of another model.
template <int D>
std::shared_ptr<PairModelMemory<D>> followed(const ModelMemoryPtr& last,
                                             std::span<const std::pair<int, int>> pairs);

/// The i-th pair of the motion as it lies at the start of the step.
template <int D>
Pair<D> pair_at_start(const TriedMotion<D>& motion, PairModelMemory<D>& memory, int i);
template <int D>
Contact<D> contact_of(const TriedMotion<D>& motion, const Pair<D>& pair, const PairContact<D>& found);

/// The function of a model: appends what it finds.
template <int D>
using PairRule = void (*)(const Pair<D>& pair, PairContacts<D>& found);

/// The corners of the contact manifold of the nearest features [ContactData IV]; of a pair with a sphere or a
/// half-space its point, or every near vertex.
template <int D>
void add_manifold(const Pair<D>& pair, PairContacts<D>& found);

}  // namespace touchstone
