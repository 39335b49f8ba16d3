#pragma once
// The models that the thesis compares PEG with, kept for comparison: they take feature contacts as they are,
// trap vertices at corners or let bodies overlap.

#include "touchstone/contact/pair_contacts.h"

namespace touchstone {

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
