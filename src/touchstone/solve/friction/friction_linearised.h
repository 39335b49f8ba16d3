#pragma once
// The friction problem with pyramids for cones, an LCP [Stewart and Trinkle 1996] that pivoting solves
// wherever the data come from bodies: in the plane it is the problem itself, in space a start near a
// solution.

#include "touchstone/solve/friction/friction_iterate.h"

namespace touchstone {

/// Pyramids with more and more edges, each followed by Newton's method, until the residual or the number of
/// pyramids is reached. Problems with too many contacts for pivoting are left alone.
template <int D>
void step_linearised(const FrictionBlocks<D>& blocks, const FrictionLimits& limits, FrictionIterate& iterate);

}  // namespace touchstone
