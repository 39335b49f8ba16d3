// Iterations that split M = D + L + U and project: with Ax + b >= 0 of the thesis written M z + q >= 0,
//
//     z_i <- max(0, z_i - omega (q_i + sum_j M_ij z_j) / M_ii)     [Thesis eq. 2.46, corrected]
//
// taking the newest z_j (Gauss and Seidel; with omega > 1 over-relaxed) or those of the last sweep (Jacobi).

#include <algorithm>
#include <cassert>
#include <cmath>

#include "touchstone/solve/lcp/linear_solvers.h"
#include "touchstone/solve/lcp/splitting.h"
#include "touchstone/solve/linear/masked_system.h"

namespace touchstone {
namespace {

constexpr int kSweeps = 20000;
/// The residual costs as much as a sweep.
constexpr int kSweepsPerCheck = 10;
constexpr double kOverRelaxation = 1.3;
/// Diverged: no contact impulse is as large.
constexpr double kTooLarge = 1e100;

/// M by rows, whichever way it is stored.
class Rows {
 public:
  explicit Rows(const ProblemMatrix& M) : sparse_(M.is_sparse() ? &M.sparse() : nullptr) {
    if (!sparse_) dense_ = M.dense();
  }
  double times(int i, const VectorX& z) const {
    if (!sparse_) return dense_.row(i).dot(z);
    double sum = 0;
    for (SparseMatrix::InnerIterator it(*sparse_, i); it; ++it) sum += it.value() * z[it.col()];
    return sum;
  }
  double sum_of_sizes(int i) const {
    return sparse_ ? sparse_->row(i).cwiseAbs().sum() : dense_.row(i).cwiseAbs().sum();
  }

 private:
  const SparseMatrix* sparse_;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> dense_;
};

struct Splitting {
  const LinearProblem& problem;
  Rows rows;
  VectorX diagonal;
  double omega;

  double step(int i, double z, const VectorX& others) const {
    assert(diagonal[i] > 0);
    return std::max(0.0, z - omega * (problem.q[i] + rows.times(i, others)) / diagonal[i]);
  }
};

VectorX start_of(const LinearProblem& problem, const SolveSettings& settings) {
  if (settings.start.size() == problem.size()) return settings.start.cwiseMax(0.0);
  return VectorX::Zero(problem.size());
}

/// Sweeps until the residual is small enough; the best iterate seen at a check is kept.
template <class Sweep>
Candidate iterate(const LinearProblem& problem, const SolveSettings& settings, const Sweep& sweep) {
  assert(problem.free_count() == 0);
  VectorX z = start_of(problem, settings);
  Candidate best{z, SolveStatus::inaccurate, 0};
  double least = residual(problem, z);
  const int limit = settings.max_iterations > 0 ? settings.max_iterations : kSweeps;
  int done = 0;
  while (least > settings.tolerance && done < limit && z.lpNorm<Eigen::Infinity>() < kTooLarge &&
         !settings.is_stopped()) {
    for (int i = 0; i < kSweepsPerCheck && done < limit; ++i, ++done) sweep(z);
    const double reached = residual(problem, z);
    if (reached < least) best.z = z, least = reached;
  }
  best.iterations = done;
  if (least <= settings.tolerance) best.status = SolveStatus::solved;
  return best;
}

Candidate without_diagonal(const LinearProblem& problem, const SolveSettings& settings) {
  return {start_of(problem, settings), SolveStatus::singular, 0};
}

Candidate seidel(const LinearProblem& problem, const SolveSettings& settings, double omega) {
  const Splitting splitting{problem, Rows(problem.M), diagonal_of(problem.M), omega};
  if (problem.size() > 0 && splitting.diagonal.minCoeff() <= 0) return without_diagonal(problem, settings);
  return iterate(problem, settings, [&](VectorX& z) {
    for (int i = 0; i < problem.size(); ++i) z[i] = splitting.step(i, z[i], z);
  });
}

/// 1 / max_i sum_j |M_ij| / M_ii: no eigenvalue of D^-1 M is larger than its inverse, and sweeps of a
/// symmetric positive semidefinite M then lower z^T M z / 2 + q^T z.
double safe_relaxation(const Splitting& splitting) {
  double most = 1;
  for (int i = 0; i < splitting.problem.size(); ++i)
    most = std::max(most, splitting.rows.sum_of_sizes(i) / splitting.diagonal[i]);
  return 1 / most;
}

}  // namespace

Candidate projected_gauss_seidel(const LinearProblem& problem, const SolveSettings& settings) {
  return seidel(problem, settings, 1);
}

Candidate successive_over_relaxation(const LinearProblem& problem, const SolveSettings& settings) {
  return seidel(problem, settings, settings.relaxation > 0 ? settings.relaxation : kOverRelaxation);
}

Candidate projected_jacobi(const LinearProblem& problem, const SolveSettings& settings) {
  Splitting splitting{problem, Rows(problem.M), diagonal_of(problem.M), settings.relaxation};
  if (problem.size() > 0 && splitting.diagonal.minCoeff() <= 0) return without_diagonal(problem, settings);
  if (splitting.omega == 0) splitting.omega = safe_relaxation(splitting);
  VectorX last;
  return iterate(problem, settings, [&](VectorX& z) {
    last = z;
    for (int i = 0; i < problem.size(); ++i) z[i] = splitting.step(i, last[i], last);
  });
}

/// z <- proj(z - r (M z' + q)), z' = proj(z - r (M z + q)): the proximal step [Thesis alg. 2] taken twice
/// (Korpelevich), which converges for every monotone M, symmetric or not. The factor r is kept where the
/// step contracts: r |M (z - z')| <= 0.9 |z - z'|.
Candidate fixed_point(const LinearProblem& problem, const SolveSettings& settings) {
  constexpr double kContraction = 0.9, kTimid = 0.4, kShrink = 0.7, kGrow = 1.5;
  double r = 1 / row_sizes(problem.M).maxCoeff();
  return iterate(problem, settings, [&](VectorX& z) {
    const VectorX w = problem.M * z + problem.q;
    VectorX ahead, w_ahead;
    double ratio = 0;
    for (;;) {
      ahead = (z - r * w).cwiseMax(0.0);
      w_ahead = problem.M * ahead + problem.q;
      const double moved = (z - ahead).norm();
      ratio = moved > 0 ? r * (w - w_ahead).norm() / moved : 0;
      if (ratio <= kContraction) break;
      r *= kShrink * std::min(1.0, 1 / ratio);
    }
    z = (z - r * w_ahead).cwiseMax(0.0);
    if (ratio < kTimid && ratio > 0) r *= kGrow;
  });
}

/// A sweep takes the place of the step down the gradient in the method of conjugate gradients.
VectorX conjugate_sweeps(const LinearProblem& problem, VectorX z, int count) {
  assert(z.size() == problem.size() && problem.free_count() == 0 && is_symmetric(problem.M));
  const Splitting splitting{problem, Rows(problem.M), diagonal_of(problem.M), 1};
  if (splitting.diagonal.minCoeff() <= 0) return z;
  VectorX direction = VectorX::Zero(z.size());
  double last = 0;  // squared length of the last step
  for (int k = 0; k < count; ++k) {
    const VectorX before = z;
    for (int i = 0; i < problem.size(); ++i) z[i] = splitting.step(i, z[i], z);
    const VectorX down = z - before;
    const double now = down.squaredNorm(), beta = last > 0 ? now / last : 0;
    last = now;
    if (beta > 1) {
      direction.setZero();  // the steps grew: begin again
    } else {
      z += beta * direction;
      direction = beta * direction + down;
    }
  }
  return z.cwiseMax(0.);
}

}  // namespace touchstone
