#pragma once
// Where the energy of a step went; inside stepping only.

#include "touchstone/stepping/attempt.h"

namespace touchstone {

/// The terms of the identity [PEG 7]; `before` and `after` are the energies of the world.
template <int D>
EnergyBalance energy_balance(const Attempt<D>& attempt, const World<D>& world, const Energy& before,
                             const Energy& after);

}  // namespace touchstone
