#pragma once
// Edges seen along a direction n, as lines on the ground (in space; in the plane the ground is a line, and
// nothing crosses); inside contact only. Flat arrays: of one edge all others are asked at once.

#include <cassert>
#include <vector>

#include "touchstone/math/vec.h"

namespace touchstone {

template <int D>
class GroundLines {
 public:
  void begin(const Vec<D>& n) {
    axes_ = tangents<D>(n);
    x_.clear(), y_.clear(), along_x_.clear(), along_y_.clear();
  }
  void add(const Vec<D>& tail, const Vec<D>& along) {
    x_.push_back(axes_.col(0).dot(tail)), y_.push_back(axes_.col(D - 2).dot(tail));
    along_x_.push_back(axes_.col(0).dot(along)), along_y_.push_back(axes_.col(D - 2).dot(along));
  }
  /// Per line: not negative where both ends lie on one side of the line through `tail`, as most do.
  const std::vector<double>& sides_of(const Vec<D>& tail, const Vec<D>& along) {
    const double x = axes_.col(0).dot(tail), y = axes_.col(D - 2).dot(tail);
    const double dx = axes_.col(0).dot(along), dy = axes_.col(D - 2).dot(along);
    assert(y_.size() == x_.size() && along_x_.size() == x_.size() && along_y_.size() == x_.size());
    sides_.resize(x_.size());
    for (std::size_t k = 0; k < sides_.size(); ++k) {
      const double before = dx * (y_[k] - y) - dy * (x_[k] - x);
      sides_[k] = before * (before + dx * along_y_[k] - dy * along_x_[k]);
    }
    return sides_;
  }

 private:
  Eigen::Matrix<double, D, D - 1> axes_;
  std::vector<double> x_, y_, along_x_, along_y_, sides_;
};

}  // namespace touchstone
