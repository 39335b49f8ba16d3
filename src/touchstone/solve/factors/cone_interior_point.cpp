#include "touchstone/solve/factors/cone_interior_point.h"

#include <Eigen/LU>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace touchstone {
namespace {

/// The share of the way to the boundary that a step may take.
constexpr double kShareOfStep = 0.99;
constexpr double kLeastCentring = 1e-6;
constexpr double kShortStep = 0.02;
constexpr int kMostShortSteps = 4;
/// Where the gap and the missing rates are this small, proximal steps go on.
constexpr double kSmall = 1e-8;
/// |u_t| is taken as sqrt(|u_t|^2 + (c t)^2).
constexpr double kRounding = 1e-2;
/// The compliance of joints, relative to their size.
constexpr double kSoftJoints = 1e-7;

}  // namespace

template <int B>
ConeInteriorPoint<B>::ConeInteriorPoint(ConeStep<B>& step)
    : step_(step), states_(step.count()), v_(step.factors().rows.block_count()), dv_(v_.size()) {
  double squares = 0, weight = 0;
  int cones = 0;
  for (int c = 0; c < step_.count(); ++c) {
    states_[c].z = states_[c].s = Vector::Unit(0);
    const Cone& cone = step_.cones()[c];
    if (cone.kind == Cone::Kind::contact) squares += cone.rates.squaredNorm(), weight += cone.weight, ++cones;
  }
  if (squares > 0) speed_ = std::sqrt(squares / cones);
  if (weight > 0) push_ = speed_ * cones / weight;
  for (int c = 0; c < step_.count(); ++c)
    if (is_bounded(c)) states_[c].z[0] = std::max(mu(c) * step_.cones()[c].held / push_, 1e-12);
  for (auto& v : v_) v.setZero();
}

template <int B>
LocalVectors ConeInteriorPoint<B>::impulses() const {
  LocalVectors r(step_.count());
  for (int c = 0; c < step_.count(); ++c) {
    const Cone& cone = step_.cones()[c];
    if (is_cone(c)) {
      r[c] = push_ * states_[c].z;
      r[c][0] /= mu(c);
    } else {
      const LocalVector u = cone.rates + rate_of<B>(step_.factors().rows, c, v_);
      r[c] = -u.array() / (cone.compliance.array() + kSoftJoints * cone.size);
    }
  }
  return r;
}

/// s(u), its derivative and the scaling of one cone.
template <int B>
void ConeInteriorPoint<B>::scale(int c, const LocalVector& u) {
  State& state = states_[c];
  const double length = std::hypot(u.tail<2>().norm(), kRounding * gap_);
  state.slope.setIdentity();
  if (is_bounded(c)) {
    state.slope.row(0).setZero();
    state.missing = u - state.s;
    state.missing[0] = 0;
  } else {
    state.slope(0, 0) = 1 / mu(c);
    if (length > 0) state.slope.template topRightCorner<1, 2>() = u.tail<2>().transpose() / length;
    state.missing << u[0] / mu(c) + length - state.s[0], u.tail<2>() - state.s.template tail<2>();
  }
  state.V = cone_scaling<3>(state.z, state.s);
  state.inverse = state.V.inverse();
  state.lambda = state.V * state.z;
  state.squared = state.inverse * state.inverse;
}

template <int B>
void ConeInteriorPoint<B>::measure() {
  double sum = 0;
  int cones = 0;
  for (int c = 0; c < step_.count(); ++c)
    if (is_cone(c)) sum += states_[c].z.dot(states_[c].s), ++cones;
  gap_ = cones > 0 ? sum / cones : 0;
  missing_ = 0;
  const LocalVectors r = impulses();
  for (int c = 0; c < step_.count(); ++c) {
    if (!is_cone(c)) continue;
    const Cone& cone = step_.cones()[c];
    LocalVector u = cone.rates + rate_of<B>(step_.factors().rows, c, v_);
    if (!is_bounded(c)) u += cone.compliance.cwiseProduct(r[c]);
    if (is_bounded(c)) u.tail<2>() += cone.compliance.tail<2>().cwiseProduct(r[c].tail<2>());
    scale(c, u / speed_);
    missing_ = std::max(missing_, states_[c].missing.template lpNorm<Eigen::Infinity>());
  }
}

/// dz where the rates stay: V^-1 aim - V^-2 missing. The first component of a bounded one is constant, and
/// that of its s is whatever makes it so.
template <int B>
typename ConeInteriorPoint<B>::Vector ConeInteriorPoint<B>::pushed(int c, const Vector& aim,
                                                                   const Vector& missing) const {
  const State& state = states_[c];
  Vector a = state.inverse * aim;
  if (!is_bounded(c)) return a - state.squared * missing;
  const Matrix& A = state.squared;
  Matrix schur = A - A.col(0) * A.row(0) / A(0, 0);
  schur.row(0).setZero(), schur.col(0).setZero();
  a -= A.col(0) * (a[0] / A(0, 0));
  a[0] = 0;
  // The rates of a motor with a compliance of its own follow its impulse.
  LocalVector own = push_ / speed_ * step_.cones()[c].compliance;
  own[0] = 0;
  const Matrix with = Matrix::Identity() + schur * own.asDiagonal();
  return with.inverse() * (a - schur * missing);
}

/// Solves for dv by the factors of this step, refined once, then dz and ds.
template <int B>
bool ConeInteriorPoint<B>::find_step() {
  const PyramidFactors& rows = step_.factors().rows;
  LocalVectors push = impulses();
  for (int c = 0; c < step_.count(); ++c) {
    if (!is_cone(c)) continue;
    Vector dz = push_ * pushed(c, states_[c].aim, states_[c].missing);
    dz[0] /= mu(c);
    push[c] += dz;
  }
  gather<B>(rows, push, dv_);
  for (std::size_t b = 0; b < dv_.size(); ++b) dv_[b] -= step_.system().mass()[b] * v_[b];
  step_.system().solve(dv_);
  for (int c = 0; c < step_.count(); ++c) {
    State& state = states_[c];
    if (!is_cone(c)) continue;
    const Vector moved = state.slope * (rate_of<B>(rows, c, dv_) / speed_);
    state.dz = pushed(c, state.aim, state.missing + moved);
    // V dz + V^-1 ds = aim gives ds also where its first component is free.
    state.ds = state.V * (state.aim - state.V * state.dz);
  }
  return std::all_of(dv_.begin(), dv_.end(), [](const auto& v) { return v.allFinite(); });
}

template <int B>
double ConeInteriorPoint<B>::longest_step(double most) const {
  double length = most;
  for (int c = 0; c < step_.count(); ++c)
    if (is_cone(c))
      length = std::min(cone_step<3>(states_[c].z, states_[c].dz, length),
                        cone_step<3>(states_[c].s, states_[c].ds, length));
  return length;
}

/// Mehrotra's rule.
template <int B>
void ConeInteriorPoint<B>::aim_at_centre(double length) {
  double reached = 0;
  int cones = 0;
  for (int c = 0; c < step_.count(); ++c) {
    const State& state = states_[c];
    if (is_cone(c)) reached += (state.z + length * state.dz).dot(state.s + length * state.ds), ++cones;
  }
  const double share = reached / (cones * gap_);
  const double target = gap_ * std::clamp(share * share * share, kLeastCentring, 1.0);
  for (int c = 0; c < step_.count(); ++c) {
    if (!is_cone(c)) continue;
    State& state = states_[c];
    const Vector ds = state.inverse * state.ds, dz = state.V * state.dz;
    Vector right = -cone_product<3>(state.lambda, state.lambda) - cone_product<3>(ds, dz);
    right[0] += target;
    state.aim = cone_quotient<3>(state.lambda, right);
  }
}

template <int B>
void ConeInteriorPoint<B>::move(double length) {
  for (std::size_t b = 0; b < v_.size(); ++b) v_[b] += length * dv_[b];
  for (int c = 0; c < step_.count(); ++c) {
    if (!is_cone(c)) continue;
    states_[c].z += length * states_[c].dz;
    states_[c].s += length * states_[c].ds;
  }
}

template <int B>
LocalVectors ConeInteriorPoint<B>::run(int limit) {
  int factorisations = 0;
  std::vector<Eigen::Matrix3d> K(step_.count());
  int short_steps = 0;
  LocalVectors best = impulses();
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < limit && short_steps < kMostShortSteps; ++k) {
    measure();
    if (std::max(gap_, missing_) < least) least = std::max(gap_, missing_), best = impulses();
    if (least <= kSmall) break;
    for (int c = 0; c < step_.count(); ++c) {
      const Cone& cone = step_.cones()[c];
      K[c] = (cone.compliance.array() + kSoftJoints * cone.size).inverse().matrix().asDiagonal();
      if (!is_cone(c)) continue;
      for (int i = 0; i < 3; ++i)
        K[c].col(i) = -push_ / speed_ * pushed(c, Vector::Zero(), states_[c].slope.col(i));
      K[c].row(0) /= mu(c);
    }
    ++factorisations;
    if (!step_.system().factor(K)) break;
    for (State& state : states_) state.aim = -state.lambda;
    if (!find_step()) break;
    aim_at_centre(longest_step(1));
    if (!find_step()) break;
    const double length = std::min(1.0, kShareOfStep * longest_step(2));
    move(length);
    short_steps = length < kShortStep ? short_steps + 1 : 0;
  }
  step_.forget_factors(factorisations);
  return best;
}

template class ConeInteriorPoint<3>;
template class ConeInteriorPoint<6>;

}  // namespace touchstone
