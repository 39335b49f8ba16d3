#pragma once
// Where the energy of a step went; inside stepping only.

#include "touchstone/dynamics/assembly.h"
#include "touchstone/stepping/step_report.h"

namespace touchstone {

/// The terms of the identity [PEG 7]; `before` and `after` are the energies of the world.
template <int D>
EnergyBalance energy_balance(const Assembly<D>& assembly, const StepImpulses<D>& found, const World<D>& world,
                             const Energy& before, const Energy& after, std::span<const Path<D>> paths);

}  // namespace touchstone
