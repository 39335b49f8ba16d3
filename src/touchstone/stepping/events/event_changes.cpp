// What changes between strikes: forces, slips, and points that leave their facets.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "touchstone/stepping/events/event_run.h"
#include "touchstone/stepping/events/joint_row.h"
#include "touchstone/stepping/events/touching.h"

#include <cassert>

namespace touchstone {
namespace {

constexpr double kSameForces = 1e-8;  ///< of accelerations: the law agrees with what is held
constexpr double kBorder = 1e-10;     ///< [m] a contact this far beyond its feature has left it
constexpr int kNodes = 8;             ///< of a step at which forces are looked at
constexpr double kPush = 1e-12;       ///< of the largest force: a smaller pull is round-off

}  // namespace

/// Does every force still push, and does the law still say what is held?
template <int D>
bool EventRun<D>::forces_hold(const Bodies& bodies) const {
  if (closed_.empty() && drives_.empty()) return true;
  assert(is_held_.size() == closed_.size());
  const Forces forces = phase_->forces(bodies);
  const double largest = forces.normal.size() ? forces.normal.cwiseAbs().maxCoeff() : 0;
  bool plain = true;
  for (std::size_t i = 0; i < phase_->held().size(); ++i) {
    const HeldRow<D>& held = phase_->held()[i];
    const double most = held.row.surface.mu * forces.normal[i] * (1 + kPush) + kPush * largest;
    if (forces.normal[i] < -kPush * largest) plain = false;
    if (held.grip == Grip::stick && forces.friction.col(i).norm() > most) plain = false;
  }
  for (std::size_t i = 0; i < phase_->drives().size(); ++i) {
    if (overcome(phase_->drives()[i], forces.drives[i])) plain = false;
  }
  for (std::size_t i = 0; i < closed_.size() && plain; ++i) {  // what touches without force must not close
    if (is_held_[i]) continue;
    const ContactRow<D>& row = closed_[i].row;
    const RowNow<D> now = this->now(row, bodies);
    if (now.gap > kTouchingGap || now.speed > kAtRest) continue;
    double a = now.bend;
    for (const auto& [body, N] : {std::pair{row.P, now.N_P}, {row.E, now.N_E}}) {
      const int k = flight_.place(body);
      if (k >= 0) a += N.dot(forces.a.segment<kDof<D>>(k * kDof<D>));
    }
    plain = a >= -kSameForces * (1 + forces.a.norm());
  }
  if (plain || (forces.redundant == 0 && static_cast<std::size_t>(forces.normal.size()) == closed_.size()))
    return plain;
  const LawAnswer answer = solve_law(phase_->law(bodies, closed_, phase_->drives()));
  return answer.found && (answer.x - forces.a).norm() <= kSameForces * (1 + forces.a.norm());
}

/// Does holding its rate take more than a motor has?
template <int D>
bool EventRun<D>::overcome(const Drive& drive, double force) const {
  const double most = flight_.world().joints[drive.joint].axes[drive.axis].motor_force;
  return drive.grip == Grip::stick && std::abs(force) > most * (1 + kPush);
}

/// [m/s, rad/s] By how much a motor that gives way misses its rate, in the sense in which it did at first.
template <int D>
double EventRun<D>::missed(const Drive& drive, const Bodies& bodies) const {
  const double target = flight_.world().joints[drive.joint].axes[drive.axis].motor_rate;
  return drive.sense * (axis_now<D>(flight_.world(), drive.joint, drive.axis, bodies).rate - target);
}

template <int D>
bool EventRun<D>::has_changed(const Bodies& bodies) const {
  for (const Drive& drive : phase_->drives()) {
    if (drive.grip == Grip::slip && missed(drive, bodies) < -1e-3 * kAtRest) return true;
  }
  for (const HeldRow<D>& held : phase_->held()) {
    if (held.row.kind == TouchKind::limit) continue;
    const Moving<D>&P = bodies[held.row.P], &E = bodies[held.row.E];
    if (inside<D>(held.row, flight_.world(), P, E) < -kBorder) return true;
    if (held.grip != Grip::slip) continue;
    const RowNow<D> now = row_now<D>(held.row, P, E);
    if ((now.across * now.slip).dot(E.R * held.direction) < -1e-3 * kAtRest) return true;
  }
  return !forces_hold(bodies);
}

/// The first time at which a slip stops, a point leaves its facet, or forces change.
template <int D>
std::optional<double> EventRun<D>::first_change(const StepView<D>& view) {
  if (closed_.empty() && drives_.empty()) return {};
  double low = view.begin();
  for (int k = 1; k <= kNodes; ++k) {
    double high = k == kNodes ? view.end()
                              : view.begin() + 0.5 * (1 - std::cos(std::numbers::pi * k / kNodes)) *
                                                   (view.end() - view.begin());
    if (!has_changed(view.at(high))) {
      low = high;
      continue;
    }
    for (double middle = 0.5 * (low + high); middle > low && middle < high; middle = 0.5 * (low + high)) {
      (has_changed(view.at(middle)) ? high : low) = middle;
    }
    return high;
  }
  return {};
}

template <int D>
EventKind EventRun<D>::kind_of_change(const Bodies& bodies) const {
  for (const EventKind kind : {EventKind::border, EventKind::stop, EventKind::release}) {
    if (changed_row(bodies, kind) || changed_drive(bodies, kind)) return kind;
  }
  return EventKind::slip;
}

/// The held row that changes so; null where none does.
template <int D>
const ContactRow<D>* EventRun<D>::changed_row(const Bodies& bodies, EventKind kind) const {
  const Forces forces = phase_->forces(bodies);
  for (std::size_t i = 0; i < phase_->held().size(); ++i) {
    const HeldRow<D>& held = phase_->held()[i];
    if (held.row.kind == TouchKind::limit) {
      if (kind == EventKind::release && forces.normal[i] < 0) return &held.row;
      continue;
    }
    const Moving<D>&P = bodies[held.row.P], &E = bodies[held.row.E];
    const RowNow<D> now = row_now<D>(held.row, P, E);
    const double slip = (now.across * now.slip).dot(E.R * held.direction);
    const bool changes = kind == EventKind::border ? inside<D>(held.row, flight_.world(), P, E) < -kBorder
                         : kind == EventKind::stop ? held.grip == Grip::slip && slip < 0
                         : kind == EventKind::slip ? held.grip == Grip::stick
                                                   : forces.normal[i] < 0;
    if (changes) return &held.row;
  }
  return nullptr;
}

template <int D>
const Drive* EventRun<D>::changed_drive(const Bodies& bodies, EventKind kind) const {
  if (phase_->drives().empty()) return nullptr;
  const Forces forces = phase_->forces(bodies);
  for (std::size_t i = 0; i < phase_->drives().size(); ++i) {
    const Drive& drive = phase_->drives()[i];
    if (kind == EventKind::stop && drive.grip == Grip::slip && missed(drive, bodies) < 0) return &drive;
    if (kind == EventKind::slip && overcome(drive, forces.drives[i])) return &drive;
  }
  return nullptr;
}

template bool EventRun<2>::overcome(const Drive&, double) const;
template double EventRun<2>::missed(const Drive&, const Bodies&) const;
template bool EventRun<2>::forces_hold(const Bodies&) const;
template bool EventRun<2>::has_changed(const Bodies&) const;
template std::optional<double> EventRun<2>::first_change(const StepView<2>&);
template EventKind EventRun<2>::kind_of_change(const Bodies&) const;
template const Drive* EventRun<2>::changed_drive(const Bodies&, EventKind) const;
template const ContactRow<2>* EventRun<2>::changed_row(const Bodies&, EventKind) const;
template bool EventRun<3>::overcome(const Drive&, double) const;
template double EventRun<3>::missed(const Drive&, const Bodies&) const;
template bool EventRun<3>::forces_hold(const Bodies&) const;
template bool EventRun<3>::has_changed(const Bodies&) const;
template std::optional<double> EventRun<3>::first_change(const StepView<3>&);
template EventKind EventRun<3>::kind_of_change(const Bodies&) const;
template const Drive* EventRun<3>::changed_drive(const Bodies&, EventKind) const;
template const ContactRow<3>* EventRun<3>::changed_row(const Bodies&, EventKind) const;

}  // namespace touchstone
