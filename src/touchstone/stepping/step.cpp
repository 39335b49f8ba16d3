#include "touchstone/stepping/step.h"

#include <chrono>
#include <cmath>
#include <stdexcept>

#include "touchstone/dynamics/assembly.h"
#include "touchstone/stepping/advance.h"
#include "touchstone/stepping/balance.h"
#include "touchstone/stepping/solve_islands.h"

namespace touchstone {
namespace {

/// Seconds since the last call.
class Stopwatch {
 public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

void check(const StepSettings& settings) {
  if (!(settings.h > 0) || !std::isfinite(settings.h))
    throw std::invalid_argument("the step must be positive");
  if (!(settings.margin >= 0)) throw std::invalid_argument("the contact margin must not be negative");
}

template <int D>
std::vector<JointEquations<D>> equations_of_joints(const World<D>& world) {
  std::vector<JointEquations<D>> all;
  for (const Joint<D>& joint : world.joints) all.push_back(joint_equations<D>(joint, world.bodies));
  return all;
}

template <int D>
double joint_error(const World<D>& world) {
  double worst = 0;
  for (const JointEquations<D>& joint : equations_of_joints(world)) {
    for (const Row<D>& row : joint.rows) worst = std::max(worst, std::abs(row.offset));
  }
  return worst;
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

template <int D>
std::vector<ContactForce<D>> contact_forces(const ConstraintSet<D>& set, const Assembly<D>& assembly,
                                            const StepImpulses<D>& found) {
  std::vector<ContactForce<D>> forces(set.unilateral.size());
  for (std::size_t i = 0; i < forces.size(); ++i) {
    const int contact = set.unilateral[i], row = assembly.row_of_contact[i];
    const double normal = row < 0 ? 0 : found.unilateral[row];
    forces[i] = {contact, normal, normal * set.contacts[contact].normal};
  }
  // A row's direction is the linear part of its G on the body that moves.
  const auto add = [&](const std::vector<Row<D>>& rows, const std::vector<RowNote>& notes,
                       const std::vector<double>& p) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (notes[i].kind != RowKind::friction) continue;
      const Vec<D> direction = rows[i].body_A >= 0 ? linear<D>(rows[i].G_A) : Vec<D>(-linear<D>(rows[i].G_B));
      forces[notes[i].index].impulse += p[i] * direction;
    }
  };
  add(assembly.equations.tangent, assembly.tangent, found.tangent);
  add(assembly.equations.bilateral, assembly.bilateral, found.bilateral);
  return forces;
}

}  // namespace

std::string_view text_of(StepStatus status) {
  switch (status) {
    case StepStatus::done:
      return "done";
    case StepStatus::unsolved:
      return "unsolved";
    case StepStatus::bad_state:
      return "bad state";
  }
  return "";
}

template <int D>
Stepper<D>::Stepper(StepSettings settings, std::shared_ptr<const ContactModel<D>> model)
    : settings_(std::move(settings)), model_(std::move(model)) {
  check(settings_);
  solver_ = [name = settings_.solver](const Problem& problem, const SolveSettings& solve_settings) {
    return solve(problem, name, solve_settings);
  };
}

template <int D>
Stepper<D>::Stepper(StepSettings settings, std::string_view model)
    : Stepper(std::move(settings), std::shared_ptr<const ContactModel<D>>(make_contact_model<D>(model))) {}

template <int D>
StepReport<D> Stepper<D>::step(World<D>& world) {
  for (const Function& function : before_) function(world);
  StepReport<D> report;
  report.h = settings_.h;
  if (const std::string* name = find_bad_body(world)) {
    report.status = StepStatus::bad_state;
    report.message = "body \"" + *name + "\" has a position, velocity or force that is not a finite number";
  } else {
    make_step(world, report);
  }
  report.time = world.time;
  if (report.status == StepStatus::done) {
    for (const Function& function : after_) function(world);
  }
  return report;
}

template <int D>
void Stepper<D>::make_step(World<D>& world, StepReport<D>& report) {
  const double h = settings_.h;
  Stopwatch watch;

  follow_scripts(world, h);
  const double margin = settings_.margin > 0 ? settings_.margin : contact_margin(world, h);
  measure_.update(world, margin);
  report.pairs = static_cast<int>(measure_.pairs().size());
  report.times.measure = watch.lap();

  model_->relate({world.shapes, measure_.X_WS(), measure_.pairs(), margin}, pair_memory_, report.set);
  report.contacts = static_cast<int>(report.set.contacts.size());
  report.times.relate = watch.lap();

  const auto joints = equations_of_joints(world);
  const Assembly<D> assembly =
      assemble<D>({world.bodies, joints, world.joints, report.set, world.surfaces, world.gravity, h,
                   settings_.joint_stabilisation, settings_.formulation});
  const StepImpulses<D> guess = impulse_memory_.guess(report.set, assembly);
  report.times.formulate = watch.lap();

  const IslandResult<D> result = solve_islands(
      assembly, guess, {settings_.formulation.form, settings_.solve, settings_.threads, solver_});
  report.islands = result.islands, report.rows = result.rows;
  report.iterations = result.iterations, report.residual = result.residual;
  report.times.solve = watch.lap();
  if (!result.solved) {
    report.status = StepStatus::unsolved, report.message = result.message;
    return;
  }

  const Energy before = energy(world);
  impulse_memory_.remember(report.set, assembly, result.impulses);
  report.forces = contact_forces(report.set, assembly, result.impulses);
  advance(world, assembly, result.impulses, h);
  report.energy = energy(world);
  report.balance = energy_balance(assembly, result.impulses, world, before, report.energy, h);
  if (settings_.correct_joints) correct_joints(world.joints, world.bodies);
  report.joint_error = joint_error(world);
  report.times.advance = watch.lap();
}

template class Stepper<2>;
template class Stepper<3>;

}  // namespace touchstone
