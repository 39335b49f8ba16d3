#include "touchstone/solve/lcp/ray_proof.h"

#include <cassert>

namespace touchstone {
namespace {

/// Entries of M^T y below this, relative to their terms, are round-off.
constexpr double kRoundOff = 1e-12;
/// q^T y must be below minus this, relative to its terms.
constexpr double kClearlyNegative = 1e-6;

}  // namespace

bool proves_infeasible(const LinearProblem& problem, const VectorX& y) {
  assert(y.size() == 0 || y.size() == problem.size());
  if (y.size() == 0 || !y.allFinite() || problem.free_count() > 0) return false;
  const VectorX certificate = y.cwiseMax(0.0);
  const VectorX terms = problem.q.cwiseProduct(certificate);
  if (!(terms.sum() < -kClearlyNegative * terms.cwiseAbs().sum())) return false;
  const VectorX image = problem.M.transpose_times(certificate);
  const MatrixX M = problem.M.to_dense().cwiseAbs();
  const VectorX sizes = M.transpose() * certificate;
  return ((image - kRoundOff * sizes).array() <= 0).all();
}

}  // namespace touchstone
