#include "touchstone/dynamics/motion.h"

#include <Eigen/LU>
#include <cassert>

#include "touchstone/math/checks.h"

namespace touchstone {
namespace {

// Fixed-point iteration for W: a contraction while h |W| is moderate; faster bodies turn in two stretches.
constexpr double kLargeTurn = 0.5;  // [rad]
constexpr int kMaxPasses = 60;      // each gains a factor of h |W| / 2 or better
// Stretches for the largest turn that a step may ask for, and twice as many for bodies that tumble faster
// than they began. Beyond, a stretch turns by more: it ends, but energy is kept no longer.
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
  assert(h > 0);
  Vec<3> W = J_inverse * pi;
  for (int pass = 0; pass < kMaxPasses; ++pass) {
    const Vec<3> next = J_inverse * (0.5 * (pi + rotate_back(h * W, pi)));
    const bool still = (next - W).norm() <= kStill * W.norm();
    W = next;
    if (still) break;
  }
  return W;
}

/// Adds the stretches of a free rotation with the angular momentum L behind the path's present end.
class FreeTurning {
 public:
  FreeTurning(const Mat<3>& J, const Vec<3>& L, Path<3>& path)
      : J_inverse_(J.inverse()), L_(L), path_(path) {}

  void add(double from, double until, int halvings) {
    assert(from < until && until <= 1);
    const Mat<3> R = path_.end.matrix();
    const Vec<3> pi = R.transpose() * L_;
    const double h = path_.h * (until - from);
    if (h * (J_inverse_ * pi).norm() > kLargeTurn && halvings < kMaxHalvings) {
      const double middle = 0.5 * (from + until);
      add(from, middle, halvings + 1);
      return add(middle, until, halvings + 1);
    }
    const Vec<3> turn = R * (h * mean_spin(J_inverse_, pi, h));
    if (halvings > 0) path_.stretches.push_back({until, path_.end, turn});
    if (from == 0) path_.turn = turn;
    path_.end = path_.end.turned(turn);
  }

 private:
  Mat<3> J_inverse_;
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
  Path<3> path{body.position, body.attitude, velocity, h, Vec<3>::Zero(), body.attitude, {}};
  FreeTurning(body.inertia, world_inertia(body) * angular<3>(velocity), path).add(0, 1, 0);
  return path;
}

template <>
Twist<2> end_velocity<2>(const Body<2>&, const Path<2>& path, const Spin<2>&) {
  return path.velocity;
}

template <>
Twist<3> end_velocity<3>(const Body<3>& body, const Path<3>& path, const Spin<3>& turning) {
  const Vec<3> L = world_inertia(body) * angular<3>(path.velocity) - turning;
  // The inverse of that very matrix which makes L of w again: R J^-1 R^T would differ by how far R is from
  // orthogonal, always to the same side, and momentum would creep.
  const Mat<3> R = path.end.matrix();
  const Mat<3> J_end = R * body.inertia * R.transpose();
  return twist<3>(linear<3>(path.velocity), J_end.inverse() * L);
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
    if ((now - turning[b]).norm() <= kSame * (world_inertia(bodies[b]) * w).norm()) continue;
    turning[b] = now;
    ++changed;
  }
  return changed;
}

template struct SteadyBodies<2>;
template struct SteadyBodies<3>;

}  // namespace touchstone
