// Mehrotra's predictor and corrector for the mixed problem w = M z + q. One Newton step of
//
//     M dz - dw = -(M z + q - w),    W dz + Z dw = sigma mu 1 - Z W 1
//
// is, with dw eliminated, (M + Z^-1 W) dz = -(M z + q) + sigma mu Z^-1 1; free rows have w = 0 and no Z^-1 W.
// One step length serves z and w, for M couples them. For monotone problems the number of steps hardly
// depends on the size; for others it is a good heuristic.
//
// Where z_i = w_i = 0 in the end, as in every resting stack, both only fall like sqrt(mu) and many steps
// would pass. But the support is known long before: as soon as it may be, the point that it stands for is
// tried.

#include <algorithm>
#include <cmath>

#include "touchstone/solve/linear_solvers.h"
#include "touchstone/solve/support.h"

namespace touchstone {
namespace {

constexpr int kMostSteps = 80;
/// How far towards the boundary of z, w >= 0 a step may go.
constexpr double kToBoundary = 0.995;
/// Least shift of the diagonal, relative to the row: rows that act may depend on each other, and a pivot that
/// is too small would cost the others their digits.
constexpr double kLeastShift = 1e-9;
/// The support is tried when the residual is below this; it is often right when two digits are.
constexpr double kGuessable = 1e-2;
/// Steps shorter than this lead nowhere.
constexpr double kStuck = 1e-8;
constexpr int kStuckSteps = 3;

class InteriorPoint {
 public:
  explicit InteriorPoint(const LinearProblem& problem)
      : problem_(problem),
        n_(problem.size()),
        pairs_(n_ - problem.free_count()),
        system_(problem.M),
        all_(n_, 1),
        least_shift_(kLeastShift * row_sizes(problem.M)) {}

  Attempt run(const SolveSettings& settings);

 private:
  struct Step {
    VectorX z, w;
  };

  void start();
  double complementarity() const { return pairs_ == 0 ? 0 : z_.cwiseProduct(w_).sum() / pairs_; }
  void factor();
  Step newton(double target, const Step& correction) const;
  double longest(const Step& step) const;
  double predict(const Step& step, double length) const;
  double advance();
  void try_support(Attempt& best, double& least);

  const LinearProblem& problem_;
  int n_, pairs_;
  MaskedSystem system_;
  Mask all_;
  VectorX least_shift_;
  Mask tried_;
  VectorX z_, w_, image_;  ///< image: M z + q; w and products are 0 on free rows
};

/// Far inside and of the problem's size, so that the first steps are long.
void InteriorPoint::start() {
  const double q_size = std::max(1.0, problem_.q.lpNorm<Eigen::Infinity>());
  const double m_size = row_sizes(problem_.M).maxCoeff();
  z_ = VectorX::Constant(n_, q_size / std::max(m_size, 1e-12));
  for (int i = 0; i < n_; ++i)
    if (problem_.is_free(i)) z_[i] = 0;
  image_ = problem_.M * z_ + problem_.q;
  w_ = image_.cwiseMax(q_size);
  for (int i = 0; i < n_; ++i)
    if (problem_.is_free(i)) w_[i] = 0;
}

void InteriorPoint::factor() {
  VectorX shift = least_shift_;
  for (int i = 0; i < n_; ++i)
    if (!problem_.is_free(i)) shift[i] = std::max(shift[i], w_[i] / z_[i]);
  system_.factor(all_, shift);
}

InteriorPoint::Step InteriorPoint::newton(double target, const Step& correction) const {
  VectorX rhs = -image_;
  for (int i = 0; i < n_; ++i)
    if (!problem_.is_free(i)) rhs[i] += (target - correction.z[i] * correction.w[i]) / z_[i];
  Step step{system_.solve(rhs), VectorX::Zero(n_)};
  for (int i = 0; i < n_; ++i)
    if (!problem_.is_free(i))
      step.w[i] = (target - correction.z[i] * correction.w[i] - w_[i] * step.z[i]) / z_[i] - w_[i];
  return step;
}

double InteriorPoint::longest(const Step& step) const {
  double length = 1 / kToBoundary;
  for (int i = 0; i < n_; ++i) {
    if (problem_.is_free(i)) continue;
    if (step.z[i] < 0) length = std::min(length, -z_[i] / step.z[i]);
    if (step.w[i] < 0) length = std::min(length, -w_[i] / step.w[i]);
  }
  return length;
}

double InteriorPoint::predict(const Step& step, double length) const {
  return pairs_ == 0 ? 0 : (z_ + length * step.z).dot(w_ + length * step.w) / pairs_;
}

/// Returns the length of the step.
double InteriorPoint::advance() {
  factor();
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

void InteriorPoint::try_support(Attempt& best, double& least) {
  const Mask support = support_of(problem_, z_);
  if (support == tried_) return;
  tried_ = support;
  const VectorX point = point_on_support(problem_, system_, support, z_);
  if (const double reached = residual(problem_, point); reached < least) best.z = point, least = reached;
}

Attempt InteriorPoint::run(const SolveSettings& settings) {
  start();
  Attempt best{z_, SolveStatus::solved, 0};
  double least = residual(problem_, z_);
  const int limit = settings.max_iterations > 0 ? settings.max_iterations : kMostSteps;
  int stuck = 0;
  while (best.iterations < limit && least > settings.tolerance && stuck < kStuckSteps) {
    stuck = advance() < kStuck ? stuck + 1 : 0;
    ++best.iterations;
    const double reached = residual(problem_, z_);
    if (reached < least) best.z = z_, least = reached;
    if (reached < kGuessable && least > settings.tolerance) try_support(best, least);
  }
  return best;
}

}  // namespace

Attempt interior_point(const LinearProblem& problem, const SolveSettings& settings) {
  if (problem.size() == 0) return {VectorX(), SolveStatus::solved, 0};
  return InteriorPoint(problem).run(settings);
}

}  // namespace touchstone
