#include "touchstone/solve/factors/pyramid_step.h"

#include <cassert>
#include <cmath>
#include <limits>

#include "touchstone/solve/lcp/proximal_steps.h"

namespace touchstone {
namespace {

/// Pieces tried in one proximal step.
constexpr int kMostPieces = 12;
/// Newton's step is halved at most this often while the error does not fall.
constexpr int kHalvings = 4;

}  // namespace

template <int B>
PyramidStep<B>::PyramidStep(const LinearProblem& problem)
    : factors_(problem.M.pyramid()->factors()),
      count_(factors_.contact_count()),
      cones_(pyramid_cones(problem)),
      system_(factors_),
      sizes_(count_),
      local_(count_),
      softness_(kSoft),
      centre_(count_),
      w_centre_(count_),
      v_centre_(factors_.block_count()),
      gathered_(factors_.block_count()) {
  assert(static_cast<int>(cones_.size()) == count_);
  for (int c = 0; c < count_; ++c) sizes_[c] = local_sizes<B>(factors_, c);
  for (Place* place : {&now_, &next_, &target_}) {
    place->u.resize(factors_.block_count());
    place->w.resize(count_), place->p.resize(count_), place->K.resize(count_), place->pieces.resize(count_);
  }
}

template <int B>
void PyramidStep<B>::move_centre(const LocalVectors& p) {
  assert(static_cast<int>(p.size()) == count_);
  centre_ = p;
  velocities_of<B>(factors_, centre_, v_centre_);
  for (int c = 0; c < count_; ++c) w_centre_[c] = cones_[c].free + rate_of<B>(factors_, c, v_centre_);
}

/// At the centre, on a piece on which it need not lie.
template <int B>
PyramidResponse PyramidStep<B>::respond_on_piece(int c, int piece) const {
  return respond_on(cones_[c], piece, centre_[c], w_centre_[c], softness_ * sizes_[c][0],
                    softness_ * sizes_[c][1]);
}

/// p, K, pieces and the error at the velocities of a place.
template <int B>
void PyramidStep<B>::look(Place& place) {
  for (int c = 0; c < count_; ++c) {
    const PyramidResponse response =
        respond(cones_[c], centre_[c], place.w[c], softness_ * sizes_[c][0], softness_ * sizes_[c][1]);
    place.p[c] = response.p - centre_[c];
    place.K[c] = response.K, place.pieces[c] = response.piece;
  }
  gather<B>(factors_, place.p, gathered_);
  place.error = 0;
  for (std::size_t b = 0; b < gathered_.size(); ++b) {
    const Eigen::Matrix<double, B, 1> F = system_.mass()[b] * place.u[b] - gathered_[b];
    place.error += F.dot(Eigen::Map<const SmallBlock<B>>(&factors_.N[B * B * b]) * F);
  }
}

template <int B>
void PyramidStep<B>::between(const Place& from, const Place& to, double t, Place& place) {
  assert(t > 0 && t < 1);
  for (std::size_t b = 0; b < place.u.size(); ++b) place.u[b] = from.u[b] + t * (to.u[b] - from.u[b]);
  for (int c = 0; c < count_; ++c) place.w[c] = from.w[c] + t * (to.w[c] - from.w[c]);
  look(place);
}

/// Where F would vanish if the pieces, whose system is factored, had no end:
///     (N^-1 + G^T K G) u = G^T (p(w_c) - c).
template <int B>
void PyramidStep<B>::solve_on_pieces(const std::vector<int>& pieces, BlockVector<B>& u) {
  for (int c = 0; c < count_; ++c) local_[c] = respond_on_piece(c, pieces[c]).p - centre_[c];
  gather<B>(factors_, local_, u);
  system_.solve(u);
}

/// The centre moves to the impulses p(w_c) - K G u there. Returns how far.
template <int B>
double PyramidStep<B>::take_impulses_of(const Place& place) {
  double change = 0;
  for (int c = 0; c < count_; ++c) {
    const PyramidResponse response = respond_on_piece(c, place.pieces[c]);
    local_[c] = response.p - response.K * rate_of<B>(factors_, c, place.u);
    change = std::max(change, (local_[c] - centre_[c]).template lpNorm<Eigen::Infinity>());
  }
  if (!is_finite(local_)) return std::numeric_limits<double>::infinity();
  move_centre(local_);
  return change;
}

/// Where F vanishes on the pieces of a place.
template <int B>
bool PyramidStep<B>::find_target(const Place& place, Place& target) {
  if (factored_ != place.pieces) {
    ++factorisations_;
    factored_ = place.pieces;
    if (!system_.factor(place.K)) return false;
  }
  solve_on_pieces(place.pieces, target.u);
  if (!is_finite(target.u)) return false;
  for (int c = 0; c < count_; ++c) target.w[c] = w_centre_[c] + rate_of<B>(factors_, c, target.u);
  look(target);
  return true;
}

/// F = 0. False: too many pieces, or round-off.
template <int B>
bool PyramidStep<B>::solve(int limit) {
  for (auto& u : now_.u) u.setZero();
  now_.w = w_centre_;
  look(now_);
  for (int tried = 0; tried < kMostPieces && factorisations_ < limit; ++tried) {
    if (!find_target(now_, target_)) return false;
    if (target_.pieces == now_.pieces) {
      std::swap(now_, target_);
      return true;
    }
    double t = 1;
    const Place* best = &target_;
    for (int k = 0; k < kHalvings && !(best->error < now_.error); ++k) {
      t *= 0.5;
      between(now_, target_, t, next_);
      best = &next_;
    }
    std::swap(now_, best == &target_ ? target_ : next_);
  }
  return false;
}

template <int B>
bool PyramidStep<B>::step(double softness, int limit) {
  assert(softness > 0 && softness <= kSoftest);
  if (softness != softness_) factored_.clear();
  softness_ = softness;
  return solve(limit) && std::isfinite(take_impulses_of(now_));
}

template <int B>
bool PyramidStep<B>::stand_on(const std::vector<int>& pieces, double softness) {
  assert(static_cast<int>(pieces.size()) == count_ && softness > 0 && softness <= kSoftest);
  now_.pieces = pieces;
  softness_ = softness;
  for (int c = 0; c < count_; ++c) now_.K[c] = respond_on_piece(c, now_.pieces[c]).K;
  ++factorisations_;
  factored_.clear();
  return system_.factor(now_.K);
}

template <int B>
double PyramidStep<B>::move_on_pieces() {
  solve_on_pieces(now_.pieces, now_.u);
  return take_impulses_of(now_);
}

template <int B>
void PyramidStep<B>::sweep() {
  for (int c = 0; c < count_; ++c) {
    const PyramidContact& contact = factors_.contacts[c];
    const LocalVector w = cones_[c].free + rate_of<B>(factors_, c, v_centre_);
    const LocalVector p = respond(cones_[c], centre_[c], w, sizes_[c][0], sizes_[c][1]).p;
    const LocalVector change = p - centre_[c];
    if (change.isZero(0)) continue;
    centre_[c] = p;
    for (const int part : {0, 1}) {
      const int block = part == 0 ? contact.first : contact.second;
      if (block < 0) continue;
      const Eigen::Matrix<double, B, 1> push = contact_rows<B>(factors_, c, part).transpose() * change;
      v_centre_[block].noalias() += Eigen::Map<const SmallBlock<B>>(&factors_.N[B * B * block]) * push;
    }
  }
}

template class PyramidStep<3>;
template class PyramidStep<6>;

}  // namespace touchstone
