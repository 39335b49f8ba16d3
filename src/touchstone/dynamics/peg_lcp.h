#pragma once
// The step with I- and X-constraints as one mixed complementarity problem, as the thesis solves it
// [Thesis eq. 4.50, its columns corrected]. Kept for comparison: which of several solutions comes out depends
// on the solver, and many solvers find none [PEG 0].

#include <memory>
#include <vector>

#include "touchstone/dynamics/formulation.h"

namespace touchstone {

/// An I-constraint, or an X-constraint written as one: at least one of its members must hold, and the first,
/// the primary one, pushes.
template <int D>
struct ListRows {
  int primary = 0;             ///< unilateral row of the equations; no other list has the same
  std::vector<Row<D>> others;  ///< the rest of the members; offset = gap/h + rate of scripted bodies
};

/// `equations` must outlive the answer. The unknowns are those of the mixed LCP and, behind them, c.
template <int D>
std::unique_ptr<Formulation<D>> make_peg_lcp(const StepEquations<D>& equations,
                                             const std::vector<ListRows<D>>& lists);

/// What the sizes of problems depend on.
struct PegCounts {
  int velocities = 0;  ///< unknown velocities: 6 n_B in space, 3 n_B in the plane
  int bilateral = 0;   ///< n_b
  int contacts = 0;    ///< n_u
  int in_lists = 0;    ///< n_s of them in I- and X-constraints
  int directions = 0;  ///< n_d of friction; 0: none
};
/// Rows of a step's mixed problem.
struct PegSizes {
  int standard = 0;  ///< all contacts unilateral [Thesis eq. 4.52]
  int peg = 0;       ///< with n_s/2 lists [eq. 4.53]
  int most = 0;      ///< with one list of two, the largest there is with a list at all [eq. 4.54]
  int least = 0;     ///< with every contact in a list [eq. 4.55]
};
PegSizes peg_sizes(const PegCounts& counts);

}  // namespace touchstone
