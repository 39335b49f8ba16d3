#pragma once
// Proximal points: a friction problem whose W lacks rank is approached through problems whose W has it. With
// r_k known, r_{k+1} solves the problem with W + a and q - a r_k; where the r_k stop, r solves the problem
// itself.

#include "touchstone/solve/friction/friction_iterate.h"

namespace touchstone {

/// Outer steps until the residual is reached or they no longer lead down; `a` falls by steps. Counts sweeps
/// and Newton steps as iterations.
template <int D>
void step_proximal(const FrictionBlocks<D>& blocks, const FrictionLimits& limits, FrictionIterate& iterate);

/// Sweeps and Newton steps by turns: sweeps find which contacts are open and which slide, Newton's method
/// finds their impulses.
template <int D>
void alternate(const FrictionBlocks<D>& blocks, const FrictionLimits& limits, FrictionIterate& iterate);

}  // namespace touchstone
