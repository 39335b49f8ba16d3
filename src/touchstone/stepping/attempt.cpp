// The conductor: measure -> relate -> formulate -> solve -> advance, until the motion found is accepted or
// refused.

#include "touchstone/stepping/attempt.h"

#include "touchstone/math/stopwatch.h"
#include "touchstone/stepping/attempt_ends.h"
#include "touchstone/stepping/judge.h"
#include "touchstone/stepping/paths.h"

namespace touchstone {
namespace {

using Word = Verdict::Word;

template <int D>
class Conductor {
 public:
  Conductor(const World<D>& world, double h, const Stages<D>& stages, const StepMemory<D>& memory)
      : world_(world),
        stages_(stages),
        model_(*stages.model),
        memory_(memory),
        V_(start_velocities(world, h)),
        input_(step_input<D>(world, V_, h, stages.settings)),
        measure_(world, h, stages.finder, memory.tree) {
    attempt_.h = h;
  }

  Attempt<D> run() {
    Verdict verdict{Word::wider};
    for (margin_ = first_margin<D>(world_, V_, attempt_.h, stages_); verdict.word == Word::wider;
         margin_ *= 2) {
      propose();
      do {
        verdict = try_motion();
      } while (verdict.word == Word::renewed && ++passes_ < stages_.settings.max_updates);
    }
    return finished(std::move(attempt_), verdict, *contacts_, measure_, stages_.settings);
  }

 private:
  /// Contacts for bodies that go on as they move now.
  void propose() {
    follow_velocities<D>(world_, V_, attempt_.steady, attempt_.h, attempt_.paths);
    const TriedMotion<D> motion = measure_.first(attempt_.paths, margin_, model_.sweeps());  // measure
    attempt_.times.measure += watch_.lap();
    contacts_ = model_.propose(motion, memory_.model);  // relate
    attempt_.times.relate += watch_.lap(), ++attempt_.updates;
  }

  /// The motion that these contacts lead to, and whether it is accepted.
  Verdict try_motion() {
    const bool warm = passes_ > 0 && !model_.has_choices();
    const ImpulseMemory& last = warm ? attempt_.memory.impulses : memory_.impulses;
    attempt_.solved =
        solve_step(input_, contacts_->set(), attempt_.steady, last, stages_.solve);  // formulate, solve
    const SolvedStep<D>& solved = attempt_.solved;
    attempt_.times.formulate += solved.formulating, attempt_.times.solve += watch_.lap() - solved.formulating;
    const std::vector<Twist<D>> V = found_velocities<D>(V_, solved.assembly, solved.impulses);
    if (!is_solved<D>(world_, V, stages_.settings.h, attempt_)) return {Word::too_long};
    attempt_.memory.impulses.remember(solved.set, solved.assembly, solved.impulses);

    follow_velocities<D>(world_, V, attempt_.steady, attempt_.h, attempt_.paths);  // advance, tried
    if (!model_.promises().anything()) return {};
    const TriedMotion<D> motion = measure_.sweep(attempt_.paths, model_.sweeps() ? margin_ : 0);  // measure
    attempt_.times.measure += watch_.lap();
    Verdict verdict = judge(motion, world_, model_.promises(), *contacts_, attempt_);  // relate
    attempt_.times.relate += watch_.lap(), ++attempt_.updates;
    return verdict;
  }

  const World<D>& world_;
  const Stages<D>& stages_;
  const ContactModel<D>& model_;
  const StepMemory<D>& memory_;
  std::vector<Twist<D>> V_;  ///< per body, at the start
  StepInput<D> input_;
  Measure<D> measure_;
  std::unique_ptr<StepContacts<D>> contacts_;
  double margin_ = 0;  ///< [m]
  int passes_ = 0;
  Stopwatch watch_;
  Attempt<D> attempt_;
};

}  // namespace

template <int D>
Attempt<D> attempt_step(const World<D>& world, double h, const Stages<D>& stages,
                        const StepMemory<D>& memory) {
  return Conductor<D>(world, h, stages, memory).run();
}

template Attempt<2> attempt_step(const World<2>&, double, const Stages<2>&, const StepMemory<2>&);
template Attempt<3> attempt_step(const World<3>&, double, const Stages<3>&, const StepMemory<3>&);

}  // namespace touchstone
