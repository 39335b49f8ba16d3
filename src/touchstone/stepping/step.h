#pragma once
// Makes steps of a world.

#include "touchstone/stepping/attempt.h"

namespace touchstone {

template <int D>
class AccurateMotion;  // stepping/events/accurate_motion.h

/// The name of the default contact model.
inline constexpr std::string_view kDefaultModel = "plane";

/// Stages may be replaced. What is remembered between steps only makes them faster; a copy remembers the
/// same, and makes the same steps to the last bit.
template <int D>
class Stepper {
 public:
  using Solver = std::function<Solution(const Problem&, const SolveSettings&)>;

  /// Throws std::invalid_argument for an unknown model, and for settings without sense or that nobody uses.
  explicit Stepper(StepSettings settings, std::string_view model = kDefaultModel);
  Stepper(StepSettings settings, std::shared_ptr<const ContactModel<D>> model);

  const StepSettings& settings() const { return stages_.settings; }
  const Stages<D>& stages() const { return stages_; }
  const StepMemory<D>& memory() const { return memory_; }

  // Stages of the user's own, in place of the stages that the settings name. A new model starts without the
  // memory of the last one.
  /// measure: the search for pairs; empty: the broad phase again.
  void set_pair_finder(PairFinder<D> finder) { stages_.finder = std::move(finder); }
  /// relate. Throws std::invalid_argument where it is null or does not fit the formulation.
  void set_model(std::shared_ptr<const ContactModel<D>> model);
  /// What the settings tell another model is not told to this one.
  void set_model(std::string_view name);
  /// formulate: of each island; models that choose between contacts have their own and do not ask for it.
  void set_formulation(FormulationMaker<D> formulation);
  /// solve: called from several threads.
  void set_solver(Solver solver);
  /// One of Touchstone's own; throws std::invalid_argument where it has none of this name at the first step.
  void set_solver(std::string_view name);
  /// Somebody who looks over the shoulder of the present solver, and answers what it answers, to the bit.
  void watch_solver(Solver watcher) { stages_.solve.islands.solver = std::move(watcher); }

  /// From here on, motion is followed to this accuracy [m]; 0: by fixed steps.
  void set_accuracy(double accuracy);

  /// Drops the memory: the next step is, to the last bit, the first of a new stepper.
  void forget() { memory_ = {}, motion_ = nullptr; }

  /// One step. If it cannot be made the bodies are as they were and the report says why.
  StepReport<D> step(World<D>& world);

 private:
  Stages<D> stages_;
  bool formulation_is_own_ = false;  ///< the user's own
  StepMemory<D> memory_;
  std::shared_ptr<const AccurateMotion<D>>
      motion_;  ///< where an accuracy is asked for; copies of a stepper share it
};

}  // namespace touchstone
