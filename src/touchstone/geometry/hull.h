#pragma once
// Convex hulls before they become a Polytope: which points are corners, and how they are joined. Every
// decision is exact, so a hull never fails and never contradicts itself; facets or edges that are
// coplanar or collinear up to round-off are merged afterwards (coplanar.h). Private to geometry/.

#include <array>
#include <span>
#include <vector>

#include "touchstone/geometry/polytope.h"

namespace touchstone {

/// A closed surface of triangles, counter-clockwise seen from outside.
struct TriangleSurface {
  std::vector<std::array<int, 3>> corners;
  std::vector<std::array<int, 3>>
      beyond;  ///< the triangle on the other side of the edge from corner i to i+1
};

/// Points scaled so that exact arithmetic neither over- nor underflows: by a power of two, so that nothing is
/// rounded, to an extent of about one; details below 1e-90 of the extent vanish.
template <int D>
struct ScaledPoints {
  std::vector<Vec<D>> points;
  int exponent;  ///< lengths were divided by 2^exponent
};
template <int D>
ScaledPoints<D> scale_to_one(std::span<const Vec<D>> points);

/// The hull's surface. Points must be scaled to one; several may lie in one plane or on one line, and such
/// points may or may not be corners. Throws BadShape when all points lie in one plane.
TriangleSurface hull_surface(std::span<const Vec<3>> points);

/// The corners of a polygon's hull, counter-clockwise, beginning with the lexicographically smallest; none
/// lies on the line of its neighbours. Points must be scaled to one. Throws BadShape when all points lie on
/// one line.
std::vector<int> hull_corners(std::span<const Vec<2>> points);

}  // namespace touchstone
