#pragma once
// Refuses problems whose parts do not fit together, before any solver sees them.

#include <optional>

#include "touchstone/solve/problem.h"
#include "touchstone/solve/solver.h"

namespace touchstone {

/// Throws std::invalid_argument that names the part, what it has and what was expected.
void check_problem(const Problem& problem);
/// The settings, for a problem whose solution has `size` entries.
void check_settings(const SolveSettings& settings, int size);

/// The problem as files and other programs know it: joints, which are equations of a friction problem, are
/// eliminated, from `solution` too. Other problems stay as they are.
Problem without_joints(const Problem& problem, std::optional<VectorX>& solution);

}  // namespace touchstone
