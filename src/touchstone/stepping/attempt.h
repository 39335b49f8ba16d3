#pragma once
// An attempt at a step is a value: where every body would go and why, or why not. It changes nothing;
// commit() does.
//
//     attempt_step(world, h, stages, memory)  ->  Attempt        any number of times, from one world
//     commit(attempt, world, report)                              of the one that is taken
//
// To try, to divide and to refuse a step are compositions of these two (fixed_step.h).

#include <utility>

#include "touchstone/dynamics/canonical.h"
#include "touchstone/dynamics/swing.h"
#include "touchstone/stepping/measure.h"
#include "touchstone/stepping/step_report.h"
#include "touchstone/stepping/step_settings.h"

namespace touchstone {

/// What the five stages are, once chosen.
template <int D>
struct Stages {
  StepSettings settings;
  PairFinder<D> finder;                          ///< measure; empty: the broad phase
  std::shared_ptr<const ContactModel<D>> model;  ///< relate
  SolveStage<D> solve;                           ///< formulate and solve
};

/// What is remembered from one step to the next: it makes steps faster and changes no more than round-off.
template <int D>
struct StepMemory {
  PairTree<D> tree;
  ModelMemoryPtr model;
  ImpulseMemory impulses;
  SplitIslands<D> splits;  ///< forces without friction, as they were shared among contacts
};

/// Bodies that nothing but joints pushes [dynamics/swing.h]. Per body of the world.
template <int D>
struct SwingingBodies {
  std::vector<char> on;  ///< empty: none
  std::vector<Twist<D>> V_end;
  std::vector<Spin<D>> end_kick;  ///< [N m s]
  std::vector<SwingWork> works;

  bool contains(int body) const { return !on.empty() && on[body]; }
};

template <int D>
struct Attempt {
  StepStatus status = StepStatus::done;
  std::string why;             ///< not done
  double event = 0.5;          ///< not done: the fraction of the step at which it is best divided
  double h = 0;                ///< [s]
  std::vector<Path<D>> paths;  ///< per body
  SteadyBodies<D> steady;
  SwingingBodies<D> swinging;
  SolvedStep<D> solved;                    ///< contacts, equations, impulses
  std::vector<std::pair<int, int>> pairs;  ///< of parts that might meet on their paths
  std::optional<double> min_gap;           ///< [m]
  std::optional<EndCloseness> ends;
  std::vector<ModelNote> notes;
  int updates = 0;      ///< how often contacts were evaluated
  int iterations = 0;   ///< of the solvers, over all evaluations
  ChoiceReport choice;  ///< the effort likewise
  StageTimes times;
  StepMemory<D> memory;  ///< for the next step

  void remember_impulses() { memory.impulses.remember(solved.set, solved.assembly, solved.impulses); }
  /// Counts the effort of `solved`.
  void count_effort() {
    const ChoiceReport earlier = std::exchange(choice, solved.choice);
    choice.add_effort(earlier);
    iterations += solved.iterations;
  }
};

template <int D>
Attempt<D> attempt_step(const World<D>& world, double h, const Stages<D>& stages,
                        const StepMemory<D>& memory);

/// advance: moves the bodies to the ends of their paths, and accounts for the energy. Loads stay as they are:
/// a part of a step may follow.
template <int D>
void commit(const Attempt<D>& attempt, const StepSettings& settings, World<D>& world, StepReport<D>& report);

}  // namespace touchstone
