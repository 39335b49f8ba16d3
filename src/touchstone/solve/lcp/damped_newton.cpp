#include "touchstone/solve/lcp/damped_newton.h"

#include <cassert>

#include "touchstone/solve/lcp/support.h"

namespace touchstone {
namespace {

constexpr int kMostSteps = 200;

}  // namespace

Candidate run_damped_newton(const LinearProblem& problem, const SolveSettings& settings, double cold,
                            const DampedStep& step) {
  assert(problem.size() > 0 && settings.tolerance > 0);
  const bool warm = settings.start.size() == problem.size();
  VectorX z = warm ? settings.start : VectorX::Constant(problem.size(), cold);
  Candidate best{z, SolveStatus::solved, 0};
  double least = residual(problem, z);
  const int limit = settings.max_iterations > 0 ? settings.max_iterations : kMostSteps;
  for (; best.iterations < limit && least > settings.tolerance && !settings.is_stopped(); ++best.iterations) {
    if (!step(z)) break;
    if (const double reached = residual(problem, z); reached < least) best.z = z, least = reached;
  }
  if (least > settings.tolerance) best.z = polished(problem, best.z);
  return best;
}

}  // namespace touchstone
