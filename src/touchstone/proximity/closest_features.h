#pragma once
// The closest features of two convex polytopes, by V-Clip [Mirtich 1998; ContactData IV-A, IV-B].

#include "touchstone/proximity/placed.h"

namespace touchstone {

/// How a walk of V-Clip ended.
enum class WalkEnd {
  closest,      ///< each feature lies in the other's Voronoi region: these are the closest features
  penetrating,  ///< the bodies overlap, or touch so closely that round-off cannot tell
  undecided     ///< the step limit was reached (round-off led in a circle): ask another algorithm
};

template <int D>
struct ClosestFeatures {
  WalkEnd end = WalkEnd::undecided;
  FeaturePair features;             ///< V-V, V-E, V-F or E-E where the walk ended
  Vec<D> point_A = Vec<D>::Zero();  ///< closest points, in the frame of A
  Vec<D> point_B = Vec<D>::Zero();
  int steps = 0;
};

/// Walks from the features `start` to the closest ones; a start near the answer makes it near constant
/// time. X_AB places B in the frame of A. Always ends.
template <int D>
ClosestFeatures<D> walk_to_closest_features(const Polytope<D>& A, const Polytope<D>& B, const Pose<D>& X_AB,
                                            const FeaturePair& start);

/// The vertices of A and B that face each other along the line of centres: a start for a cold walk.
template <int D>
FeaturePair facing_vertices(const Polytope<D>& A, const Polytope<D>& B, const Pose<D>& X_AB);

/// The closest features of bodies that do not overlap, from scratch, by looking at every pair: the last
/// resort. Of bodies that kiss, a vertex within kCertified sizes below a face lies on it.
template <int D>
ClosestFeatures<D> search_closest_features(const Polytope<D>& A, const Polytope<D>& B, const Pose<D>& X_AB);

}  // namespace touchstone
