#include "touchstone/geometry/hull.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "touchstone/math/orientation.h"

namespace touchstone {

template <int D>
ScaledPoints<D> scale_to_one(std::span<const Vec<D>> points) {
  assert(!points.empty());
  constexpr double kGrid = 0x1p-300;  // multiples of it, multiplied three at a time, are doubles still
  Vec<D> low = points[0], high = points[0];
  for (const Vec<D>& x : points) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  ScaledPoints<D> scaled;
  assert((high - low).maxCoeff() > 0);
  std::frexp((high - low).maxCoeff(), &scaled.exponent);
  scaled.points.reserve(points.size());
  for (const Vec<D>& x : points) {
    scaled.points.push_back(x.unaryExpr(
        [&](double c) { return std::nearbyint(std::ldexp(c, -scaled.exponent) / kGrid) * kGrid; }));
  }
  return scaled;
}

namespace {

/// Andrew's monotone chain over points in the order given: the lower border going forth, the upper going
/// back.
class MonotoneChain {
 public:
  explicit MonotoneChain(std::span<const Vec<2>> points) : points_(points) {}

  template <class Iterator>
  void walk(Iterator first, Iterator last) {
    const std::size_t floor = corners_.size() + 1;
    for (auto it = first; it != last; ++it) {
      while (corners_.size() > floor && !turns_left(*it)) corners_.pop_back();
      corners_.push_back(*it);
    }
    assert(!corners_.empty());
    corners_.pop_back();
  }
  std::vector<int> corners() && { return std::move(corners_); }

 private:
  bool turns_left(int next) const {
    assert(corners_.size() >= 2);
    const int before = corners_[corners_.size() - 2], last = corners_.back();
    return orientation(points_[before], points_[last], points_[next]) > 0;
  }

  std::span<const Vec<2>> points_;
  std::vector<int> corners_;
};

}  // namespace

std::vector<int> hull_corners(std::span<const Vec<2>> points) {
  std::vector<int> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return std::pair(points[a].x(), points[a].y()) < std::pair(points[b].x(), points[b].y());
  });
  order.erase(std::unique(order.begin(), order.end(), [&](int a, int b) { return points[a] == points[b]; }),
              order.end());
  MonotoneChain chain(points);
  chain.walk(order.begin(), order.end());
  chain.walk(order.rbegin(), order.rend());
  std::vector<int> corners = std::move(chain).corners();
  if (corners.size() < 3) throw BadShape("the points are flat: they lie on one line");
  return corners;
}

template ScaledPoints<2> scale_to_one(std::span<const Vec<2>>);
template ScaledPoints<3> scale_to_one(std::span<const Vec<3>>);

}  // namespace touchstone
