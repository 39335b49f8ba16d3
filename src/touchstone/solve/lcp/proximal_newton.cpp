// For symmetric positive semidefinite problems, redundant ones included: the proximal-point iteration
//
//     z_k+1 = argmin over z >= 0 of  z.Mz/2 + q.z + (z - z_k).R (z - z_k)/2,     R a small positive diagonal,
//
// each by Newton's method on its dual, in which nothing is bounded [Rockafellar 1976]:
//
//     f(y) = y.My/2 + sum_i max(0, R_i c_i - w_i)^2 / (2 R_i),     w = My + q,  c = z_k.
//
// f is convex and of pieces that are quadratic; on each the rows with R_i c_i > w_i are the support, and the
// Newton point is that of the support. A full step is not safe (rows that change sides all at once may change
// back for ever, as block pivoting does), but f is least along it at a point that sorting the changes of side
// finds exactly. So the iteration always ends. What matters is that the first support is nearly right: some
// sweeps of Gauss and Seidel, sped up by conjugate directions, see to that for the price of one factorisation
// [Silcowitz, Niebe, Erleben 2010].

#include <algorithm>
#include <cassert>
#include <cmath>

#include "touchstone/solve/lcp/linear_solvers.h"
#include "touchstone/solve/lcp/proximal_steps.h"
#include "touchstone/solve/lcp/splitting.h"
#include "touchstone/solve/lcp/support.h"

namespace touchstone {
namespace {

/// The softness of the hardest proximal steps.
constexpr double kHard = 1e-11;
constexpr int kSweeps = 60;
constexpr int kMostFactorisations = 100;
constexpr int kMostProximalSteps = 40;

class ProximalNewton {
 public:
  ProximalNewton(const LinearProblem& problem, const SolveSettings& settings, MaskedSystem& system);
  Candidate run(const VectorX& start);

 private:
  Pace step(double softness);
  bool minimise();
  Mask support_at(const VectorX& w) const;
  double step_length(const VectorX& dy, const VectorX& dw);

  const LinearProblem& problem_;
  const SolveSettings& settings_;
  int n_;
  MaskedSystem& system_;
  VectorX sizes_, R_;
  VectorX centre_, y_, w_;
  std::vector<std::pair<double, int>> changes_;  ///< of side along a step: where, and which row
  int factorisations_ = 0, limit_;
  VectorX best_;
  double least_ = 0;  ///< the residual of best
};

ProximalNewton::ProximalNewton(const LinearProblem& problem, const SolveSettings& settings,
                               MaskedSystem& system)
    : problem_(problem),
      settings_(settings),
      n_(problem.size()),
      system_(system),
      sizes_(row_sizes(problem.M)),
      limit_(settings.max_iterations > 0 ? settings.max_iterations : kMostFactorisations) {}

Mask ProximalNewton::support_at(const VectorX& w) const {
  Mask support(n_);
  for (int i = 0; i < n_; ++i) support[i] = R_[i] * centre_[i] > w[i];
  return support;
}

/// Where f is least along y + t dy: f' is continuous and piecewise linear in t.
double ProximalNewton::step_length(const VectorX& dy, const VectorX& dw) {
  double value = dy.dot(w_ - problem_.q), slope = dy.dot(dw);  // f' = value + t slope
  changes_.clear();
  for (int i = 0; i < n_; ++i) {
    const double g = R_[i] * centre_[i] - w_[i];
    const double weight = dw[i] / R_[i];
    if (g > 0) value -= g * weight, slope += dw[i] * weight;
    const double t = g / dw[i];
    if (t > 0 && std::isfinite(t)) changes_.push_back({t, i});
  }
  std::sort(changes_.begin(), changes_.end());
  for (const auto& [t, i] : changes_) {
    if (value + t * slope >= 0) break;
    const double g = R_[i] * centre_[i] - w_[i], weight = dw[i] / R_[i];
    const double enters = g > 0 ? -1 : 1;
    value -= enters * g * weight, slope += enters * dw[i] * weight;
  }
  return slope > 0 ? std::clamp(-value / slope, 0., 1.) : 1;
}

bool ProximalNewton::minimise() {
  Mask support = support_at(w_);
  while (factorisations_ < limit_ && !settings_.is_stopped()) {
    system_.factor(support, R_);
    ++factorisations_;
    const VectorX y = system_.solve(R_.cwiseProduct(centre_) - problem_.q);
    const VectorX w = problem_.M * y + problem_.q;
    if (!y.allFinite()) return false;
    Mask next = support_at(w);
    if (next == support) {
      y_ = y, w_ = w;
      return true;
    }
    const VectorX dy = y - y_, dw = w - w_;
    const double t = step_length(dy, dw);
    y_ += t * dy, w_ += t * dw;
    next = support_at(w_);
    if (next == support) return false;  // round-off: f is flat to the last digit
    support = std::move(next);
  }
  return false;
}

/// One proximal step, which the centre makes.
Pace ProximalNewton::step(double softness) {
  R_ = softness * sizes_;
  const bool done = minimise();
  const VectorX reached = y_.cwiseMax(0.);
  if (!reached.allFinite()) return Pace::stop;
  const double now = residual(problem_, reached);
  const bool stalled = now > kWorthwhile * least_;
  if (now < least_) best_ = reached, least_ = now;
  if (softness <= kHard && (!done || stalled)) return Pace::stop;
  centre_ = reached;
  return Pace::harder;
}

Candidate ProximalNewton::run(const VectorX& start) {
  assert(start.size() == n_ && (start.array() >= 0).all());
  best_ = centre_ = y_ = start;
  w_ = problem_.M * y_ + problem_.q;
  least_ = residual(problem_, start);
  make_proximal_steps(
      {kSoft, kHard, kMostProximalSteps},
      [this] { return least_ > settings_.tolerance && factorisations_ < limit_ && !settings_.is_stopped(); },
      [this](double softness) { return step(softness); });
  const bool solved = least_ <= settings_.tolerance;
  return {std::move(best_), solved ? SolveStatus::solved : SolveStatus::inaccurate, factorisations_};
}

}  // namespace

Candidate proximal_newton(const LinearProblem& problem, const SolveSettings& settings, MaskedSystem& system) {
  assert(problem.free_count() == 0);
  const int n = problem.size();
  if (n == 0) return {VectorX(), SolveStatus::solved, 0};
  VectorX start = VectorX::Zero(n);
  if (settings.start.size() == n) start = settings.start.cwiseMax(0.);
  if (!is_symmetric(problem.M)) return {start, SolveStatus::inaccurate, 0};
  return ProximalNewton(problem, settings, system).run(conjugate_sweeps(problem, start, kSweeps));
}

Candidate proximal_newton(const LinearProblem& problem, const SolveSettings& settings) {
  MaskedSystem system(problem.M);
  return proximal_newton(problem, settings, system);
}

}  // namespace touchstone
