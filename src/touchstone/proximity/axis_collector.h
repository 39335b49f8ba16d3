#pragma once
// Keeps the best of the separating axes that it is offered and, when asked, all that tie with it.
// Private to proximity/.

#include <limits>
#include <vector>

#include "touchstone/proximity/penetration.h"

namespace touchstone {

template <int D>
class AxisCollector {
 public:
  explicit AxisCollector(double tie) : tie_(tie) { best_.separation = -std::numeric_limits<double>::infinity(); }

  double best() const { return best_.separation; }
  /// Would an axis of this separation be kept?
  bool wants(double separation) const { return separation > best_.separation - (tie_ > 0 ? tie_ : 0); }

  void offer(const SeparatingAxis<D>& axis) {
    if (axis.separation > best_.separation) best_ = axis;
    if (tie_ >= 0 && axis.separation >= best_.separation - tie_) ties_.push_back(axis);
  }

  /// The answer of a test that has looked at every axis: its bounds are equal.
  Penetration<D> result() {
    std::erase_if(ties_, [&](const auto& axis) { return axis.separation < best_.separation - tie_; });
    return {best_, std::move(ties_), best_.separation, best_.separation, true};
  }

 private:
  double tie_;  ///< [m]
  SeparatingAxis<D> best_;
  std::vector<SeparatingAxis<D>> ties_;
};

}  // namespace touchstone
