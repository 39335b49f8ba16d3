#pragma once
// What the gap really is: the signed distance of a point from the explicit Minkowski difference
// [ContactData V-A]. No walk, no pruning, no tolerance: every facet is looked at.

#include "peer.h"

namespace touchstone::bench {

/// A - R_AB B, with both bodies at the origin. Moved apart by p_AB they kiss when p_AB lies on its surface,
/// so that one difference judges every position of the same two orientations.
class Difference {
 public:
  Difference(const Polytope<3>& A, const Polytope<3>& B, const Mat<3>& R_AB);

  /// [m] Negative when overlapping. p_AB: the origin of B in the frame of A.
  double gap(const Vec<3>& p_AB) const;
  /// [m] How far B must go along a unit direction in the frame of A, from the origin, until the bodies kiss.
  double kissing_distance(const Vec<3>& direction) const;

 private:
  Polytope<3> polytope_;
};

/// [m] Negative when overlapping.
double reference_gap(const Query& query);

/// [m] How far the bodies are apart along a unit direction from B to A: min n.a - max n.b. For the right
/// normal it equals the gap; for any other it is less.
double separation_along(const Query& query, const Vec<3>& normal);

}  // namespace touchstone::bench
