#pragma once
// What the doors refuse: places beyond all reach, and matrices that are no rotations.

#include "touchstone/math/pose.h"

namespace touchstone {

/// [m] Coordinates beyond this are refused: fifth powers of lengths would overflow.
inline constexpr double kLargestCoordinate = 1e60;

/// How far |R|^2 / D and det R may be from one: far above the round-off of a rotation, far below what a gap
/// would show.
inline constexpr double kRotationError = 1e-9;

/// What is wrong with a pose, or null. The comparisons are such that what is not a number fails.
/// Squared singular values whose mean is one and whose product is one are all one: |R|^2 = D and det R = 1
/// make a rotation, at the cost of a few products.
template <int D>
const char* trouble_with_pose(const Pose<D>& X) {
  for (int k = 0; k < D; ++k) {
    if (!(std::abs(X.p[k]) <= kLargestCoordinate)) return "the position is not finite or beyond 1e60 m";
  }
  const bool proper = std::abs(X.R.squaredNorm() / D - 1) <= kRotationError &&
                      std::abs(X.R.determinant() - 1) <= kRotationError;
  return proper ? nullptr : "R is not a rotation";
}

}  // namespace touchstone
