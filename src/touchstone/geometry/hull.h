#pragma once
// The facets of a convex hull, before they become a Polytope. Private to geometry/.

#include <span>
#include <vector>

#include "touchstone/geometry/polytope.h"

namespace touchstone {

/// Counter-clockwise loops, seen from outside, of indices into points. Points must be finite.
/// Throws BadShape when they span no volume.
std::vector<std::vector<int>> hull_facets(std::span<const Vec<3>> points);

/// The corners of a polygon's hull, counter-clockwise, without any on a straight edge.
std::vector<int> hull_corners(std::span<const Vec<2>> points);

}  // namespace touchstone
