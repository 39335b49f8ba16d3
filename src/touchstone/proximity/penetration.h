#pragma once
// The largest separation of two convex polytopes over all directions [ContactData IV-C; Checked 1.1]:
//
//     s(n) = min_A n.a - max_B n.b,        separation = max over unit n of the facets of A - B
//
// Negative: the bodies overlap, and -separation is the minimum translational distance. Positive: they are
// disjoint, and the separation is a lower bound of their distance (the distance itself when a vertex faces
// a face or two edges cross).

#include <vector>

#include "touchstone/proximity/placed.h"

namespace touchstone {

template <int D>
struct Expansion;

/// A direction that separates best, and the features that make it: a face of A, a face of B, or an edge of
/// each.
template <int D>
struct SeparatingAxis {
  double separation = 0;                ///< [m] s(normal)
  Vec<D> normal = Vec<D>::Unit(D - 1);  ///< in the frame of A, from B to A
  FeaturePair features;                 ///< facet-vertex, vertex-facet or edge-edge
};

template <int D>
struct Penetration {
  SeparatingAxis<D> best;
  std::vector<SeparatingAxis<D>>
      ties;  ///< one axis for each direction within `tie` of the best, if there are several
  double lower = 0, upper = 0;  ///< [m] bounds of the largest separation
  bool certified = false;       ///< lower and upper are equal within kCertified sizes
};

struct PenetrationSettings {
  double tie = -1;  ///< [m] collect axes whose separation is within this of the best; negative: none
};

/// The separating-axis test over all face normals and all edge pairs whose arcs cross on the Gauss sphere.
/// Always right; O(E_A E_B) in 3D, O(V_A + V_B) in 2D. X_AB places B in the frame of A.
template <int D>
Penetration<D> test_separating_axes(const Polytope<D>& A, const Polytope<D>& B, const Pose<D>& X_AB,
                                    const PenetrationSettings& settings = {});

/// The same answer, fast: the Minkowski difference is grown from within only where it is near the origin
/// (an expanding polytope), and the answer is taken only if the bounds meet; else the full test is made.
/// `expansion`, if given, is where the growth starts and is left at its end.
template <int D>
Penetration<D> find_penetration(const Polytope<D>& A, const Polytope<D>& B, const Pose<D>& X_AB,
                                const PenetrationSettings& settings = {}, Expansion<D>* expansion = nullptr);

}  // namespace touchstone
