#pragma once
// A convex body while it is being cut. Private to geometry/; clip.h is the door.
//
// The cutter never asks geometry a question twice. Each corner is judged once per plane, kept or out, and all
// else follows from that by counting: every edge from kept to out gets a new corner, every facet that loses
// corners gets one new edge, and those edges, turned round, are the cut's facet. So the surface is closed
// whatever round-off has judged, and area-weighted normals sum to zero; only their values carry round-off.
//
// A large body is not measured as a whole: from where the last plane was furthest below the surface, the
// search climbs to the highest corner over the next plane; all corners above that plane are connected. So a
// plane costs the corners that it removes and those on the way, and planes are taken in an order that keeps
// the way short (cutting_order.h). A small body is measured as a whole, which is quicker.
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

/// Bodies with at most this many corners are measured as a whole.
inline constexpr int kFewCorners = 64;

/// Heights nearer than this [tolerances, besides the level of the body's own coordinates] may be out of
/// order: the top is looked for among all that are.
inline constexpr double kLevelTop = 8;

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
  void clear();
  bool empty() const { return live_count_ == 0; }
  /// Heights of corners over planes that were computed since load(): what the cuts cost.
  long long height_count() const { return height_count_; }

  template <class Visitor>
  void visit_facets(Visitor&& visit) {
    int c = head_;
    for (int i = 0; i < live_count_; ++i, c = corners_[c].next) {
      const Vec<2> ends[] = {corners_[c].x, corners_[corners_[c].next].x};
      visit(FacetView<2>{corners_[c].plane, corners_[c].source, corners_[c].flush, ends});
    }
  }

 private:
  struct Corner {
    Vec<2> x;
    Plane<2> plane;
    int source;
    bool flush;
    int previous, next;
    int measured;   // the cut for which height holds
    double height;  // over the plane at work
  };

  void drop();
  void add_corner(const Vec<2>& x, const Plane<2>& plane, int source);
  void close_ring();
  double height(int corner);
  bool is_out(int corner) { return height(corner) > tolerance_; }
  bool is_on(int corner) { return height(corner) >= -tolerance_; }  // or out
  int following(int corner) const { return corners_[corner].next; }
  int preceding(int corner) const { return corners_[corner].previous; }
  void link(int corner, int next);
  int highest_of_all();
  int climb_from(int corner);
  int peak_from(int corner);
  int higher_on_plateau(int peak, double slack);
  void mark_flush(int top);
  bool reaches_below(int top);
  void cut_run_around(int top, int source);
  void cut_all_runs(int top, int source);
  void cut_run(int first, int last, int source);
  int leave_below(int kept, int out, int source);
  int come_back(int out, int kept);

  std::vector<Corner> corners_;
  int head_ = 0;        // where the border begins
  int hint_ = 0;        // where the search for the highest corner begins
  int live_count_ = 0;  // corners in the ring
  Plane<2> plane_;      // the plane at work
  double tolerance_ = 0;
  double level_ = 0;  // of the coordinates [m], see kLevelTop
  int cut_count_ = 0;
  long long height_count_ = 0;
};

/// A polyhedron as half-edges; h and h^1 are the two directions of an edge.
template <>
class ConvexCutter<3> {
 public:
  void load(const Polytope<3>& P);
  void load(const ConvexPieces<3>& body);
  void cut(const Plane<3>& plane, int source, double tolerance);
  void clear();
  bool empty() const { return live_count_ == 0; }
  /// Heights of corners over planes that were computed since load(): what the cuts cost.
  long long height_count() const { return height_count_; }

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
    double height = 0;  // over the plane at work
    int edge = -1;      // one that leaves the point; -1: the point was cut off
    int measured = 0;   // the cut for which height holds
    int gathered = 0;   // the search that met it last
  };
  struct HalfEdge {
    int origin, next, facet;
  };
  struct Facet {
    Plane<3> plane;
    int source;
    int edge;  // one of its loop; -1: the facet was cut off
    bool flush;
    int judged = 0;  // the cut for which it was last looked at
  };

  void drop();
  int add_point(const Vec<3>& x, int edge);
  double height(int point);
  bool is_measured_whole() const { return scattered_ || live_count_ <= kFewCorners; }
  int highest_of_all();
  int climb_from(int point);
  int peak_from(int point);
  int higher_on_plateau(int peak, double slack);
  void gather_above(int top, double floor);
  double floor_of_plane() const;
  bool is_on_plane(const Facet& facet);
  void mark_flush(int top);
  void mark_flush_at(int point);
  bool reaches_below(int top);
  void gather_entries();
  void gather_entries_from(int point);
  void insert_points();
  void link_facets();
  void close_cut(int source);
  void gather_loop(int edge);
  void number_points(const std::vector<Vec<3>>& origins);
  int end_of(int edge) const { return edges_[edge ^ 1].origin; }

  template <class Visitor>
  void visit_neighbours(int point, Visitor&& visit) {
    const int start = points_[point].edge;
    int h = start;
    do {
      visit(end_of(h));
      h = edges_[h ^ 1].next;
    } while (h != start);
  }

  /// The points that belong to the region and hang together with the top.
  template <class Belongs>
  void gather_from(int top, Belongs&& belongs) {
    ++gather_count_;
    region_.assign(1, top);
    points_[top].gathered = gather_count_;
    for (std::size_t i = 0; i < region_.size(); ++i) {
      visit_neighbours(region_[i], [&](int p) {
        if (points_[p].gathered == gather_count_ || !belongs(p)) return;
        points_[p].gathered = gather_count_;
        region_.push_back(p);
      });
    }
  }

  std::vector<Point> points_;
  std::vector<int> live_;  // the points that are not cut off, and some that are
  int live_count_ = 0;
  std::vector<HalfEdge> edges_;
  std::vector<Facet> facets_;
  std::vector<int> region_;       // points that hang together above some height
  std::vector<int> entries_;      // half-edges by which the plane at work is crossed from above
  std::vector<int> cut_edge_of_;  // entry -> the edge of the cut that begins at the same corner
  std::vector<Vec<3>> loop_;
  bool scattered_ = false;  // round-off has parted the surface: no search reaches all of it
  int hint_ = 0;            // where the search for the highest point begins
  Plane<3> plane_;          // the plane at work
  double tolerance_ = 0;
  double level_ = 0;  // of the coordinates [m], see kLevelTop
  int cut_count_ = 0, gather_count_ = 0;
  long long height_count_ = 0;
};

}  // namespace touchstone
