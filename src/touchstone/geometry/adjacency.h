#pragma once
// From loops to the flat arrays of a polytope. Private to geometry/.

#include <span>
#include <vector>

#include "touchstone/geometry/half_edges.h"
#include "touchstone/geometry/polytope.h"

namespace touchstone {

/// A polyhedron of facets given by their loops, which must be a closed surface. Vertices and facets keep
/// their order; edges are numbered as the loops meet them.
PolytopeData<3> join_facets(std::vector<Vec<3>> vertices, const std::vector<Loop>& loops);

/// A polygon of corners given counter-clockwise.
PolytopeData<2> join_corners(std::vector<Vec<2>> corners);

}  // namespace touchstone
