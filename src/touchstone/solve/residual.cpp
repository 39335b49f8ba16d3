#include "touchstone/solve/residual.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "touchstone/solve/linear_problem.h"

namespace touchstone {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

double largest(const VectorX& x) { return x.size() == 0 ? 0.0 : x.cwiseAbs().maxCoeff(); }

/// |min(z, w)| over the inequalities and |w| over the equations. Infinite where a number is not finite: a
/// comparison with NaN is false and would pass it over.
template <class IsEquation>
double worst_row(const VectorX& z, const VectorX& w, const IsEquation& is_equation) {
  assert(z.size() == w.size());
  double worst = 0;
  for (Eigen::Index i = 0; i < z.size(); ++i) {
    const double row = std::abs(is_equation(static_cast<int>(i)) ? w[i] : std::min(z[i], w[i]));
    worst = std::max(worst, row);
  }
  return z.allFinite() && w.allFinite() ? worst : kInfinite;
}

}  // namespace

int LinearProblem::free_count() const {
  return free == nullptr ? 0 : static_cast<int>(std::count(free->begin(), free->end(), true));
}

double residual(const LinearProblem& problem, const VectorX& z) {
  assert(z.size() == problem.size());
  const VectorX w = problem.M * z + problem.q;
  return worst_row(z, w, [&](int i) { return problem.is_free(i); }) / (1 + largest(problem.q));
}

double residual(const Lcp& problem, const VectorX& z) { return residual(LinearProblem(problem), z); }

double residual(const Mlcp& problem, const VectorX& z) { return residual(LinearProblem(problem), z); }

double residual(const Qp& problem, const VectorX& z) {
  assert(z.size() == problem.c.size() + problem.b.size());
  const VectorX x = z.head(problem.c.size()), y = z.tail(problem.b.size());
  const VectorX gradient = problem.P * x + problem.c - problem.A.transpose_times(y);
  const VectorX rows = problem.A * x + problem.b;
  const double stationary = gradient.allFinite() ? largest(gradient) : kInfinite;
  const double feasible = worst_row(y, rows, [&](int i) { return problem.equality[i]; });
  return std::max(stationary / (1 + largest(problem.c)), feasible / (1 + largest(problem.b)));
}

double residual(const Problem& problem, const VectorX& z) {
  return std::visit([&](const auto& p) { return residual(p, z); }, problem);
}

}  // namespace touchstone
