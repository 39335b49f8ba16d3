#include <algorithm>
#include <cassert>
#include <cmath>

#include "touchstone/solve/lcp/lemke_tableau.h"
#include "touchstone/solve/lcp/linear_solvers.h"
#include "touchstone/solve/lcp/ray_proof.h"
#include "touchstone/solve/lcp/support.h"

namespace touchstone {
namespace {

/// A dense tableau of this many rows takes about a minute.
constexpr int kMostRows = 3000;
/// q >= -this * max(1, |q|) is the round-off of a resting system: z = 0 solves it. Pivoting on such numbers
/// ends in a false ray [PEG 1.4]. Tightened for tolerances that would see it.
constexpr double kRoundOff = 1e-11;
constexpr double kPartOfTolerance = 0.1;
/// The tableau's own z is refined when its residual exceeds this.
constexpr double kExact = 1e-13;
constexpr int kPivotsPerRow = 20, kPivotsAtLeast = 1000;

/// q with its round-off below zero taken for zero.
VectorX without_round_off(const VectorX& q, double tolerance) {
  const double size = std::max(1.0, q.lpNorm<Eigen::Infinity>());
  const double guard = std::min(kRoundOff, kPartOfTolerance * tolerance) * size;
  return q.unaryExpr([guard](double x) { return x < 0 && x >= -guard ? 0.0 : x; });
}

VectorX refined(const LinearProblem& problem, const LemkeTableau& tableau) {
  const VectorX z = tableau.z();
  if (residual(problem, z) <= kExact) return z;
  Mask support(problem.size());
  for (int i = 0; i < problem.size(); ++i) support[i] = tableau.is_basic(i);
  MaskedSystem system(problem.M);
  const VectorX point = point_on_support(problem, system, support, z);
  return residual(problem, point) < residual(problem, z) ? point : z;
}

Candidate walk(const LinearProblem& problem, const MatrixX& M, const SolveSettings& settings) {
  const int n = problem.size();
  const VectorX q = without_round_off(problem.q, settings.tolerance);
  if (n == 0 || q.minCoeff() >= 0) return {VectorX::Zero(n), SolveStatus::solved, 0};
  const VectorX cover = VectorX::Ones(n);
  LemkeTableau tableau(M, q, cover);
  const int limit =
      settings.max_iterations > 0 ? settings.max_iterations : std::max(kPivotsAtLeast, kPivotsPerRow * n);
  switch (tableau.run(limit, settings.stop)) {
    case LemkeTableau::End::solution:
      return {refined(problem, tableau), SolveStatus::solved, tableau.pivots()};
    case LemkeTableau::End::ray:
      return {tableau.z(),
              proves_infeasible(problem, tableau.ray()) ? SolveStatus::unsolvable : SolveStatus::ray,
              tableau.pivots()};
    case LemkeTableau::End::limit:
      break;
  }
  return {tableau.z(), SolveStatus::inaccurate, tableau.pivots()};
}

}  // namespace

Candidate lemke(const LinearProblem& problem, const SolveSettings& settings) {
  assert(problem.free_count() == 0);
  if (problem.size() > kMostRows) return {VectorX::Zero(problem.size()), SolveStatus::too_large, 0};
  if (problem.M.is_sparse()) return walk(problem, problem.M.to_dense(), settings);
  return walk(problem, problem.M.dense(), settings);
}

}  // namespace touchstone
