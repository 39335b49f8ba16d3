#pragma once
// How a body moves through a step, given the velocity that the step's equations found at its present pose.

#include <span>
#include <vector>

#include "touchstone/dynamics/body.h"
#include "touchstone/math/path.h"

namespace touchstone {

/// [rad] A body that would turn by more than this in one step turns too fast to be followed: its attitude at
/// the end, after hundreds of turns, says nothing about where it was between.
inline constexpr double kLargestTurn = 0x1p10;

/// The path of a body that nothing holds. It turns freely about its centre: angular momentum L is constant in
/// the world, and the mean rotation vector W of each stretch of the path solves, with pi = R^T L,
///
///     pi+ = exp(-h W) pi,      W = J^-1 (pi + pi+)/2
///
/// so that kinetic energy and L are kept exactly and the attitude is of second order; for W along a principal
/// axis it is exact. This *is* the gyroscopic term, which the thesis forgets [Checked 5, eq. 2.7]: the
/// velocity changes as the inertia turns.
template <int D>
Path<D> free_path(const Body<D>& body, const Twist<D>& velocity, double h);

/// The velocity at the end of a path. `turning` [N m s] is the angular momentum that the body loses on it or
/// at its end: by contacts that hold the body to a steady path, or by joints; zero for a free one.
template <int D>
Twist<D> end_velocity(const Body<D>& body, const Path<D>& path, const Spin<D>& turning = Spin<D>::Zero());

/// Bodies that contacts hold to a steady path, on which each point moves as the velocity says. The change of
/// angular momentum that this takes,
///
///     T(w) = J w - exp(h w) J w,      w . T(w) = 0,
///
/// is part of the step's equations. Per body of the world.
template <int D>
struct SteadyBodies {
  std::vector<char> on;          ///< empty: none
  std::vector<Spin<D>> turning;  ///< [N m s] T, with which the equations were solved last

  bool contains(int body) const { return !on.empty() && on[body]; }
  void add(const std::vector<int>& bodies, std::size_t count);
  /// T at the velocities found; returns how many bodies the equations were solved for with another T.
  int renew(std::span<const Body<D>> bodies, std::span<const Path<D>> paths);
};
template <int D>
Spin<D> steady_turning(const Body<D>& body, const Spin<D>& w, double h);

}  // namespace touchstone
