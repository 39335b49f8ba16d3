#include "touchstone/solve/quadratic.h"

#include <Eigen/Cholesky>
#include <cassert>
#include <cmath>
#include <memory>

#include "touchstone/solve/dual_qp.h"
#include "touchstone/solve/lcp/support.h"
#include "touchstone/solve/linear/masked_system.h"
#include "touchstone/solve/linear/sparse_ldu.h"
#include "touchstone/solve/residual.h"

namespace touchstone {
namespace {

/// Where P is singular, x is kept near the last one by this part of P's size: the proximal-point iteration.
constexpr double kProximal = 1e-5;
constexpr int kMostProximalSteps = 60;
/// P is singular when a pivot of its Cholesky factor is below this, relative to the largest.
constexpr double kSingular = 1e-12;
/// The basis of the active rows is dense.
constexpr int kMostRows = 4000;

/// P^-1, or (P + shift)^-1 where P is singular.
class Inverse {
 public:
  explicit Inverse(const ProblemMatrix& P) {
    assert(P.rows() == P.cols());
    if (P.is_sparse()) sparse_P_ = P.sparse();
    if (!P.is_sparse()) dense_P_ = P.dense();
    const double size = row_sizes(P).maxCoeff();
    if (factor(P.is_sparse(), 0)) return;
    shift_ = kProximal * size;
    if (!factor(P.is_sparse(), shift_)) shift_ = HUGE_VAL;
  }
  double shift() const { return shift_; }
  /// P is not even semidefinite.
  bool failed() const { return shift_ == HUGE_VAL; }
  void apply(VectorX& y) const {
    assert(!failed());
    if (sparse_)
      sparse_->solve(VectorX(y), y);
    else
      cholesky_.solveInPlace(y);
  }

 private:
  bool factor(bool sparse, double shift) {
    if (sparse) {
      sparse_P_.makeCompressed();
      if (!sparse_) sparse_ = std::make_unique<SparseLdu>(sparse_P_);
      const long n = sparse_P_.rows();
      return sparse_->factor(Mask(n, 1), VectorX::Constant(n, shift)) == 0 && sparse_->positive(kSingular);
    }
    MatrixX P = dense_P_;
    P.diagonal().array() += shift;
    if (cholesky_.compute(P).info() != Eigen::Success) return false;
    const VectorX pivots = cholesky_.matrixLLT().diagonal().cwiseAbs2();
    return pivots.minCoeff() > kSingular * pivots.maxCoeff();
  }

  double shift_ = 0;
  MatrixX dense_P_;
  SparseMatrix sparse_P_;
  std::unique_ptr<SparseLdu> sparse_;
  Eigen::LLT<MatrixX> cholesky_;
};

int add_rows(DualQp& qp, const Qp& problem, const SolveSettings& settings) {
  const int n = static_cast<int>(problem.c.size()), m = static_cast<int>(problem.b.size());
  const SparseMatrix A = m > 0 ? problem.A.to_sparse() : SparseMatrix(0, n);
  for (int i = 0; i < m; ++i) qp.add_row({A.row(i), problem.b[i], problem.equality[i]});
  if (settings.start.size() == n + m)
    for (int i = 0; i < m; ++i)
      if (settings.start[n + i] != 0) qp.guess_active(i);
  return m;
}

VectorX answer_of(const DualQp& qp, int rows) {
  const long n = qp.x().size();
  VectorX z(n + rows);
  z.head(n) = qp.x();
  for (int i = 0; i < rows; ++i) z[n + i] = qp.multiplier(i);
  return z;
}

}  // namespace

Candidate dual_active_set(const Qp& problem, const SolveSettings& settings) {
  const long n = problem.c.size(), m = problem.b.size();
  assert(settings.start.size() == 0 || settings.start.size() == n + m);
  if (n > kMostRows) return {VectorX::Zero(n + m), SolveStatus::too_large, 0, "qp"};
  if (n == 0) return {VectorX::Zero(m), SolveStatus::solved, 0, "qp"};
  const Inverse inverse(problem.P);
  if (inverse.failed()) return {VectorX::Zero(n + m), SolveStatus::not_applicable, 0, "qp"};
  DualQp qp([&inverse](VectorX& y) { inverse.apply(y); }, problem.c);
  const int rows = add_rows(qp, problem, settings);
  Candidate attempt{VectorX::Zero(n + m), SolveStatus::inaccurate, 0, "qp"};
  double least = HUGE_VAL;
  for (int step = 0; step < (inverse.shift() > 0 ? kMostProximalSteps : 1); ++step) {
    if (step > 0) qp.set_linear(problem.c - inverse.shift() * attempt.z.head(n));
    attempt.status = qp.solve(settings.stop);
    attempt.iterations += qp.iterations();
    if (attempt.status == SolveStatus::unsolvable) return attempt;
    attempt.z = answer_of(qp, rows);
    const double reached = residual(problem, attempt.z);
    if (reached <= settings.tolerance || (step > 2 && reached >= least)) break;
    least = std::min(least, reached);
  }
  // Of a nearly singular P the basis loses digits, which the support does not need.
  if (residual(problem, attempt.z) > settings.tolerance) attempt.z = polished(kkt_of(problem), attempt.z);
  return attempt;
}

}  // namespace touchstone
