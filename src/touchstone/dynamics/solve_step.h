#pragma once
// formulate and solve: the impulses and velocities of a step with given contacts. Where a model's sets hold
// I- and X-constraints, the choice which of their members are held is part of it.

#include "touchstone/dynamics/impulse_memory.h"
#include "touchstone/dynamics/motion.h"
#include "touchstone/dynamics/peg_lcp.h"
#include "touchstone/dynamics/selection.h"
#include "touchstone/dynamics/solve_islands.h"

namespace touchstone {

template <int D>
struct SolveStage {
  IslandSettings<D> islands;
  bool has_choices = false;      ///< the sets may hold I- and X-constraints
  bool solver_is_named = false;  ///< by the user: also steps that a faster method could solve go to it
  ChoiceSettings choice;
};

/// How a step chose between the members of I- and X-constraints [PEG 1.4]; zeros where there was no choice.
struct ChoiceReport {
  int guards = 0;      ///< members that were held, besides U
  int solves = 0;      ///< guesses solved: QPs without friction, LCPs with it
  int backtracks = 0;  ///< guesses without a solution
  int flips = 0;       ///< guards exchanged because they pushed without need
  int relaxed = 0;     ///< contacts whose overlap at the start was only kept from growing
  int illegal = 0;     ///< guards that still push without need [Thesis eq. 4.13]
  PegSizes sizes;      ///< rows of the step's mixed problem, by the thesis's formulas; see also `rows`

  /// Adds the effort of earlier tries in the same step; guards and the like stay those of the last try.
  void add_effort(const ChoiceReport& earlier) {
    solves += earlier.solves, backtracks += earlier.backtracks, flips += earlier.flips;
  }
};

template <int D>
struct SolvedStep {
  bool solved = true;
  std::string why;       ///< it was not
  ConstraintSet<D> set;  ///< as it was solved: members that are held stand in set.unilateral
  Assembly<D> assembly;  ///< its equations
  StepImpulses<D> impulses;
  int islands = 0, rows = 0, iterations = 0;
  double residual = 0;
  double formulating =
      0;           ///< [s] that writing the equations took; problems of islands are written where solved
  int dulled = 0;  ///< strikes that do not bounce, because no motion does as their law asks
  ChoiceReport choice;
  FrictionAnswers friction;
  SolvedIslands<D> parts;  ///< islands with their solutions; none where members were chosen
};

/// `steady`: bodies that contacts hold to a steady path; `last`: where solvers start; `known`: islands of an
/// earlier try at the same step, which keep their solutions where they are the same.
template <int D>
SolvedStep<D> solve_step(const StepInput<D>& input, const ConstraintSet<D>& set,
                         const SteadyBodies<D>& steady, const ImpulseMemory& last, const SolveStage<D>& stage,
                         const SolvedIslands<D>& known = {});

/// The same for sets that hold I- and X-constraints; inside dynamics only.
template <int D>
SolvedStep<D> solve_choices(const StepInput<D>& input, const ConstraintSet<D>& set, const ImpulseMemory& last,
                            const SolveStage<D>& stage);
/// All I- and X-constraints in one mixed problem [Thesis eq. 4.50]; inside dynamics only.
template <int D>
SolvedStep<D> solve_as_one(const StepInput<D>& input, const ConstraintSet<D>& set,
                           const SolveStage<D>& stage);

/// The normal impulse at each contact of the set [N s]; 0 where it has no row.
template <int D>
std::vector<double> pushes(const ConstraintSet<D>& set, const Assembly<D>& assembly,
                           const StepImpulses<D>& found);

}  // namespace touchstone
