#pragma once
// advance: the world at the end of the step.

#include "touchstone/dynamics/assembly.h"
#include "touchstone/stepping/world.h"

namespace touchstone {

/// Gives scripted bodies the constant velocity that carries them to their pose at time + h.
template <int D>
void follow_scripts(World<D>& world, double h);

/// Bodies that turn steadily in this step, held by contacts (`move_steadily()`); per body of the world.
template <int D>
struct SteadyBodies {
  std::vector<char> on;          ///< empty: none
  std::vector<Spin<D>> turning;  ///< [N m s] with which the equations are solved
  bool contains(int body) const { return !on.empty() && on[body]; }
};

/// A body at the end of a step with this velocity.
template <int D>
void move_body(Body<D>& body, const Twist<D>& velocity, const SteadyBodies<D>& steady, int index, double h);

/// Per body of the world: the velocity that it has now, or of the dynamic ones that which was found.
template <int D>
std::vector<Twist<D>> velocities(const World<D>& world);
template <int D>
std::vector<Twist<D>> velocities(const World<D>& world, const Assembly<D>& assembly,
                                 const std::vector<Twist<D>>& V);

/// The pose of a body of the world at the end of a step with this velocity, or of all of them.
template <int D>
void place_body(const World<D>& world, int body, const Twist<D>& velocity, const SteadyBodies<D>& steady,
                double h, Body<D>& moved);
template <int D>
void move_bodies(const World<D>& world, const std::vector<Twist<D>>& V, const SteadyBodies<D>& steady,
                 double h, std::vector<Body<D>>& moved);

/// Moves every body, counts the step, clears the forces of this step, and measures the joints.
template <int D>
void advance(World<D>& world, const Assembly<D>& assembly, const StepImpulses<D>& found,
             const SteadyBodies<D>& steady, double h);

}  // namespace touchstone
