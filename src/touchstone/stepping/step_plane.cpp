// The conductor of the model `plane`: the same stages, but contacts are evaluated at the end of the step and
// the equations solved again until no pair overlaps there [plane.md 3]. What does not converge is tried in
// two halves.

#include <Eigen/LU>

#include "touchstone/contact/plane_contacts.h"
#include "touchstone/stepping/advance.h"
#include "touchstone/stepping/trial.h"

namespace touchstone {
namespace {

/// Boxes are larger by so many falls within the step: what rests, held once its contacts are found, stays
/// within.
constexpr double kSettling = 4;

template <int D>
std::vector<BodyMotion<D>> motions(const World<D>& world, const Assembly<D>& assembly,
                                   const std::vector<Twist<D>>& V) {
  std::vector<BodyMotion<D>> all;
  all.reserve(world.bodies.size());
  for (const Body<D>& body : world.bodies) all.push_back({body.position, body.velocity});
  for (std::size_t i = 0; i < V.size(); ++i) all[assembly.dynamic[i]].velocity = V[i];
  return all;
}

/// The bodies at the end of the motion.
template <int D>
void move_bodies(const World<D>& world, const std::vector<BodyMotion<D>>& motion,
                 const SteadyBodies<D>& steady, double h, std::vector<Body<D>>& moved) {
  for (std::size_t b = 0; b < moved.size(); ++b) {
    moved[b].position = world.bodies[b].position, moved[b].attitude = world.bodies[b].attitude;
    if (moved[b].is_dynamic()) {
      move_body(moved[b], motion[b].velocity, steady, static_cast<int>(b), h);
    } else {
      moved[b].position += h * linear<D>(motion[b].velocity);
      moved[b].attitude = moved[b].attitude.turned(h * angular<D>(motion[b].velocity));
    }
  }
}

template <int D>
std::vector<double> pushes(const ConstraintSet<D>& set, const Assembly<D>& assembly,
                           const StepImpulses<D>& found) {
  std::vector<double> push(set.contacts.size(), 0.);
  for (std::size_t i = 0; i < set.unilateral.size(); ++i) {
    if (assembly.row_of_contact[i] >= 0)
      push[set.unilateral[i]] = found.unilateral[assembly.row_of_contact[i]];
  }
  return push;
}

/// Did rows with an offset below zero give more than the step took [PEG 7]? Other gains (restitution, motors)
/// are meant.
template <int D>
bool gains_energy(const ConstraintSet<D>& set, const std::vector<double>& push, const Assembly<D>& assembly,
                  const StepImpulses<D>& found, double h) {
  double given = 0, taken = 0;
  for (std::size_t k = 0; k < push.size(); ++k) {
    const double term = push[k] * set.contacts[k].gap / h;
    (term < 0 ? given : taken) += std::abs(term);
  }
  if (given == 0) return false;
  const StepEquations<D>& equations = assembly.equations;
  for (std::size_t i = 0; i < found.V.size(); ++i) {
    const Twist<D> jump = found.V[i] - assembly.V_start[i];
    const Vec<D> v = linear<D>(jump);
    const Spin<D> w = angular<D>(jump);
    taken += 0.5 * (v.squaredNorm() / equations.inverse_mass[i] +
                    w.dot(equations.inverse_inertia[i].inverse() * w));
  }
  return given > taken;
}

/// Bodies that contacts with an offset below zero push turn steadily from now on.
template <int D>
void hold_steady(const ConstraintSet<D>& set, const std::vector<double>& push, std::size_t bodies,
                 SteadyBodies<D>& steady) {
  steady.on.resize(bodies, false);
  steady.turning.resize(bodies, Spin<D>::Zero());
  for (std::size_t k = 0; k < push.size(); ++k) {
    if (push[k] <= 0 || set.contacts[k].gap >= 0) continue;
    steady.on[set.contacts[k].body_A] = steady.on[set.contacts[k].body_B] = true;
  }
}

/// The turning of steady bodies at the velocities found; the answer is how many of them were solved with
/// another.
template <int D>
int renew_turning(const World<D>& world, const std::vector<BodyMotion<D>>& motion, double h,
                  SteadyBodies<D>& steady) {
  constexpr double kSame = 1e-14;  // of the angular momentum: both it and energy are kept to round-off
  int changed = 0;
  for (std::size_t b = 0; b < steady.on.size(); ++b) {
    if (!steady.on[b] || !world.bodies[b].is_dynamic()) continue;
    const Spin<D> w = angular<D>(motion[b].velocity);
    const Spin<D> turning = steady_turning<D>(world.bodies[b], w, h);
    const double size = (world_inertia(world.bodies[b]) * w).norm();
    if ((turning - steady.turning[b]).norm() <= kSame * size) continue;
    steady.turning[b] = turning;
    ++changed;
  }
  return changed;
}

/// The forces that users set for the whole step: advance() clears them after each part of it.
template <int D>
struct Loads {
  std::vector<Twist<D>> bodies;
  std::vector<std::vector<JointAxis>> joints;

  explicit Loads(const World<D>& world) {
    for (const Body<D>& body : world.bodies) bodies.push_back(body.force);
    for (const Joint<D>& joint : world.joints) joints.push_back(joint.axes);
  }
  void restore(World<D>& world) const {
    for (std::size_t i = 0; i < bodies.size(); ++i) world.bodies[i].force = bodies[i];
    for (std::size_t i = 0; i < joints.size(); ++i) world.joints[i].axes = joints[i];
  }
};

}  // namespace

template <int D>
bool Stepper<D>::try_plane_step(World<D>& world, double h, StepReport<D>& report) {
  Trial trial(world, h, report);
  follow_scripts(world, h);
  planes_->begin();
  std::vector<Body<D>> moved = world.bodies;
  std::vector<Pose<D>> X_end;
  const double margin = kSettling * h * h * world.gravity.norm();
  for (int pass = 0; pass < settings_.max_updates; ++pass) {
    report.set = planes_->set();
    if (!solve_step(trial, report.set)) return false;
    impulse_memory_.remember(report.set, trial.assembly, trial.result.impulses);

    const auto motion = motions(world, trial.assembly, trial.result.impulses.V);
    move_bodies(world, motion, trial.steady, h, moved);
    place_parts(world, moved, X_end);
    measure_.sweep(world, X_end, margin, pass > 0);
    report.pairs = static_cast<int>(measure_.pairs().size());
    report.times.measure += trial.watch.lap();

    const PlaneScene<D> scene{world.shapes,        measure_.X_WS(), X_end, motion, measure_.pairs(), h,
                              world.gravity.norm()};
    const PlaneUpdate update = planes_->update(scene);
    ++report.updates;
    const std::vector<double> push = pushes(report.set, trial.assembly, trial.result.impulses);
    int open = update.hits;
    if (open == 0) open = planes_->loosen(scene, push);
    if (open == 0 && gains_energy(report.set, push, trial.assembly, trial.result.impulses, h)) {
      open = planes_->take_care(scene, push);
      if (open > 0) hold_steady(report.set, push, world.bodies.size(), trial.steady);
    }
    open += renew_turning(world, motion, h, trial.steady);
    report.times.relate += trial.watch.lap();
    if (open > 0) continue;
    report.min_gap = std::min(report.min_gap.value_or(update.lowest_gap), update.lowest_gap);
    finish_step(world, trial);
    return true;
  }
  report.status = StepStatus::not_converged;
  report.message = "contacts did not settle in " + std::to_string(settings_.max_updates) + " evaluations";
  return false;
}

/// Tries the step, and its halves where it fails; false: the world is as it was.
template <int D>
bool Stepper<D>::divide(World<D>& world, double h, int halvings, StepReport<D>& report) {
  const Loads<D> loads(world);
  if (try_plane_step(world, h, report)) return true;
  if (halvings == settings_.max_halvings) return false;
  const World<D> start = world;
  report.status = StepStatus::done, report.message.clear();
  ++report.substeps;
  bool done = divide(world, 0.5 * h, halvings + 1, report);
  if (done) {
    loads.restore(world);
    done = divide(world, 0.5 * h, halvings + 1, report);
  }
  if (!done) world = start;
  return done;
}

template <int D>
void Stepper<D>::make_plane_step(World<D>& world, StepReport<D>& report) {
  const double time = world.time;
  const long steps = world.steps;
  report.updates = 0;
  if (!divide(world, settings_.h, 0, report)) return;
  world.time = time + settings_.h;
  world.steps = steps + 1;
}

template void Stepper<2>::make_plane_step(World<2>&, StepReport<2>&);
template void Stepper<3>::make_plane_step(World<3>&, StepReport<3>&);

}  // namespace touchstone
