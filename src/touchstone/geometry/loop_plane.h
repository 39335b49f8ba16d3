#pragma once
// The planes of facets, exact also for slivers. Private to geometry/.

#include <span>

#include "touchstone/math/plane.h"

namespace touchstone {

/// The area of a polygon times its normal: half the sum of (x_i - x_0) x (x_{i+1} - x_0), each component
/// right to a few round-offs however thin the polygon is [m^2].
Vec<3> area_vector(std::span<const Vec<3>> points, std::span<const int> loop);

/// The plane through a facet, normal to its area vector; no corner lies above it beyond round-off.
Plane<3> plane_of_loop(std::span<const Vec<3>> points, std::span<const int> loop);

}  // namespace touchstone
