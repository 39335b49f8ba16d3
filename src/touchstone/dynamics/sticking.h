#pragma once
// Which pairs of bodies stick, for the law with a static and a kinetic coefficient [docs/friction.md]. A pair
// has the static coefficient in a step if it stuck in the step before. What did not push each other then is
// judged by the speeds at the start: bodies that slide have the kinetic one, others the static one.

#include <vector>

#include "touchstone/dynamics/solve_step.h"

namespace touchstone {

bool contains(const BodyPairs& pairs, int body_1, int body_2);

/// [m/s] Contacts whose bodies move along each other by less than this times the length of the step stick:
/// what remains is round-off and the tolerance of the solver.
inline constexpr double kSlides = 1e-7;

/// [m/s] Along the rows of a group, at these velocities: components, for a round cone.
template <int D>
std::vector<double> slip_rates(const Assembly<D>& assembly, const FrictionGroup& group,
                               const std::vector<Twist<D>>& V);

/// Pairs with the kinetic coefficient in this step; empty where no law asks for it.
template <int D>
BodyPairs find_sliding(const StepInput<D>& input, const ConstraintSet<D>& set);

/// Pairs that push each other at the end of a step and stick, of those whose law asks for it. A pair whose
/// slip turned round within the step has come to rest in it, and sticks too.
template <int D>
BodyPairs find_sticking(const SurfaceTable& surfaces, const SolvedStep<D>& solved);

}  // namespace touchstone
