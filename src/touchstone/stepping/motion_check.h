#pragma once
// Motions that a step refuses: out of the world, or by more turns than can be followed. Inside stepping only.

#include <optional>
#include <span>
#include <string>

#include "touchstone/stepping/world.h"

namespace touchstone {

/// Why bodies that move with these velocities (per body of the world) for the time h [s] leave it; nothing if
/// none does.
template <int D>
std::optional<std::string> trouble_with_motion(const World<D>& world, std::span<const Twist<D>> V, double h);

}  // namespace touchstone
