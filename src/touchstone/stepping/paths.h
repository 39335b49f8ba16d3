#pragma once
// Where the bodies of a world go in a step; inside stepping only.

#include "touchstone/dynamics/solve_step.h"
#include "touchstone/stepping/world.h"

namespace touchstone {

/// Per body: its velocity now; of a scripted body the one that carries it to its script's pose at time + h,
/// of a fixed one zero.
template <int D>
std::vector<Twist<D>> start_velocities(const World<D>& world, double h);

/// The paths of all bodies with these velocities (per body). `paths` may hold those of an earlier try: bodies
/// that move as they did there keep theirs.
template <int D>
void follow_velocities(const World<D>& world, std::span<const Twist<D>> V, const SteadyBodies<D>& steady,
                       double h, std::vector<Path<D>>& paths);

/// `V` with the velocities of the dynamic bodies that the step's equations found.
template <int D>
std::vector<Twist<D>> found_velocities(std::span<const Twist<D>> V, const SolvedStep<D>& solved);

}  // namespace touchstone
