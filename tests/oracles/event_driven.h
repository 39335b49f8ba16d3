#pragma once
// A frictionless, inelastic convex polygon over a fixed one, by events: contacts that close, open or run off
// the end of an edge are found in time, and between them the motion is an ODE. No time-stepping scheme, no
// complementarity solver and no contact model of the library is used.

#include <Eigen/Core>
#include <vector>

namespace touchstone::oracles {

using Corners =
    std::vector<Eigen::Vector2d>;  ///< counter-clockwise; of the moving one about its centre of mass

struct EventDrivenProblem {
  Corners moving, fixed;
  double mass, inertia, gravity;
  Eigen::Vector3d q, v;  ///< x, y, angle of the moving one, and their rates
};

struct Event {
  double time;
  enum { touch, leave, run_off } kind;
  bool vertex_moves;  ///< a vertex of the moving polygon on an edge of the fixed one, or the other way round
  int vertex, edge;
  double speed;  ///< [m/s] along the normal before a touch
};

struct EventDrivenResult {
  std::vector<Event> events;
  std::vector<Eigen::Vector3d> q;  ///< at the times asked for
};

/// `times` ascending. dt [s] is the step of the ODE; events are located within it.
EventDrivenResult run_events(const EventDrivenProblem& problem, const std::vector<double>& times, double dt);

}  // namespace touchstone::oracles
