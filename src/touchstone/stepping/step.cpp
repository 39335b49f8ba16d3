#include "touchstone/stepping/step.h"

#include <chrono>
#include <cmath>
#include <stdexcept>

#include "touchstone/contact/plane_contacts.h"
#include "touchstone/stepping/advance.h"
#include "touchstone/stepping/motion_check.h"
#include "touchstone/stepping/trial.h"

namespace touchstone {
namespace {

void check(const StepSettings& settings) {
  if (!(settings.h > 0) || !std::isfinite(settings.h))
    throw std::invalid_argument("the step must be positive");
  if (!(settings.margin >= 0)) throw std::invalid_argument("the contact margin must not be negative");
}

/// The name of a body whose numbers are not finite, or nothing.
template <int D>
const std::string* find_bad_body(const World<D>& world) {
  for (const Body<D>& body : world.bodies) {
    const bool good = body.position.allFinite() && body.velocity.allFinite() && body.force.allFinite() &&
                      body.attitude.matrix().allFinite();
    if (!good) return &body.name;
  }
  return nullptr;
}

/// What forbids a step from here, or nothing.
template <int D>
std::optional<std::string> trouble_at_start(const World<D>& world, double h) {
  if (const std::string* name = find_bad_body(world))
    return "body \"" + *name + "\" has a position, velocity or force that is not a finite number";
  return trouble_with_motion(world, velocities(world), h);
}

template <int D>
std::unique_ptr<PlaneContacts<D>> new_planes(const StepSettings& settings) {
  return std::make_unique<PlaneContacts<D>>(PlaneSettings{settings.gap_tolerance, settings.plane_rule});
}

}  // namespace

std::string_view text_of(StepStatus status) {
  switch (status) {
    case StepStatus::done:
      return "done";
    case StepStatus::not_converged:
      return "not converged";
    case StepStatus::unsolved:
      return "unsolved";
    case StepStatus::bad_state:
      return "bad state";
  }
  return "";
}

template <int D>
Stepper<D>::~Stepper() = default;
template <int D>
Stepper<D>::Stepper(const Stepper& other)
    : settings_(other.settings_),
      model_(other.model_),
      formulation_(other.formulation_),
      solver_(other.solver_),
      before_(other.before_),
      after_(other.after_),
      measure_(other.measure_),
      pair_memory_(other.pair_memory_),
      planes_(other.planes_ ? std::make_unique<PlaneContacts<D>>(*other.planes_) : nullptr),
      impulse_memory_(other.impulse_memory_) {}
template <int D>
Stepper<D>::Stepper(Stepper&&) noexcept = default;
template <int D>
Stepper<D>& Stepper<D>::operator=(Stepper&&) noexcept = default;

template <int D>
Stepper<D>::Stepper(StepSettings settings, std::shared_ptr<const ContactModel<D>> model)
    : settings_(std::move(settings)) {
  check(settings_);
  set_model(std::move(model));
  formulation_ = [form = settings_.formulation.form](const StepEquations<D>& equations) {
    return formulate(equations, form);
  };
  solver_ = [name = settings_.solver](const Problem& problem, const SolveSettings& solve_settings) {
    return solve(problem, name, solve_settings);
  };
}

template <int D>
Stepper<D>::Stepper(StepSettings settings, std::string_view model)
    : Stepper(std::move(settings),
              model == kPlaneModel ? nullptr
                                   : std::shared_ptr<const ContactModel<D>>(make_contact_model<D>(model))) {}

template <int D>
void Stepper<D>::set_model(std::shared_ptr<const ContactModel<D>> model) {
  const bool chooses = model && model->has_choices();
  if ((chooses || !model) && settings_.formulation.scheme != Scheme::stewart_trinkle) {
    throw std::invalid_argument(
        std::string(chooses ? "models that choose between contacts ask" : "the model plane asks") +
        " for gaps at the end of the step: the formulation must be a stewart-trinkle one");
  }
  if (!chooses && settings_.formulation.form == Form::choices) {
    throw std::invalid_argument(
        "the formulation peg-lcp is for models that choose between contacts: peg, "
        "peg-printed, lnc");
  }
  model_ = std::move(model);
  planes_ = model_ ? nullptr : new_planes<D>(settings_);
  pair_memory_ = {};
  impulse_memory_ = {};
}

template <int D>
void Stepper<D>::forget() {
  measure_.forget();
  pair_memory_ = {};
  impulse_memory_ = {};
  if (planes_) planes_ = new_planes<D>(settings_);
}

template <int D>
StepReport<D> Stepper<D>::step(World<D>& world) {
  for (const Function& function : before_) function(world);
  StepReport<D> report;
  report.h = settings_.h;
  const std::vector<Twist<D>> V = velocities(world);  // those of scripted bodies are set anew by the attempt
  follow_scripts(world, settings_.h);
  if (const auto trouble = trouble_at_start(world, settings_.h)) {
    report.status = StepStatus::bad_state, report.message = *trouble;
  } else {
    make_step(world, report);
  }
  for (std::size_t i = 0; i < V.size() && report.status != StepStatus::done; ++i) {
    world.bodies[i].velocity = V[i];
  }
  report.time = world.time;
  if (report.status == StepStatus::done) {
    for (const Function& function : after_) function(world);
  }
  return report;
}

template <int D>
void Stepper<D>::make_step(World<D>& world, StepReport<D>& report) {
  if (planes_) return make_plane_step(world, report);
  if (model_->has_choices()) return make_peg_step(world, report);
  Trial trial(world, settings_.h, report);

  follow_scripts(world, trial.h);
  const double margin = settings_.margin > 0 ? settings_.margin : contact_margin(world, trial.h);
  measure_.update(world, margin);
  report.pairs = static_cast<int>(measure_.pairs().size());
  report.times.measure = trial.watch.lap();

  model_->relate({world.shapes, measure_.X_WS(), measure_.pairs(), margin}, pair_memory_, report.set);
  report.times.relate = trial.watch.lap();

  if (solve_step(trial, report.set)) finish_step(world, trial);
}

template class Stepper<2>;
template class Stepper<3>;

}  // namespace touchstone
