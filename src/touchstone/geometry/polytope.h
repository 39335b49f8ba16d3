#pragma once
// A convex polytope: polygon (D = 2) or polyhedron (D = 3), immutable once built, as flat arrays.
//
// The same solid yields the same polytope, bit for bit, however it was given: vertices are sorted by their
// coordinates, coplanar triangles are one facet, vertices inside a facet or an edge are gone.
//
//        head          An edge runs from tail to head (tail < head). Seen from outside, `left` is the
//   left  |  right     facet on its left. A facet's loop runs counter-clockwise seen from outside.
//        tail          In 2D the edges *are* the facets: edge i = facet i, left = i, right = none.

#include <cassert>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "touchstone/math/checks.h"
#include "touchstone/math/plane.h"

namespace touchstone {

struct Edge {
  int tail, head;   ///< vertices
  int left, right;  ///< facets; right = -1 in 2D
};

/// Input that is no convex solid; the message names the trouble.
class BadShape : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

template <int D>
struct SupportHierarchy;  // geometry/support_hierarchy.h: Dobkin-Kirkpatrick

/// The flat arrays from which a polytope is made; see build_polytope.cpp for who fills them.
template <int D>
struct PolytopeData {
  std::vector<Vec<D>> vertices;
  std::vector<Edge> edges;
  std::vector<Plane<D>> facet_planes;
  // Lists of lists: the items of list i are at [begin[i], begin[i+1]).
  std::vector<int> facet_begin, facet_vertices, facet_edges;
  std::vector<int> vertex_begin, vertex_neighbours, vertex_edges;
};

template <int D>
class Polytope {  // one that was moved from may be assigned to or destroyed, no more
 public:
  /// The convex hull of points. Throws BadShape for fewer than D+1 points, flat, NaN or infinite input.
  static Polytope hull(std::span<const Vec<D>> points);

  /// The solid that a closed surface bounds: counter-clockwise loops of vertex indices, seen from outside
  /// (2D: one loop, the polygon). Throws BadShape when it is open, not convex, inside out or degenerate.
  static Polytope from_faces(std::span<const Vec<D>> points, const std::vector<std::vector<int>>& faces);

  int vertex_count() const { return static_cast<int>(data_.vertices.size()); }
  int edge_count() const { return static_cast<int>(data_.edges.size()); }
  int facet_count() const { return static_cast<int>(data_.facet_planes.size()); }

  std::span<const Vec<D>> vertices() const { return data_.vertices; }
  std::span<const Edge> edges() const { return data_.edges; }
  std::span<const Plane<D>> facet_planes() const { return data_.facet_planes; }
  const Vec<D>& vertex(int v) const {
    assert(is_index(v, data_.vertices.size()));
    return data_.vertices[v];
  }
  const Edge& edge(int e) const {
    assert(is_index(e, data_.edges.size()));
    return data_.edges[e];
  }
  /// The plane of a facet; its unit normal points out of the solid.
  const Plane<D>& plane(int f) const {
    assert(is_index(f, data_.facet_planes.size()));
    return data_.facet_planes[f];
  }

  /// The loop of a facet, counter-clockwise seen from outside; facet_edges(f)[i] joins its vertices i, i+1.
  std::span<const int> facet_vertices(int f) const {
    return list(data_.facet_begin, data_.facet_vertices, f);
  }
  std::span<const int> facet_edges(int f) const { return list(data_.facet_begin, data_.facet_edges, f); }
  /// The vertices joined to v by an edge, counter-clockwise; vertex_edges(v)[i] leads to neighbours(v)[i].
  std::span<const int> neighbours(int v) const {
    return list(data_.vertex_begin, data_.vertex_neighbours, v);
  }
  std::span<const int> vertex_edges(int v) const { return list(data_.vertex_begin, data_.vertex_edges, v); }

  /// Centre of mass of the uniform solid [m].
  const Vec<D>& centre() const { return centre_; }
  /// The largest distance of a vertex from the centre [m].
  double radius() const { return radius_; }
  /// The least distance of a facet's plane from the centre [m].
  double inner_radius() const { return inner_radius_; }
  /// The length that tolerances are relative to: twice the radius [m].
  double size() const { return 2 * radius_; }

  const PolytopeData<D>& data() const { return data_; }
  /// What extremal.h searches.
  const SupportHierarchy<D>* hierarchy() const { return hierarchy_.get(); }

 private:
  explicit Polytope(PolytopeData<D> data);
  static std::span<const int> list(const std::vector<int>& begin, const std::vector<int>& items, int i) {
    assert(is_index(i, begin.size() - 1));
    return {items.data() + begin[i], static_cast<std::size_t>(begin[i + 1] - begin[i])};
  }

  PolytopeData<D> data_;
  Vec<D> centre_;
  double radius_ = 0, inner_radius_ = 0;
  std::shared_ptr<const SupportHierarchy<D>> hierarchy_;
};

extern template class Polytope<2>;
extern template class Polytope<3>;

}  // namespace touchstone
