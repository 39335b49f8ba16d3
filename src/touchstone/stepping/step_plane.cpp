// The conductor of the model `plane`: the same stages, but contacts are evaluated at the end of the step and
// the equations solved again until no pair overlaps there [plane.md 3]. What does not converge is tried in
// two halves.

#include "touchstone/stepping/advance.h"
#include "touchstone/stepping/trial.h"

namespace touchstone {
namespace {

template <int D>
std::vector<BodyMotion<D>> motions(const World<D>& world, const Assembly<D>& assembly,
                                   const std::vector<Twist<D>>& V) {
  std::vector<BodyMotion<D>> all;
  for (const Body<D>& body : world.bodies) all.push_back({body.position, body.velocity});
  for (std::size_t i = 0; i < V.size(); ++i) all[assembly.dynamic[i]].velocity = V[i];
  return all;
}

/// The bodies at the end of the motion.
template <int D>
void move_bodies(const World<D>& world, const std::vector<BodyMotion<D>>& motion, double h,
                 std::vector<Body<D>>& moved) {
  for (std::size_t b = 0; b < moved.size(); ++b) {
    moved[b].position = world.bodies[b].position, moved[b].attitude = world.bodies[b].attitude;
    if (moved[b].is_dynamic()) {
      move_freely(moved[b], motion[b].velocity, h);
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
  for (int pass = 0; pass < settings_.max_updates; ++pass) {
    report.set = planes_->set();
    if (!solve_step(trial, report.set)) return false;

    const auto motion = motions(world, trial.assembly, trial.result.impulses.V);
    move_bodies(world, motion, h, moved);
    place_parts(world, moved, X_end);
    measure_.sweep(world, X_end);
    report.pairs = static_cast<int>(measure_.pairs().size());
    report.times.measure += trial.watch.lap();

    const PlaneScene<D> scene{world.shapes, measure_.X_WS(), X_end, motion, measure_.pairs(), h};
    const PlaneUpdate update = planes_->update(scene);
    ++report.updates;
    const std::vector<double> push = pushes(report.set, trial.assembly, trial.result.impulses);
    int open = update.hits;
    if (open == 0) open = planes_->loosen(scene, push);
    report.times.relate += trial.watch.lap();
    if (open > 0) continue;
    report.min_gap = std::min(report.min_gap.value_or(update.lowest_gap), update.lowest_gap);
    planes_->accept(push);
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
