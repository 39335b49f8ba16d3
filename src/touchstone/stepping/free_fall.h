#pragma once
// Which bodies fall freely through a step; inside stepping only.
//
// The equations of the step find velocities V at its end, and x+ = x + h V would let a falling body end
// g h^2/2 too low in every step. A body that nothing pushes moves by the closed form of constant forces
// instead,
//
//     x+ = x + h v + h^2/2 a,      v+ = v + h a,      a = f/m
//
// which is x + h (V - h a/2): its path is a parabola and keeps its energy exactly, for
// (v+^2 - v^2)/2 = a.(x+ - x). A body that contacts or joints push moves by h V, as its rows were written: at
// rest V = 0, up to the tolerance of the solver.

#include "touchstone/stepping/attempt.h"

namespace touchstone {

/// Not as printed.
template <int D>
bool flies_exactly(const Stages<D>& stages);

/// Per body [m/s^2]: the acceleration of a body that falls through the step; zero for one that does not.
/// Empty: free flight is as printed. A body falls if no impulse acts on it, it has no joint, and none of its
/// rows would be broken: a body that rises against a ceiling ends higher on the parabola than by h V.
template <int D>
std::vector<Vec<D>> find_falling(const World<D>& world, const SolvedStep<D>& solved, const Stages<D>& stages,
                                 double h);

}  // namespace touchstone
