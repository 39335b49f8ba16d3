#pragma once
// Newton's method on r = S(r), where S_i(r) solves Coulomb's law exactly at contact i with the others'
// impulses held (the map of which nsgs takes one contact at a time). S is semismooth: at an open contact it
// is constant; at one that sticks u = 0; at one that slides along d with u_t = -lambda r_t, to first order,
//     u_n = 0,   r_t . d = mu r_n,   (u_t + lambda r_t) across d = 0.
// Since the law holds exactly where it is linearised, no parameter such as Alart and Curnier's rho is needed.

#include "touchstone/solve/friction_iterate.h"

namespace touchstone {

/// Steps until the residual or the number of steps is reached, or until steps no longer lead down. Where W
/// lacks rank (redundant contacts) its diagonal is lifted by a small share, in the derivative only: the
/// answer is that of W itself.
template <int D>
void step_newton(const FrictionBlocks<D>& blocks, const FrictionLimits& limits, FrictionIterate& iterate);

}  // namespace touchstone
