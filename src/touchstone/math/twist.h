#pragma once
// Velocities and forces of a rigid body: linear part first, both parts in world axes, taken at the centre of
// mass [docs/notation.md].

#include "touchstone/math/vec.h"

namespace touchstone {

/// Degrees of freedom of a free body: 3 in the plane, 6 in space.
template <int D>
inline constexpr int kDof = D + kSpinSize<D>;

/// (v; w) [m/s; rad/s], or its dual, a wrench (force; torque) [N; N m].
template <int D>
using Twist = Eigen::Matrix<double, kDof<D>, 1>;

template <int D>
using SpinMat = Eigen::Matrix<double, kSpinSize<D>, kSpinSize<D>>;

template <int D>
Twist<D> twist(const Vec<D>& linear, const Spin<D>& angular) {
  Twist<D> V;
  V << linear, angular;
  return V;
}
template <int D>
Vec<D> linear(const Twist<D>& V) {
  return V.template head<D>();
}
template <int D>
Spin<D> angular(const Twist<D>& V) {
  return V.template tail<kSpinSize<D>>();
}

/// The wrench at the centre of mass of a unit force along n at the lever r; as a row it measures the speed
/// along n of the point there [Thesis eq. 2.8].
template <int D>
Twist<D> point_wrench(const Vec<D>& r, const Vec<D>& n) {
  return twist<D>(n, moment<D>(r, n));
}

/// The velocity of the point at the lever r.
template <int D>
Vec<D> point_velocity(const Twist<D>& V, const Vec<D>& r) {
  return linear<D>(V) + spin_velocity<D>(angular<D>(V), r);
}

}  // namespace touchstone
