#include "touchstone/solve/lcp/scaled.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace touchstone {
namespace {

constexpr int kPasses = 4;

double size_of(const VectorX& q) { return 1 + (q.size() == 0 ? 0.0 : q.lpNorm<Eigen::Infinity>()); }

ProblemMatrix scaled_by(const ProblemMatrix& M, const VectorX& D) {
  if (M.is_sparse()) return SparseMatrix(D.asDiagonal() * M.sparse() * D.asDiagonal());
  return MatrixX(D.asDiagonal() * M.dense() * D.asDiagonal());
}

/// Per index the largest |entry| of its row and of its column.
VectorX cross_sizes(const ProblemMatrix& M) {
  VectorX sizes = VectorX::Zero(M.rows());
  const auto see = [&](long i, long j, double value) {
    sizes[i] = std::max(sizes[i], std::abs(value));
    sizes[j] = std::max(sizes[j], std::abs(value));
  };
  if (M.is_sparse()) {
    for (int i = 0; i < M.rows(); ++i)
      for (SparseMatrix::InnerIterator it(M.sparse(), i); it; ++it) see(i, it.col(), it.value());
  } else {
    for (int j = 0; j < M.cols(); ++j)
      for (int i = 0; i < M.rows(); ++i) see(i, j, M.dense()(i, j));
  }
  return (sizes.array() > 0).select(sizes, 1.0);
}

VectorX scale_of(const ProblemMatrix& M) {
  VectorX D = VectorX::Ones(M.rows());
  for (int pass = 0; pass < kPasses; ++pass) D.array() /= cross_sizes(scaled_by(M, D)).array().sqrt();
  return D.unaryExpr([](double d) { return std::exp2(std::round(std::log2(d))); });
}

}  // namespace

Candidate scaled(LinearSolver solver, const LinearProblem& problem, const SolveSettings& settings) {
  const VectorX D = scale_of(problem.M);
  assert((D.array() > 0).all());
  const Mlcp inner{scaled_by(problem.M, D), D.cwiseProduct(problem.q),
                   problem.free ? *problem.free : std::vector<bool>()};
  SolveSettings inner_settings = settings;
  const double amplified = std::max(D.maxCoeff(), 1 / D.minCoeff());
  inner_settings.tolerance *= std::min(1.0, size_of(problem.q) / size_of(inner.q)) / std::max(1.0, amplified);
  if (settings.start.size() > 0) inner_settings.start = settings.start.cwiseQuotient(D);
  Candidate attempt =
      problem.free ? solver(inner, inner_settings) : solver(LinearProblem(inner.M, inner.q), inner_settings);
  attempt.z = attempt.z.cwiseProduct(D);
  return attempt;
}

}  // namespace touchstone
