#pragma once
// What of a body lies in the contact plane, in coordinates of that plane. Private to proximity/.
//
// The plane has D-1 axes. In space (D = 3) a footprint is a point, a segment or a convex polygon; in the
// plane (D = 2) a point or an interval of the contact line. All lengths are relative to a point near the
// contact, so that nothing is lost far from the origins.

#include <cassert>
#include <memory_resource>
#include <span>
#include <vector>

#include "touchstone/proximity/placed.h"

namespace touchstone {

template <class T>
using ScratchVector = std::pmr::vector<T>;

template <int D>
using PlaneAxes = Eigen::Matrix<double, D - 1, D>;  ///< one axis a row

/// Unit axes across n. In space they and n are right-handed.
PlaneAxes<2> plane_axes(const Vec<2>& n);
PlaneAxes<3> plane_axes(const Vec<3>& n);

/// A body at the contact plane, moved there by half of the gap.
template <int D>
struct BodyAtPlane {
  const Polytope<D>& P;
  Vec<D> towards;     ///< unit, from the body to the plane: -normal for A, normal for B; in the body's frame
  Vec<D> origin;      ///< of the plane's coordinates, in the body's frame
  PlaneAxes<D> axes;  ///< in the body's frame
  double half_gap;    ///< [m]
  bool above;         ///< the plane's normal points into this body: it is A

  /// How far the vertex of the moved body reaches beyond the plane [m]; 0 lies on it.
  double reach(int v) const { return towards.dot(P.vertex(v) - origin) + half_gap; }
  Vec<D - 1> project(int v) const { return axes * (P.vertex(v) - origin); }
};

template <int D>
struct Footprint {
  explicit Footprint(std::pmr::memory_resource* memory)
      : corners(memory), vertices(memory), edges(memory), outward(memory) {}

  void reserve(std::size_t n) {
    corners.reserve(n);
    vertices.reserve(n);
    edges.reserve(n);
    outward.reserve(n);
  }

  int size() const { return static_cast<int>(corners.size()); }
  /// A polygon has as many sides as corners, a segment one, a point none.
  int side_count() const { return size() < 3 ? size() - 1 : size(); }
  int after(int i) const { return i + 1 < size() ? i + 1 : 0; }

  ScratchVector<Vec<D - 1>> corners;  ///< space: counter-clockwise about the normal; plane: ascending
  ScratchVector<int> vertices;        ///< of the body, at the corners
  ScratchVector<int> edges;           ///< of the body, at the sides i to i+1; -1 where none joins the corners
  ScratchVector<Vec<D - 1>> outward;  ///< unit normals of the sides; space only
  Feature whole;                      ///< that holds all corners, or the facet that faces the plane best
};

/// The footprint of the vertices that touch the plane: sorted, not empty, joined by edges.
Footprint<2> make_footprint(const BodyAtPlane<2>& body, std::span<const int> touching, double tolerance,
                            std::pmr::memory_resource* memory);
Footprint<3> make_footprint(const BodyAtPlane<3>& body, std::span<const int> touching, double tolerance,
                            std::pmr::memory_resource* memory);

/// A place where two footprints meet, as it lies on either of them. The two differ by at most the tolerance
/// unless the footprints are apart.
template <int D>
struct Meeting {
  Vec<D - 1> on_A, on_B;
};

/// The corners of the common part of two footprints; if they are disjoint, their nearest points.
ScratchVector<Meeting<2>> meet(const Footprint<2>& A, const Footprint<2>& B, double tolerance);
ScratchVector<Meeting<3>> meet(const Footprint<3>& A, const Footprint<3>& B, double tolerance);

/// The smallest feature that holds the point x of the footprint.
Feature feature_at(const Footprint<2>& F, const Vec<1>& x, double tolerance);
Feature feature_at(const Footprint<3>& F, const Vec<2>& x, double tolerance);

/// The smallest feature that holds two different points of the footprint.
Feature feature_of_both(const Footprint<2>& F, const Vec<1>& x, const Vec<1>& y, double tolerance);
Feature feature_of_both(const Footprint<3>& F, const Vec<2>& x, const Vec<2>& y, double tolerance);

/// Of the facets at the vertex, the one whose normal points best towards the plane.
template <int D>
int best_facing_facet(const BodyAtPlane<D>& body, int v) {
  int best = -1;
  double most = -2;
  for (int e : body.P.vertex_edges(v)) {
    // Each facet at v lies left of exactly one edge that leaves v; of an edge that runs to v this is the
    // right facet. In the plane, where edges are the facets, there is no right one.
    const Edge& edge = body.P.edge(e);
    const int f = edge.tail == v || edge.right < 0 ? edge.left : edge.right;
    const double facing = body.towards.dot(body.P.plane(f).normal);
    if (facing <= most) continue;
    most = facing;
    best = f;
  }
  assert(best >= 0);
  return best;
}

/// The same of the facets at all these vertices.
template <int D>
int best_facing_facet(const BodyAtPlane<D>& body, std::span<const int> vertices) {
  assert(!vertices.empty() && std::is_sorted(vertices.begin(), vertices.end()));
  int best = best_facing_facet(body, vertices[0]);
  for (int v : vertices.subspan(1)) {
    const int f = best_facing_facet(body, v);
    if (body.towards.dot(body.P.plane(f).normal) > body.towards.dot(body.P.plane(best).normal)) best = f;
  }
  return best;
}

}  // namespace touchstone
