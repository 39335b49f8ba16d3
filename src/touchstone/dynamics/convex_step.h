#pragma once
// A step without friction is a convex problem: the velocities nearest to those of the free motion, in the
// norm of the masses, that satisfy every row.

#include "touchstone/dynamics/equations.h"
#include "touchstone/solve/solver.h"

namespace touchstone {

/// Unilateral rows alone, none of them compliant?
template <int D>
bool is_convex(const StepEquations<D>& equations);

template <int D>
struct ConvexStep {
  SolveStatus status = SolveStatus::solved;  ///< unsolvable: proved that the rows contradict each other
  StepImpulses<D> impulses;
  int islands = 0, iterations = 0;
  double residual = 0;  ///< largest violation of a row, relative
};

/// Island by island, by the dual method [solve/dual_qp.h].
template <int D>
ConvexStep<D> solve_convex(const StepEquations<D>& equations);

/// 1/2 |V - V_free|_M^2 [J].
template <int D>
double distance_from_free(const StepEquations<D>& equations, const std::vector<Twist<D>>& V);

}  // namespace touchstone
