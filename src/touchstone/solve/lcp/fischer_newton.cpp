// Newton's method on the equations of Fischer and Burmeister, phi_i = z_i + w_i - |(z_i, w_i)| = 0 (free
// rows: w_i = 0), damped by a line search on |phi|^2 / 2, which is smooth [De Luca, Facchinei, Kanzow 1996].
// Where Newton's direction does not descend, the gradient does.

#include <algorithm>
#include <cassert>
#include <cmath>
#include <deque>

#include "touchstone/solve/lcp/damped_newton.h"
#include "touchstone/solve/lcp/linear_solvers.h"

namespace touchstone {
namespace {

/// A row whose derivative by w is below this asks for z_i alone.
constexpr double kNoSlope = 1e-10;
/// Line search: the part of the promised descent that must come, and the shortest step.
constexpr double kArmijo = 1e-4, kShortest = 1e-10;
/// A value is compared with the worst of the last kMemory ones: Newton may climb for a while.
constexpr std::size_t kMemory = 4;
/// Shift, relative to the row, where the Newton system is singular.
constexpr double kShift = 1e-8;

class FischerNewton {
 public:
  explicit FischerNewton(const LinearProblem& problem)
      : problem_(problem), n_(problem.size()), system_(problem.M), sizes_(row_sizes(problem.M)) {}

  /// A step along Newton's direction or, where that does not descend, along the gradient.
  bool step(VectorX& z);

 private:
  VectorX phi(const VectorX& z, const VectorX& w) const;
  void differentiate(const VectorX& z, const VectorX& w);
  VectorX newton(const VectorX& phi);
  VectorX gradient(const VectorX& phi) const;
  bool search(VectorX& z, const VectorX& direction, double slope);

  const LinearProblem& problem_;
  int n_;
  MaskedSystem system_;
  VectorX sizes_;
  VectorX by_z_, by_w_;  ///< of phi
  std::deque<double> recent_;
};

VectorX FischerNewton::phi(const VectorX& z, const VectorX& w) const {
  VectorX value(n_);
  for (int i = 0; i < n_; ++i) {
    // z + w - |(z,w)| = 2 z w / (z + w + |(z,w)|): without cancellation where both are positive.
    const double sum = z[i] + w[i], norm = std::hypot(z[i], w[i]);
    value[i] = problem_.is_free(i) ? w[i] : sum > 0 ? 2 * z[i] * w[i] / (sum + norm) : sum - norm;
  }
  return value;
}

void FischerNewton::differentiate(const VectorX& z, const VectorX& w) {
  by_z_.resize(n_);
  by_w_.resize(n_);
  for (int i = 0; i < n_; ++i) {
    const double norm = std::hypot(z[i], w[i]);
    by_z_[i] = norm > 0 ? 1 - z[i] / norm : 1 - std::sqrt(0.5);
    by_w_[i] = norm > 0 ? 1 - w[i] / norm : 1 - std::sqrt(0.5);
    if (problem_.is_free(i)) by_z_[i] = 0, by_w_[i] = 1;
  }
}

/// (diag(by_z) + diag(by_w) M) d = -phi, divided by by_w.
VectorX FischerNewton::newton(const VectorX& phi) {
  Mask coupled(n_);
  VectorX direction = VectorX::Zero(n_), shift = VectorX::Zero(n_);
  for (int i = 0; i < n_; ++i) {
    coupled[i] = by_w_[i] > kNoSlope;
    if (coupled[i])
      shift[i] = by_z_[i] / by_w_[i];
    else
      direction[i] = -phi[i] / by_z_[i];
  }
  const VectorX known = problem_.M * direction;
  VectorX rhs = VectorX::Zero(n_);
  for (int i = 0; i < n_; ++i)
    if (coupled[i]) rhs[i] = -phi[i] / by_w_[i] - known[i];
  if (!system_.factor(coupled, shift)) system_.factor(coupled, shift + kShift * sizes_);
  return direction + system_.solve(rhs);
}

VectorX FischerNewton::gradient(const VectorX& phi) const {
  return by_z_.cwiseProduct(phi) + problem_.M.transpose_times(by_w_.cwiseProduct(phi));
}

bool FischerNewton::search(VectorX& z, const VectorX& direction, double slope) {
  assert(!recent_.empty());
  const double reference = *std::max_element(recent_.begin(), recent_.end());
  for (double t = 1; t >= kShortest; t /= 2) {
    const VectorX trial = z + t * direction;
    const double merit = phi(trial, problem_.M * trial + problem_.q).squaredNorm() / 2;
    if (!(merit <= reference + kArmijo * t * slope)) continue;
    z = trial;
    recent_.push_back(merit);
    if (recent_.size() > kMemory) recent_.pop_front();
    return true;
  }
  return false;
}

bool FischerNewton::step(VectorX& z) {
  const VectorX w = problem_.M * z + problem_.q, value = phi(z, w);
  if (recent_.empty()) recent_.push_back(value.squaredNorm() / 2);
  differentiate(z, w);
  const VectorX slope = gradient(value), direction = newton(value);
  const double descent = direction.allFinite() ? slope.dot(direction) : 0;
  return (descent < 0 && search(z, direction, descent)) ||
         search(z, -slope / sizes_.maxCoeff(), -slope.squaredNorm() / sizes_.maxCoeff());
}

}  // namespace

Candidate fischer_newton(const LinearProblem& problem, const SolveSettings& settings) {
  if (problem.size() == 0) return {VectorX(), SolveStatus::solved, 0};
  FischerNewton method(problem);
  return run_damped_newton(problem, settings, 1, [&](VectorX& z) { return method.step(z); });
}

}  // namespace touchstone
