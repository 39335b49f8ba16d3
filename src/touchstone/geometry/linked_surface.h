#pragma once
// A triangulated convex surface from which vertices can be taken one by one. Private to geometry/.

#include <cassert>
#include <vector>

#include "touchstone/geometry/polytope.h"
#include "touchstone/math/checks.h"

namespace touchstone {

/// Around each vertex the half-edges that leave it form a ring, counter-clockwise seen from outside.
class LinkedSurface {
 public:
  /// The polytope must outlive it. Facets with more than three corners are cut in zigzag, which adds at most
  /// two edges to each of their corners.
  explicit LinkedSurface(const PolytopeData<3>& data);

  int degree(int vertex) const {
    assert(is_index(vertex, degree_.size()));
    return degree_[vertex];
  }

  /// Calls visit(neighbour) for the vertices joined to a vertex, counter-clockwise; those it was joined to,
  /// once it was taken.
  template <class Visit>
  void for_neighbours(int vertex, Visit visit) const {
    int h = ring_start_[vertex];
    do {
      visit(half_edges_[h].target);
      h = half_edges_[h].next;
    } while (h != ring_start_[vertex]);
  }

  /// Takes a vertex and closes the hole by the convex surface over its rim (by any one where the rim is
  /// flat). False, and nothing changed, where round-off would have that surface join two vertices twice.
  bool take(int vertex);

 private:
  struct HalfEdge {
    int target;          ///< vertex
    int twin;            ///< the half-edge back
    int next, previous;  ///< in the ring
  };
  struct Chord {
    int i, j;  ///< corners of the hole, i < j
  };
  /// A polygon without surface, its corners counter-clockwise.
  struct Hole {
    std::vector<int> corners;
    std::vector<int> ahead, back;  ///< half-edges from corner i along the rim, to i+1 and to i-1
    std::vector<Chord> chords;     ///< cut it into triangles; each stands after the chords that enclose it
    std::vector<Chord> open;       ///< scratch of plan_chords
  };

  void link_rings(const PolytopeData<3>& data);
  void cut_facets(const PolytopeData<3>& data);
  void rim_of(int vertex);
  template <class Apex>
  void plan_chords(Apex apex);
  int highest_apex(int i, int j) const;
  bool is_joined(int a, int b) const;
  void link_chords();
  int link_after(int neighbour_in_ring, int target);
  void unlink(int half_edge, int origin);

  const std::vector<Vec<3>>& positions_;
  std::vector<HalfEdge> half_edges_;
  std::vector<int> ring_start_, degree_;  ///< of each vertex: one of its half-edges, and how many there are
  Hole hole_;                             ///< the one at hand; kept to spare allocations
};

}  // namespace touchstone
