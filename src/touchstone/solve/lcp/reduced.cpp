#include <algorithm>
#include <cassert>

#include "touchstone/solve/lcp/free_rows.h"
#include "touchstone/solve/lcp/linear_solvers.h"
#include "touchstone/solve/lcp/support.h"

namespace touchstone {
namespace {

/// The elimination is dense: rows beyond this take minutes.
constexpr int kMostRows = 3000;
/// A solution of the reduced problem is refined in the problem itself when its residual exceeds this.
constexpr double kExact = 1e-13;
/// The reduced matrix goes on as a sparse one when the problem's was and it has room for that.
constexpr double kSparse = 0.2;
constexpr int kSparseFrom = 100;

double size_of(const VectorX& q) { return 1 + (q.size() == 0 ? 0.0 : q.lpNorm<Eigen::Infinity>()); }

Lcp as_sparse_as(const LinearProblem& problem, const Lcp& lcp) {
  if (!problem.M.is_sparse() || lcp.q.size() < kSparseFrom) return lcp;
  SparseMatrix M = lcp.M.to_sparse();
  const double cells = static_cast<double>(M.rows()) * static_cast<double>(M.cols());
  if (static_cast<double>(M.nonZeros()) > kSparse * cells) return lcp;
  return {std::move(M), lcp.q};
}

}  // namespace

Candidate reduced(LinearSolver solver, const LinearProblem& problem, const SolveSettings& settings) {
  if (problem.free_count() == 0) return solver(problem, settings);
  const int n = problem.size();
  assert(settings.start.size() == 0 || settings.start.size() == n);
  if (n > kMostRows) return {VectorX::Zero(n), SolveStatus::too_large, 0};
  const FreeRows rows(problem);
  if (rows.contradict()) return {VectorX::Zero(n), SolveStatus::unsolvable, 0};
  const Lcp lcp = as_sparse_as(problem, rows.lcp());
  SolveSettings inner = settings;
  inner.tolerance *= std::min(1.0, size_of(problem.q) / size_of(lcp.q));
  if (settings.start.size() > 0)
    inner.start = rows.restrict(settings.start, problem.M * settings.start + problem.q);
  Candidate attempt{VectorX(), SolveStatus::solved, 0};
  if (lcp.q.size() > 0) attempt = solver(lcp, inner);
  attempt.z = rows.expand(attempt.z);
  if (attempt.status == SolveStatus::solved && residual(problem, attempt.z) > kExact)
    attempt.z = polished(problem, attempt.z);
  return attempt;
}

}  // namespace touchstone
