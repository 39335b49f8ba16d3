#pragma once
// Joints that are put to values: the bodies on one side of a joint move as one, the others stay.

#include <span>

#include "touchstone/stepping/world.h"

namespace touchstone {

/// Moves what hangs on the joint until its values are these [m or rad]. Body B and all that is joined to it
/// move with their velocities turned; where they are held by something that does not move by forces, A's side
/// moves instead. Throws std::invalid_argument for values of another number, not finite or outside of the
/// limits, and for a joint both of whose sides are held, or that is part of a loop.
template <int D>
void set_joint_values(World<D>& world, int joint, std::span<const double> values);

/// Gives what hangs on the joint a velocity besides its own, as one rigid body, until the rates of its values
/// are these [m/s or rad/s] and nothing moves across the joint. Throws as above.
template <int D>
void set_joint_rates(World<D>& world, int joint, std::span<const double> rates);

}  // namespace touchstone
