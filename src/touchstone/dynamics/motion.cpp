#include "touchstone/dynamics/motion.h"

#include <Eigen/LU>
#include <cassert>
#include <limits>

#include "touchstone/math/checks.h"

namespace touchstone {
namespace {

// Newton's method for W starts well where h |W| is moderate; faster bodies turn in several stretches.
constexpr double kLargeTurn = 0.5;  // [rad]
constexpr int kMaxPasses = 12;      // of Newton's method: it takes three to five where it converges
// Stretches for the largest turn that a step may ask for, and sixteen times as many for bodies that tumble
// faster than they began.
constexpr int kMaxHalvings = 15;
static_assert((1 << kMaxHalvings) * kLargeTurn >= 16 * kLargestTurn);
constexpr double kStill = 8e-16;  // of |pi|: what round-off alone may change in a pass

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

Mat<3> cross_matrix(const Vec<3>& x) {
  Mat<3> m;
  m << 0, -x.z(), x.y(), x.z(), 0, -x.x(), -x.y(), x.x(), 0;
  return m;
}

/// The mean angular velocity W, in body axes, of the free rotation with body momentum pi over h: the root of
///
///     F(W) = J W - (pi + exp(-h W) pi)/2,      F'(W) = J - h/2 [exp(-h W) pi]x T(-h W)
///
/// by Newton's method; T is the left tangent of the exponential map, here up to its second order. A fixed
/// point of W = J^-1 (pi + pi+)/2 is not searched by iteration: that contracts by (h |W|/2) sqrt(Jmax/Jmin)
/// only, and rods gained energy. False: it does not settle, and the rotation is to be taken in shorter parts.
bool find_mean_spin(const Mat<3>& J, const Vec<3>& pi, double h, Vec<3>& W) {
  assert(h > 0 && is_self_adjoint(J));
  double last = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < kMaxPasses; ++pass) {
    const Vec<3> turned = rotate_back(h * W, pi);
    const Vec<3> missing = 0.5 * (pi + turned) - J * W;
    const double error = missing.norm();
    if (error <= kStill * pi.norm()) return true;
    if (pass > 2 && error >= last) return last <= 8 * kStill * pi.norm();
    last = error;
    const Mat<3> t = cross_matrix(h * W);
    const Mat<3> tangent = Mat<3>::Identity() - 0.5 * t + (1. / 6) * t * t;
    const Mat<3> slope = J - 0.5 * h * cross_matrix(turned) * tangent;
    W += slope.inverse() * missing;
    if (!((h * W).squaredNorm() <= 16 * kLargeTurn * kLargeTurn)) return false;
  }
  return false;
}

/// Adds the stretches of a free rotation with the angular momentum L behind the path's present end.
class FreeTurning {
 public:
  FreeTurning(const Mat<3>& J, const Vec<3>& L, Path<3>& path)
      : J_(J), J_inverse_(J.inverse()), L_(L), path_(path) {}

  void add(double from, double until, int halvings) {
    assert(from < until && until <= 1);
    const Mat<3> R = path_.end.matrix();
    const Vec<3> pi = R.transpose() * L_;
    const double h = path_.h * (until - from);
    Vec<3> W = J_inverse_ * pi;
    const bool may_halve = halvings < kMaxHalvings;
    if (may_halve && (h * W.norm() > kLargeTurn || !find_mean_spin(J_, pi, h, W))) {
      const double middle = 0.5 * (from + until);
      add(from, middle, halvings + 1);
      return add(middle, until, halvings + 1);
    }
    const Vec<3> turn = R * (h * W);
    if (halvings > 0) path_.stretches.push_back({until, path_.end, turn});
    if (from == 0) path_.turn = turn;
    path_.end = path_.end.turned(turn);
  }

 private:
  Mat<3> J_, J_inverse_;
  Vec<3> L_;
  Path<3>& path_;
};

}  // namespace

template <>
Path<2> free_path<2>(const Body<2>& body, const Twist<2>& velocity, double h) {
  return steady_path<2>(body.position, body.attitude, velocity, h);
}

template <>
Path<3> free_path<3>(const Body<3>& body, const Twist<3>& velocity, double h) {
  assert(h > 0 && velocity.allFinite());
  Path<3> path{body.position, body.attitude, velocity, h, Vec<3>::Zero(), body.attitude, {}, Vec<3>::Zero()};
  FreeTurning(body.inertia, angular_momentum(body, angular<3>(velocity)), path).add(0, 1, 0);
  return path;
}

template <>
Twist<2> end_velocity<2>(const Body<2>& body, const Path<2>& path, const Spin<2>& turning) {
  const Spin<2> w = angular<2>(path.velocity) - body.inertia.inverse() * turning;
  return twist<2>(path.end_speed(), w);
}

/// In body axes: the inertia of a rod in world axes has lost the digits of its least moment. Then once more
/// for what angular_momentum() at the end misses: R is orthogonal only to round-off, always to the same side,
/// and momentum would creep.
template <>
Twist<3> end_velocity<3>(const Body<3>& body, const Path<3>& path, const Spin<3>& turning) {
  const Vec<3> L = angular_momentum(body, angular<3>(path.velocity)) - turning;
  const Mat<3> R = path.end.matrix(), J_inverse = body.inertia.inverse();
  const auto spin_of = [&](const Vec<3>& momentum) -> Vec<3> {
    return R * (J_inverse * (R.transpose() * momentum));
  };
  const Vec<3> w = spin_of(L);
  const Vec<3> missing = L - R * (body.inertia * (R.transpose() * w));
  return twist<3>(path.end_speed(), w + spin_of(missing));
}

template <>
Spin<2> steady_turning<2>(const Body<2>&, const Spin<2>&, double) {
  return Spin<2>::Zero();
}

template <>
Spin<3> steady_turning<3>(const Body<3>& body, const Spin<3>& w, double h) {
  const Vec<3> L = angular_momentum(body, w);
  return L - quaternion_of(h * w) * L;
}

template <int D>
void SteadyBodies<D>::add(const std::vector<int>& bodies, std::size_t count) {
  if (bodies.empty()) return;
  on.resize(count, false);
  turning.resize(count, Spin<D>::Zero());
  assert(std::all_of(bodies.begin(), bodies.end(), [&](int b) { return is_index(b, count); }));
  for (int b : bodies) on[b] = true;
}

template <int D>
int SteadyBodies<D>::renew(std::span<const Body<D>> bodies, std::span<const Path<D>> paths) {
  constexpr double kSame = 1e-14;  // of the angular momentum: both it and energy are kept to round-off
  assert(on.empty() || (on.size() == bodies.size() && paths.size() == bodies.size()));
  int changed = 0;
  for (std::size_t b = 0; b < on.size(); ++b) {
    if (!on[b] || !bodies[b].is_dynamic()) continue;
    const Spin<D> w = angular<D>(paths[b].velocity);
    const Spin<D> now = steady_turning<D>(bodies[b], w, paths[b].h);
    if ((now - turning[b]).norm() <= kSame * angular_momentum(bodies[b], w).norm()) continue;
    turning[b] = now;
    ++changed;
  }
  return changed;
}

template struct SteadyBodies<2>;
template struct SteadyBodies<3>;

}  // namespace touchstone
