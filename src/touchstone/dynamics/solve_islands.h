#pragma once
// solve: every island by itself, on several threads; the answer does not depend on how many.

#include <functional>
#include <string>
#include <vector>

#include "touchstone/dynamics/assembly.h"
#include "touchstone/dynamics/formulation.h"
#include "touchstone/solve/solver.h"

namespace touchstone {

template <int D>
struct IslandSettings {
  FormulationMaker<D> formulate;
  SolveSettings solve;
  double accepted_residual = 0;  ///< an answer that missed the tolerance counts up to here
  int threads = 0;               ///< 0: as many as there are cores
  std::function<Solution(const Problem&, const SolveSettings&)> solver;
};

template <int D>
struct IslandResult {
  bool solved = true;
  std::string message;  ///< of the first island that was not solved
  StepImpulses<D> impulses;
  int islands = 0, rows = 0, iterations = 0;
  double residual = 0;
};

template <int D>
IslandResult<D> solve_islands(const Assembly<D>& assembly, const StepImpulses<D>& guess,
                              const IslandSettings<D>& settings);

}  // namespace touchstone
