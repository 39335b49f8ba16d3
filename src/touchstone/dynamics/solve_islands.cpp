#include "touchstone/dynamics/solve_islands.h"

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <cassert>

#include <algorithm>
#include <cstdio>

#include "touchstone/dynamics/island.h"

namespace touchstone {
namespace {

/// Islands with fewer rows together are solved in less time than other threads need to wake.
constexpr std::size_t kFewRows = 200;

template <int D>
struct Part {
  StepImpulses<D> impulses;
  Solution solution;
  int rows = 0;
};

template <int D>
Part<D> solve_equations(const StepEquations<D>& equations, const StepImpulses<D>& guess,
                        const IslandSettings<D>& settings) {
  const auto formulation = settings.formulate(equations);
  Part<D> part;
  part.rows = size_of(formulation->problem());
  SolveSettings solve = settings.solve;
  if (part.rows > 0) {
    solve.start = formulation->start(guess);
    part.solution = settings.solver(formulation->problem(), solve);
  } else {
    part.solution.status = SolveStatus::solved;  // joints alone: eliminated already
  }
  if (part.solution.status != SolveStatus::solved && part.solution.z.size() == part.rows &&
      part.solution.residual <= settings.accepted_residual) {
    part.solution.status = SolveStatus::solved;
  }
  if (part.solution.z.size() == part.rows) part.impulses = formulation->impulses(part.solution.z);
  return part;
}

std::vector<double> sum(const std::vector<double>& a, const std::vector<double>& b) {
  assert(a.size() == b.size());
  std::vector<double> c(a.size());
  std::transform(a.begin(), a.end(), b.begin(), c.begin(), std::plus<>());
  return c;
}

/// Poisson's second phase: what a strike was compressed by comes back, times its bounce, and the equations
/// are solved again from there; friction may use what came back as well.
template <int D>
void expand(const Island<D>& island, const std::vector<double>& bounce, const IslandSettings<D>& settings,
            Part<D>& part) {
  StepImpulses<D> back = part.impulses;
  std::fill(back.bilateral.begin(), back.bilateral.end(), 0.);
  std::fill(back.tangent.begin(), back.tangent.end(), 0.);
  assert(bounce.size() == back.unilateral.size());
  for (std::size_t i = 0; i < bounce.size(); ++i) back.unilateral[i] *= bounce[i];
  StepEquations<D> second = island.equations;
  second.V_free = part.impulses.V;
  add_impulses(second, back);
  second.V_free = back.V;
  for (FrictionGroup& group : second.groups) {
    const bool pyramid = group.normal >= 0 && !(group.round && group.count > 1);
    if (pyramid) group.bound = group.mu * back.unilateral[group.normal];
  }
  Part<D> next = solve_equations(second, back, settings);
  if (next.solution.status == SolveStatus::solved) {
    next.impulses.bilateral = sum(next.impulses.bilateral, part.impulses.bilateral);
    next.impulses.unilateral = sum(sum(next.impulses.unilateral, back.unilateral), part.impulses.unilateral);
    next.impulses.tangent = sum(next.impulses.tangent, part.impulses.tangent);
  }
  next.solution.iterations += part.solution.iterations;
  part = std::move(next);
}

template <int D>
std::vector<double> bounces(const Assembly<D>& assembly, const Island<D>& island) {
  std::vector<double> bounce(island.unilateral.size(), 0.);
  for (const Strike& strike : assembly.poisson) {
    const auto at = std::lower_bound(island.unilateral.begin(), island.unilateral.end(), strike.unilateral);
    if (at != island.unilateral.end() && *at == strike.unilateral) {
      bounce[at - island.unilateral.begin()] = strike.bounce;
    }
  }
  return bounce;
}

template <int D>
Part<D> solve_island(const Assembly<D>& assembly, const Island<D>& island, const StepImpulses<D>& guess,
                     const IslandSettings<D>& settings) {
  Part<D> part = solve_equations(island.equations, part_of(guess, island), settings);
  if (part.solution.status != SolveStatus::solved || assembly.poisson.empty()) return part;
  const std::vector<double> bounce = bounces(assembly, island);
  const bool strikes = std::any_of(bounce.begin(), bounce.end(), [](double e) { return e > 0; });
  if (strikes) expand(island, bounce, settings, part);
  return part;
}

template <int D>
void fail(IslandResult<D>& result, const Island<D>& island, const Part<D>& part) {
  char residual[32];
  std::snprintf(residual, sizeof residual, "%.2g", part.solution.residual);
  result.solved = false;
  result.message =
      "the equations of " + std::to_string(island.bodies.size()) + " bodies (" + std::to_string(part.rows) +
      " rows) were not solved: " + std::string(text_of(part.solution.status)) + ", residual " + residual;
}

}  // namespace

template <int D>
IslandResult<D> solve_islands(const Assembly<D>& assembly, const StepImpulses<D>& guess,
                              const IslandSettings<D>& settings) {
  const std::vector<Island<D>> islands = find_islands(assembly.equations);
  assert(guess.unilateral.size() == assembly.equations.unilateral.size());
  std::vector<Part<D>> parts(islands.size());
  const auto solve_one = [&](std::size_t i) {
    parts[i] = solve_island(assembly, islands[i], guess, settings);
  };
  const std::size_t rows = assembly.equations.unilateral.size() + assembly.equations.tangent.size();
  if (settings.threads == 1 || islands.size() < 2 || rows < kFewRows) {
    for (std::size_t i = 0; i < islands.size(); ++i) solve_one(i);
  } else {
    const int cores = tbb::info::default_concurrency();  // to ask for more makes TBB print a warning
    tbb::task_arena arena(settings.threads > 0 ? std::min(settings.threads, cores) : cores);
    arena.execute([&] { tbb::parallel_for(std::size_t{0}, islands.size(), solve_one); });
  }
  IslandResult<D> result;
  result.islands = static_cast<int>(islands.size());
  result.impulses = guess;
  result.impulses.V = assembly.equations.V_free;
  for (std::size_t i = 0; i < islands.size(); ++i) {
    result.rows += parts[i].rows;
    result.iterations += parts[i].solution.iterations;
    result.residual = std::max(result.residual, parts[i].solution.residual);
    if (parts[i].solution.status != SolveStatus::solved) {
      if (result.solved) fail(result, islands[i], parts[i]);
    } else {
      put_back(parts[i].impulses, islands[i], result.impulses);
    }
  }
  return result;
}

template IslandResult<2> solve_islands(const Assembly<2>&, const StepImpulses<2>&, const IslandSettings<2>&);
template IslandResult<3> solve_islands(const Assembly<3>&, const StepImpulses<3>&, const IslandSettings<3>&);

}  // namespace touchstone
