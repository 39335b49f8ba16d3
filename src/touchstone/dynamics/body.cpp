#include "touchstone/dynamics/body.h"

namespace touchstone {

SpinMat<2> world_inertia(const Body<2>& body) { return body.inertia; }

SpinMat<3> world_inertia(const Body<3>& body) {
  const Mat<3> R = body.attitude.matrix();
  return R * body.inertia * R.transpose();
}

namespace {

// Fixed-point iteration for W: a contraction while h |W| is moderate; faster bodies turn in two halves.
constexpr double kLargeTurn = 0.5;  // [rad]
constexpr int kMaxPasses = 60;      // each gains a factor of h |W| / 2 or better
// Parts for the largest turn that a step may ask for, and twice as many for bodies that tumble faster than
// they began. Beyond, a part turns by more: it ends, but energy is kept no longer.
constexpr int kMaxHalvings = 12;
static_assert((1 << kMaxHalvings) * kLargeTurn >= 2 * kLargestTurn);
constexpr double kStill = 4e-16;  // of |W|: what round-off alone may change in a pass

/// By the formula of Rodrigues, x - sin(a)/a t x x + (1 - cos(a))/a^2 t x (t x x), whose factors are short
/// series for the small turns of most steps.
Vec<3> rotate_back(const Vec<3>& turn, const Vec<3>& x) {
  constexpr double kSmall = 0.01;  // [rad^2] the terms left out are below 1e-17 there
  const double aa = turn.squaredNorm();
  if (aa > kSmall) return quaternion_of(-turn) * x;
  const double sine = 1 + aa * (-1. / 6 + aa * (1. / 120 + aa * (-1. / 5040 + aa * (1. / 362880))));
  const double cosine = 0.5 + aa * (-1. / 24 + aa * (1. / 720 + aa * (-1. / 40320 + aa * (1. / 3628800))));
  const Vec<3> across = turn.cross(x);
  return x - sine * across + cosine * turn.cross(across);
}

/// The mean angular velocity, in body axes, of the free rotation with body momentum pi over h.
Vec<3> mean_spin(const Mat<3>& J_inverse, const Vec<3>& pi, double h) {
  Vec<3> W = J_inverse * pi;
  for (int pass = 0; pass < kMaxPasses; ++pass) {
    const Vec<3> next = J_inverse * (0.5 * (pi + rotate_back(h * W, pi)));
    const bool still = (next - W).norm() <= kStill * W.norm();
    W = next;
    if (still) break;
  }
  return W;
}

void turn_freely(Body<3>& body, const Vec<3>& L, double h, int halvings) {
  const Mat<3> R = body.attitude.matrix();
  const Mat<3> J_inverse = body.inertia.inverse();
  const Vec<3> pi = R.transpose() * L;
  if (h * (J_inverse * pi).norm() > kLargeTurn && halvings < kMaxHalvings) {
    turn_freely(body, L, h / 2, halvings + 1);
    turn_freely(body, L, h / 2, halvings + 1);
    return;
  }
  body.attitude = body.attitude.turned(R * (h * mean_spin(J_inverse, pi, h)));
}

}  // namespace

template <>
void move_freely<2>(Body<2>& body, const Twist<2>& velocity, double h) {
  body.position += h * linear<2>(velocity);
  body.attitude = body.attitude.turned(h * angular<2>(velocity));
  body.velocity = velocity;
}

template <>
void move_freely<3>(Body<3>& body, const Twist<3>& velocity, double h) {
  body.position += h * linear<3>(velocity);
  const Vec<3> L = world_inertia(body) * angular<3>(velocity);
  turn_freely(body, L, h, 0);
  // The inverse of that very matrix which makes L of w again: R J^-1 R^T would differ by how far R is from
  // orthogonal, always to the same side, and momentum would creep.
  const Vec<3> w = world_inertia(body).inverse() * L;
  body.velocity = twist<3>(linear<3>(velocity), w);
}

template <>
void move_steadily<2>(Body<2>& body, const Twist<2>& velocity, const Spin<2>&, double h) {
  move_freely(body, velocity, h);
}

template <>
void move_steadily<3>(Body<3>& body, const Twist<3>& velocity, const Spin<3>& turning, double h) {
  const Vec<3> L = world_inertia(body) * angular<3>(velocity) - turning;
  body.position += h * linear<3>(velocity);
  body.attitude = body.attitude.turned(h * angular<3>(velocity));
  body.velocity = twist<3>(linear<3>(velocity), world_inertia(body).inverse() * L);
}

template <>
Spin<2> steady_turning<2>(const Body<2>&, const Spin<2>&, double) {
  return Spin<2>::Zero();
}

template <>
Spin<3> steady_turning<3>(const Body<3>& body, const Spin<3>& w, double h) {
  const Vec<3> L = world_inertia(body) * w;
  return L - quaternion_of(h * w) * L;
}

}  // namespace touchstone
