#pragma once
// What a run starts from: who takes part, who enters later, and what acts on them.

#include <limits>
#include <vector>

#include "touchstone/stepping/world.h"

namespace touchstone {

/// A force on one axis of a joint:  kp (target - value) + kd (target's rate - rate), with the value and the
/// rate at the end of each step: no gain makes it unstable (Servo in dynamics/joint.h).
struct JointController {
  int joint = 0, axis = 0;
  double kp = 0;                                               ///< [N/m or N m/rad]
  double kd = 0;                                               ///< [N s/m or N m s/rad]
  double max_force = std::numeric_limits<double>::infinity();  ///< [N or N m]
  /// The target [m or rad] at these times [s], straight between them, constant before and after.
  std::vector<double> times, targets;
};

/// Everything that a run starts from, in the state of its first step.
template <int D>
struct RunContent {
  World<D> world;                ///< every body; bodies that appear later come last, in order of their time
  std::vector<double> appear;    ///< [s] per body; 0: there from the start
  std::vector<Twist<D>> forces;  ///< [N; N m] constant wrench per body, world axes, at the centre of mass
  std::vector<JointController> controllers;
};

/// A world whose bodies are all there from the start, on which only forces act that a user sets.
template <int D>
RunContent<D> content_of(World<D> world);

/// The world at its start, without the bodies that appear later.
template <int D>
World<D> world_at_start(const RunContent<D>& content);

}  // namespace touchstone
