#pragma once
// Keeps the best of the separating axes that it is offered and, when asked, one for each direction that ties
// with it.
// Private to proximity/.

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <vector>

#include "touchstone/math/checks.h"
#include "touchstone/proximity/penetration.h"

namespace touchstone {

/// Cosine of the angle (1.4e-6 rad) within which normals are one.
inline constexpr double kSameNormal = 1 - 1e-12;

template <int D>
class AxisCollector {
 public:
  explicit AxisCollector(double tie) : tie_(tie), ties_(scratch()) {
    best_.separation = -std::numeric_limits<double>::infinity();
  }

  const SeparatingAxis<D>& axis() const { return best_; }
  double best() const { return best_.separation; }
  /// Would an axis of this separation be kept?
  bool wants(double separation) const { return separation > best_.separation - (tie_ > 0 ? tie_ : 0); }

  void offer(const SeparatingAxis<D>& axis) {
    assert(is_unit(axis.normal));
    if (axis.separation > best_.separation) best_ = axis;
    if (tie_ < 0 || axis.separation < best_.separation - tie_) return;
    for (SeparatingAxis<D>& known : ties_) {
      if (known.normal.dot(axis.normal) <= kSameNormal) continue;
      if (axis.separation > known.separation) known = axis;
      return;
    }
    if (ties_.size() >= room_) forget_surpassed();
    ties_.push_back(axis);
  }

  /// The answer of a test that has looked at every axis: its bounds are equal.
  Penetration<D> result() {
    assert(std::isfinite(best_.separation));
    forget_surpassed();
    Penetration<D> answer{best_, {}, best_.separation, best_.separation, true};
    if (ties_.size() > 1) answer.ties = ties_;
    return answer;
  }

 private:
  /// Axes that come one better than the last would all stay in the list, and be compared with each other.
  void forget_surpassed() {
    std::erase_if(ties_, [&](const auto& axis) { return axis.separation < best_.separation - tie_; });
    room_ = std::max(kFewTies, 2 * ties_.size());
  }

  /// Most answers have no ties: their work space is kept, so that those allocate nothing.
  static std::vector<SeparatingAxis<D>>& scratch() {
    thread_local std::vector<SeparatingAxis<D>> ties;
    ties.clear();
    return ties;
  }

  static constexpr std::size_t kFewTies = 64;

  double tie_;                   ///< [m]
  std::size_t room_ = kFewTies;  ///< ties that are kept before surpassed ones are dropped
  SeparatingAxis<D> best_;
  std::vector<SeparatingAxis<D>>& ties_;
};

/// Offers the outward normal N of a facet of P, with the vertex of Q that lies lowest over it: {facet,
/// vertex}. X_BA is null where P is A; where P is B, N already points from B to A, but must be turned to A's
/// frame.
template <int D>
void offer_facet_normal(double separation, const Vec<D>& N, const FeaturePair& features, const Pose<D>* X_BA,
                        AxisCollector<D>& axes) {
  if (X_BA) {
    axes.offer({separation, X_BA->R.transpose() * N, {features.b, features.a}});
  } else {
    axes.offer({separation, -N, features});
  }
}

}  // namespace touchstone
