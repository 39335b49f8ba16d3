#include "touchstone/solve/lcp/support.h"

#include <cassert>
#include <cmath>

namespace touchstone {
namespace {

/// Shift of the diagonal, relative to the row, when the support's rows are dependent. Each pass then lessens
/// the error by about shift / (smallest eigenvalue that is not 0).
constexpr double kShift = 1e-9;
constexpr int kPasses = 8;
/// Passes end when the rows of the support are this exact, relative to their terms.
constexpr double kExact = 1e-15;

double error_on(const Mask& support, const VectorX& w) {
  double worst = 0;
  for (Eigen::Index i = 0; i < w.size(); ++i)
    if (support[i]) worst = std::max(worst, std::abs(w[i]));
  return worst;
}

}  // namespace

VectorX point_on_support(const LinearProblem& problem, MaskedSystem& system, const Mask& support,
                         const VectorX& near) {
  const int n = problem.size();
  assert(static_cast<int>(support.size()) == n && near.size() == n);
  if (!system.factor(support, VectorX::Zero(n))) system.factor(support, kShift * row_sizes(problem.M));
  VectorX z = near;
  for (int i = 0; i < n; ++i)
    if (!support[i]) z[i] = 0;
  VectorX w = problem.M * z + problem.q;
  double error = error_on(support, w);
  const double enough = kExact * problem.q.lpNorm<Eigen::Infinity>();
  for (int pass = 0; pass < kPasses && error > enough; ++pass) {
    const VectorX next = z - system.solve(w, 0);
    const VectorX w_next = problem.M * next + problem.q;
    const double error_next = error_on(support, w_next);
    if (!(error_next < error)) break;
    z = next;
    w = w_next;
    error = error_next;
  }
  return z;
}

Mask support_of(const LinearProblem& problem, const VectorX& z) {
  assert(z.size() == problem.size());
  const VectorX w = problem.M * z + problem.q;
  Mask support(z.size());
  for (Eigen::Index i = 0; i < z.size(); ++i)
    support[i] = problem.is_free(static_cast<int>(i)) || z[i] > w[i];
  return support;
}

VectorX polished(const LinearProblem& problem, const VectorX& z) {
  MaskedSystem system(problem.M);
  VectorX point = point_on_support(problem, system, support_of(problem, z), z);
  return residual(problem, point) < residual(problem, z) ? point : z;
}

}  // namespace touchstone
