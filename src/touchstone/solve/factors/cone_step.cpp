#include "touchstone/solve/factors/cone_step.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace touchstone {
namespace {

constexpr int kMostSteps = 40, kHalvings = 12;
/// A step of the line search must take this share of what its length promises off the error.
constexpr double kArmijo = 1e-4;
/// What a step with factors that are nearly right must leave of the error, which is a square, at most.
constexpr double kMostOfTheError = 1e-2;
/// F is solved where it is no more than this part of the momentum N^-1 v.
constexpr double kSolved = 1e-9;
/// Relative round-off of a rate or an impulse, a few units in the last place.
constexpr double kRoundOff = 1e-15;
/// The softness of joints and motors as a share of that of contacts, so that around their own answers they
/// soon carry what contacts do not; its limits; and by how much their impulses may still change.
constexpr double kRigid = 1e-2, kMostRigid = 1e-8, kLeastRigid = 1e-6, kHeld = 1e-12;
constexpr int kMostHeld = 8;

template <class Blocks>
bool all_finite(const Blocks& blocks) {
  return std::all_of(blocks.begin(), blocks.end(), [](const auto& x) { return x.allFinite(); });
}

}  // namespace

template <int B>
ConeStep<B>::ConeStep(const FrictionProblem& problem, const SolveSettings& settings)
    : settings_(settings),
      factors_(problem.W.cones()->factors()),
      cones_(cones_of(problem)),
      system_(factors_.rows),
      step_(factors_.rows.block_count()) {
  has_joints_ = std::any_of(cones_.begin(), cones_.end(), is_joint);
  resize(now_), resize(next_);
  move_centre(LocalVectors(count(), LocalVector::Zero()));
}

template <int B>
void ConeStep<B>::resize(Place& place) const {
  place.v.assign(factors_.rows.block_count(), Eigen::Matrix<double, B, 1>::Zero());
  place.u.resize(count()), place.change.resize(count());
  place.K.resize(count()), place.pieces.resize(count());
}

/// R.
template <int B>
double ConeStep<B>::compliance_of(int c) const {
  if (!is_joint(cones_[c])) return softness_ * cones_[c].size;
  return std::clamp(kRigid * softness_, kMostRigid, kLeastRigid) * cones_[c].size;
}

template <int B>
void ConeStep<B>::rates_of_impulses(const LocalVectors& p, LocalVectors& u) const {
  BlockVector<B> v(factors_.rows.block_count());
  velocities_of<B>(factors_.rows, p, v);
  u.resize(count());
  for (int c = 0; c < count(); ++c)
    u[c] = cones_[c].rates + rate_of<B>(factors_.rows, c, v) + cones_[c].compliance.cwiseProduct(p[c]);
}

template <int B>
LocalVectors ConeStep<B>::impulses() const {
  LocalVectors p(count());
  for (int c = 0; c < count(); ++c) p[c] = centre_[c] + now_.change[c];
  return p;
}

template <int B>
void ConeStep<B>::move_centre(const LocalVectors& p) {
  assert(static_cast<int>(p.size()) == count());
  centre_ = p;
  at_zero_ = true;
  for (int c = 0; c < count(); ++c) at_zero_ = at_zero_ && (is_joint(cones_[c]) || p[c].isZero(0));
  rates_of_impulses(centre_, u_centre_);
  for (auto& v : now_.v) v.setZero();
}

template <int B>
double ConeStep<B>::energy(const BlockVector<B>& x, const BlockVector<B>& y) const {
  double sum = 0;
  for (std::size_t b = 0; b < x.size(); ++b)
    sum += x[b].dot(Eigen::Map<const SmallBlock<B>>(&factors_.rows.N[B * B * b]) * y[b]);
  return sum;
}

template <int B>
void ConeStep<B>::defect(const Place& place, BlockVector<B>& f) const {
  f.resize(place.v.size());
  gather<B>(factors_.rows, place.change, f);
  for (std::size_t b = 0; b < f.size(); ++b) f[b].noalias() -= system_.mass()[b] * place.v[b];
}

template <int B>
void ConeStep<B>::look(Place& place) const {
  double least = 0;
  for (int c = 0; c < count(); ++c) {
    const double R = compliance_of(c);
    const LocalVector moved = rate_of<B>(factors_.rows, c, place.v);
    place.u[c] = u_centre_[c] + moved;
    const ConeResponse response = respond(cones_[c], centre_[c], place.u[c], R);
    place.change[c] = response.change, place.K[c] = response.K, place.pieces[c] = response.piece;
    // Rates at the centre are the same numbers in every evaluation: their round-off is none of F's.
    const double rate = moved.norm() + (at_zero_ ? u_centre_[c].norm() : 0);
    const double closed = response.piece == ConePiece::open ? 0 : rate / R;
    const double push = (centre_[c] + response.change).norm() + closed;
    least += cones_[c].weight * push * push;
  }
  BlockVector<B> f;
  defect(place, f);
  place.error = energy(f, f);
  place.least = kRoundOff * kRoundOff * least;
}

template <int B>
void ConeStep<B>::put(const BlockVector<B>& v) {
  now_.v = v;
  look(now_);
}

template <int B>
bool ConeStep<B>::factor(const Place& place) {
  if (place.K == factored_) return true;
  ++factorisations_;
  factored_ = place.K, factored_pieces_ = place.pieces, factored_softness_ = softness_;
  if (system_.factor(place.K)) return true;
  factored_.clear();
  return false;
}

/// Halves the step until the error falls; `next_` is then the place. False: it never does.
template <int B>
bool ConeStep<B>::search(const BlockVector<B>& step, double& t) {
  t = 1;
  for (int k = 0; k <= kHalvings; ++k, t *= 0.5) {
    for (std::size_t b = 0; b < step.size(); ++b) next_.v[b] = now_.v[b] + t * step[b];
    look(next_);
    if (next_.error <= (1 - kArmijo * t) * now_.error || next_.error <= next_.least) return true;
  }
  return false;
}

template <int B>
bool ConeStep<B>::is_solved(const Place& place) const {
  double momentum = 0;
  for (std::size_t b = 0; b < place.v.size(); ++b) momentum += place.v[b].dot(system_.mass()[b] * place.v[b]);
  return place.error <= std::max(place.least, kSolved * kSolved * momentum);
}

/// Are the factors at hand those of these pieces and of this softness? Then they are nearly those of the
/// place.
template <int B>
bool ConeStep<B>::has_near_factors() const {
  return !factored_.empty() && factored_softness_ == softness_ && factored_pieces_ == now_.pieces;
}

/// Newton's method; factors that are nearly right serve as long as they take most of the error away.
template <int B>
bool ConeStep<B>::solve(int limit) {
  look(now_);
  bool patient = true;
  for (int k = 0; k < kMostSteps && may_go_on(limit); ++k) {
    if (now_.error == 0) return true;
    const bool near = patient && has_near_factors();
    if (!near && !factor(now_)) return false;
    defect(now_, step_);
    system_.solve(step_);
    double t = 1;
    const bool found = all_finite(step_) && search(step_, t);
    patient = found && next_.error <= kMostOfTheError * now_.error;
    if (near && !found) continue;
    if (!found) return is_solved(now_);
    const bool same = t == 1 && next_.pieces == now_.pieces;
    std::swap(now_, next_);
    if (now_.error <= now_.least || (same && is_solved(now_))) return true;
  }
  return false;
}

template <int B>
void ConeStep<B>::falling_impulses(const Place& place, LocalVectors& p) const {
  assert(at_zero_);
  p = place.change;
  for (int c = 0; c < count(); ++c) {
    const Cone& cone = cones_[c];
    const double R = compliance_of(c);
    if (is_joint(cone)) p[c].setZero();
    if (!cone.compliance.isZero(0)) p[c] = (p[c].array() * R / (cone.compliance.array() + R)).matrix().eval();
  }
}

/// p(e) = p(0) + e dp/de, and along the curve F(v, ln e) = 0
///     (N^-1 + G^T K G) dv = -G^T p' d ln e,    dp = -p' d ln e - K G dv.
/// Joints do not yield on the way either: what they carry more is found by the same factors in a few turns,
/// until their rates do not change.
template <int B>
LocalVectors ConeStep<B>::extrapolated() {
  LocalVectors p = impulses(), push, falling, held(count(), LocalVector::Zero());
  if (!factor(now_)) return p;
  falling_impulses(now_, falling);
  for (int turn = 0; turn == 0 || (has_joints_ && turn < kMostHeld); ++turn) {
    push = falling;
    for (int c = 0; c < count(); ++c)
      if (is_joint(cones_[c])) push[c] = held[c] - now_.K[c] * cones_[c].compliance.cwiseProduct(held[c]);
    gather<B>(factors_.rows, push, step_);
    system_.solve(step_);
    if (!all_finite(step_)) return p;
    for (int c = 0; c < count(); ++c)
      if (is_joint(cones_[c])) held[c] = push[c] - now_.K[c] * rate_of<B>(factors_.rows, c, step_);
  }
  for (int c = 0; c < count(); ++c) {
    const Cone& cone = cones_[c];
    p[c] +=
        is_joint(cone) ? held[c] : LocalVector(falling[c] - now_.K[c] * rate_of<B>(factors_.rows, c, step_));
    if (cone.kind == Cone::Kind::contact) p[c][0] = std::max(0., p[c][0]);
    if (cone.kind == Cone::Kind::bounded) p[c][0] = cone.held;
  }
  return p;
}

template <int B>
bool ConeStep<B>::solve_rigid_joints(int limit) {
  if (!solve(limit)) return false;
  BlockVector<B> moved(now_.v.size());
  for (int k = 0; has_joints_ && k < kMostHeld; ++k) {
    LocalVectors change(count(), LocalVector::Zero());
    double most = 0, changed = 0;
    for (int c = 0; c < count(); ++c) {
      if (!is_joint(cones_[c])) continue;
      change[c] = now_.change[c];
      changed = std::max(changed, change[c].tail<2>().norm());
      if (cones_[c].kind == Cone::Kind::free) changed = std::max(changed, std::abs(change[c][0]));
      centre_[c] += change[c];
      most = std::max(most, centre_[c].norm());
    }
    velocities_of<B>(factors_.rows, change, moved);
    for (std::size_t b = 0; b < moved.size(); ++b) now_.v[b] -= moved[b];
    rates_of_impulses(centre_, u_centre_);
    if (changed <= kHeld * most) return true;
    if (!solve(limit)) return false;
  }
  return true;
}

/// What joints and motors carry is not remembered: it follows from what the contacts carry, motors taken for
/// strong enough. Puts their impulses, and the rates of all.
template <int B>
bool ConeStep<B>::answer_of_joints(LocalVectors& p, LocalVectors& u) {
  if (!has_joints_) return true;
  LocalVectors push = p;
  for (int c = 0; c < count(); ++c) {
    now_.K[c].setZero();
    if (!is_joint(cones_[c])) continue;
    const LocalVector S = cones_[c].compliance.array() + compliance_of(c);
    now_.K[c].diagonal() = S.cwiseInverse();
    push[c] = -cones_[c].rates.cwiseQuotient(S);
  }
  if (!factor(now_)) return false;
  factored_pieces_.clear();  // those of no place
  gather<B>(factors_.rows, push, now_.v);
  system_.solve(now_.v);
  for (int c = 0; c < count(); ++c) {
    u[c] = cones_[c].rates + rate_of<B>(factors_.rows, c, now_.v);
    if (is_joint(cones_[c])) p[c] = -now_.K[c] * u[c];
    if (cones_[c].kind == Cone::Kind::bounded) p[c][0] = cones_[c].held;
    u[c] += cones_[c].compliance.cwiseProduct(p[c]);
  }
  return all_finite(now_.v);
}

template <int B>
bool ConeStep<B>::stand_on(const LocalVectors& p, int limit) {
  assert(at_zero_);
  if (!may_go_on(limit)) return false;
  LocalVectors carried = p, u;
  rates_of_impulses(carried, u);
  if (!answer_of_joints(carried, u)) return false;
  LocalVectors push(count());
  for (int c = 0; c < count(); ++c) {
    const ConeResponse response = remembered(cones_[c], carried[c], u[c], compliance_of(c));
    now_.K[c] = response.K, now_.pieces[c] = response.piece;
    push[c] = response.change - response.K * cones_[c].rates;
  }
  if (!factor(now_)) return false;
  gather<B>(factors_.rows, push, now_.v);
  system_.solve(now_.v);
  return all_finite(now_.v);
}

template <int B>
void ConeStep<B>::sweep(int times) {
  const PyramidFactors& rows = factors_.rows;
  BlockVector<B> v(rows.block_count());
  velocities_of<B>(rows, centre_, v);
  const auto visit = [&](int c) {
    const Cone& cone = cones_[c];
    const LocalVector u =
        cone.rates + rate_of<B>(rows, c, v) + LocalVector(cone.compliance.cwiseProduct(centre_[c]));
    const LocalVector change = respond(cone, centre_[c], u, cone.weight).change;
    if (change.isZero(0)) return;
    centre_[c] += change;
    for (const int part : {0, 1}) {
      const int block = part == 0 ? rows.contacts[c].first : rows.contacts[c].second;
      if (block < 0) continue;
      const Eigen::Matrix<double, B, 1> push = contact_rows<B>(rows, c, part).transpose() * change;
      v[block].noalias() += Eigen::Map<const SmallBlock<B>>(&rows.N[B * B * block]) * push;
    }
  };
  for (int k = 0; k < times; ++k)
    for (int c = 0; c < count(); ++c) visit(c);
  move_centre(LocalVectors(centre_));
}

template class ConeStep<3>;
template class ConeStep<6>;

}  // namespace touchstone
