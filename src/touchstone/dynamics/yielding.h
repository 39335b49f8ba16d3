#pragma once
// How much each contact yields before the limit of rigid bodies [docs/friction.md]. Inside dynamics only.

#include <vector>

#include "touchstone/contact/constraint_set.h"

namespace touchstone {

/// Per unilateral row, as a multiple of the compliance of a pair of bodies, which is the same for all pairs:
/// of n points at which a pair touches each yields n times as much as the pair, so that together they yield
/// as one. Points further apart than `closed_gap` [m] do not count. `row_of_contact` as in Assembly; rows of
/// no contact (limits of joints) yield as a pair.
template <int D>
std::vector<double> yielding_of(const ConstraintSet<D>& set, const std::vector<int>& row_of_contact,
                                std::size_t rows, double closed_gap);

}  // namespace touchstone
