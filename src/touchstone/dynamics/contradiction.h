#pragma once
// Joints and motors without a limit of force are equations. Where two of them ask for different speeds of the
// same bodies, or a motor for one that a limit or a loop of joints forbids, there is no motion that answers
// both, and a solver's least squares would be a guess.

#include <optional>
#include <string>

#include "touchstone/dynamics/assembly.h"

namespace touchstone {

/// What the solution misses of an equation of joints or motors, in words; nothing if it misses none.
template <int D>
std::optional<std::string> find_contradiction(const StepInput<D>& input, const Assembly<D>& assembly,
                                              const StepImpulses<D>& found);

}  // namespace touchstone
