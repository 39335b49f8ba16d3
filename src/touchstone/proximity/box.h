#pragma once
// Axis-aligned boxes about placed shapes.

#include <algorithm>
#include <cmath>
#include <limits>

#include "touchstone/proximity/placed.h"

namespace touchstone {

/// An axis-aligned box in the world; may be unbounded (half-spaces).
template <int D>
struct Box {
  Vec<D> low, high;

  /// Boxes that touch meet. Without branches: in a tree the answers are not to be guessed.
  bool meets(const Box& other) const {
    bool all = true;
    for (int k = 0; k < D; ++k) {
      all &= low[k] <= other.high[k];
      all &= other.low[k] <= high[k];
    }
    return all;
  }
  bool holds(const Box& other) const {
    return (low.array() <= other.low.array()).all() && (other.high.array() <= high.array()).all();
  }
  /// [m] between the sides of this box and of one within it, where it is least; negative: that one sticks
  /// out. Sides at infinity leave any room.
  double room_about(const Box& other) const {
    double room = std::numeric_limits<double>::infinity();
    for (int k = 0; k < D; ++k) {
      if (low[k] != other.low[k] || std::isfinite(low[k])) room = std::min(room, other.low[k] - low[k]);
      if (high[k] != other.high[k] || std::isfinite(high[k])) room = std::min(room, high[k] - other.high[k]);
    }
    return room;
  }
  Box grown(double margin) const { return {low.array() - margin, high.array() + margin}; }
  Box joined(const Box& other) const { return {low.cwiseMin(other.low), high.cwiseMax(other.high)}; }
};

/// The tightest box of a shape at a pose, grown by `margin` [m] on each side.
template <int D>
Box<D> bounding_box(const Shape<D>& shape, const Pose<D>& X_WB, double margin = 0);

/// A box that holds the shape throughout a step: the centre of mass moves straight from one pose to the
/// other while the shape turns about it in any way; equal rotations mean that it does not turn at all.
/// Grown by `margin` [m].
template <int D>
Box<D> swept_box(const Shape<D>& shape, const Pose<D>& from, const Pose<D>& to, double margin = 0);

}  // namespace touchstone
