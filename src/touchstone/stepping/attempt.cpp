// The conductor: measure -> relate -> formulate -> solve -> advance, until the motion found is accepted or
// refused.

#include "touchstone/stepping/attempt.h"

#include <cassert>

#include "touchstone/math/stopwatch.h"
#include "touchstone/stepping/attempt_ends.h"
#include "touchstone/stepping/free_fall.h"
#include "touchstone/stepping/judge.h"
#include "touchstone/stepping/paths.h"
#include "touchstone/stepping/rest.h"
#include "touchstone/stepping/swings.h"

namespace touchstone {

/// Kept whole, although it is long: this is the loop that every model takes [docs/step.md].
template <int D>
Attempt<D> attempt_step(const World<D>& world, double h, const Stages<D>& stages,
                        const StepMemory<D>& memory) {
  assert(h > 0 && stages.model);
  using Word = Verdict::Word;
  const ContactModel<D>& model = *stages.model;
  const std::vector<Twist<D>> V_start = start_velocities(world, h);
  const StepInput<D> input = step_input<D>(world, V_start, h, stages.settings);
  const double margin = first_margin<D>(world, V_start, h, stages);
  Measure<D> measure(world, h, stages.finder, memory.tree);
  Swings<D> swings(world, V_start, h, stages);
  std::unique_ptr<StepContacts<D>> contacts;
  Attempt<D> attempt;
  attempt.h = h;
  Going<D> going{V_start, {}, attempt.steady, h};
  Verdict verdict{Word::wider};
  Stopwatch watch;
  for (int pass = 0; verdict.word == Word::wider || verdict.word == Word::renewed; ++pass) {
    if (verdict.word == Word::wider) {  // for bodies that go on as they move now
      going.V = V_start, going.falling = std::span<const Vec<D>>();
      follow_velocities<D>(world, going, attempt.paths);
      const TriedMotion<D> motion = measure.first(attempt.paths, margin, model.sweeps());  // measure
      attempt.times.measure += watch.lap();
      contacts = model.propose(motion, memory.model);  // relate
      attempt.times.relate += watch.lap(), ++attempt.updates;
    }
    const bool warm = pass > 0 && !model.has_choices();
    const ImpulseMemory& last = warm ? attempt.memory.impulses : memory.impulses;
    attempt.solved =
        solve_step(input, contacts->set(), attempt.steady, last, stages.solve,  // formulate, solve
                   attempt.solved.parts);
    if (flies_exactly(stages)) keep_at_rest(attempt.solved);
    attempt.times.add_solve(watch.lap(), attempt.solved.formulating), attempt.count_effort();
    std::vector<Twist<D>> V = found_velocities<D>(V_start, attempt.solved);
    verdict = judge_solution<D>(world, V, stages.settings.h, attempt);
    if (stages.settings.solve.is_stopped()) verdict = {Word::too_long}, attempt.status = StepStatus::stopped;
    if (verdict.word != Word::holds) break;
    attempt.remember_impulses();

    std::vector<Vec<D>> falling = find_falling<D>(world, attempt.solved, stages, h);
    attempt.swinging = swings.find(attempt.solved, attempt.steady, V, falling);
    going.V = V, going.falling = falling;
    follow_velocities<D>(world, going, attempt.paths);  // advance, tried
    if (!model.promises().anything()) break;
    const TriedMotion<D> motion = measure.sweep(attempt.paths, margin);  // measure
    attempt.times.measure += watch.lap();
    verdict = judge_motion(motion, world, stages, *contacts, attempt);  // relate
    attempt.times.relate += watch.lap(), ++attempt.updates;
  }
  if (verdict.word == Word::holds) split_forces(stages, memory, attempt);
  return finished(std::move(attempt), verdict, *contacts, measure);
}

template Attempt<2> attempt_step(const World<2>&, double, const Stages<2>&, const StepMemory<2>&);
template Attempt<3> attempt_step(const World<3>&, double, const Stages<3>&, const StepMemory<3>&);

}  // namespace touchstone
