// The global form is solved by way of the local one.

#include <Eigen/SparseLU>

#include "touchstone/solve/friction.h"
#include "touchstone/solve/residual.h"

namespace touchstone {
namespace {

using ColumnMajor = Eigen::SparseMatrix<double>;

/// M^-1, kept as factors.
class MassInverse {
 public:
  explicit MassInverse(const SparseMatrix& M) : factors_(ColumnMajor(M)) {}

  bool regular() const { return factors_.info() == Eigen::Success; }
  VectorX operator*(const VectorX& x) const { return factors_.solve(x); }
  ColumnMajor operator*(const ColumnMajor& X) const { return factors_.solve(X); }

 private:
  Eigen::SparseLU<ColumnMajor> factors_;
};

FrictionProblem local_form(const GlobalFrictionProblem& problem, const MassInverse& inverse) {
  const ColumnMajor H = problem.H;
  const ColumnMajor W = H.transpose() * (inverse * H);
  const VectorX v = inverse * problem.f;
  return {problem.dimension, SparseMatrix(W), problem.w + H.transpose() * v, problem.mu};
}

}  // namespace

Solution solve_friction(const GlobalFrictionProblem& problem, std::string_view solver,
                        const SolveSettings& settings) {
  const Eigen::Index n = problem.f.size(), m = problem.w.size();
  const MassInverse inverse(problem.M);
  if (!inverse.regular()) {
    const VectorX zero = VectorX::Zero(n + m);
    return {zero, SolveStatus::singular, 0, residual(problem, zero), std::string(solver)};
  }
  SolveSettings local_settings = settings;
  if (settings.start.size() > 0) local_settings.start = settings.start.tail(m);
  Solution solution = solve_friction(local_form(problem, inverse), solver, local_settings);
  const VectorX r = solution.z;
  solution.z.resize(n + m);
  solution.z << inverse * VectorX(problem.f + problem.H * r), r;
  solution.residual = residual(problem, solution.z);
  solution.status = solution.residual <= settings.tolerance ? SolveStatus::solved : SolveStatus::inaccurate;
  return solution;
}

}  // namespace touchstone
