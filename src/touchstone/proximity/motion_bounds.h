#pragma once
// How soon can moving bodies touch, and how far can they move? Bounds of [TrueRigidity 3 and 4], as
// [Checked 2] corrects them. What is printed there is kept in tests/proximity/motion_bounds_test.cpp, with
// motions that break it.

#include <vector>

#include "touchstone/math/twist.h"

namespace touchstone {

/// A body that moves evenly, with its velocity at a point and the largest distance [m] of its points from
/// that very point: the radius of its smallest ball, which lies elsewhere, is not enough.
template <int D>
struct EvenMotion {
  Twist<D> V = Twist<D>::Zero();
  double radius = 0;
};

/// [s] For so long two bodies do not touch whose nearest points are d apart, d [m] from B to A [TrueRigidity
/// eq. 4]:
///     |d| / max(0, s + |w_A x d^| r_A + |w_B x d^| r_B),   s = -d^ . (v_A - v_B), signed
/// Infinite where they part. `d` must not be zero: of bodies that kiss the plane between them is asked
/// (gap.h), and plane_step().
template <int D>
double advancement_step(const Vec<D>& d, const EvenMotion<D>& A, const EvenMotion<D>& B);

/// Bounds of a motion over a time.
struct Pace {
  double v = 0, w = 0;      ///< [m/s, rad/s]
  double a = 0, alpha = 0;  ///< [m/s^2, rad/s^2]
};

/// [m/s^2] |h''| of the height of a point over a plane that a body E carries, at most. The point belongs to a
/// body V, `rho` [m] from its centre of mass; `reach` [m]: from the centre of mass of E to the point, at
/// most.
double height_bend(const Pace& V, const Pace& E, double rho, double reach);

/// [s] For so long a height that is h now, changes by `rate` [m/s], and bends by at most K, is above
/// -tolerance: the first-order rule of [TrueRigidity eq. 7, 8], for all vertices, those in contact included,
/// in second order.
double plane_step(double h, double rate, double K, double tolerance);

/// What the bound of a gap between two edges needs: their lines' sine of the angle, at least, over the time,
/// the largest distance [m] of the two points that are compared, and how fast that changes.
struct EdgePace {
  double sine = 1, distance = 0, speed = 0, acceleration = 0, turn = 0, turning = 0;  ///< turn: w_A + w_B
};
/// [m/s^2] Likewise of n . (a - b) along the normal n of both edges, which turns with them.
double edge_bend(const EdgePace& pace);

/// [s] For so long an edge with the direction u (unit) of A leans to the same side of a face of B with the
/// unit normal m: while it does so for both faces at an edge of B, and the other way round, the two edges are
/// what is nearest.
double lean_step(const Vec<3>& u, const Vec<3>& m, const Vec<3>& w_A, const Vec<3>& w_B);

/// A joint of a chain and the link behind it.
struct ChainLink {
  bool slides = false;  ///< a way; else an angle, or several
  double value = 0;     ///< [m] of a way
  double rate = 0;      ///< [m/s] of a way, or [rad/s] the joint's relative angular velocity
  /// [m] From the frame behind this joint to the next joint; of the last link: to its furthest point.
  double length = 0;
};
/// A chain that moves as `base` does, whose first joint is `offset` [m] from the point of that velocity.
struct Chain {
  Twist<3> base = Twist<3>::Zero();
  double offset = 0;
  std::vector<ChainLink> links;
};
/// [m/s] How fast any point of the last link moves along the unit direction d within the time T [s], at most
/// [TrueRigidity eq. 11-15, corrected: moving bases, ways, offsets]:
///     |d . v| + |w x d| (|c_0| + G_1) + sum k_j,    k_j = |q'_j| of a way, |w_j| G_j of angles,
///     G_j = sum over k >= j of (extension_k + length_k)
double chain_rate(const Chain& chain, const Vec<3>& d, double T);
/// [s] For so long, at most T, the last link does not come nearer by `distance` along d.
double chain_step(const Chain& chain, const Vec<3>& d, double distance, double T);

}  // namespace touchstone
