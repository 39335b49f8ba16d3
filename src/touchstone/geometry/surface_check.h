#pragma once
// Is a given surface that of its hull? Private to geometry/.

#include <span>
#include <vector>

#include "touchstone/geometry/half_edges.h"
#include "touchstone/geometry/polytope.h"

namespace touchstone {

/// Throws BadShape, naming the face, when a loop has fewer than three corners, names a point that does not
/// exist or one twice, or when there are no loops or (2D) several.
template <int D>
void check_loops(const std::vector<Loop>& faces, int point_count);
template <>
void check_loops<2>(const std::vector<Loop>& faces, int point_count);
template <>
void check_loops<3>(const std::vector<Loop>& faces, int point_count);

/// Throws BadShape when the surface is open, inside out or not convex, `hull` being the hull of its points.
/// The loops must have passed check_loops.
template <int D>
void check_surface(std::span<const Vec<D>> points, const std::vector<Loop>& faces, const Polytope<D>& hull);

}  // namespace touchstone
