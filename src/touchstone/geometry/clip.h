#pragma once
// Cutting convex bodies with half-spaces, and the body that two of them share.

#include <vector>

#include "touchstone/geometry/mass_properties.h"
#include "touchstone/geometry/polytope.h"

namespace touchstone {

/// A convex body as loose facets, the form in which bodies are cut. Unlike a Polytope it may be empty or
/// flat, and its loops may hold points that coincide to round-off.
template <int D>
struct ConvexPieces {
  struct Facet {
    Plane<D> plane;
    std::vector<Vec<D>> loop;  ///< counter-clockwise seen from outside; 2D: the two ends of the edge
    int source = -1;           ///< whose facet this is: the tag given with the plane that made it
  };
  std::vector<Facet> facets;

  bool empty() const { return facets.empty(); }
};

/// The facets of a polytope, tagged 0, 1, 2, ...
template <int D>
ConvexPieces<D> pieces_of(const Polytope<D>& P);

/// What of a body lies below the plane. The cut gets its own facet, tagged `source`. Points within
/// `tolerance` [m] of the plane count as on it.
template <int D>
void clip(ConvexPieces<D>& body, const Plane<D>& plane, int source, double tolerance);

/// Volume, centre and second moments of the body; all zero when it is empty.
template <int D>
MassProperties<D> find_mass_properties(const ConvexPieces<D>& body);

/// A convex polygon given counter-clockwise, cut to what lies below (left of) the line.
void clip_polygon(std::vector<Vec<2>>& polygon, const Plane<2>& line, double tolerance);

/// The common part of two convex polygons given counter-clockwise (Sutherland-Hodgman).
std::vector<Vec<2>> intersect_polygons(const std::vector<Vec<2>>& P, const std::vector<Vec<2>>& Q, double tolerance);

}  // namespace touchstone
