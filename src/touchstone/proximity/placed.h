#pragma once
// Two placed bodies A and B, their features, and the words for how they lie to each other.

#include <algorithm>

#include "touchstone/geometry/polytope.h"
#include "touchstone/geometry/shapes.h"
#include "touchstone/math/pose.h"

namespace touchstone {

/// A polytope somewhere in the world. The polytope must outlive it.
template <int D>
struct Placed {
  const Polytope<D>* polytope;
  Pose<D> X_WB;
};

/// Any shape somewhere in the world. The shape must outlive it.
template <int D>
struct PlacedShape {
  const Shape<D>* shape;
  Pose<D> X_WB;
};

/// The size that tolerances of a pair are relative to: that of the larger body [m].
template <int D>
double pair_size(const Placed<D>& A, const Placed<D>& B) {
  return std::max(A.polytope->size(), B.polytope->size());
}

/// The dimension of a feature is the value: a polygon's facets are its edges.
enum class FeatureKind { vertex = 0, edge = 1, face = 2 };

struct Feature {
  FeatureKind kind = FeatureKind::vertex;
  int index = 0;
  bool operator==(const Feature&) const = default;
};

struct FeaturePair {
  Feature a, b;
  bool operator==(const FeaturePair&) const = default;
};

/// The kind of a polytope's facets: edges in the plane, faces in space.
template <int D>
inline constexpr FeatureKind kFacet = static_cast<FeatureKind>(D - 1);

/// The only feature of a sphere or a half-space.
inline constexpr Feature kSurface{FeatureKind::face, 0};

/// touching: |gap| is at most the touching tolerance times the size of the larger body.
enum class Status { disjoint, touching, overlapping };

}  // namespace touchstone
