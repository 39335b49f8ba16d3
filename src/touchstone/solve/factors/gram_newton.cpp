// The proximal points of proximal_newton.cpp for M = G N G^T in factors. In the unknowns u = N G^T (z - c),
// the change of velocities from the centre c, with w = M c + q there, Newton's method minimises
//
//     f(u) = u.N^-1 u/2 + sum_i R_i/2 y_i^2 + c.Gu,     y_i = max(0, c_i - (w + Gu)_i / R_i),
//
// whose Hessian N^-1 + G_S^T R_S^-1 G_S has the pattern of the blocks, however many rows there are. All
// numbers are differences from the centre, which is known to the last digit: that the Hessian is nearly
// singular for a hard R costs digits of the correction alone.
//
// Most problems are neighbours of one that was solved, so that the start has positive impulses on the same
// rows as the solution: then one hard step from it is enough. Where it has not, sweeps find most of the
// support, and the hard step begins there.

#include "touchstone/solve/factors/gram_newton.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "touchstone/solve/factors/gram_hessian.h"
#include "touchstone/solve/factors/gram_sweeps.h"
#include "touchstone/solve/lcp/proximal_steps.h"
#include "touchstone/solve/linear/sparse_ldu.h"

namespace touchstone {
namespace {

/// The softness of the hardest proximal steps; R is relative to the diagonal of M.
constexpr double kHard = 1e-11;
/// Where the residual is no more than this, the support is right but for rows that hardly push.
constexpr double kNearlySolved = 1e-6;
/// A start whose residual is below kNearlyRight has nearly the right support, one below kMostlyRight has most
/// of it. Other starts are worth sweeps over the rows, as many as cost no more than two or three
/// factorisations.
constexpr double kMostlyRight = 3e-3, kNearlyRight = 1e-5;
constexpr int kLeastSweeps = 16, kMostSweeps = 60;
constexpr double kProductsPerSweep = 0.05;  // of blocks, per row
/// A leap from a support that is mostly right is hard at once. It may use this number of factorisations.
constexpr double kLeap = 1e-6;
constexpr int kLeapFromStart = 4, kLeapFromSweeps = 10;
constexpr int kMostFactorisations = 100;
constexpr int kMostProximalSteps = 40;
/// A proximal step that lessens the residual to this part is as good as a harder one, and the next needs no
/// new factorisation.
constexpr double kFast = 0.1;

/// The diagonal of M, with 1 for rows of zeros.
template <int B>
VectorX diagonal_of(const GramFactors& factors) {
  VectorX sizes(factors.row_count());
  for (int i = 0; i < sizes.size(); ++i) {
    using Row = Eigen::Map<const Eigen::Matrix<double, 2 * B, 1>>;
    const double size = Row(&factors.G[2 * B * i]).dot(Row(&factors.NG[2 * B * i]));
    sizes[i] = size > 0 ? size : 1;
  }
  return sizes;
}

template <int B>
class GramNewton {
 public:
  GramNewton(const LinearProblem& problem, const SolveSettings& settings);
  Candidate run(VectorX start);

 private:
  void move_centre(VectorX z);
  double residual_at_centre() const;
  double approach();
  int sweep_count() const;
  bool leap(int most);
  void set_softness(double softness);
  bool step();
  Pace improve(double softness);
  bool minimise(int most);
  void follow();
  void find_support();
  bool factor();
  void find_target();
  double step_length();

  const LinearProblem& problem_;
  const GramFactors& factors_;
  const SolveSettings& settings_;
  int n_, limit_, factorisations_ = 0;
  double softness_ = 0;
  VectorX sizes_, R_;  ///< R = softness sizes
  GramHessian<B> hessian_;
  VectorX centre_, w_centre_;
  BlockVector<B> u_, target_, gathered_;
  VectorX w_, w_target_, pull_;  ///< M z + q where the search is, and where Newton's step leads
  Mask support_, factored_;
  std::vector<std::pair<double, int>> changes_;  ///< of side along a step: where, and which row
  VectorX best_;
  double least_ = 0;  ///< the residual of best
};

template <int B>
GramNewton<B>::GramNewton(const LinearProblem& problem, const SolveSettings& settings)
    : problem_(problem),
      factors_(problem.M.gram()->factors()),
      settings_(settings),
      n_(problem.size()),
      limit_(settings.max_iterations > 0 ? settings.max_iterations : kMostFactorisations),
      sizes_(diagonal_of<B>(factors_)),
      hessian_(factors_, sizes_),
      u_(factors_.block_count()),
      target_(u_.size()),
      gathered_(u_.size()),
      w_target_(n_),
      pull_(n_),
      support_(n_) {}

template <int B>
void GramNewton<B>::move_centre(VectorX z) {
  assert(z.size() == n_);
  centre_ = std::move(z);
  velocities_of<B>(factors_, centre_, gathered_);
  w_centre_.resize(n_);
  rates_of<B>(factors_, gathered_, w_centre_);
  w_centre_ += problem_.q;
}

/// The residual of residual.h, from numbers that are known already.
template <int B>
double GramNewton<B>::residual_at_centre() const {
  if (!centre_.allFinite() || !w_centre_.allFinite()) return std::numeric_limits<double>::infinity();
  const double worst = centre_.cwiseMin(w_centre_).template lpNorm<Eigen::Infinity>();
  return worst / (1 + problem_.q.template lpNorm<Eigen::Infinity>());
}

template <int B>
void GramNewton<B>::find_support() {
  for (int i = 0; i < n_; ++i) support_[i] = R_[i] * centre_[i] > w_[i];
}

template <int B>
void GramNewton<B>::set_softness(double softness) {
  assert(softness > 0);
  if (softness != softness_) factored_.clear();
  softness_ = softness;
  R_ = softness * sizes_;
}

template <int B>
bool GramNewton<B>::factor() {
  if (factored_ == support_) return true;
  ++factorisations_;
  factored_ = support_;
  return hessian_.factor(support_, softness_);
}

/// The least of f on the piece of the support, from the centre:  H u = -G_S^T R_S^-1 w_S - G_N^T c_N.
template <int B>
void GramNewton<B>::find_target() {
  for (int i = 0; i < n_; ++i) pull_[i] = support_[i] ? -w_centre_[i] / R_[i] : -centre_[i];
  gather<B>(factors_, pull_, target_);
  hessian_.solve(target_);
  rates_of<B>(factors_, target_, w_target_);
  w_target_ += w_centre_;
}

/// Where f is least between u and the target: f' is continuous and piecewise linear.
template <int B>
double GramNewton<B>::step_length() {
  double value = 0, slope = 0;  // f' = value + t slope
  for (std::size_t b = 0; b < u_.size(); ++b) {
    const Eigen::Matrix<double, B, 1> du = target_[b] - u_[b], Mdu = hessian_.mass()[b] * du;
    value += Mdu.dot(u_[b]), slope += Mdu.dot(du);
  }
  changes_.clear();
  for (int i = 0; i < n_; ++i) {
    const double dw = w_target_[i] - w_[i], g = R_[i] * centre_[i] - w_[i], weight = dw / R_[i];
    value += dw * centre_[i];
    if (g > 0) value -= g * weight, slope += dw * weight;
    const double t = g / dw;
    if (t > 0 && t < 1) changes_.push_back({t, i});
  }
  std::sort(changes_.begin(), changes_.end());
  for (const auto& [t, i] : changes_) {
    if (value + t * slope >= 0) break;
    const double dw = w_target_[i] - w_[i], g = R_[i] * centre_[i] - w_[i], weight = dw / R_[i];
    const double enters = g > 0 ? -1 : 1;
    value -= enters * g * weight, slope += enters * dw * weight;
  }
  return slope > 0 ? std::clamp(-value / slope, 0., 1.) : 1;
}

/// Searches the least of f. False: `most` factorisations in all were not enough, or round-off ended it.
template <int B>
bool GramNewton<B>::minimise(int most) {
  while (factorisations_ < most && !settings_.is_stopped()) {
    if (!factor()) return false;
    find_target();
    if (!w_target_.allFinite()) return false;
    const double t = step_length();
    for (std::size_t b = 0; b < u_.size(); ++b) u_[b] += t * (target_[b] - u_[b]);
    w_ += t * (w_target_ - w_);
    if (t == 1) w_ = w_target_;
    find_support();
    if (support_ == factored_) return t == 1;  // t < 1: round-off, f is flat to the last digit
  }
  return false;
}

/// The centre moves to where the search is.
template <int B>
void GramNewton<B>::follow() {
  VectorX z = VectorX::Zero(n_);
  for (int i = 0; i < n_; ++i)
    if (support_[i]) z[i] = std::max(0., centre_[i] - w_[i] / R_[i]);
  move_centre(std::move(z));
}

/// One proximal step, which the centre makes. False: the search met round-off, or too many supports.
template <int B>
bool GramNewton<B>::step() {
  std::fill(u_.begin(), u_.end(), Eigen::Matrix<double, B, 1>::Zero());
  w_ = w_centre_;
  find_support();
  const bool done = minimise(limit_);
  follow();
  return done;
}

/// A hard proximal step from a centre whose pushing rows are mostly the right ones: the search begins at the
/// least of f on their piece. (The signs of R c - w, where step() begins, are those of w for a hard R, and of
/// rows that push w is round-off or the error of the start.) False: the centre is no worse than it was.
template <int B>
bool GramNewton<B>::leap(int most) {
  const double before = residual_at_centre();
  const VectorX start = centre_;
  set_softness(kLeap);
  for (int i = 0; i < n_; ++i) support_[i] = centre_[i] > 0 || w_centre_[i] < 0;
  bool done = factor();
  if (done) {
    find_target();
    u_ = target_, w_ = w_target_;
    find_support();
    done = w_.allFinite() && (support_ == factored_ || minimise(std::min(limit_, factorisations_ + most)));
    follow();
  }
  const double after = residual_at_centre();
  if (!(after <= before)) move_centre(start);
  done = after <= before && (done || after <= kNearlySolved);
  if (!done) factored_.clear();
  return done;
}

template <int B>
int GramNewton<B>::sweep_count() const {
  const double affordable = static_cast<double>(hessian_.product_count()) / (kProductsPerSweep * n_);
  return static_cast<int>(std::clamp<double>(affordable, kLeastSweeps, kMostSweeps));
}

/// Brings the centre near the solution, by a leap or by sweeps, whichever the start is good enough for.
/// Returns the softness of the first proximal step.
template <int B>
double GramNewton<B>::approach() {
  const double first = residual_at_centre();
  if (first <= settings_.tolerance) return kSoft;
  if (first < kMostlyRight && centre_.maxCoeff() > 0 && leap(kLeapFromStart)) return kLeap;
  if (residual_at_centre() <= kNearlyRight) return kSoft;
  move_centre(conjugate_gram_sweeps<B>(problem_, sizes_, centre_, sweep_count()));
  return residual_at_centre() > settings_.tolerance && leap(kLeapFromSweeps) ? kLeap : kSoft;
}

/// A proximal step of this softness, and how to go on from where it led.
template <int B>
Pace GramNewton<B>::improve(double softness) {
  set_softness(softness);
  const int before = factorisations_;
  const bool done = step();
  const double now = residual_at_centre();
  if (!std::isfinite(now)) return Pace::stop;
  const bool worthwhile = now <= kWorthwhile * least_, fast = now <= kFast * least_;
  const bool right_at_once = done && factorisations_ - before <= 1;
  if (now < least_) best_ = centre_, least_ = now;
  if (softness <= kHard) return worthwhile ? Pace::same : Pace::stop;
  if (right_at_once && fast) return Pace::same;
  return right_at_once || least_ <= kNearlySolved ? Pace::much_harder : Pace::harder;
}

template <int B>
Candidate GramNewton<B>::run(VectorX start) {
  move_centre(std::move(start));
  const double softness = approach();
  best_ = centre_;
  least_ = residual_at_centre();
  make_proximal_steps(
      {softness, kHard, kMostProximalSteps},
      [this] { return least_ > settings_.tolerance && factorisations_ < limit_ && !settings_.is_stopped(); },
      [this](double next) { return improve(next); });
  const bool solved = least_ <= settings_.tolerance;
  return {std::move(best_), solved ? SolveStatus::solved : SolveStatus::inaccurate, factorisations_};
}

}  // namespace

Candidate gram_newton(const LinearProblem& problem, const SolveSettings& settings) {
  assert(problem.M.gram() && problem.free_count() == 0);
  VectorX start = VectorX::Zero(problem.size());
  if (settings.start.size() == problem.size()) start = settings.start.cwiseMax(0.);
  if (problem.M.gram()->factors().block == 3) return GramNewton<3>(problem, settings).run(std::move(start));
  return GramNewton<6>(problem, settings).run(std::move(start));
}

}  // namespace touchstone
