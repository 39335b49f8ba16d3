#pragma once
// Where two bodies touch: the contact plane and the point, segment or polygon that they share in it
// [ContactData IV-D, IV-E].
//
//        A   \______________/        A is moved by -normal gap/2, B by +normal gap/2: both touch the
//   plane ...._|____________|...     contact plane midway, and the manifold is their common part
//        B     |            |

#include <vector>

#include "touchstone/proximity/gap.h"

namespace touchstone {

/// A corner of the manifold, in the contact plane, and the smallest features of A and B that hold it.
template <int D>
struct ManifoldPoint {
  Vec<D> position;  ///< in the world
  Feature a, b;
};

template <int D>
struct ContactManifold {
  Plane<D> plane;  ///< in the world, through the middle of the gap; its normal points from B to A
  /// 1: point, 2: segment, more: polygon, counter-clockwise about the normal; never empty.
  std::vector<ManifoldPoint<D>> points;
  /// The smallest features of A and B that hold the whole manifold: the paper's "most general pair of
  /// closest features".
  FeaturePair features;
  /// Fall-back 1: a body did not reach the contact plane or pierced it, which says that the gap's points do
  /// not lie where they should; its furthest vertices towards the plane were taken.
  bool tolerance_widened = false;
  /// Fall-back 2: the features in the plane did not meet; the middle of their nearest points was taken.
  bool midpoint_taken = false;
};

struct ManifoldSettings {
  /// [sizes of the larger body] How near a vertex "lies on" the contact plane.
  double plane_tolerance = 1e-10;
};

/// Uses the normal and the points of the gap, and throws std::invalid_argument if it has none; its features
/// are only where the search for vertices starts.
template <int D>
ContactManifold<D> find_manifold(const Placed<D>& A, const Placed<D>& B, const Gap<D>& gap,
                                 const ManifoldSettings& settings = {});

}  // namespace touchstone
