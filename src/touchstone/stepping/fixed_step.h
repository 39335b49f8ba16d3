#pragma once
// A step of a given length: tried as a whole, and where that is refused in parts, island by island.

#include "touchstone/stepping/attempt.h"

namespace touchstone {

/// Makes the step, or leaves the world as it is and says why in the report. `memory` becomes that for the
/// next step. Forces that users set hold for the whole step, and are forgotten once it is made.
template <int D>
void make_fixed_step(const Stages<D>& stages, World<D>& world, StepMemory<D>& memory, StepReport<D>& report);

}  // namespace touchstone
