#pragma once
// What the walks of V-Clip in the plane and in space share: the state, and how a walk ends. Private to
// proximity/.

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>

#include "touchstone/proximity/closest_features.h"
#include "touchstone/proximity/view.h"

namespace touchstone {

/// [sizes of the larger body] Less than this is round-off, not a distance.
inline constexpr double kWalkNoise = 1e-15;

/// [noises] A vertex at most this far below a facet's plane counts as on it: if bodies kiss, round-off
/// decides the side. A deeper vertex is inside.
inline constexpr double kOnFacet = 4;

/// `Steps` derives from this and offers `Move step()`, which looks at the state and changes it or ends.
template <int D, class Steps>
class Walk {
 public:
  Walk(const Polytope<D>& A, const Polytope<D>& B, const Pose<D>& X_AB, const FeaturePair& start)
      : view_{View<D>(A, nullptr), View<D>(B, &X_AB)},
        feature_{start.a, start.b},
        noise_(kWalkNoise * std::max(A.size(), B.size())),
        on_facet_(kOnFacet * noise_),
        limit_(64 + 2 * (A.vertex_count() + B.vertex_count())) {}

  ClosestFeatures<D> run() {
    std::array<Feature, 2> seen = feature_;
    for (int steps = 1, next_mark = 4;; ++steps) {
      const Move move = static_cast<Steps*>(this)->step();
      if (move != Move::go) return ended(move, steps);
      if (feature_ == seen || steps >= limit_) return ended(Move::lost, steps);
      if (steps == next_mark) {  // Brent: any circle is met within twice its length
        seen = feature_;
        next_mark *= 2;
      }
    }
  }

 protected:
  enum class Move { go, closest, penetrating, lost };

  Move to(int side, FeatureKind kind, int index) {
    assert((side == 0 || side == 1) && index >= 0);
    feature_[side] = {kind, index};
    return Move::go;
  }
  Move closest_at(int side, const Vec<D>& x, const Vec<D>& y) {
    point_[side] = x;
    point_[1 - side] = y;
    return Move::closest;
  }

  /// A vertex of side s, at x, lies below the facet it is compared with: go on with the facet over which it
  /// is highest, also if it lies on that one; if there is none, it lies inside the body.
  Move escape_below(int s, const Vec<D>& x) {
    const int t = 1 - s;
    const Polytope<D>& P = view_[t].polytope();
    const Vec<D> local = view_[t].to_local(x);
    double best = -std::numeric_limits<double>::infinity();
    int best_facet = 0;
    for (int f = 0; f < P.facet_count(); ++f) {
      const double h = P.plane(f).height(local);
      if (h > best) {
        best = h;
        best_facet = f;
      }
    }
    if (best < -on_facet_ || best_facet == feature_[t].index) return Move::penetrating;
    return to(t, kFacet<D>, best_facet);
  }

  std::array<View<D>, 2> view_;
  std::array<Feature, 2> feature_;
  std::array<Vec<D>, 2> point_{Vec<D>::Zero(), Vec<D>::Zero()};
  double noise_;     ///< [m]
  double on_facet_;  ///< [m]
  int limit_;

 private:
  ClosestFeatures<D> ended(Move move, int steps) const {
    assert(move != Move::go);
    const WalkEnd end = move == Move::closest       ? WalkEnd::closest
                        : move == Move::penetrating ? WalkEnd::penetrating
                                                    : WalkEnd::undecided;
    return {end, {feature_[0], feature_[1]}, point_[0], point_[1], steps};
  }
};

}  // namespace touchstone
