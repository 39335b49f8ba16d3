#pragma once
// Which vertex of a polytope lies furthest in a direction?

#include "touchstone/geometry/polytope.h"

namespace touchstone {

/// Climbs from the vertex `hint` along edges: near constant time when the hint is near, O(sqrt n) steps on a
/// round body from anywhere. Ends at the furthest vertex, to a few round-offs of its height, also where the
/// top is level (a face across the direction, nearly): there the whole level part is looked at.
template <int D>
int climb_extremal(const Polytope<D>& P, const Vec<D>& direction, int hint);

/// The furthest vertex from a cold start: all vertices of a small polytope, of which the first counts, the
/// Dobkin-Kirkpatrick hierarchy of a large one (O(log n), plus the number of its neighbours).
template <int D>
int find_extremal(const Polytope<D>& P, const Vec<D>& direction);

}  // namespace touchstone
