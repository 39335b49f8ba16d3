#pragma once
// The proximal fixed point of the natural map, r <- proj_K(r - rho (u + mu |u_t| e_n)), taken twice per step
// (extragradient) with a rho that fits itself.

#include "touchstone/solve/friction/friction_iterate.h"

namespace touchstone {

template <int D>
void step_fixed_point(const FrictionBlocks<D>& blocks, const FrictionLimits& limits,
                      FrictionIterate& iterate);

}  // namespace touchstone
