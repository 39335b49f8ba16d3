#pragma once
// The answer of vanishing compliance where the equations are no round cones: friction in the plane, and
// contacts without friction [docs/friction.md]. Inside dynamics and for the conductor.

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "touchstone/dynamics/solve_step.h"

namespace touchstone {

/// Does some normal force bound friction? (Motors of limited force stand in groups without one.)
template <int D>
bool has_friction(const StepEquations<D>& equations) {
  return std::any_of(equations.groups.begin(), equations.groups.end(),
                     [](const FrictionGroup& group) { return group.normal >= 0; });
}

template <int D>
struct CanonicalAnswer {
  StepImpulses<D> impulses;
  Solution solution;
  int rows = 0;
};

/// In the plane the cone is two rays, and its equations are those of a round cone too. None: there is no
/// friction, or the answer was not found to the tolerance.
template <int D>
std::optional<CanonicalAnswer<D>> find_canonical(const StepEquations<D>& equations,
                                                 const StepImpulses<D>& guess,
                                                 const IslandSettings<D>& settings);

/// The forces of an island, as solved and as split. The next step takes them over where it asks the same to
/// the bit: where bodies rest.
template <int D>
struct SplitIsland {
  Island<D> island;
  StepImpulses<D> found, shared;
  bool canonical = false;
};
template <int D>
using SplitIslands =
    std::vector<std::shared_ptr<const SplitIsland<D>>>;  ///< in the order of their first bodies

/// Without friction the motion has one answer, and its forces are split here as vanishing compliance splits
/// them. Counts the islands in `solved.friction`. `last`: those of the step before.
template <int D>
SplitIslands<D> split_canonically(SolvedStep<D>& solved, const FormulationSettings& how,
                                  const SolveSettings& settings, const SplitIslands<D>& last);

}  // namespace touchstone
