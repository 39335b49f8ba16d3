#pragma once
// Refuses problems whose parts do not fit together, before any solver sees them.

#include "touchstone/solve/problem.h"
#include "touchstone/solve/solver.h"

namespace touchstone {

/// Throws std::invalid_argument that names the part, what it has and what was expected.
void check_problem(const Problem& problem);
/// The settings, for a problem whose solution has `size` entries.
void check_settings(const SolveSettings& settings, int size);

}  // namespace touchstone
