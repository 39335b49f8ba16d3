#pragma once
// The volume (2D: area) that two bodies share, and how it changes [SixD; Checked 4].

#include "touchstone/geometry/clip.h"
#include "touchstone/proximity/placed.h"

namespace touchstone {

/// All zero when the bodies do not overlap, or by no more than round-off (kFlatness sizes of the larger
/// body).
///
/// Where a face of A lies flush in a face of B, with both bodies on the same side, the volume has a kink: the
/// gradients are then the mean of those on either side of it, which depends on no order of the bodies.
template <int D>
struct IntersectionVolume {
  double volume = 0;                      ///< [m^D]
  Vec<D> centre = Vec<D>::Zero();         ///< of the common part, in the world
  Mat<D> second_moment = Mat<D>::Zero();  ///< integral of (x-c)(x-c)^T over it, world axes [m^(D+2)]
  Vec<D> gradient = Vec<D>::Zero();  ///< dV/dx_A: area-weighted outward normals of A's surface in B [m^(D-1)]
  Spin<D> turning_gradient = Spin<D>::Zero();  ///< dV/dtheta_A about A's reference point [m^D/rad]
  Vec<D> normal = Vec<D>::Zero();  ///< -gradient, unit length: from B to A; 0 when one body holds the other
};

/// `reference` is the world point about which A turns, usually its centre of mass.
template <int D>
IntersectionVolume<D> find_intersection(const Placed<D>& A, const Placed<D>& B, const Vec<D>& reference);

/// The common part itself, in the world; facets are tagged f for facet f of A and A.facet_count() + g for
/// facet g of B. A facet that lies in both is tagged for one of them.
template <int D>
ConvexPieces<D> intersect(const Placed<D>& A, const Placed<D>& B);

/// The same with a half-space, whose facet is tagged A.facet_count().
template <int D>
IntersectionVolume<D> find_intersection(const Placed<D>& A, const Plane<D>& below, const Vec<D>& reference);
template <int D>
ConvexPieces<D> intersect(const Placed<D>& A, const Plane<D>& below);

}  // namespace touchstone
