#pragma once
// Joints of a closed loop may say the same thing twice, and contradict each other by their drift. Inside
// dynamics only.

#include "touchstone/dynamics/equations.h"
#include "touchstone/solve/problem_matrix.h"

namespace touchstone {

/// The rates `q` of the bilateral rows in free motion, without what no motion of the bodies can undo: the
/// projection on the range of W_bb. It changes nothing where the rows are independent.
template <int D>
VectorX consistent_rates(const StepEquations<D>& equations, const VectorX& q);

}  // namespace touchstone
