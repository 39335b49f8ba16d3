#pragma once
// Mehrotra's predictor and corrector for the mixed problem w = M z + q. One Newton step of
//
//     M dz - dw = -(M z + q - w),    W dz + Z dw = sigma mu 1 - Z W 1
//
// is, with dw eliminated, (M + Z^-1 W) dz = -(M z + q) + sigma mu Z^-1 1; free rows have w = 0 and no Z^-1 W.
// One step length serves z and w, for M couples them. For monotone problems the number of steps hardly
// depends on the size; for others it is a good heuristic. Inside solve only.
//
// Where z_i = w_i = 0 in the end, as in every resting stack, both only fall like sqrt(mu) and many steps
// would pass. But which of z_i and w_i vanishes is known long before: as soon as it may be, `guess` is asked
// for the point on that support.
//
// How M + D is solved is the System's: it has
//     double largest_entry()              of M
//     bool factor(const VectorX& D)       false: it failed
//     VectorX solve(const VectorX& rhs)

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <limits>

#include "touchstone/solve/linear_problem.h"

namespace touchstone {

/// How far towards the boundary of z, w >= 0 a step may go.
inline constexpr double kToBoundary = 0.995;
/// Which unknowns vanish in the end is often plain when two digits are right.
inline constexpr double kGuessable = 1e-2;
/// Steps shorter than this lead nowhere.
inline constexpr double kStuck = 1e-8;
inline constexpr int kStuckSteps = 3;
/// Entries of M are taken for no smaller where the first z is chosen.
inline constexpr double kLeastEntry = 1e-12;

template <class System>
class Mehrotra {
 public:
  /// Shown z with w = M z + q once the residual is below kGuessable: may put a better z and its residual.
  using Guess = std::function<void(const VectorX& z, const VectorX& w, VectorX& best, double& least)>;

  Mehrotra(const LinearProblem& problem, System& system)
      : problem_(problem), system_(system), n_(problem.size()), pairs_(n_ - problem.free_count()) {}

  /// At most `limit` steps; the best z that was met, and how many steps were made. `stop`: as in
  /// SolveSettings.
  Candidate run(int limit, double tolerance, const Guess& guess, const std::atomic<bool>* stop = nullptr);

 private:
  struct Step {
    VectorX z, w;
  };

  void start();
  double complementarity() const { return pairs_ == 0 ? 0 : z_.cwiseProduct(w_).sum() / pairs_; }
  bool factor();
  Step newton(double target, const Step& correction);
  double longest(const Step& step) const;
  double predict(const Step& step, double length) const;
  double advance();

  const LinearProblem& problem_;
  System& system_;
  int n_, pairs_;
  VectorX z_, w_, image_;  ///< image: M z + q; w and products are 0 on free rows
};

/// Far inside and of the problem's size, so that the first steps are long.
template <class System>
void Mehrotra<System>::start() {
  const double q_size = std::max(1.0, problem_.q.template lpNorm<Eigen::Infinity>());
  z_ = VectorX::Constant(n_, q_size / std::max(system_.largest_entry(), kLeastEntry));
  for (int i = 0; i < n_; ++i)
    if (problem_.is_free(i)) z_[i] = 0;
  image_ = problem_.M * z_ + problem_.q;
  w_ = image_.cwiseMax(q_size);
  for (int i = 0; i < n_; ++i)
    if (problem_.is_free(i)) w_[i] = 0;
}

template <class System>
bool Mehrotra<System>::factor() {
  VectorX D = VectorX::Zero(n_);
  for (int i = 0; i < n_; ++i) assert(problem_.is_free(i) || (z_[i] > 0 && w_[i] > 0));
  for (int i = 0; i < n_; ++i)
    if (!problem_.is_free(i)) D[i] = w_[i] / z_[i];
  return system_.factor(D);
}

template <class System>
typename Mehrotra<System>::Step Mehrotra<System>::newton(double target, const Step& correction) {
  VectorX rhs = -image_;
  for (int i = 0; i < n_; ++i)
    if (!problem_.is_free(i)) rhs[i] += (target - correction.z[i] * correction.w[i]) / z_[i];
  Step step{system_.solve(rhs), VectorX::Zero(n_)};
  for (int i = 0; i < n_; ++i)
    if (!problem_.is_free(i))
      step.w[i] = (target - correction.z[i] * correction.w[i] - w_[i] * step.z[i]) / z_[i] - w_[i];
  return step;
}

template <class System>
double Mehrotra<System>::longest(const Step& step) const {
  double length = 1 / kToBoundary;
  for (int i = 0; i < n_; ++i) {
    if (problem_.is_free(i)) continue;
    if (step.z[i] < 0) length = std::min(length, -z_[i] / step.z[i]);
    if (step.w[i] < 0) length = std::min(length, -w_[i] / step.w[i]);
  }
  return length;
}

template <class System>
double Mehrotra<System>::predict(const Step& step, double length) const {
  return pairs_ == 0 ? 0 : (z_ + length * step.z).dot(w_ + length * step.w) / pairs_;
}

/// Returns the length of the step; 0: the system failed, and would again.
template <class System>
double Mehrotra<System>::advance() {
  if (!factor()) return 0;
  const double mu = complementarity();
  const Step predictor = newton(0, {VectorX::Zero(n_), VectorX::Zero(n_)});
  const double ahead = predict(predictor, std::min(1.0, longest(predictor)));
  const double centring = mu > 0 ? std::pow(std::clamp(ahead / mu, 0.0, 1.0), 3) : 0;
  const Step step = newton(centring * mu, predictor);
  const double length = std::min(1.0, kToBoundary * longest(step));
  if (!step.z.allFinite() || !step.w.allFinite()) return 0;
  z_ += length * step.z;
  w_ += length * step.w;
  image_ = problem_.M * z_ + problem_.q;
  return length;
}

template <class System>
Candidate Mehrotra<System>::run(int limit, double tolerance, const Guess& guess,
                                const std::atomic<bool>* stop) {
  assert(n_ > 0 && limit >= 0 && tolerance > 0);
  start();
  Candidate best{z_, SolveStatus::inaccurate, 0};
  double least = residual(problem_, z_);
  int stuck = 0;
  while (best.iterations < limit && least > tolerance && stuck < kStuckSteps) {
    const double length = advance();
    ++best.iterations;
    if (length == 0 || (stop && stop->load(std::memory_order_relaxed))) break;
    stuck = length < kStuck ? stuck + 1 : 0;
    const double reached = residual(problem_, z_);
    if (reached < least) best.z = z_, least = reached;
    if (reached < kGuessable && least > tolerance) guess(z_, image_, best.z, least);
  }
  if (least <= tolerance) best.status = SolveStatus::solved;
  return best;
}

}  // namespace touchstone
