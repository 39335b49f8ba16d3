#pragma once
// Bodies at rest stay to the bit; inside stepping only.

#include "touchstone/dynamics/solve_step.h"

namespace touchstone {

/// Gives islands of bodies that contacts, limits or joints push the velocity zero, exactly, where the
/// velocity found is no more than round-off makes of zero. Component by component of M V+ = M V + h f + sum
/// of G p,
///
///     |V+|  <=  a few ulp of  |V| + |h M^-1 f| + sum |M^-1 G p|
///               + sum over rows that push, of what moves their gaps by their round-off within the step
///
/// so no direction along which nothing cancels is held: a weak push moves a heavy body. The bodies are as far
/// from each other then as at the start of the step.
template <int D>
void keep_at_rest(std::span<const Body<D>> bodies, double h, SolvedStep<D>& solved);

}  // namespace touchstone
