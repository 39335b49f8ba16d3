#pragma once
// A convex body while it is being cut. Private to geometry/; clip.h is the door.
//
// The cutter never asks geometry a question twice. Each corner is judged once per plane, kept or out, and all
// else follows from that by counting: every edge from kept to out gets a new corner, every facet that loses
// corners gets one new edge, and those edges, turned round, are the cut's facet. So the surface is closed
// whatever round-off has judged, and area-weighted normals sum to zero; only their values carry round-off.
//
// Buffers outlive the body: a cutter that is used again does not allocate.

#include <span>
#include <vector>

#include "touchstone/geometry/clip.h"

namespace touchstone {

/// One facet as visit_facets() shows it; valid during the visit only.
template <int D>
struct FacetView {
  const Plane<D>& plane;
  int source;
  bool flush;  ///< lies in one of the planes that did not cut
  std::span<const Vec<D>> loop;
};

/// How far a body reaches above and below a plane.
struct HeightRange {
  double low, high;  ///< [m]
};

/// Where the edge from a kept corner to one that is out meets the plane. Both facets of an edge, and both
/// directions, ask in this order, so all get the same bits.
template <int D>
Vec<D> crossing(const Vec<D>& kept, double kept_height, const Vec<D>& out, double out_height) {
  return kept + kept_height / (kept_height - out_height) * (out - kept);
}

template <int D>
class ConvexCutter;

/// A polygon as a ring of corners, each with the edge that leaves it.
template <>
class ConvexCutter<2> {
 public:
  void load(const Polytope<2>& P);
  void load(const ConvexPieces<2>& body);
  void cut(const Plane<2>& plane, int source, double tolerance);
  void clear() { corners_.clear(); }
  bool empty() const { return corners_.empty(); }

  template <class Visitor>
  void visit_facets(Visitor&& visit) {
    for (std::size_t i = 0; i < corners_.size(); ++i) {
      const Vec<2> ends[] = {corners_[i].x, corners_[i + 1 < corners_.size() ? i + 1 : 0].x};
      visit(FacetView<2>{corners_[i].plane, corners_[i].source, corners_[i].flush, ends});
    }
  }

 private:
  struct Corner {
    Vec<2> x;
    double height;  // over the plane at work
    Plane<2> plane;
    int source;
    bool flush;
  };

  HeightRange measure(const Plane<2>& plane);
  void mark_flush(double tolerance);

  std::vector<Corner> corners_, cut_;
};

/// A polyhedron as half-edges; h and h^1 are the two directions of an edge.
template <>
class ConvexCutter<3> {
 public:
  void load(const Polytope<3>& P);
  void load(const ConvexPieces<3>& body);
  void cut(const Plane<3>& plane, int source, double tolerance);
  void clear();
  bool empty() const { return live_.empty(); }

  /// Corners that coincide are shown once, facets that shrank to a line not at all.
  template <class Visitor>
  void visit_facets(Visitor&& visit) {
    for (const Facet& facet : facets_) {
      if (facet.edge < 0) continue;
      gather_loop(facet.edge);
      if (loop_.size() >= 3) visit(FacetView<3>{facet.plane, facet.source, facet.flush, loop_});
    }
  }

 private:
  struct Point {
    Vec<3> x;
    double height;  // over the plane at work
    int edge;       // one that leaves the point
  };
  struct HalfEdge {
    int origin, next, facet;
  };
  struct Facet {
    Plane<3> plane;
    int source;
    int edge;  // one of its loop; -1: the facet was cut off
    bool flush;
  };

  HeightRange measure(const Plane<3>& plane);
  bool is_on_plane(const Facet& facet, double tolerance) const;
  void mark_flush(double tolerance);
  void gather_entries(double tolerance);
  void gather_entries_from(int point, double tolerance);
  void insert_points(double tolerance);
  void link_facets(double tolerance);
  void close_cut(const Plane<3>& plane, int source);
  void gather_loop(int edge);
  void number_points(const std::vector<Vec<3>>& origins);
  double height_of_end(int edge) const { return points_[edges_[edge ^ 1].origin].height; }

  std::vector<Point> points_;
  std::vector<int> live_;  // the points that are not cut off
  std::vector<HalfEdge> edges_;
  std::vector<Facet> facets_;
  std::vector<int> entries_;      // half-edges by which the plane at work is crossed from above
  std::vector<int> cut_edge_of_;  // entry -> the edge of the cut that begins at the same corner
  std::vector<Vec<3>> loop_;
};

}  // namespace touchstone
