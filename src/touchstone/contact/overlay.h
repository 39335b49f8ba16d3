#pragma once
// The shadow overlay of two bodies along a direction n [Plane 1]: where A's lower and B's upper surface,
// both projected along n, lie over each other, the height g of A over B is convex and piecewise linear. Its
// corners are
//
//     V_A  a vertex of A over a facet of B
//     V_B  a vertex of B under a facet of A
//     E    the crossing of the projections of an edge of A and an edge of B (in space)
//
// and a separating plane that may tilt exists after a small motion iff g + h n.(v_A - v_B) >= 0 at all of
// them (the tilting-plane lemma; docs/contact-models.md has the proof).

#include <vector>

#include "touchstone/contact/ground_lines.h"
#include "touchstone/contact/shadow.h"
#include "touchstone/proximity/placed.h"

namespace touchstone {

/// A corner of the overlay. Points are material: they move with their body.
template <int D>
struct OverlayPoint {
  Vec<D> point_A, point_B;  ///< in the world, one above the other along n
  double height = 0;        ///< [m] n . (point_A - point_B)
  FeaturePair features;     ///< vertex-facet, facet-vertex or edge-edge
};

struct OverlaySettings {
  double reach = 0;         ///< [m] corners higher than this are left out
  double tolerance = 1e-9;  ///< [m] a corner this far outside the other's shadow still counts
};

/// Keeps its memory from one pair to the next.
template <int D>
class OverlayFinder {
 public:
  /// Corners in the order of their features, until the next call. n is a unit vector from B to A.
  const std::vector<OverlayPoint<D>>& find(const Placed<D>& A, const Placed<D>& B, const Vec<D>& n,
                                           const OverlaySettings& settings);

 private:
  /// An edge in the world.
  struct Segment {
    int edge;
    Vec<D> tail, along;
  };
  void add_vertices_A(const Vec<D>& n, const OverlaySettings& settings);
  void add_vertices_B(const Vec<D>& n, const OverlaySettings& settings);
  bool is_known(const Vec<D>& point_B, double height, double near) const;
  void find_near_edges(const Shadow<D>& shadow, double side, double limit, std::vector<Segment>& near) const;
  void add_crossings(const Vec<D>& n, const OverlaySettings& settings);  ///< in space only
  void add_crossing(const Segment& a, const Segment& b, const Vec<D>& n, const OverlaySettings& settings);

  const Polytope<D>*A_ = nullptr, *B_ = nullptr;
  Shadow<D> shadow_A_, shadow_B_;
  std::vector<Segment> edges_A_, edges_B_;
  GroundLines<D> ground_B_;
  std::vector<OverlayPoint<D>> corners_;
};

extern template class OverlayFinder<2>;
extern template class OverlayFinder<3>;

}  // namespace touchstone
