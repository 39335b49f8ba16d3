#pragma once
// The shadow overlay of two bodies along a direction n [plane.md 1]: where A's lower and B's upper surface,
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

/// Corners in the order of their features. n is a unit vector from B to A.
template <int D>
void find_overlay(const Placed<D>& A, const Placed<D>& B, const Vec<D>& n, const OverlaySettings& settings,
                  std::vector<OverlayPoint<D>>& corners);

}  // namespace touchstone
