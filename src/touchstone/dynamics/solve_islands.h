#pragma once
// solve: every island by itself, on several threads; the answer does not depend on how many.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "touchstone/dynamics/assembly.h"
#include "touchstone/dynamics/formulation.h"
#include "touchstone/dynamics/island.h"
#include "touchstone/solve/solver.h"

namespace touchstone {

template <int D>
struct IslandSettings {
  FormulationMaker<D> formulate;
  SolveSettings solve;
  double accepted_residual = 0;  ///< an answer that missed the tolerance counts up to here
  int threads = 0;               ///< 0: as many as there are cores
  std::function<Solution(const Problem&, const SolveSettings&)> solver;
  /// The answer of vanishing compliance is sought where the problem is not one of cones
  /// [dynamics/canonical.h].
  bool canonical = false;
};

/// How the answers of islands with contacts were found [docs/friction.md].
struct FrictionAnswers {
  int islands = 0;  ///< with contacts that push
  int canonical =
      0;          ///< of them: those with the answer of vanishing compliance; of others it was not checked
  int turns = 0;  ///< of the curves that led to their answers: beyond one other answers exist

  void add(const FrictionAnswers& other) {
    islands += other.islands, canonical += other.canonical, turns += other.turns;
  }
};

/// An island and its solution.
template <int D>
struct SolvedIsland {
  Island<D> island;
  std::vector<double> bounce;  ///< per unilateral row: of Poisson's second phase
  StepImpulses<D> impulses;
  SolveStatus status = SolveStatus::solved;
  int rows = 0, iterations = 0;
  double residual = 0;
  FrictionAnswers friction;
};
/// In the order of their first bodies.
template <int D>
using SolvedIslands = std::vector<std::shared_ptr<const SolvedIsland<D>>>;

template <int D>
struct IslandResult {
  bool solved = true;
  std::string message;  ///< of the first island that was not solved
  int dulled = 0;       ///< strikes that take all of the approach: no motion bounces as their law asks
  StepImpulses<D> impulses;
  int islands = 0, rows = 0, iterations = 0;
  double residual = 0;
  FrictionAnswers friction;
  SolvedIslands<D> parts;
};

/// Islands that stand in `known` with the same equations, to the bit, keep their solution: what is tried
/// again in another island changes nothing here. `h` [s] is the length of the step.
template <int D>
IslandResult<D> solve_islands(const Assembly<D>& assembly, const StepImpulses<D>& guess,
                              const IslandSettings<D>& settings, double h,
                              const SolvedIslands<D>& known = {});

}  // namespace touchstone
