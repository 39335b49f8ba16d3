#pragma once
// One interface to every solver, chosen by name.

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "touchstone/solve/problem.h"

namespace touchstone {

enum class SolveStatus {
  solved,          ///< the residual is at most the tolerance, by residual.h
  inaccurate,      ///< ended before that: `z` is the best found
  ray,             ///< pivoting ended in a ray: for many matrices a proof that there is no solution
  unsolvable,      ///< proved to have no solution (enumeration, an infeasible QP)
  singular,        ///< a pivot or a block vanished
  too_large,       ///< more rows than this solver takes
  not_applicable,  ///< this solver does not treat this class of problem
  absent           ///< a solver that is loaded at run time (PATH) and is not on this machine
};
std::string_view text_of(SolveStatus status);

struct SolveSettings {
  double tolerance = 1e-10;  ///< of the residual; relative, see residual.h
  int max_iterations = 0;    ///< 0: the solver's own limit
  double relaxation = 0;     ///< of psor and jacobi; 0: the solver's own
  VectorX start;             ///< a guess of z to start from; empty: none
  /// True: nobody waits for the answer any more, and the solver ends soon with what it has. Null: nobody asks
  /// it to. Whoever sets it sees to it that the flag outlives the solver.
  const std::atomic<bool>* stop = nullptr;

  bool is_stopped() const { return stop && stop->load(std::memory_order_relaxed); }
};

/// What a solver reached: always filled, also on failure.
struct Solution {
  VectorX z;  ///< lcp, mlcp: z; friction: r; global friction: (v, r); qp: (x, y)
  SolveStatus status = SolveStatus::inaccurate;
  int iterations = 0;
  double residual = 0;
  std::string solver;  ///< who found it: with `auto` the member of the chain
  /// Friction in factors: the answer is that of vanishing compliance [docs/friction.md], and how often the
  /// curve that leads to it turned back.
  bool canonical = false;
  int turns = 0;
};

struct SolverEntry {
  std::string_view name;
  std::string_view summary;  ///< one line
};
/// Every solver, in the order in which `list solvers` prints them.
const std::vector<SolverEntry>& solvers();
/// Does this solver treat this class of problem?
bool treats(std::string_view solver, const Problem& problem);

/// Throws std::invalid_argument for an unknown name or a problem whose sizes do not fit.
Solution solve(const Problem& problem, std::string_view solver = "auto", const SolveSettings& settings = {});

}  // namespace touchstone
