#pragma once
// All that there is to say about two placed shapes at once: what the command `query` answers.

#include <vector>

#include "touchstone/proximity/manifold.h"

namespace touchstone {

template <int D>
struct ContactData {
  Gap<D> gap;
  /// The most general pair of closest features. The surface of a sphere and the plane of a half-space count
  /// as face 0.
  FeaturePair features;
  std::vector<ManifoldPoint<D>> manifold;  ///< as in ContactManifold; a sphere's is a point
  double overlap = 0;                      ///< [m^D] volume (2D: area) that the bodies share
};

/// Throws std::invalid_argument for two half-spaces, as find_gap does.
template <int D>
ContactData<D> find_contact_data(const PlacedShape<D>& A, const PlacedShape<D>& B);

/// [m^D] The volume (2D: area) that two bodies share.
template <int D>
double find_overlap(const PlacedShape<D>& A, const PlacedShape<D>& B);

}  // namespace touchstone
