#pragma once
// What was done on each body in a step; inside stepping only.

#include "touchstone/stepping/attempt.h"

namespace touchstone {

/// Per body of the world, which stands at the end of the step; loads are still those of the step.
template <int D>
std::vector<BodyWork> body_works(const Attempt<D>& attempt, const World<D>& world);

/// [J] 0 for a body that does not move by forces.
template <int D>
double kinetic_energy(const Body<D>& body);

}  // namespace touchstone
