#pragma once
// An Lcp or an Mlcp, seen alike by the solvers of this room: 0 <= z_i _|_ w_i = (M z + q)_i >= 0, and w_i = 0
// where the row is free.

#include <cassert>
#include <vector>

#include "touchstone/solve/problem.h"
#include "touchstone/solve/solver.h"

namespace touchstone {

/// Borrows its parts: lives no longer than the problem it was made of.
struct LinearProblem {
  const ProblemMatrix& M;
  const VectorX& q;
  const std::vector<bool>* free = nullptr;  ///< null: no row is free

  LinearProblem(const ProblemMatrix& M, const VectorX& q) : M(M), q(q) {
    assert(M.rows() == q.size() && M.cols() == q.size());
  }
  LinearProblem(const Lcp& problem) : LinearProblem(problem.M, problem.q) {}
  LinearProblem(const Mlcp& problem) : LinearProblem(problem.M, problem.q) {
    assert(static_cast<Eigen::Index>(problem.free.size()) == q.size());
    free = &problem.free;
  }

  int size() const { return static_cast<int>(q.size()); }
  bool is_free(int i) const {
    assert(i >= 0 && i < size());
    return free != nullptr && (*free)[i];
  }
  int free_count() const;
};

/// What one solver reached; residual.h has not judged it yet. `solved` here is the solver's own opinion.
struct Candidate {
  VectorX z;
  SolveStatus status = SolveStatus::inaccurate;
  int iterations = 0;
  std::string_view solver = {};  ///< the member of a chain that reached it
};

/// The residual of residual.h.
double residual(const LinearProblem& problem, const VectorX& z);

/// The conditions of Karush, Kuhn and Tucker, in z = (x, y):  [P -A^T; A 0] z + (c, b), x free.
Mlcp kkt_of(const Qp& problem);

}  // namespace touchstone
