// The conductor of the model `plane`: the same stages, but contacts are evaluated at the end of the step and
// the equations solved again until no pair overlaps there [Plane 3]. What does not converge is tried in
// two halves.

#include <Eigen/LU>

#include "touchstone/contact/plane_contacts.h"
#include "touchstone/stepping/advance.h"
#include "touchstone/stepping/parts.h"
#include "touchstone/stepping/trial.h"

namespace touchstone {
namespace {

/// Boxes are larger by so many falls within the step: what rests, held once its contacts are found, stays
/// within.
constexpr double kSettling = 4;

/// A motion through the step that is tried, and where it leads.
template <int D>
struct TriedMotion {
  std::vector<BodyMotion<D>> motion;  ///< per body
  std::vector<Body<D>> moved;         ///< their poses at the end
  std::vector<Pose<D>> X_end;         ///< of their parts

  explicit TriedMotion(const World<D>& world) : moved(world.bodies) {}
  /// Bodies that move as in the last try are there already.
  void follow(const World<D>& world, const std::vector<Twist<D>>& V, const SteadyBodies<D>& steady,
              double h) {
    const bool first = motion.empty();
    motion.resize(V.size());
    for (std::size_t b = 0; b < V.size(); ++b) {
      if (!first && motion[b].velocity == V[b] && !steady.contains(static_cast<int>(b))) continue;
      motion[b] = {world.bodies[b].position, V[b]};
      place_body(world, static_cast<int>(b), V[b], steady, h, moved[b]);
    }
    place_parts(world, moved, X_end);
  }
};

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

}  // namespace

/// What the accepted motion's end looks like, unless something has moved the bodies since or a user finds the
/// pairs.
template <int D>
void Stepper<D>::keep_ends(EndCloseness ends, StepReport<D>& report) const {
  const std::optional<double> clearance = measure_.clearance();
  report.ends.reset();
  if (!clearance || settings_.correct_joints || !after_.empty()) return;
  report.ends = std::move(ends);
  report.ends->clearance = *clearance;
}

/// The first contacts are those of bodies that go on as they move now: what rests or slides mostly does, and
/// the state alone decides, not what was remembered.
template <int D>
bool Stepper<D>::try_plane_step(World<D>& world, double h, StepReport<D>& report) {
  Trial trial(world, h, report);
  follow_scripts(world, h);
  planes_->begin();
  TriedMotion<D> tried(world);
  const double margin = kSettling * h * h * world.gravity.norm();
  const auto try_motion = [&](const std::vector<Twist<D>>& V, bool again) {
    tried.follow(world, V, trial.steady, h);
    measure_.sweep(world, tried.X_end, margin, again);
    report.times.measure += trial.watch.lap();
    return PlaneScene<D>{world.shapes,        measure_.X_WS(), tried.X_end, tried.motion, measure_.pairs(), h,
                         world.gravity.norm()};
  };
  report.plane.passed += planes_->update(try_motion(velocities(world), false)).passed;
  ++report.updates;
  report.times.relate += trial.watch.lap();
  for (int pass = 0; pass < settings_.max_updates; ++pass) {
    report.set = planes_->set();
    if (!solve_step(trial, report.set)) return false;
    impulse_memory_.remember(report.set, trial.assembly, trial.result.impulses);

    const PlaneScene<D> scene = try_motion(velocities(world, trial.assembly, trial.result.impulses.V), true);
    report.pairs = static_cast<int>(measure_.pairs().size());
    PlaneUpdate update = planes_->update(scene);
    ++report.updates;
    report.plane.passed += update.passed;
    const std::vector<double> push = pushes(report.set, trial.assembly, trial.result.impulses);
    int open = update.hits;
    if (open == 0) open = planes_->loosen(scene, push), report.plane.loosened += open;
    if (open == 0 && gains_energy(report.set, push, trial.assembly, trial.result.impulses, h)) {
      open = planes_->take_care(scene, push), report.plane.careful += open;
      if (open > 0) hold_steady(report.set, push, world.bodies.size(), trial.steady);
    }
    open += renew_turning(world, tried.motion, h, trial.steady);
    report.times.relate += trial.watch.lap();
    if (open > 0) continue;
    report.min_gap = std::min(report.min_gap.value_or(update.lowest_gap), update.lowest_gap);
    finish_step(world, trial);
    keep_ends(std::move(update.ends), report);
    return true;
  }
  report.status = StepStatus::not_converged;
  report.message = "contacts did not settle in " + std::to_string(settings_.max_updates) + " evaluations";
  return false;
}

template <int D>
void Stepper<D>::make_plane_step(World<D>& world, StepReport<D>& report) {
  report.updates = 0;
  make_one_step<D>(world, settings_.max_halvings, report,
                   [&](World<D>& now, double h) { return try_plane_step(now, h, report); });
}

template void Stepper<2>::make_plane_step(World<2>&, StepReport<2>&);
template void Stepper<3>::make_plane_step(World<3>&, StepReport<3>&);

}  // namespace touchstone
