#pragma once
// Newton's method on the semismooth equations of friction.

#include "touchstone/solve/friction/friction_iterate.h"
#include "touchstone/solve/friction/semismooth_equations.h"

namespace touchstone {

/// Steps until the residual or the number of steps is reached, or until steps no longer lead down. Where W
/// lacks rank (redundant contacts) its diagonal is lifted by a small share, in the derivative only: the
/// answer is that of W itself.
template <int D>
void step_newton(const FrictionBlocks<D>& blocks, const FrictionLimits& limits, FrictionIterate& iterate,
                 Linearisation<D> linearise = linearise_local_answers<D>);

}  // namespace touchstone
