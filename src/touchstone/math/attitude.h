#pragma once
// How a body is turned. In the plane an angle, which keeps count of full turns; in space a unit quaternion.

#include <Eigen/Geometry>
#include <cassert>
#include <cmath>

#include "touchstone/math/pose.h"
#include "touchstone/math/vec.h"

namespace touchstone {

template <int D>
struct Attitude;

template <>
struct Attitude<2> {
  double angle = 0;  ///< [rad], not wrapped

  Mat<2> matrix() const { return rotation(angle); }
  /// Turned further by the rotation vector [rad], world axes.
  Attitude turned(const Spin<2>& by) const { return {angle + by[0]}; }
  static Attitude from(const Mat<2>& R) {
    assert(is_rotation<2>(R));
    return {std::atan2(R(1, 0), R(0, 0))};
  }
};

/// The quaternion of the rotation vector: the exponential map.
inline Eigen::Quaterniond quaternion_of(const Vec<3>& by) {
  const double angle = by.norm();
  // sin(a/2)/a; below this angle its series 1/2 - a^2/48 is exact to round-off.
  constexpr double kSmall = 1e-4;
  const double factor = angle > kSmall ? std::sin(angle / 2) / angle : 0.5 - angle * angle / 48;
  const Vec<3> v = factor * by;
  return {std::cos(angle / 2), v.x(), v.y(), v.z()};
}

template <>
struct Attitude<3> {
  Eigen::Quaterniond q = Eigen::Quaterniond::Identity();  ///< unit; (w, x, y, z) in files

  /// Orthogonal to round-off also where |q| is off 1 by round-off: what is turned to and fro for a hundred
  /// thousand steps would creep otherwise.
  Mat<3> matrix() const {
    const double twice = 2 / q.squaredNorm();
    const double x = twice * q.x(), y = twice * q.y(), z = twice * q.z();
    const double xx = x * q.x(), xy = x * q.y(), xz = x * q.z(), yy = y * q.y(), yz = y * q.z(),
                 zz = z * q.z();
    const double wx = q.w() * x, wy = q.w() * y, wz = q.w() * z;
    Mat<3> R;
    R << 1 - (yy + zz), xy - wz, xz + wy, xy + wz, 1 - (xx + zz), yz - wx, xz - wy, yz + wx, 1 - (xx + yy);
    return R;
  }
  Attitude turned(const Spin<3>& by) const { return {(quaternion_of(by) * q).normalized()}; }
  static Attitude from(const Mat<3>& R) {
    assert(is_rotation<3>(R));
    return {Eigen::Quaterniond(R).normalized()};
  }
};

/// The rotation vector (world axes) that turns `from` into `to`, of the shortest angle in space.
inline Spin<2> turn_between(const Attitude<2>& from, const Attitude<2>& to) {
  return Spin<2>(to.angle - from.angle);
}
inline Spin<3> turn_between(const Attitude<3>& from, const Attitude<3>& to) {
  Eigen::Quaterniond d = to.q * from.q.conjugate();
  if (d.w() < 0) d.coeffs() = -d.coeffs();
  const double sine = d.vec().norm();
  const double angle = 2 * std::atan2(sine, d.w());
  return sine > 0 ? Spin<3>(d.vec() * (angle / sine)) : Spin<3>(2 * d.vec());
}

}  // namespace touchstone
