#pragma once
// All heights of a few vertices at once. Private to geometry/.

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "touchstone/math/vec.h"

namespace touchstone {

/// Points eight by eight, coordinate by coordinate, so that plain SSE2 takes two at a time without any
/// shuffling: the scan is bound by arithmetic, not by branches (twice as fast as point by point).
template <int D>
class VertexBlocks {
 public:
  VertexBlocks() = default;
  explicit VertexBlocks(std::span<const Vec<D>> points);

  /// The first of the points that lie furthest in the direction; 0 for a direction that is not a number.
  int furthest(const Vec<D>& direction) const;

  /// {furthest(-direction), furthest(direction)}; the heights of few points are found once for both.
  std::pair<int, int> extent(const Vec<D>& direction) const;

 private:
  static constexpr int kLanes = 8;
  using Lanes = Eigen::Array<double, kLanes, 1>;
  struct Block {
    Lanes x[D];
  };

  /// The same bits as direction.dot(point): products are summed in the order of the coordinates.
  static Lanes heights(const Block& block, const Vec<D>& direction) {
    Lanes h = direction[0] * block.x[0];
    for (int k = 1; k < D; ++k) h += direction[k] * block.x[k];
    return h;
  }

  const Block& highest_block(const Vec<D>& direction) const;
  /// The first lane that passes: one does.
  template <class Passes>
  static int first_lane(const Lanes& h, const Passes& passes) {
    unsigned reached = 0;  // a bit per lane
    for (int lane = 0; lane < kLanes; ++lane) reached |= static_cast<unsigned>(passes(h[lane])) << lane;
    return std::countr_zero(reached);
  }

  std::vector<Block> blocks_;
};

/// The last block is filled up with its last point, which changes no answer: the first one counts.
template <int D>
VertexBlocks<D>::VertexBlocks(std::span<const Vec<D>> points)
    : blocks_((points.size() + kLanes - 1) / kLanes) {
  for (std::size_t i = 0; i < blocks_.size() * kLanes; ++i) {
    const Vec<D>& point = points[std::min(i, points.size() - 1)];
    for (int k = 0; k < D; ++k) blocks_[i / kLanes].x[k][i % kLanes] = point[k];
  }
}

template <int D>
int VertexBlocks<D>::furthest(const Vec<D>& direction) const {
  assert(!blocks_.empty());
  // Which lane it is costs one more block at the end, not an index carried along with every height.
  const Block& best = blocks_.size() == 1 ? blocks_[0] : highest_block(direction);
  const Lanes h = heights(best, direction);
  const double height = h.maxCoeff();
  const int first = static_cast<int>(&best - blocks_.data()) * kLanes;
  return first + first_lane(h, [&](double x) { return !(x < height); });  // "equal" would miss NaN
}

template <int D>
std::pair<int, int> VertexBlocks<D>::extent(const Vec<D>& direction) const {
  if (blocks_.size() != 1) return {furthest(-direction), furthest(direction)};
  const Lanes h = heights(blocks_[0], direction);
  const double lowest = h.minCoeff(), highest = h.maxCoeff();
  return {first_lane(h, [&](double x) { return !(x > lowest); }),
          first_lane(h, [&](double x) { return !(x < highest); })};
}

template <int D>
const typename VertexBlocks<D>::Block& VertexBlocks<D>::highest_block(const Vec<D>& direction) const {
  double height = -std::numeric_limits<double>::infinity();
  const Block* best = blocks_.data();
  for (const Block& block : blocks_) {
    const double h = heights(block, direction).maxCoeff();
    if (h > height) {
      height = h;
      best = &block;
    }
  }
  return *best;
}

}  // namespace touchstone
