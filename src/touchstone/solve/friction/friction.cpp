#include "touchstone/solve/friction/friction.h"

#include <algorithm>
#include <cassert>

#include "touchstone/solve/friction/friction_fixed_point.h"
#include "touchstone/solve/friction/friction_interior_point.h"
#include "touchstone/solve/friction/friction_linearised.h"
#include "touchstone/solve/friction/friction_proximal.h"
#include "touchstone/solve/friction/nsgs.h"
#include "touchstone/solve/friction/semismooth_newton.h"
#include "touchstone/solve/friction/without_free.h"
#include "touchstone/solve/residual.h"

namespace touchstone {
namespace {

constexpr int kMaxSweeps = 20000, kMaxNewtonSteps = 2000, kMaxFixedPointSteps = 50000;

/// The chain of auto: sweeps alone settle most problems before a matrix would be factorised.
constexpr int kFirstSweeps = 200, kFirstAlternating = 300, kPyramids = 4, kLastSweeps = 20000;
/// Steps of the interior-point method (one that has not come near a solution by then will not), and of
/// Newton's method from there on.
constexpr int kInteriorSteps = 60, kFinish = 100;
/// The residual that auto aims at lies a little below the one asked for: the judge sums in another order.
constexpr double kSafety = 0.9;

template <int D>
void solve_inside(const FrictionBlocks<D>& blocks, const FrictionLimits& limits, FrictionIterate& iterate) {
  step_interior_point<D>(blocks, limits, iterate);
  alternate<D>(blocks, iterate.next(limits, kFinish), iterate);
}
template <int D>
void solve_inside_rounded(const FrictionBlocks<D>& blocks, const FrictionLimits& limits,
                          FrictionIterate& iterate) {
  step_rounded_interior_point<D>(blocks, limits, iterate);
  alternate<D>(blocks, iterate.next(limits, kFinish), iterate);
}

template <int D>
using Method = void (*)(const FrictionBlocks<D>&, const FrictionLimits&, FrictionIterate&);

struct Stage {
  std::string_view name;
  Method<2> in_2d;
  Method<3> in_3d;
  int iterations;
};
template <int D>
Method<D> method_of(const Stage& stage);
template <>
Method<2> method_of<2>(const Stage& stage) {
  return stage.in_2d;
}
template <>
Method<3> method_of<3>(const Stage& stage) {
  return stage.in_3d;
}

constexpr Stage kSolvers[] = {
    {"nsgs", sweep_nsgs<2>, sweep_nsgs<3>, kMaxSweeps},
    {"semismooth-newton", alternate<2>, alternate<3>, kMaxNewtonSteps},
    {"interior-point", solve_inside<2>, solve_inside<3>, kInteriorSteps},
    {"fixed-point", step_fixed_point<2>, step_fixed_point<3>, kMaxFixedPointSteps},
};
constexpr Stage kChain[] = {
    {"nsgs", sweep_nsgs<2>, sweep_nsgs<3>, kFirstSweeps},
    {"semismooth-newton", alternate<2>, alternate<3>, kFirstAlternating},
    {"interior-point", solve_inside<2>, solve_inside<3>, kInteriorSteps},
    {"rounded-interior-point", solve_inside_rounded<2>, solve_inside_rounded<3>, kInteriorSteps},
    {"linearised", step_linearised<2>, step_linearised<3>, kPyramids},
    {"proximal", step_proximal<2>, step_proximal<3>, 0},
    {"nsgs", sweep_nsgs<2>, sweep_nsgs<3>, kLastSweeps},
};

std::span<const Stage> stages_of(std::string_view solver) {
  if (solver == "auto") return kChain;
  const auto found = std::find_if(std::begin(kSolvers), std::end(kSolvers),
                                  [&](const Stage& stage) { return stage.name == solver; });
  return {found, found == std::end(kSolvers) ? found : found + 1};
}

template <int D>
Solution run(const FrictionProblem& problem, std::span<const Stage> stages, const SolveSettings& settings) {
  assert(problem.dimension == D && !stages.empty());
  const FrictionBlocks<D> blocks(problem);
  const VectorX zero = VectorX::Zero(blocks.size());
  FrictionIterate iterate = start_at<D>(blocks, settings.start.size() > 0 ? settings.start : zero);
  // A start that is worse than none misleads.
  if (VectorX u(blocks.size());
      settings.start.size() > 0 && residual_of<D>(blocks, zero, u) < iterate.best_residual)
    iterate = start_at<D>(blocks, zero);
  const bool limited = settings.max_iterations > 0, alone = stages.size() == 1;
  FrictionLimits limits{kSafety * settings.tolerance};
  limits.stop = settings.stop;
  if (limited) limits.last = settings.max_iterations;
  std::string_view last = stages.front().name;
  for (const Stage& stage : stages) {
    if (iterate.reached(limits) || iterate.iterations >= limits.last) break;
    const int wanted = alone && limited ? limits.last : stage.iterations;
    method_of<D>(stage)(blocks, iterate.next(limits, wanted), iterate);
    last = stage.name;
  }
  return {iterate.best, SolveStatus::inaccurate, iterate.iterations, 0, std::string(last)};
}

/// On the entries of W.
Solution by_entries(const FrictionProblem& problem, std::string_view solver, const SolveSettings& settings) {
  const auto stages = stages_of(solver);
  if (std::find(problem.free.begin(), problem.free.end(), true) == problem.free.end())
    return problem.dimension == 2 ? run<2>(problem, stages, settings) : run<3>(problem, stages, settings);
  const WithoutFree without(problem);
  SolveSettings reduced = settings;
  if (settings.start.size() > 0) reduced.start = without.reduced(settings.start);
  Solution solution = problem.dimension == 2 ? run<2>(without.problem(), stages, reduced)
                                             : run<3>(without.problem(), stages, reduced);
  solution.z = without.restored(solution.z);
  return solution;
}

}  // namespace

bool solves_friction(std::string_view solver) { return !stages_of(solver).empty(); }

Solution solve_friction(const FrictionProblem& problem, std::string_view solver,
                        const SolveSettings& settings) {
  Solution solution = by_entries(problem, solver, settings);
  solution.residual = residual(problem, solution.z);
  if (solution.residual <= settings.tolerance) solution.status = SolveStatus::solved;
  return solution;
}

}  // namespace touchstone
