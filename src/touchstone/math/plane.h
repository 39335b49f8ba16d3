#pragma once

#include "touchstone/math/vec.h"

namespace touchstone {

/// The plane (in 2D: the line) n.x = offset. As a half-space: all points below it, n.x <= offset.
template <int D>
struct Plane {
  Vec<D> normal = Vec<D>::Unit(D - 1);  ///< unit length
  double offset = 0;                    ///< [m]

  double height(const Vec<D>& x) const { return normal.dot(x) - offset; }
};

}  // namespace touchstone
