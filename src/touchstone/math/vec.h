#pragma once
// Vectors of the plane and of space, and the few products in which the two differ.

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cassert>

#include "touchstone/math/checks.h"

namespace touchstone {

template <int D>
using Vec = Eigen::Matrix<double, D, 1>;
template <int D>
using Mat = Eigen::Matrix<double, D, D>;

/// What turns: a number in the plane (about the normal of the page), a vector in space.
template <int D>
inline constexpr int kSpinSize = D == 2 ? 1 : 3;
template <int D>
using Spin = Eigen::Matrix<double, kSpinSize<D>, 1>;

/// r x f: the torque that a force f makes at the lever r.
template <int D>
Spin<D> moment(const Vec<D>& r, const Vec<D>& f) {
  if constexpr (D == 2) {
    return Spin<2>(r.x() * f.y() - r.y() * f.x());
  } else {
    return r.cross(f);
  }
}

/// w x r: the velocity of the point at the lever r of a body that turns with w.
template <int D>
Vec<D> spin_velocity(const Spin<D>& w, const Vec<D>& r) {
  if constexpr (D == 2) {
    return Vec<2>(-w[0] * r.y(), w[0] * r.x());
  } else {
    return w.cross(r);
  }
}

/// The vector turned by a quarter to the right: the outward normal of a counter-clockwise polygon's edge.
inline Vec<2> right_of(const Vec<2>& e) { return {e.y(), -e.x()}; }

inline double cross(const Vec<2>& a, const Vec<2>& b) { return a.x() * b.y() - a.y() * b.x(); }

/// A unit vector across the unit vector n; the same one for the same bits of n.
inline Vec<3> any_perpendicular(const Vec<3>& n) {
  assert(is_unit(n));
  int smallest = 0;
  n.cwiseAbs().minCoeff(&smallest);
  return n.cross(Vec<3>::Unit(smallest)).normalized();
}

/// An orthonormal basis of the directions across the unit vector n, as columns; the same for the same bits of
/// n.
template <int D>
Eigen::Matrix<double, D, D - 1> tangents(const Vec<D>& n) {
  assert(is_unit(n));
  Eigen::Matrix<double, D, D - 1> T;
  if constexpr (D == 2) {
    T << -n.y(), n.x();
  } else {
    T.col(0) = any_perpendicular(n);
    T.col(1) = n.cross(T.col(0));
  }
  return T;
}

}  // namespace touchstone
