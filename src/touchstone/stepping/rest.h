#pragma once
// Bodies at rest stay to the bit; inside stepping only.

#include "touchstone/dynamics/solve_step.h"

namespace touchstone {

/// Gives islands of bodies that contacts, limits or joints push the velocity zero, exactly, where the
/// velocity found is no more than round-off makes of zero. Component by component of M V+ = M V + h f + sum
/// of G p,
///
///     |V+|  <=  some ulp of  |V| + |h M^-1 f| + sum |M^-1 G p|
///
/// so no direction along which nothing cancels is held: a weak push moves a heavy body. The bodies are as far
/// from each other then as at the start of the step. (Rows do not ask for the round-off of gaps to be closed:
/// dynamics/assembly.cpp.)
template <int D>
void keep_at_rest(SolvedStep<D>& solved);

}  // namespace touchstone
