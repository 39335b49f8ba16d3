#pragma once
// A step that cannot be made is made in two halves, and these in halves again; inside stepping only.

#include <functional>

#include "touchstone/stepping/step_report.h"
#include "touchstone/stepping/world.h"

namespace touchstone {

/// Makes a step of the length h; false: it cannot be made, and the poses are as they were.
template <int D>
using Attempt = std::function<bool(World<D>& world, double h)>;

/// The forces that users set hold for the whole step: advance() clears them after each part of it.
template <int D>
class Loads {
 public:
  explicit Loads(const World<D>& world) {
    for (const Body<D>& body : world.bodies) bodies_.push_back(body.force);
    for (const Joint<D>& joint : world.joints) joints_.push_back(joint.axes);
  }
  void restore(World<D>& world) const {
    for (std::size_t i = 0; i < bodies_.size(); ++i) world.bodies[i].force = bodies_[i];
    for (std::size_t i = 0; i < joints_.size(); ++i) world.joints[i].axes = joints_[i];
  }

 private:
  std::vector<Twist<D>> bodies_;
  std::vector<std::vector<JointAxis>> joints_;
};

/// `halvings`: how often what fails may be halved. False: the world is as it was.
template <int D>
bool make_in_parts(World<D>& world, double h, int halvings, StepReport<D>& report,
                   const Attempt<D>& attempt) {
  const Loads<D> loads(world);
  if (attempt(world, h)) return true;
  if (halvings == 0 || report.status == StepStatus::bad_state) return false;
  const World<D> start = world;
  report.status = StepStatus::done, report.message.clear();
  ++report.substeps;
  bool done = make_in_parts(world, 0.5 * h, halvings - 1, report, attempt);
  if (done) {
    loads.restore(world);
    done = make_in_parts(world, 0.5 * h, halvings - 1, report, attempt);
  }
  if (!done) world = start;
  return done;
}

/// One step of the world, however many parts it took.
template <int D>
void make_one_step(World<D>& world, int halvings, StepReport<D>& report, const Attempt<D>& attempt) {
  const double time = world.time;
  const long steps = world.steps;
  if (!make_in_parts(world, report.h, halvings, report, attempt)) return;
  world.time = time + report.h;
  world.steps = steps + 1;
}

}  // namespace touchstone
