#include "touchstone/stepping/step.h"

#include <cmath>
#include <stdexcept>

#include "touchstone/stepping/events/accurate_motion.h"
#include "touchstone/stepping/fixed_step.h"
#include "touchstone/stepping/judge.h"

namespace touchstone {
namespace {

void check(const StepSettings& settings) {
  if (!(settings.h > 0) || !std::isfinite(settings.h))
    throw std::invalid_argument("the step must be positive");
  if (!(settings.accuracy >= 0) || !std::isfinite(settings.accuracy))
    throw std::invalid_argument("the accuracy must be positive, or 0 for fixed steps");
  if (!(settings.margin >= 0)) throw std::invalid_argument("the contact margin must not be negative");
}

template <int D>
void check(const ContactModel<D>* model, const FormulationSettings& formulation) {
  if (!model) throw std::invalid_argument("there is no contact model");
  if (model->promises().anything() && formulation.scheme != Scheme::stewart_trinkle) {
    throw std::invalid_argument(
        std::string(model->has_choices() ? "models that choose between contacts ask"
                                         : "a model that promises gaps asks") +
        " for gaps at the end of the step: the formulation must be a stewart-trinkle one");
  }
  if (!model->has_choices() && formulation.form == Form::choices) {
    throw std::invalid_argument(
        "the formulation peg-lcp is for models that choose between contacts: peg, "
        "peg-printed, lnc");
  }
}

/// A setting that is not at its default although neither the model nor the formulation uses it; empty: none
/// is.
template <int D>
std::string_view unheard_setting(const StepSettings& told, const ContactModel<D>& model) {
  const StepSettings unchanged;
  if (told.margin != unchanged.margin && model.sweeps()) return "margin";
  if (told.choice != unchanged.choice && !model.has_choices()) return "choice";
  if (told.max_updates != unchanged.max_updates && !model.promises().anything()) return "max_updates";
  if (told.max_halvings != unchanged.max_halvings && !model.promises().gap) return "max_halvings";
  const bool pushes_out = told.formulation.scheme == Scheme::anitescu_potra;
  const bool asked = told.formulation.stabilisation != unchanged.formulation.stabilisation;
  return asked && !pushes_out ? "formulation.stabilisation" : "";
}

/// Why fixed steps cannot follow the limits of joints; empty: they can.
template <int D>
std::string bouncing_limits(const World<D>& world) {
  for (const Joint<D>& joint : world.joints) {
    for (const JointAxis& axis : joint.axes) {
      if (axis.bounce > 0)
        return "joint \"" + joint.name +
               "\" has limits that bounce, which only runs to an accuracy can follow";
    }
  }
  return "";
}

}  // namespace

template <int D>
Stepper<D>::Stepper(StepSettings settings, std::shared_ptr<const ContactModel<D>> model) {
  check(settings);
  if (const std::string_view unheard = model ? unheard_setting(settings, *model) : ""; !unheard.empty()) {
    throw std::invalid_argument("neither the contact model nor the formulation uses the setting " +
                                std::string(unheard));
  }
  stages_.settings = std::move(settings);
  const StepSettings& told = stages_.settings;
  set_model(std::move(model));
  SolveStage<D>& solve_stage = stages_.solve;
  solve_stage.islands.solve = told.solve;
  solve_stage.islands.accepted_residual = told.accepted_residual;
  solve_stage.islands.threads = told.threads;
  solve_stage.islands.formulate = [form = told.formulation.form](const StepEquations<D>& equations) {
    return formulate(equations, form);
  };
  set_solver(std::string_view(told.solver));
  solve_stage.choice = told.choice;
}

template <int D>
Stepper<D>::Stepper(StepSettings settings, std::string_view model)
    : Stepper(settings,
              std::shared_ptr<const ContactModel<D>>(make_contact_model<D>(model, settings.model))) {}

template <int D>
void Stepper<D>::set_model(std::shared_ptr<const ContactModel<D>> model) {
  check(model.get(), stages_.settings.formulation);
  stages_.solve.has_choices = model->has_choices();
  stages_.model = std::move(model);
  memory_.model = nullptr, memory_.impulses = {};
}

template <int D>
void Stepper<D>::set_model(std::string_view name) {
  set_model(std::shared_ptr<const ContactModel<D>>(
      make_contact_model<D>(name, heard_by(name, stages_.settings.model))));
}

template <int D>
void Stepper<D>::set_accuracy(double accuracy) {
  StepSettings changed = stages_.settings;
  changed.accuracy = accuracy;
  check(changed);
  stages_.settings = std::move(changed), motion_ = nullptr;
}

template <int D>
void Stepper<D>::set_formulation(FormulationMaker<D> formulation) {
  stages_.solve.islands.formulate = std::move(formulation);
  stages_.solve.islands.canonical = false, formulation_is_own_ = true;
}

template <int D>
void Stepper<D>::set_solver(std::string_view name) {
  stages_.solve.islands.solver = [name = std::string(name)](const Problem& problem,
                                                            const SolveSettings& settings) {
    return solve(problem, name, settings);
  };
  const bool any = name == kAnySolver, reduced = stages_.settings.formulation.form == Form::reduced;
  stages_.solve.islands.canonical = any && reduced && !formulation_is_own_;
  stages_.solve.solver_is_named = !any;
}

template <int D>
void Stepper<D>::set_solver(Solver solver) {
  stages_.solve.islands.solver = std::move(solver);
  stages_.solve.islands.canonical = false;
  stages_.solve.solver_is_named = true;
}

template <int D>
StepReport<D> Stepper<D>::step(World<D>& world) {
  StepReport<D> report;
  report.h = stages_.settings.h;
  if (stages_.settings.solve.is_stopped()) {
    report.status = StepStatus::stopped;
  } else if (const auto trouble = trouble_at_start(world, report.h)) {
    report.status = StepStatus::bad_state, report.message = *trouble;
  } else if (stages_.settings.accuracy > 0) {
    motion_ = make_accurate_step(stages_.settings, std::move(motion_), world, report);
  } else if (const std::string limits = bouncing_limits(world); !limits.empty()) {
    report.status = StepStatus::bad_state, report.message = limits;
  } else {
    make_fixed_step(stages_, world, memory_, report);
  }
  report.time = world.time;
  return report;
}

template class Stepper<2>;
template class Stepper<3>;

}  // namespace touchstone
