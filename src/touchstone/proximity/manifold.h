#pragma once
// Where two bodies touch: the contact plane and the point, segment or polygon that they share in it
// [ContactData IV-D, IV-E].

#include <vector>

#include "touchstone/proximity/gap.h"

namespace touchstone {

/// A corner of the manifold, in the contact plane, and the smallest features of A and B that hold it.
template <int D>
struct ManifoldPoint {
  Vec<D> position;  ///< in the world
  Feature a, b;
};

/// For bodies that do not touch, the manifold of the bodies after each was moved by half of the gap along
/// the normal: the contact plane lies midway between them.
template <int D>
struct ContactManifold {
  Plane<D> plane;                         ///< through the middle of the gap; its normal points from B to A
  std::vector<ManifoldPoint<D>> points;   ///< 1: point, 2: segment, more: polygon, counter-clockwise about the normal
  FeaturePair features;                   ///< the smallest features of A and B that hold the whole manifold:
                                          ///<   the paper's "most general pair of closest features"
  bool tolerance_widened = false;         ///< fall-back 1: no vertex lay in the plane, the nearest ones were taken
  bool midpoint_taken = false;            ///< fall-back 2: the features did not meet, their middle was taken
};

struct ManifoldSettings {
  double plane_tolerance = 1e-10;  ///< [sizes of the larger body] how near a vertex "lies on" the contact plane
};

template <int D>
ContactManifold<D> find_manifold(const Placed<D>& A, const Placed<D>& B, const Gap<D>& gap,
                                 const ManifoldSettings& settings = {});

}  // namespace touchstone
