#include "touchstone/dynamics/solve_step.h"

#include <algorithm>
#include <cassert>

#include "touchstone/dynamics/contradiction.h"
#include "touchstone/math/stopwatch.h"

namespace touchstone {
namespace {

template <int D>
void add_turning(const SteadyBodies<D>& steady, Assembly<D>& assembly) {
  for (std::size_t i = 0; i < assembly.dynamic.size(); ++i) {
    if (!steady.contains(assembly.dynamic[i])) continue;
    const Twist<D> impulse = twist<D>(Vec<D>::Zero(), steady.turning[assembly.dynamic[i]]);
    assembly.equations.V_free[i] += assembly.equations.apply_inverse_mass(static_cast<int>(i), impulse);
  }
}

/// Contacts that do not slip may hold a body at two places, of which one alone strikes: then it cannot
/// bounce.
template <int D>
bool holds_without_slip(const Assembly<D>& assembly) {
  return std::any_of(assembly.bilateral.begin(), assembly.bilateral.end(), [](const RowNote& note) {
    return note.kind == RowKind::contact || note.kind == RowKind::friction;
  });
}

}  // namespace

template <int D>
SolvedStep<D> solve_step(const StepInput<D>& input, const ConstraintSet<D>& set,
                         const SteadyBodies<D>& steady, const ImpulseMemory& last, const SolveStage<D>& stage,
                         const SolvedIslands<D>& known) {
  if (stage.has_choices && input.formulation.form == Form::choices) return solve_as_one(input, set, stage);
  if (stage.has_choices) return solve_choices(input, set, last, stage);
  SolvedStep<D> step;
  Stopwatch watch;
  step.set = set;
  step.assembly = assemble(input, set);
  add_turning(steady, step.assembly);
  const StepImpulses<D> guess = last.guess(set, step.assembly);
  step.formulating = watch.lap();
  IslandResult<D> result = solve_islands(step.assembly, guess, stage.islands, input.h, known);
  step.solved = result.solved, step.why = std::move(result.message);
  step.impulses = std::move(result.impulses);
  step.islands = result.islands, step.rows = result.rows;
  step.iterations = result.iterations, step.residual = result.residual;
  step.friction = result.friction;
  step.dulled = holds_without_slip(step.assembly) ? 0 : result.dulled;
  step.parts = std::move(result.parts);
  if (auto missed = step.solved ? find_contradiction(input, step.assembly, step.impulses) : std::nullopt)
    step.solved = false, step.why = std::move(*missed);
  return step;
}

template <int D>
std::vector<double> pushes(const ConstraintSet<D>& set, const Assembly<D>& assembly,
                           const StepImpulses<D>& found) {
  assert(assembly.row_of_contact.size() == set.unilateral.size());
  std::vector<double> push(set.contacts.size(), 0.);
  for (std::size_t i = 0; i < set.unilateral.size(); ++i) {
    const int row = assembly.row_of_contact[i];
    if (row >= 0) push[set.unilateral[i]] = found.unilateral[row];
  }
  return push;
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                         \
  template SolvedStep<D> solve_step(const StepInput<D>&, const ConstraintSet<D>&, const SteadyBodies<D>&, \
                                    const ImpulseMemory&, const SolveStage<D>&, const SolvedIslands<D>&); \
  template std::vector<double> pushes(const ConstraintSet<D>&, const Assembly<D>&, const StepImpulses<D>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
