#pragma once
// What only the whole world can tell of its start. Private to scene/.

#include <string>

#include "touchstone/stepping/world.h"

namespace touchstone {

/// What is wrong with the places of a world's bodies, or an empty text: the pairs that overlap.
template <int D>
std::string overlap_trouble(const World<D>& world);

/// What is wrong with the joint, or an empty text: it is open.
template <int D>
std::string joint_trouble(const World<D>& world, int joint);

}  // namespace touchstone
