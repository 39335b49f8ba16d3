#include "touchstone/stepping/trial.h"

#include <cmath>

#include "touchstone/stepping/advance.h"
#include "touchstone/stepping/balance.h"
#include "touchstone/stepping/motion_check.h"

namespace touchstone {
namespace {

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

template <int D>
void add_turning(const SteadyBodies<D>& steady, Assembly<D>& assembly) {
  for (std::size_t i = 0; i < assembly.dynamic.size(); ++i) {
    if (!steady.contains(assembly.dynamic[i])) continue;
    const Twist<D> impulse = twist<D>(Vec<D>::Zero(), steady.turning[assembly.dynamic[i]]);
    assembly.equations.V_free[i] += assembly.equations.apply_inverse_mass(static_cast<int>(i), impulse);
  }
}

void add(const EnergyBalance& part, EnergyBalance& sum) {
  sum.kinetic += part.kinetic, sum.potential += part.potential, sum.jump += part.jump;
  sum.contact += part.contact, sum.joint += part.joint, sum.drive += part.drive,
      sum.friction += part.friction;
  sum.work += part.work, sum.error += part.error, sum.scale += part.scale;
}

}  // namespace

template <int D>
Stepper<D>::Trial::Trial(const World<D>& w, double step, StepReport<D>& r)
    : world(w), h(step), report(r), joints(equations_of_joints(w)) {}

/// Over the whole step, also where a part of it is tried: then smaller parts do not help.
template <int D>
bool Stepper<D>::Trial::stays_in_world() const {
  const auto trouble = trouble_with_motion(world, velocities(world, assembly, result.impulses.V), report.h);
  if (trouble) report.status = StepStatus::bad_state, report.message = *trouble;
  return !trouble;
}

/// formulate and solve; false: the report says why.
template <int D>
bool Stepper<D>::solve_step(Trial& trial, const ConstraintSet<D>& set) {
  const World<D>& world = trial.world;
  StepReport<D>& report = trial.report;
  trial.assembly = assemble<D>({world.bodies, trial.joints, world.joints, set, world.surfaces, world.gravity,
                                trial.h, settings_.joint_stabilisation, settings_.formulation,
                                trial.assembly.equations.inverse_inertia});
  add_turning(trial.steady, trial.assembly);
  const StepImpulses<D> guess = impulse_memory_.guess(set, trial.assembly);
  report.times.formulate += trial.watch.lap();
  trial.result =
      solve_islands(trial.assembly, guess,
                    {formulation_, settings_.solve, settings_.accepted_residual, settings_.threads, solver_});
  const IslandResult<D>& result = trial.result;
  report.contacts = static_cast<int>(set.contacts.size());
  report.islands = result.islands, report.rows = result.rows;
  report.iterations += result.iterations;
  report.residual = std::max(report.residual, result.residual);
  report.times.solve += trial.watch.lap();
  if (!result.solved) report.status = StepStatus::unsolved, report.message = result.message;
  return result.solved && trial.stays_in_world();
}

/// advance, and account for what happened.
template <int D>
void Stepper<D>::finish_step(World<D>& world, Trial& trial) {
  StepReport<D>& report = trial.report;
  const StepImpulses<D>& impulses = trial.result.impulses;
  const Energy before = energy(world);
  impulse_memory_.remember(report.set, trial.assembly, impulses);
  report.forces = contact_forces(report.set, trial.assembly, impulses);
  advance(world, trial.assembly, impulses, trial.steady, trial.h);
  report.energy = energy(world);
  add(energy_balance(trial.assembly, impulses, world, before, report.energy, trial.h), report.balance);
  if (settings_.correct_joints) correct_joints(world.joints, world.bodies);
  report.joint_error = joint_error(world);
  report.times.advance += trial.watch.lap();
}

template bool Stepper<2>::solve_step(Trial&, const ConstraintSet<2>&);
template bool Stepper<3>::solve_step(Trial&, const ConstraintSet<3>&);
template void Stepper<2>::finish_step(World<2>&, Trial&);
template void Stepper<3>::finish_step(World<3>&, Trial&);
template struct Stepper<2>::Trial;
template struct Stepper<3>::Trial;

}  // namespace touchstone
