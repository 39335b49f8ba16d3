#pragma once
// An interior-point method for friction: of all solvers the one that tall stacks and redundant contacts do
// not slow down. With De Saxce's velocity y = u + mu |u_t| e_n the law is r in K, y in K*, r o y = 0; here r
// o y = t e with t falling to zero, by Mehrotra's predictor and corrector with Nesterov and Todd's scaling.
// The term mu |u_t| makes the problem other than convex: it is linearised like the rest, and rounded off near
// u_t = 0.

#include "touchstone/solve/friction/friction_iterate.h"

namespace touchstone {

/// Steps until the residual or the number of steps is reached, or until steps become too short. It ends near
/// a solution rather than at it: Newton's method is to follow.
template <int D>
void step_interior_point(const FrictionBlocks<D>& blocks, const FrictionLimits& limits,
                         FrictionIterate& iterate);

/// The same with |u_t| rounded off more: slower, and not misled by the same problems.
template <int D>
void step_rounded_interior_point(const FrictionBlocks<D>& blocks, const FrictionLimits& limits,
                                 FrictionIterate& iterate);

}  // namespace touchstone
