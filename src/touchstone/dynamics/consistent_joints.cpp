#include "touchstone/dynamics/consistent_joints.h"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <cassert>

#include "touchstone/dynamics/delassus.h"

namespace touchstone {
namespace {

/// Relative size below which a direction of the joints counts as said already, as in eliminated.cpp.
constexpr double kRedundant = 1e-9;
/// Beyond this many rows a dense matrix of them costs more than the step: contradictions then stay in the
/// residual.
constexpr int kMostRows = 400;

}  // namespace

template <int D>
VectorX consistent_rates(const StepEquations<D>& equations, const VectorX& q) {
  const int count = static_cast<int>(equations.bilateral.size());
  assert(q.size() == count);
  if (count < 2 || count > kMostRows) return q;
  std::vector<const Row<D>*> rows;
  for (const Row<D>& row : equations.bilateral) rows.push_back(&row);
  const MatrixX W = delassus(equations, rows);
  const VectorX scale = W.diagonal().cwiseSqrt().cwiseInverse();
  if (!scale.allFinite()) return q;
  const MatrixX unit = scale.asDiagonal() * W * scale.asDiagonal();
  const Eigen::LDLT<MatrixX> pivots(unit);
  if (pivots.info() == Eigen::Success && pivots.vectorD().minCoeff() > kRedundant) return q;
  Eigen::CompleteOrthogonalDecomposition<MatrixX> K;
  K.setThreshold(kRedundant);
  K.compute(unit);
  const VectorX possible = unit * K.solve(VectorX(scale.cwiseProduct(q)));
  return possible.cwiseQuotient(scale);
}

template VectorX consistent_rates(const StepEquations<2>&, const VectorX&);
template VectorX consistent_rates(const StepEquations<3>&, const VectorX&);

}  // namespace touchstone
