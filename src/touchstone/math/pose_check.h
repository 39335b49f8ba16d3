#pragma once
// What the doors refuse: places beyond all reach, and matrices that are no rotations.

#include <cmath>

#include "touchstone/math/checks.h"
#include "touchstone/math/pose.h"

namespace touchstone {

/// [m] Coordinates beyond this are refused: fifth powers of lengths would overflow.
inline constexpr double kLargestCoordinate = 1e60;

/// A message that says why this is no pose, or null. The comparisons fail for NaN.
template <int D>
const char* trouble_with_pose(const Pose<D>& X) {
  for (int k = 0; k < D; ++k) {
    if (!(std::abs(X.p[k]) <= kLargestCoordinate)) return "the position is not finite or beyond 1e60 m";
  }
  return is_rotation<D>(X.R) ? nullptr : "R is not a rotation";
}

}  // namespace touchstone
