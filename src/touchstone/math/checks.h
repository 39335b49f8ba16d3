#pragma once
// What asserts of every room ask of vectors and matrices, with one tolerance each.

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>

namespace touchstone {

/// How far an entry of R^T R may be from that of the identity: a rotation written with six digits passes.
inline constexpr double kRotationError = 1e-6;
/// A rotation in double precision has |R|^2 and det R within this; then R^T R is the identity to its root.
inline constexpr double kRotationRoundOff = 1e-13;
/// How far the length of a unit vector may be from one after it was turned by such rotations.
inline constexpr double kUnitError = 1e-5;
/// How far a symmetric matrix may be from its transpose (of its largest entry).
inline constexpr double kSymmetryError = 1e-9;

template <class V>
bool is_unit(const V& v) {
  return std::abs(v.squaredNorm() - 1) <= 2 * kUnitError;
}

template <int D>
bool is_rotation(const Eigen::Matrix<double, D, D>& R) {
  // Squared singular values whose mean is one and whose product is one are all one: |R|^2 = D and det R = 1
  // tell at the cost of a few products.
  const double determinant = R.determinant();
  if (std::abs(R.squaredNorm() - D) <= kRotationRoundOff && std::abs(determinant - 1) <= kRotationRoundOff) {
    return true;
  }
  const Eigen::Matrix<double, D, D> apart = R.transpose() * R - Eigen::Matrix<double, D, D>::Identity();
  return apart.cwiseAbs().maxCoeff() <= kRotationError && determinant > 0;
}

/// True also of a matrix with NaN in it: a step whose numbers fail so is refused with a message, not ended by
/// an assert.
template <class M>
bool is_self_adjoint(const M& m) {
  return !((m - m.transpose()).cwiseAbs().maxCoeff() > kSymmetryError * m.cwiseAbs().maxCoeff());
}

/// May i be an index into `count` items?
template <class Count>
bool is_index(int i, Count count) {
  return i >= 0 && i < static_cast<int>(count);
}

}  // namespace touchstone
