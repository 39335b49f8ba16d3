// The Lcp of a symmetric positive semidefinite M = J J^T as the least-distance problem
//
//     min |v|^2 / 2   subject to   J v + q >= 0,
//
// whose multipliers are z: 0 <= z _|_ J v + q with v = J^T z. J has as many columns as M has rank, so that a
// redundant M is as good as any other.

#include <cassert>
#include <cmath>

#include "touchstone/solve/dual_qp.h"
#include "touchstone/solve/lcp/linear_solvers.h"
#include "touchstone/solve/lcp/support.h"

namespace touchstone {
namespace {

/// Pivots below this, relative to the largest, are round-off: the rank ends there.
constexpr double kRank = 1e-13;
/// A pivot below minus this, relative to the largest, is no round-off: M is not semidefinite.
constexpr double kIndefinite = 1e-9;
/// Entries that differ by more than this, relative to the largest, are not symmetric.
constexpr double kSymmetric = 1e-13;
constexpr int kMostRows = 2000;

/// J with M = J J^T, by Cholesky's factorisation with the largest pivot first, which reveals the rank. (That
/// of Eigen::LDLT does not: it orders by the diagonal of M, not by what is left of it.) No rows: there is
/// none.
MatrixX factor_of(const MatrixX& M) {
  assert(M.rows() == M.cols());
  const long n = M.rows();
  const double size = M.cwiseAbs().maxCoeff();
  if ((M - M.transpose()).cwiseAbs().maxCoeff() > kSymmetric * size) return {};
  MatrixX J(n, n);
  VectorX left = M.diagonal();
  for (long k = 0; k < n; ++k) {
    long best = 0;
    const double pivot = left.maxCoeff(&best);
    if (left.minCoeff() < -kIndefinite * size) return {};
    if (pivot <= kRank * size) return J.leftCols(k);
    J.col(k) = (M.col(best) - J.leftCols(k) * J.row(best).head(k).transpose()) / std::sqrt(pivot);
    left -= J.col(k).cwiseAbs2();
  }
  return J;
}

}  // namespace

Candidate least_distance(const LinearProblem& problem, const SolveSettings& settings) {
  assert(problem.free_count() == 0);
  const int n = problem.size();
  if (n > kMostRows) return {VectorX::Zero(n), SolveStatus::too_large, 0};
  if (n == 0) return {VectorX(), SolveStatus::solved, 0};
  const MatrixX J = factor_of(problem.M.to_dense());
  if (J.rows() == 0) return {VectorX::Zero(n), SolveStatus::not_applicable, 0};
  if (J.cols() == 0) {  // no impulse moves anything
    return {VectorX::Zero(n), problem.q.minCoeff() >= 0 ? SolveStatus::solved : SolveStatus::not_applicable,
            0};
  }
  DualQp qp([](VectorX&) {}, VectorX::Zero(J.cols()));
  for (int i = 0; i < n; ++i) qp.add_row({VectorX(J.row(i)).sparseView(), problem.q[i], false});
  if (settings.start.size() == n)
    for (int i = 0; i < n; ++i)
      if (settings.start[i] > 0) qp.guess_active(i);
  const SolveStatus status = qp.solve(settings.stop);
  VectorX z(n);
  for (int i = 0; i < n; ++i) z[i] = qp.multiplier(i);
  if (status == SolveStatus::solved && residual(problem, z) > settings.tolerance) z = polished(problem, z);
  return {z, status, qp.iterations()};
}

}  // namespace touchstone
