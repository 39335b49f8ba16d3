#include "touchstone/dynamics/solve_islands.h"

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <cassert>

#include <algorithm>
#include <cstdio>

#include "touchstone/dynamics/bounce.h"
#include "touchstone/dynamics/canonical.h"

namespace touchstone {
namespace {

/// Islands with fewer rows together are solved in less time than other threads need to wake.
constexpr std::size_t kFewRows = 200;

template <int D>
struct Part {
  StepImpulses<D> impulses;
  Solution solution;
  int rows = 0;
  FrictionAnswers friction;
};

template <int D>
Part<D> solve_equations(const StepEquations<D>& equations, const StepImpulses<D>& guess,
                        const IslandSettings<D>& settings) {
  Part<D> part;
  if (settings.solve.is_stopped()) return part;
  if (settings.canonical) {
    if (auto answer = find_canonical(equations, guess, settings)) {
      part = {std::move(answer->impulses), std::move(answer->solution), answer->rows, {1, 1}};
      part.friction.turns = part.solution.turns;
      return part;
    }
  }
  const auto formulation = settings.formulate(equations);
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
  if (has_friction(equations)) part.friction = {1, part.solution.canonical, part.solution.turns};
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
  next.friction.canonical = std::min(next.friction.canonical, part.friction.canonical);
  next.friction.turns += part.friction.turns;
  part = std::move(next);
}

/// Per unilateral row of the island; empty: none bounces by Poisson's law.
template <int D>
std::vector<double> bounces(const Assembly<D>& assembly, const Island<D>& island) {
  std::vector<double> bounce;
  for (const Strike& strike : assembly.strikes) {
    if (strike.law != Restitution::poisson) continue;
    const auto at = std::lower_bound(island.unilateral.begin(), island.unilateral.end(), strike.unilateral);
    if (at != island.unilateral.end() && *at == strike.unilateral) {
      bounce.resize(island.unilateral.size(), 0.);
      bounce[at - island.unilateral.begin()] = strike.bounce;
    }
  }
  return bounce;
}

template <int D>
std::shared_ptr<const SolvedIsland<D>> solve_island(Island<D> island, std::vector<double> bounce,
                                                    const StepImpulses<D>& guess,
                                                    const IslandSettings<D>& settings) {
  Part<D> part = solve_equations(island.equations, part_of(guess, island), settings);
  const bool strikes = std::any_of(bounce.begin(), bounce.end(), [](double e) { return e > 0; });
  if (part.solution.status == SolveStatus::solved && strikes) expand(island, bounce, settings, part);
  return std::make_shared<const SolvedIsland<D>>(
      SolvedIsland<D>{std::move(island), std::move(bounce), std::move(part.impulses), part.solution.status,
                      part.rows, part.solution.iterations, part.solution.residual, part.friction});
}

template <int D>
void fail(const SolvedIsland<D>& part, IslandResult<D>& result) {
  char residual[32];
  std::snprintf(residual, sizeof residual, "%.2g", part.residual);
  result.solved = false;
  result.message = "the equations of " + std::to_string(part.island.bodies.size()) + " bodies (" +
                   std::to_string(part.rows) +
                   " rows) were not solved: " + std::string(text_of(part.status)) + ", residual " + residual;
}

/// The known island of the same bodies, rows and bounces, or null.
template <int D>
std::shared_ptr<const SolvedIsland<D>> find_known(const SolvedIslands<D>& known, const Island<D>& island,
                                                  const std::vector<double>& bounce) {
  const auto at =
      std::lower_bound(known.begin(), known.end(), island.bodies.front(),
                       [](const auto& part, int body) { return part->island.bodies.front() < body; });
  const bool same = at != known.end() && (*at)->island.bodies == island.bodies && (*at)->bounce == bounce &&
                    (*at)->island.unilateral.size() == island.unilateral.size() &&
                    (*at)->island.equations == island.equations;
  return same ? *at : nullptr;
}

/// `places`: where the rows of known islands stand now; those that were solved just now took theirs along.
template <int D>
IslandResult<D> put_together(const Assembly<D>& assembly, const StepImpulses<D>& guess,
                             const std::vector<Island<D>>& places, SolvedIslands<D> parts) {
  IslandResult<D> result;
  result.islands = static_cast<int>(parts.size());
  result.impulses = guess;
  result.impulses.V = assembly.equations.V_free;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const SolvedIsland<D>& part = *parts[i];
    result.rows += part.rows;
    result.residual = std::max(result.residual, part.residual);
    result.friction.add(part.friction);
    const Island<D>& place = places[i].bodies.empty() ? part.island : places[i];
    if (part.status == SolveStatus::solved) put_back(part.impulses, place, result.impulses);
    if (part.status != SolveStatus::solved && result.solved) fail(part, result);
  }
  result.parts = std::move(parts);
  return result;
}

template <int D>
IslandResult<D> solve_all(const Assembly<D>& assembly, const StepImpulses<D>& guess,
                          const IslandSettings<D>& settings, const SolvedIslands<D>& known) {
  std::vector<Island<D>> islands = find_islands(assembly.equations);
  SolvedIslands<D> parts(islands.size());
  std::vector<std::size_t> open;
  std::size_t rows = 0;
  for (std::size_t i = 0; i < islands.size(); ++i) {
    parts[i] = find_known(known, islands[i], bounces(assembly, islands[i]));
    if (parts[i]) continue;
    open.push_back(i);
    rows += islands[i].unilateral.size() + islands[i].tangent.size();
  }
  const auto solve_one = [&](std::size_t k) {
    Island<D>& island = islands[open[k]];
    std::vector<double> bounce = bounces(assembly, island);
    parts[open[k]] = solve_island(std::move(island), std::move(bounce), guess, settings);
    island.bodies.clear();
  };
  if (settings.threads == 1 || open.size() < 2 || rows < kFewRows) {
    for (std::size_t k = 0; k < open.size(); ++k) solve_one(k);
  } else {
    const int cores = tbb::info::default_concurrency();  // to ask for more makes TBB print a warning
    tbb::task_arena arena(settings.threads > 0 ? std::min(settings.threads, cores) : cores);
    arena.execute([&] { tbb::parallel_for(std::size_t{0}, open.size(), solve_one); });
  }
  IslandResult<D> result = put_together(assembly, guess, islands, std::move(parts));
  for (std::size_t k : open) result.iterations += result.parts[k]->iterations;
  return result;
}

/// Islands in which no motion bounces as the law asks (contacts that do not slip at all may hold a body at
/// two places, of which one alone strikes) do not bounce.
template <int D>
Assembly<D> without_impossible(const Assembly<D>& assembly, const SolvedIslands<D>& parts) {
  Assembly<D> possible = assembly;
  possible.strikes.clear();
  for (const Strike& strike : assembly.strikes) {
    const bool impossible = std::any_of(parts.begin(), parts.end(), [&](const auto& part) {
      const std::vector<int>& rows = part->island.unilateral;
      return part->status != SolveStatus::solved &&
             std::binary_search(rows.begin(), rows.end(), strike.unilateral);
    });
    if (impossible) {
      possible.equations.unilateral[strike.unilateral].offset = strike.dull;
    } else {
      possible.strikes.push_back(strike);
    }
  }
  return possible;
}

/// As the law of impact asks, where that is possible.
template <int D>
IslandResult<D> solve_strikes(Assembly<D>& assembly, const StepImpulses<D>& guess,
                              const IslandSettings<D>& settings, const SolvedIslands<D>& known) {
  IslandResult<D> result = solve_all(assembly, guess, settings, known);
  if (result.solved || assembly.strikes.empty()) return result;
  assembly = without_impossible(assembly, result.parts);
  const int iterations = result.iterations;
  result = solve_all(assembly, guess, settings, result.parts);
  result.iterations += iterations;
  return result;
}

}  // namespace

template <int D>
IslandResult<D> solve_islands(const Assembly<D>& assembly, const StepImpulses<D>& guess,
                              const IslandSettings<D>& settings, double h, const SolvedIslands<D>& known) {
  assert(guess.unilateral.size() == assembly.equations.unilateral.size());
  if (assembly.strikes.empty()) return solve_all(assembly, guess, settings, known);
  Assembly<D> possible = assembly;
  IslandResult<D> result = solve_strikes(possible, guess, settings, known);
  result.dulled = static_cast<int>(assembly.strikes.size() - possible.strikes.size());
  if (possible.strikes.empty() || !result.solved) return result;
  Bounce<D> bounce(possible, result.impulses, h);
  if (!bounce.gives()) return result;
  const IslandResult<D> dull = solve_all(bounce.without(), guess, settings, result.parts);
  result.iterations += dull.iterations;
  result.residual = std::max(result.residual, dull.residual);
  if (!dull.solved) {
    result.solved = false, result.message = dull.message;
  } else {
    bounce.limit(dull.impulses, result.impulses);
  }
  return result;
}

template IslandResult<2> solve_islands(const Assembly<2>&, const StepImpulses<2>&, const IslandSettings<2>&,
                                       double, const SolvedIslands<2>&);
template IslandResult<3> solve_islands(const Assembly<3>&, const StepImpulses<3>&, const IslandSettings<3>&,
                                       double, const SolvedIslands<3>&);

}  // namespace touchstone
