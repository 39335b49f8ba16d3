#pragma once
// Is a given surface that of its hull? Private to geometry/.

#include <span>
#include <vector>

#include "touchstone/geometry/half_edges.h"
#include "touchstone/geometry/polytope.h"

namespace touchstone {

/// Throws BadShape, naming the face, when a loop has fewer than three corners, names a point that does not
/// exist or one twice, or (2D) there is more than one loop.
template <int D>
void check_loops(const std::vector<Loop>& faces, int point_count);

/// Throws BadShape when the surface is open, inside out or not convex, `hull` being the hull of its points.
/// The loops must have passed check_loops.
template <int D>
void check_surface(std::span<const Vec<D>> points, const std::vector<Loop>& faces, const Polytope<D>& hull);

}  // namespace touchstone
