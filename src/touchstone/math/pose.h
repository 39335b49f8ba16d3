#pragma once

#include <cassert>
#include <cmath>

#include "touchstone/math/plane.h"
#include "touchstone/math/vec.h"

namespace touchstone {

/// Where a frame B lies in a frame W: p_W = R p_B + p. Named X_WB where it is used.
template <int D>
struct Pose {
  Mat<D> R = Mat<D>::Identity();
  Vec<D> p = Vec<D>::Zero();

  Vec<D> operator*(const Vec<D>& x) const { return R * x + p; }
  Plane<D> operator*(const Plane<D>& plane) const {
    const Vec<D> n = R * plane.normal;
    return {n, plane.offset + n.dot(p)};
  }
  Pose operator*(const Pose& other) const { return {R * other.R, R * other.p + p}; }
  Vec<D> to_local(const Vec<D>& x) const { return R.transpose() * (x - p); }
  Pose inverse() const { return {R.transpose(), -(R.transpose() * p)}; }
};

/// X_AB from X_WA and X_WB. The positions are subtracted first, so that two small bodies far from the
/// origin of W lose nothing.
template <int D>
Pose<D> relative_pose(const Pose<D>& X_WA, const Pose<D>& X_WB) {
  return {X_WA.R.transpose() * X_WB.R, X_WA.R.transpose() * (X_WB.p - X_WA.p)};
}

inline Mat<2> rotation(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return (Mat<2>() << c, -s, s, c).finished();
}

/// The rotation of a quaternion (w, x, y, z) of any length but zero.
inline Mat<3> rotation(const Eigen::Quaterniond& q) {
  assert(q.squaredNorm() > 0);
  return q.normalized().toRotationMatrix();
}

/// The rotation about the unit axis by an angle.
inline Mat<3> rotation(const Vec<3>& axis, double angle) {
  assert(is_unit(axis));
  return Eigen::AngleAxisd(angle, axis).toRotationMatrix();
}

}  // namespace touchstone
