#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "touchstone/math/vec.h"

namespace touchstone {

/// An axis-aligned box in the world; may be unbounded (half-spaces).
template <int D>
struct Box {
  Vec<D> low, high;

  /// Boxes that touch meet. Without branches: in a tree the outcome is unpredictable.
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

}  // namespace touchstone
