#pragma once
// The rows of one pair in the model `plane`: overlay corners along the pair's plane, at any pose of the step,
// brought into the form of [PEG 7]: normal of that pose, but point and levers of the start. Inside contact
// only.

#include <vector>

#include "touchstone/contact/contact_model.h"
#include "touchstone/contact/overlay.h"

namespace touchstone {

/// The pair at one instant of the step.
template <int D>
struct PairAt {
  PlacedShape<D> A, B;
};

/// What makes the plane of a pair: a facet of A or of B, or an edge of each. Its normal turns with them.
template <int D>
Vec<D> plane_normal(const FeaturePair& plane, const PairAt<D>& at, const Vec<D>& before);

/// Corners of the pair's overlay along n within reach; for pairs with a sphere or a half-space, what stands
/// for it.
template <int D>
struct PlaneCorner {
  FeaturePair features;
  Vec<D> point;  ///< [m] world: where its material point was at the start of the step
  Vec<D> normal;
  double height;      ///< [m] at the instant
  double gap;         ///< [m] at the start of the step, along the same normal
  double offset = 0;  ///< [m] of its row: gap at the end = offset + h G.V, to first order
};
template <int D>
void find_corners(const PairAt<D>& start, const PairAt<D>& now, const Vec<D>& n,
                  const OverlaySettings& settings, OverlayFinder<D>& overlay,
                  std::vector<PlaneCorner<D>>& corners);

/// Is the pair one of polytopes? Others have their normal from the gap itself.
template <int D>
bool has_overlay(const PairAt<D>& pair);

}  // namespace touchstone
