#pragma once
// Nonsmooth Gauss-Seidel: Coulomb's law is solved exactly at one contact after the other [Jourdan, Alart,
// Jean 1998], with the others' impulses held, and the sweeps are extrapolated.

#include "touchstone/solve/friction/friction_iterate.h"

namespace touchstone {

/// Sweeps until the residual or the number of sweeps is reached.
template <int D>
void sweep_nsgs(const FrictionBlocks<D>& blocks, const FrictionLimits& limits, FrictionIterate& iterate);

}  // namespace touchstone
