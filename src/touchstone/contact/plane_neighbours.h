#pragma once
// Pairs of the same two bodies in one plane, as the legs of a chair and its floor. Inside contact only.
//
// They get their rows from the same motion. Rows that were linearised at two of them contradict each other by
// its second order, and where contacts are redundant that, not compliance, would decide which of them carry
// the load [docs/friction.md]. For this all fixed bodies are one, so that a floor may be of tiles.

#include <span>
#include <vector>

#include "touchstone/contact/contact_model.h"
#include "touchstone/contact/plane_state.h"

namespace touchstone {

/// Of the pairs with rows that the motion does not hit, `held`, those that lie in one plane with one that it
/// hits, and whose rows are renewed with it; all of them touch their plane at the start, to the tolerance.
/// Notes whose planes are shared. In the first try pairs that got rows of the start are followed by nobody.
template <int D>
std::vector<PairState<D>*> find_followers(const TriedMotion<D>& motion, std::span<PairState<D>* const> hit,
                                          std::span<PairState<D>* const> held, bool first_try,
                                          double tolerance);

}  // namespace touchstone
