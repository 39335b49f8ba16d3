#pragma once
// The fixed-step conductor: measure -> relate -> formulate -> solve -> advance, and nothing else.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "touchstone/contact/contact_model.h"
#include "touchstone/contact/plane_rule.h"
#include "touchstone/dynamics/formulation.h"
#include "touchstone/dynamics/selection.h"
#include "touchstone/solve/solver.h"
#include "touchstone/stepping/impulse_memory.h"
#include "touchstone/stepping/measure.h"
#include "touchstone/stepping/step_report.h"
#include "touchstone/stepping/world.h"

namespace touchstone {

/// Tighter than a solver's own default: gaps and energies of a step are judged at 1e-12.
inline SolveSettings exact_enough() {
  SolveSettings settings;
  settings.tolerance = 1e-12;
  return settings;
}

struct StepSettings {
  double h = 0.01;                 ///< [s]
  double margin = 0;               ///< [m] of contacts; 0: from speeds and gravity, contact_margin()
  double joint_stabilisation = 1;  ///< share of a joint's error removed per step [Thesis eq. 2.28]; 0: none
  bool correct_joints = false;     ///< after each step, by [Thesis alg. 1]
  FormulationSettings formulation;
  std::string solver = "auto";
  SolveSettings solve = exact_enough();
  double accepted_residual =
      1e-9;         ///< what missed the tolerance is still taken up to here; the report tells the residual
  int threads = 0;  ///< that solve islands; 0: as many as there are cores
  double gap_tolerance = 1e-9;  ///< [m] model `plane`: no gap of an accepted step is below minus this
  PlaneRule plane_rule = PlaneRule::ca;  ///< model `plane`
  int max_updates = 30;                  ///< model `plane`: evaluations of contacts before the step is halved
  int max_halvings = 10;                 ///< model `plane`: into at most 2^10 parts
  FeatureTests tests;                    ///< models `peg`, `peg-printed`, `lnc`: when a contact is primary
  bool relinearise = false;  ///< the same: evaluate them anew until no gap at the end is below tolerance
  ChoiceSettings choice;     ///< models with I- and X-constraints: which member is held
};

/// The name of the model that evaluates contacts anew within the step.
inline constexpr std::string_view kPlaneModel = "plane";

template <int D>
class PlaneContacts;

/// Makes steps of a world. Stages may be replaced; what is remembered between steps only makes them faster.
template <int D>
class Stepper {
 public:
  using Function = std::function<void(World<D>&)>;
  using Solver = std::function<Solution(const Problem&, const SolveSettings&)>;

  /// Throws std::invalid_argument for an unknown model or settings without sense.
  explicit Stepper(StepSettings settings, std::string_view model = kPlaneModel);
  Stepper(StepSettings settings, std::shared_ptr<const ContactModel<D>> model);

  ~Stepper();
  /// The copy remembers the same, and makes the same steps to the last bit.
  Stepper(const Stepper& other);
  Stepper(Stepper&&) noexcept;
  Stepper& operator=(Stepper&&) noexcept;

  const StepSettings& settings() const { return settings_; }
  /// Stages of the user's own, in place of those that the settings name. What was remembered is forgotten.
  /// measure: the search for pairs; empty: the broad phase again.
  void set_pair_finder(PairFinder<D> finder) { measure_.set_pair_finder(std::move(finder)); }
  /// relate: null is the model `plane`. Throws std::invalid_argument where it does not fit the formulation.
  void set_model(std::shared_ptr<const ContactModel<D>> model);
  /// formulate: of each island; models that choose between contacts have their own and do not ask for it.
  void set_formulation(FormulationMaker<D> formulation) { formulation_ = std::move(formulation); }
  /// solve: called from several threads.
  void set_solver(Solver solver) { solver_ = std::move(solver); }
  /// Called with the world before each step (to set forces) and after each that succeeded.
  void before_step(Function function) { before_.push_back(std::move(function)); }
  void after_step(Function function) { after_.push_back(std::move(function)); }

  /// Drops what is remembered between steps: the next step is, to the last bit, the first of a new stepper.
  void forget();

  /// One step. If it cannot be made the bodies are as they were and the report says why.
  StepReport<D> step(World<D>& world);

 private:
  struct Trial;
  void make_step(World<D>& world, StepReport<D>& report);
  bool solve_step(Trial& trial, const ConstraintSet<D>& set);
  void finish_step(World<D>& world, Trial& trial);
  // The second conductor: contacts are evaluated anew at the end of the step (step_plane.cpp).
  void make_plane_step(World<D>& world, StepReport<D>& report);
  bool try_plane_step(World<D>& world, double h, StepReport<D>& report);
  void keep_ends(EndCloseness ends, StepReport<D>& report) const;

  // The third conductor: contacts of which one of several must hold (step_peg.cpp).
  void make_peg_step(World<D>& world, StepReport<D>& report);
  bool try_peg_step(World<D>& world, double h, StepReport<D>& report);
  bool choose_and_solve(Trial& trial);
  Choice choose(Trial& trial, const ConstraintSet<D>& set, const ConstraintSet<D>& start,
                const Choice& before);
  bool solve_as_one(Trial& trial);
  bool solve_guess(Trial& trial, const ConstraintSet<D>& set);
  bool missed_a_pair(const Trial& trial);
  bool relinearise(Trial& trial);

  StepSettings settings_;
  std::shared_ptr<const ContactModel<D>> model_;
  FormulationMaker<D> formulation_;
  Solver solver_;
  std::vector<Function> before_, after_;
  Measure<D> measure_;
  PairMemory<D> pair_memory_;
  std::unique_ptr<PlaneContacts<D>> planes_;  ///< there: the model is `plane`
  ImpulseMemory impulse_memory_;
};

}  // namespace touchstone
