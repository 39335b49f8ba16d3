// Newton's method on min(z, w) = 0 (free rows: w = 0). On the rows with w < z it asks for w = 0, on the
// others for z = 0: each step is one guess of the support, and the walk over guesses is damped by a line
// search on |min(z, w)|^2 / 2. Near a solution one step is exact.

#include <algorithm>
#include <cmath>

#include "touchstone/solve/lcp/damped_newton.h"
#include "touchstone/solve/lcp/linear_solvers.h"
#include "touchstone/solve/lcp/support.h"

namespace touchstone {
namespace {

/// Line search: the part of the descent of Newton's model that must come, and the shortest step.
constexpr double kArmijo = 1e-4, kShortest = 1e-6;
/// The min map has kinks where no step descends: at most this number of full steps is taken all the same.
constexpr int kMostLeaps = 10;
/// Shift, relative to the row, where the support's rows are dependent.
constexpr double kShift = 1e-9;

class MinmapNewton {
 public:
  explicit MinmapNewton(const LinearProblem& problem)
      : problem_(problem), n_(problem.size()), system_(problem.M), sizes_(row_sizes(problem.M)) {}

  bool step(VectorX& z);

 private:
  double merit(const VectorX& z) const;
  VectorX newton(const VectorX& z);
  bool search(VectorX& z, const VectorX& direction);

  const LinearProblem& problem_;
  int n_;
  MaskedSystem system_;
  VectorX sizes_;
  int leaps_ = 0;
};

double MinmapNewton::merit(const VectorX& z) const {
  const VectorX w = problem_.M * z + problem_.q;
  double sum = 0;
  for (int i = 0; i < n_; ++i) {
    const double h = problem_.is_free(i) ? w[i] : std::min(z[i], w[i]);
    sum += h * h;
  }
  return sum / 2;
}

VectorX MinmapNewton::newton(const VectorX& z) {
  const Mask support = support_of(problem_, z);
  VectorX direction = VectorX::Zero(n_);
  for (int i = 0; i < n_; ++i)
    if (!support[i]) direction[i] = -z[i];
  const VectorX rhs = -(problem_.M * (z + direction) + problem_.q);
  if (!system_.factor(support, VectorX::Zero(n_))) system_.factor(support, kShift * sizes_);
  return direction + system_.solve(rhs);
}

bool MinmapNewton::search(VectorX& z, const VectorX& direction) {
  const double here = merit(z);
  for (double t = 1; t >= kShortest; t /= 2)
    if (merit(z + t * direction) <= (1 - 2 * kArmijo * t) * here) {
      z += t * direction;
      return true;
    }
  if (++leaps_ > kMostLeaps) return false;
  z += direction;
  return true;
}

bool MinmapNewton::step(VectorX& z) {
  const VectorX direction = newton(z);
  return direction.allFinite() && search(z, direction);
}

}  // namespace

Candidate minmap_newton(const LinearProblem& problem, const SolveSettings& settings) {
  if (problem.size() == 0) return {VectorX(), SolveStatus::solved, 0};
  MinmapNewton method(problem);
  return run_damped_newton(problem, settings, 0, [&](VectorX& z) { return method.step(z); });
}

}  // namespace touchstone
