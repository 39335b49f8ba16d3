#include <algorithm>
#include <cassert>
#include <limits>

#include "touchstone/record/pair_judge.h"
#include "touchstone/record/segments.h"

namespace touchstone {

/// The edges of polygons are their facets: there are no others.
template <>
void try_edge_axes(const SeenPolytope<2>&, const SeenPolytope<2>&, double&, Vec<2>&) {}

namespace {

double distance_from_border(const SeenPolytope<2>& P, const Vec<2>& point) {
  assert(static_cast<int>(P.vertices.size()) == P.polytope->vertex_count());
  double least = std::numeric_limits<double>::infinity();
  for (const Edge& edge : P.polytope->edges()) {
    least = std::min(least, point_to_segment<2>(point, P.vertices[edge.tail], P.vertices[edge.head]));
  }
  return least;
}

}  // namespace

/// Of two disjoint polygons a corner of one is nearest to an edge of the other.
template <>
double distance_apart(const SeenPolytope<2>& A, const SeenPolytope<2>& B, const Vec<2>&, double) {
  double least = std::numeric_limits<double>::infinity();
  for (const Vec<2>& a : A.vertices) least = std::min(least, distance_from_border(B, a));
  for (const Vec<2>& b : B.vertices) least = std::min(least, distance_from_border(A, b));
  return least;
}

template <>
double distance_of_point(const SeenPolytope<2>& P, const Vec<2>& point) {
  assert(static_cast<int>(P.normals.size()) == P.polytope->facet_count());
  double height = -std::numeric_limits<double>::infinity();
  for (int f = 0; f < P.polytope->facet_count(); ++f) {
    height = std::max(height, P.normals[f].dot(point - P.vertices[P.polytope->facet_vertices(f)[0]]));
  }
  return height <= 0 ? height : distance_from_border(P, point);
}

}  // namespace touchstone
