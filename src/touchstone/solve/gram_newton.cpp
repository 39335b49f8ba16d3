// The proximal points of proximal_newton.cpp for M = G N G^T in factors. In the unknowns u = N G^T (z - c),
// the change of velocities from the centre c, with w = M c + q there, Newton's method minimises
//
//     f(u) = u.N^-1 u/2 + sum_i R_i/2 y_i^2 + c.Gu,     y_i = max(0, c_i - (w + Gu)_i / R_i),
//
// whose Hessian N^-1 + G_S^T R_S^-1 G_S has the pattern of the blocks, however many rows there are. All
// numbers are differences from the centre, which is known to the last digit: that the Hessian is nearly
// singular for a hard R costs digits of the correction alone.

#include <algorithm>
#include <cmath>
#include <limits>

#include "touchstone/solve/gram_hessian.h"
#include "touchstone/solve/gram_sweeps.h"
#include "touchstone/solve/linear_solvers.h"

namespace touchstone {
namespace {

/// R, relative to the diagonal of M: it begins soft, for which few steps lead to the support, and each
/// proximal step is harder, more so once the support was right at once, until it refines what is singular but
/// for round-off.
constexpr double kSoft = 1e-3, kHarder = 0.1, kHarderOnceRight = 0.01, kHard = 1e-11;
/// A start with a smaller residual has nearly the right support; others are worth so many sweeps, which cost
/// as much as two factorisations.
constexpr double kNearlyRight = 1e-5;
constexpr int kSweeps = 60;
constexpr int kMostFactorisations = 100;
constexpr int kMostProximalSteps = 40;
/// A hardest proximal step must lessen the residual at least to this part.
constexpr double kWorthwhile = 0.7;
/// One that lessens it to this part is as good as a harder one, and needs no new factorisation.
constexpr double kFast = 0.1;

/// That of M; 1 for rows of nothing.
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
  Attempt run(VectorX start);

 private:
  void move_centre(VectorX z);
  double residual_at_centre() const;
  bool step(double softness);
  bool minimise(double softness);
  void find_support();
  bool factor(double softness);
  void find_target();
  double step_length();

  const LinearProblem& problem_;
  const GramFactors& factors_;
  const SolveSettings& settings_;
  int n_, limit_, factorisations_ = 0;
  VectorX sizes_, R_;
  GramHessian<B> hessian_;
  VectorX centre_, w_centre_;
  BlockVector<B> u_, target_, gathered_;
  VectorX w_, w_target_, pull_;  ///< M z + q where the search is, and where Newton's step leads
  Mask support_, factored_;
  std::vector<std::pair<double, int>> changes_;  ///< of side along a step: where, and which row
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
  centre_ = std::move(z);
  velocities_of<B>(factors_, centre_, gathered_);
  w_centre_.resize(n_);
  rates_of<B>(factors_, gathered_, w_centre_);
  w_centre_ += problem_.q;
}

/// That of residual.h.
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
bool GramNewton<B>::factor(double softness) {
  if (factored_ == support_) return true;
  ++factorisations_;
  factored_ = support_;
  return hessian_.factor(support_, softness);
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

template <int B>
bool GramNewton<B>::minimise(double softness) {
  std::fill(u_.begin(), u_.end(), Eigen::Matrix<double, B, 1>::Zero());
  w_ = w_centre_;
  find_support();
  while (factorisations_ < limit_) {
    if (!factor(softness)) return false;
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

/// One proximal step, which the centre makes. False: the search met round-off, or too many supports.
template <int B>
bool GramNewton<B>::step(double softness) {
  R_ = softness * sizes_;
  const bool done = minimise(softness);
  VectorX z = VectorX::Zero(n_);
  for (int i = 0; i < n_; ++i)
    if (support_[i]) z[i] = std::max(0., centre_[i] - w_[i] / R_[i]);
  move_centre(std::move(z));
  return done;
}

template <int B>
Attempt GramNewton<B>::run(VectorX start) {
  move_centre(std::move(start));
  if (residual_at_centre() > kNearlyRight)
    move_centre(conjugate_gram_sweeps<B>(problem_, sizes_, centre_, kSweeps));
  Attempt best{centre_, SolveStatus::inaccurate, 0};
  double least = residual_at_centre(), softness = kSoft;
  for (int k = 0; k < kMostProximalSteps && least > settings_.tolerance && factorisations_ < limit_; ++k) {
    const int before = factorisations_;
    const bool done = step(softness);
    const double now = residual_at_centre();
    if (!std::isfinite(now)) break;
    const bool hard = softness <= kHard, worthwhile = now <= kWorthwhile * least;
    const bool right_at_once = done && factorisations_ - before <= 1, fast = now <= kFast * least;
    if (now < least) best.z = centre_, least = now;
    if (hard && !worthwhile) break;
    if (hard || (right_at_once && fast)) continue;  // the factorisation stays
    softness = std::max(kHard, softness * (right_at_once ? kHarderOnceRight : kHarder));
    factored_.clear();
  }
  best.iterations = factorisations_;
  if (least <= settings_.tolerance) best.status = SolveStatus::solved;
  return best;
}

}  // namespace

Attempt gram_newton(const LinearProblem& problem, const SolveSettings& settings) {
  VectorX start = VectorX::Zero(problem.size());
  if (settings.start.size() == problem.size()) start = settings.start.cwiseMax(0.);
  if (problem.M.gram()->factors().block == 3) return GramNewton<3>(problem, settings).run(std::move(start));
  return GramNewton<6>(problem, settings).run(std::move(start));
}

}  // namespace touchstone
