// Where bounces and slips come to rest faster than steps can follow.

#include <algorithm>
#include <cassert>
#include <cmath>

#include "touchstone/stepping/events/event_run.h"
#include "touchstone/stepping/events/joint_row.h"
#include "touchstone/stepping/events/touching.h"

namespace touchstone {
namespace {

constexpr double kSmallHop = 1e-11;    ///< [m] bounces lower than this are made at once
constexpr double kLongestJump = 3e-4;  ///< [s] of such bounces
constexpr double kNearHop = 1e-10;     ///< [m] what is nearer than this may close while they are made
constexpr double kBounciest =
    0.99;  ///< restitution by which the time that hops last is told; with 1 it is infinite
constexpr double kCreep =
    1e-10;  ///< [s] the first of the steps that are made where the integrator cannot go on
constexpr int kMostCreeps = 20;  ///< in a row, each twice as long as the last

}  // namespace

/// [s] How long the bounces at a row last that are about to be lower than round-off; 0: it does not bounce
/// so. `forces`: of the bodies when nothing touches.
template <int D>
double EventRun<D>::time_of_hops(const ContactRow<D>& row, const Bodies& bodies, const Forces& forces) const {
  assert(forces.a.size() == flight_.count() * kDof<D>);
  const RowNow<D> now = this->now(row, bodies);
  double a = now.bend;
  for (const auto& [body, N] : {std::pair{row.P, now.N_P}, {row.E, now.N_E}}) {
    const int i = flight_.place(body);
    if (i >= 0) a += N.dot(forces.a.template segment<kDof<D>>(i * kDof<D>));
  }
  if (now.speed <= kAtRest || a >= 0 || now.speed * now.speed / (-2 * a) >= kSmallHop) return 0;
  return 2 * now.speed / (-a) / (1 - std::min(row.surface.bounce, kBounciest));
}

/// The velocities that impulses give at these rows, none of which bounces, with the loads of a time [s].
template <int D>
bool EventRun<D>::stop_at(std::vector<ContactRow<D>> rows, double length, Bodies& bodies) const {
  for (ContactRow<D>& row : rows) row.surface.bounce = 0;
  const LawAnswer answer = solve_law(phase_->impact(bodies, rows, length));
  for (int i = 0; i < flight_.count() && answer.found; ++i)
    bodies[flight_.body(i)].V = answer.x.segment<kDof<D>>(i * kDof<D>);
  return answer.found;
}

/// Where bodies are after so long a time in which their velocities change evenly.
template <int D>
typename EventRun<D>::Bodies EventRun<D>::moved(const Bodies& start, const Bodies& end, double length) const {
  Bodies there = end;
  for (int i = 0; i < flight_.count(); ++i) {
    const int b = flight_.body(i);
    const Twist<D> way = 0.5 * length * (start[b].V + end[b].V);
    there[b] = start[b];
    shift<D>(there[b], way);
    there[b].V = end[b].V;
  }
  return there;
}

/// Bounces whose hops are lower than round-off come to rest in one step of Moreau's kind, which is as long as
/// they last, with the loads of its middle. What comes near in it stops there: a block that rocks on two
/// corners would rock for ever. Bounces that last so long that other bodies meet go on.
template <int D>
bool EventRun<D>::jump_to_rest(Bodies& bodies) {
  const Forces forces = phase_->forces(bodies);
  double longest = 0;
  bool ambiguous = false;
  const std::vector<ContactRow<D>> rows = touching(bodies, ambiguous, kTouchingGap);
  for (const ContactRow<D>& row : rows) longest = std::max(longest, time_of_hops(row, bodies, forces));
  if (longest == 0 || longest > kLongestJump) return false;
  const std::vector<ContactRow<D>> near = touching(bodies, ambiguous, kNearHop);
  Bodies middle = bodies, end = bodies;
  for (int pass = 0; pass < 2; ++pass) {
    end = middle;
    if (!stop_at(near, longest, end)) return false;
    middle = moved(bodies, end, 0.5 * longest);
    for (int i = 0; i < flight_.count(); ++i) middle[flight_.body(i)].V = bodies[flight_.body(i)].V;
  }
  return land(rows, moved(bodies, end, longest), longest);
}

/// The end of such a step, at which what hopped touches; false where parts overlap.
template <int D>
bool EventRun<D>::land(const std::vector<ContactRow<D>>& rows, Bodies bodies, double length) {
  bool ambiguous = false;
  std::vector<HeldRow<D>> held;
  for (const ContactRow<D>& row : rows) {
    const RowNow<D> now = this->now(row, bodies);
    if (now.speed <= kHopless && now.gap <= kNearHop) held.push_back({row});
  }
  Eigen::VectorXd y = y_;
  flight_.write(bodies, y);
  Phase<D>(flight_, std::move(held)).project(time_ + length, y);
  bodies = flight_.bodies(time_ + length, y);
  for (const auto& parts : pairs_) {
    if (gap_of(flight_.world(), bodies, parts).gap < -kOverlap) return false;
  }
  if (!stop_at(touching(bodies, ambiguous, kTouchingGap), 0, bodies)) return false;
  time_ += length;
  flight_.write(bodies, y_);
  log(EventKind::rest, nullptr);
  return true;
}

/// Slips that are about to begin do so from rest: what is left of the last ones, which may be against them,
/// goes.
template <int D>
void EventRun<D>::stop_slips(std::vector<HeldRow<D>> held, const Bodies& bodies) {
  bool any = false;
  for (HeldRow<D>& h : held) {
    if (h.grip != Grip::slip || now(h.row, bodies).slip.norm() > kAtRest) continue;
    h.grip = Grip::stick, any = true;
  }
  if (any) Phase<D>(flight_, std::move(held), drives_).project(time_, y_);
}

/// Where directions of friction turn faster than the integrator can follow, because slips are about to
/// vanish: one short step of Moreau's kind, whose velocities at the end obey Coulomb's law. It is of first
/// order; the estimate of the error sees it, since each run makes its own.
template <int D>
bool EventRun<D>::creep() {
  if (closed_.empty() || creeps_ >= kMostCreeps) return fail("no step meets the tolerance");
  Bodies bodies = flight_.bodies(time_, y_);
  std::vector<ContactRow<D>> rows;
  for (const HeldRow<D>& c : closed_) rows.push_back(c.row), rows.back().surface.bounce = 0;
  const double length = kCreep * std::pow(2., creeps_++);
  const LawAnswer answer = solve_law(phase_->impact(bodies, rows, length));
  if (!answer.found) return fail("no step meets the tolerance, and no impulses were found");
  for (int i = 0; i < flight_.count(); ++i) {
    Moving<D>& m = bodies[flight_.body(i)];
    m.V = answer.x.segment<kDof<D>>(i * kDof<D>);
    shift<D>(m, length * m.V);
  }
  time_ += length, short_steps_ = 0;
  flight_.write(bodies, y_);
  view_.reset();
  return settle(EventKind::stop, nullptr);
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                      \
  template double EventRun<D>::time_of_hops(const ContactRow<D>&, const Bodies&, const Forces&) const; \
  template bool EventRun<D>::stop_at(std::vector<ContactRow<D>>, double, Bodies&) const;               \
  template EventRun<D>::Bodies EventRun<D>::moved(const Bodies&, const Bodies&, double) const;         \
  template bool EventRun<D>::jump_to_rest(Bodies&);                                                    \
  template bool EventRun<D>::land(const std::vector<ContactRow<D>>&, Bodies, double);                  \
  template void EventRun<D>::stop_slips(std::vector<HeldRow<D>>, const Bodies&);                       \
  template bool EventRun<D>::creep();
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
