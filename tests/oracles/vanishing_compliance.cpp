#include "oracles/vanishing_compliance.h"

#include <stdexcept>

#include "touchstone/solve/solver.h"

namespace touchstone::oracles {
namespace {

VectorX solution(const FrictionProblem& problem, const VectorX& R, double e, const VectorX& start) {
  MatrixX W = problem.W.to_dense();
  W.diagonal() += e * R;
  SolveSettings settings;
  settings.tolerance = 1e-13;
  settings.start = start;
  const FrictionProblem soft{problem.dimension, W, problem.q, problem.mu};
  const Solution found = solve(soft, "auto", settings);
  if (found.residual > 1e-12) throw std::runtime_error("the oracle did not solve a level");
  return found.z;
}

}  // namespace

VectorX vanishing_compliance(const FrictionProblem& problem, const VectorX& R) {
  VectorX r = VectorX::Zero(problem.q.size());
  double e = 10;
  for (; e > 5e-5; e *= 0.5) r = solution(problem, R, e, r);
  const VectorX last = solution(problem, R, e, r), half = solution(problem, R, 0.5 * e, last);
  // r(e) = r + a e + b e^2: from e, e/2 and 2 e.
  return (8 * half - 6 * last + r) / 3;
}

}  // namespace touchstone::oracles
