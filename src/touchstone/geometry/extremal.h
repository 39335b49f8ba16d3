#pragma once
// Which vertex of a polytope lies furthest in a direction?

#include "touchstone/geometry/polytope.h"

namespace touchstone {

/// Climbs from the vertex `hint` along edges to a vertex that no neighbour exceeds: near constant time when
/// the hint is near, O(sqrt n) steps on a round body from anywhere.
template <int D>
int climb_extremal(const Polytope<D>& P, const Vec<D>& direction, int hint);

/// The extremal vertex from a cold start: all vertices of a small polytope, the Dobkin-Kirkpatrick
/// hierarchy of a large one (O(log n)).
template <int D>
int find_extremal(const Polytope<D>& P, const Vec<D>& direction);

}  // namespace touchstone
