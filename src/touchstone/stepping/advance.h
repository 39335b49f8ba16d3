#pragma once
// advance: the world at the end of the step.

#include "touchstone/dynamics/assembly.h"
#include "touchstone/stepping/world.h"

namespace touchstone {

/// Gives scripted bodies the constant velocity that carries them to their pose at time + h.
template <int D>
void follow_scripts(World<D>& world, double h);

/// Moves every body, counts the step, clears the forces of this step, and measures the joints.
template <int D>
void advance(World<D>& world, const Assembly<D>& assembly, const StepImpulses<D>& found, double h);

}  // namespace touchstone
