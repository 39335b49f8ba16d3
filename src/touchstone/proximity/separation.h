#pragma once
// s(n) = min_A n.a - max_B n.b for a given direction, over all vertices. Private to proximity/.

#include <algorithm>
#include <cassert>

#include "touchstone/geometry/extremal.h"
#include "touchstone/math/checks.h"
#include "touchstone/math/pose.h"

namespace touchstone {

/// The vertices that a direction meets first on either body.
struct SupportPair {
  int a = 0, b = 0;
};

/// A and B in the frame of A. Directions n are in that frame and point from B to A.
template <int D>
struct PairInFrameA {
  const Polytope<D>& A;
  const Polytope<D>& B;
  const Pose<D>& X_AB;

  double size() const { return std::max(A.size(), B.size()); }  ///< [m] of the larger body
  /// The supporting vertices for n, climbing from `hint`.
  SupportPair supports(const Vec<D>& n, const SupportPair& hint) const {
    assert(is_index(hint.a, A.vertex_count()) && is_index(hint.b, B.vertex_count()));
    return {climb_extremal<D>(A, -n, hint.a), climb_extremal<D>(B, X_AB.R.transpose() * n, hint.b)};
  }
  /// a - b in the frame of A.
  Vec<D> difference(const SupportPair& at) const { return A.vertex(at.a) - X_AB * B.vertex(at.b); }
};

}  // namespace touchstone
