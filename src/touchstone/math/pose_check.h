#pragma once
// What the doors refuse: places beyond all reach, and matrices that are no rotations.

#include <cmath>

#include "touchstone/math/pose.h"

namespace touchstone {

/// [m] Coordinates beyond this are refused: fifth powers of lengths would overflow.
inline constexpr double kLargestCoordinate = 1e60;

/// How far an entry of R^T R may be from that of the identity: a rotation written with six digits passes.
inline constexpr double kRotationError = 1e-6;
/// A rotation in double precision has |R|^2 and det R within this; then R^T R is the identity to its root.
inline constexpr double kRotationRoundOff = 1e-13;

template <int D>
bool is_rotation(const Mat<D>& R) {
  // Squared singular values whose mean is one and whose product is one are all one: |R|^2 = D and det R = 1
  // tell at the cost of a few products.
  const double determinant = R.determinant();
  if (std::abs(R.squaredNorm() - D) <= kRotationRoundOff && std::abs(determinant - 1) <= kRotationRoundOff) {
    return true;
  }
  const Mat<D> apart = R.transpose() * R - Mat<D>::Identity();
  return apart.cwiseAbs().maxCoeff() <= kRotationError && determinant > 0;
}

/// A message that says why this is no pose, or null. The comparisons fail for NaN.
template <int D>
const char* trouble_with_pose(const Pose<D>& X) {
  for (int k = 0; k < D; ++k) {
    if (!(std::abs(X.p[k]) <= kLargestCoordinate)) return "the position is not finite or beyond 1e60 m";
  }
  return is_rotation<D>(X.R) ? nullptr : "R is not a rotation";
}

}  // namespace touchstone
