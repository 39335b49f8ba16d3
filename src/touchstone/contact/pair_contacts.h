#pragma once
// The contacts of one pair of parts, by model; inside contact only.

#include "touchstone/contact/contact_model.h"

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

/// The function of a model: appends what it finds.
template <int D>
using PairRule = void (*)(const Pair<D>& pair, PairContacts<D>& found);

/// The corners of the contact manifold of the nearest features [ContactData IV].
template <int D>
void add_manifold(const Pair<D>& pair, PairContacts<D>& found);
/// Every feature contact within the margin at which a force may act [Thesis 5.2].
template <int D>
void add_standard(const Pair<D>& pair, PairContacts<D>& found);
/// Every feature contact within the margin, whether a force is expected there or not.
template <int D>
void add_everything(const Pair<D>& pair, PairContacts<D>& found);
/// Those of them that overlap [Thesis 5.2].
template <int D>
void add_corrective(const Pair<D>& pair, PairContacts<D>& found);
/// One contact in the middle of what the bodies share [Thesis 5.2.3].
template <int D>
void add_overlap(const Pair<D>& pair, PairContacts<D>& found);

}  // namespace touchstone
