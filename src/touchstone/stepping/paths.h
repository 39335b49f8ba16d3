#pragma once
// Where the bodies of a world go in a step; inside stepping only.

#include "touchstone/dynamics/solve_step.h"
#include "touchstone/stepping/world.h"

namespace touchstone {

/// Per body: its velocity now; of a scripted body the one that carries it to its script's pose at time + h,
/// of a fixed one zero.
template <int D>
std::vector<Twist<D>> start_velocities(const World<D>& world, double h);

/// How bodies go through a step of length h [s].
template <int D>
struct Going {
  std::span<const Twist<D>> V;      ///< per body: at the end of the step
  std::span<const Vec<D>> falling;  ///< per body: its acceleration if it falls freely (free_fall.h); or empty
  const SteadyBodies<D>& steady;
  double h = 0;
};

/// The paths of all bodies. `paths` may hold those of an earlier try: bodies that move as they did there keep
/// theirs.
template <int D>
void follow_velocities(const World<D>& world, const Going<D>& going, std::vector<Path<D>>& paths);

/// `V` with the velocities of the dynamic bodies that the step's equations found.
template <int D>
std::vector<Twist<D>> found_velocities(std::span<const Twist<D>> V, const SolvedStep<D>& solved);

}  // namespace touchstone
