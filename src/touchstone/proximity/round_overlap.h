#pragma once
// The volume (2D: area) that a ball shares with other bodies, in closed form. Private to proximity/.

#include "touchstone/geometry/polytope.h"

namespace touchstone {

template <int D>
double ball_volume(double radius);

/// The part of a ball that a plane cuts off, by its height 0 .. 2 radius [m].
template <int D>
double cap_volume(double radius, double height);

/// What two balls share whose centres are `distance` apart.
template <int D>
double lens_volume(double radius_1, double radius_2, double distance);

/// What a polytope shares with a ball about `centre` (in the polytope's frame).
template <int D>
double ball_polytope_volume(const Polytope<D>& P, const Vec<D>& centre, double radius);

}  // namespace touchstone
