#pragma once
// What the doors refuse: places beyond all reach, and matrices that are no rotations.

#include "touchstone/math/pose.h"

namespace touchstone {

/// [m] Coordinates beyond this are refused: fifth powers of lengths would overflow.
inline constexpr double kLargestCoordinate = 1e60;

/// How far R^T R may be from the identity: a rotation given in single precision passes.
inline constexpr double kRotationError = 1e-6;

/// What is wrong with a pose, or null. The comparisons are such that what is not a number fails.
template <int D>
const char* trouble_with_pose(const Pose<D>& X) {
  for (int k = 0; k < D; ++k) {
    if (!(std::abs(X.p[k]) <= kLargestCoordinate)) return "the position is not finite or beyond 1e60 m";
  }
  const Mat<D> apart = X.R.transpose() * X.R - Mat<D>::Identity();
  if (!(apart.squaredNorm() <= kRotationError * kRotationError)) return "R is not a rotation";
  return X.R.determinant() > 0 ? nullptr : "R is a reflection, not a rotation";
}

}  // namespace touchstone
