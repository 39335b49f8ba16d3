#include "touchstone/stepping/events/event_run.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "touchstone/stepping/events/joint_row.h"
#include "touchstone/stepping/events/touching.h"

namespace touchstone {
namespace {

constexpr double kAhead = 1e-6;       ///< [s] a change of forces is decided by the law this much later
constexpr double kJamTime = 1e-10;    ///< [s] whose loads take part in an impulse without a strike
constexpr double kShortStep = 1e-7;   ///< [s]
constexpr int kMostShortSteps = 100;  ///< in a row
constexpr double kMostTurn = 1;       ///< [rad] of a joint's angle in one step: half a turn more is not told
constexpr int kStrikes = 50;          ///< impacts at one instant

}  // namespace

template <int D>
EventRun<D>::EventRun(const World<D>& world, const EventSettings& settings)
    : flight_(world),
      settings_(settings),
      time_(world.time),
      y_(flight_.read()),
      ode_([this](double t, const Eigen::VectorXd& y, Eigen::VectorXd& rate) { phase_->rate(t, y, rate); },
           {settings.tolerance, settings.tolerance / 100}) {
  limits_ = limit_rows(world), drives_ = limited_motors(world);
  effort_.stop = settings.stop;
  const CollisionFilter<D> filter(flight_.world());
  const int parts = static_cast<int>(world.shapes.size());
  for (int a = 0; a < parts; ++a) {
    for (int b = a + 1; b < parts; ++b) {
      if (filter.allows(a, b)) pairs_.emplace_back(a, b);
    }
  }
}

template <int D>
bool EventRun<D>::fail(const std::string& why) {
  assert(!why.empty());
  message_ = why;
  return false;
}

template <int D>
void EventRun<D>::log(EventKind kind, const ContactRow<D>* row) {
  if (!row) return events_.push_back({time_, kind, -1, -1, {}, {}, -1});
  const bool limit = row->kind == TouchKind::limit;
  if (limit && (kind == EventKind::impact || kind == EventKind::contact)) kind = EventKind::limit;
  events_.push_back({time_, kind, row->P, row->E, row->feature_P, row->feature_E, row->joint});
}

template <int D>
RowNow<D> EventRun<D>::now(const ContactRow<D>& row, const Bodies& bodies) const {
  return row_now<D>(row, flight_.world(), bodies);
}

/// Rows of all pairs that touch, and of all limits that are reached.
template <int D>
std::vector<ContactRow<D>> EventRun<D>::touching(const Bodies& bodies, bool& ambiguous, double reach) const {
  std::vector<ContactRow<D>> rows;
  for (const auto& parts : pairs_) {
    const std::vector<ContactRow<D>> more = touching_rows(flight_.world(), bodies, parts, ambiguous, reach);
    rows.insert(rows.end(), more.begin(), more.end());
  }
  for (const ContactRow<D>& limit : limits_) {
    if (now(limit, bodies).gap <= reach) rows.push_back(limit);
  }
  return rows;
}

template <int D>
void EventRun<D>::find_closed(const Bodies& bodies) {
  const std::vector<HeldRow<D>> before = std::move(closed_);
  closed_.clear();
  bool ambiguous = false;
  for (const ContactRow<D>& row : touching(bodies, ambiguous, kTouchingGap)) closed_.push_back({row});
  if (ambiguous) branches_.emplace_back(time_, "several normals");
  for (HeldRow<D>& row : closed_) {  // a slip that has only just begun keeps its direction
    for (const HeldRow<D>& old : before) {
      if (old.row.is(row.row) && old.grip == Grip::slip) row.direction = old.direction, row.grip = Grip::slip;
    }
  }
}

/// Impulses at this instant, until no contact closes any more.
template <int D>
bool EventRun<D>::strike(Bodies& bodies, EventKind& why) {
  for (int round = 0; round < kStrikes; ++round) {
    std::vector<ContactRow<D>> rows;
    const ContactRow<D>*struck = nullptr, *limit = nullptr;
    for (const HeldRow<D>& c : closed_) {
      rows.push_back(c.row);
      if (now(c.row, bodies).speed < -kAtRest) (c.row.kind == TouchKind::limit ? limit : struck) = &c.row;
    }
    const bool opens = round == 0 && phase_->joint_slip(bodies) > kAtRest;
    if (!struck && !limit && !opens) return true;
    const LawAnswer answer = solve_law(phase_->impact(bodies, rows, 0));
    if (!answer.found) return fail("no impulses were found that answer a strike");
    for (int i = 0; i < flight_.count(); ++i)
      bodies[flight_.body(i)].V = answer.x.segment<kDof<D>>(i * kDof<D>);
    why = EventKind::impact;
    if (struck) log(why, struck);
    if (limit) log(why, limit);
  }
  return fail("contacts strike each other without end");
}

/// Which rows push, which stick, by Coulomb's law in accelerations at `at`; slips are those `here`.
template <int D>
bool EventRun<D>::choose_grips(const Bodies& at, const Bodies& here) {
  std::vector<HeldRow<D>> kept;
  for (HeldRow<D>& c : closed_) {
    const RowNow<D> now = this->now(c.row, here);
    if (now.speed > kHopless) continue;  // it opens
    const Vec<D> slip = now.across * now.slip;
    if (c.row.surface.mu == 0) {
      c.grip = Grip::frictionless;
    } else if (slip.norm() > kAtRest) {
      c.grip = Grip::slip, c.direction = here[c.row.E].R.transpose() * slip.normalized();
    } else {
      c.grip = Grip::stick;
    }
    kept.push_back(c);
  }
  closed_ = std::move(kept);
  is_held_.assign(closed_.size(), false);
  if (!choose_drives(here) && closed_.empty()) return true;
  const LawAnswer answer = solve_law(phase_->law(at, closed_, drives_));
  if (!answer.found) return false;
  take_drives(answer);
  for (std::size_t i = 0; i < closed_.size(); ++i) {
    HeldRow<D>& c = closed_[i];
    is_held_[i] = answer.pieces[i] != LawPiece::open;
    if (c.grip != Grip::stick || answer.pieces[i] != LawPiece::slide) continue;
    const Vec<D> push =
        row_now<D>(c.row, at[c.row.P], at[c.row.E]).across * answer.pt.segment(i * (D - 1), D - 1);
    if (push.norm() == 0) continue;
    c.grip = Grip::slip, c.direction = at[c.row.E].R.transpose() * -push.normalized();
  }
  return true;
}

/// Motors of limited force that turn faster or slower than they should push with all of it. Is there a motor?
template <int D>
bool EventRun<D>::choose_drives(const Bodies& here) {
  for (Drive& drive : drives_) {
    const double target = flight_.world().joints[drive.joint].axes[drive.axis].motor_rate;
    const double slip = axis_now<D>(flight_.world(), drive.joint, drive.axis, here).rate - target;
    drive.grip = std::abs(slip) > kAtRest ? Grip::slip : Grip::stick;
    if (drive.grip == Grip::slip) drive.sense = slip > 0 ? 1 : -1;
  }
  return !drives_.empty();
}

/// Which motors hold their rate, by the law's answer.
template <int D>
void EventRun<D>::take_drives(const LawAnswer& answer) {
  for (std::size_t i = 0; i < drives_.size(); ++i) {
    const std::size_t at = closed_.size() + i;
    Drive& drive = drives_[i];
    if (drive.grip != Grip::stick || answer.pieces[at] != LawPiece::slide) continue;
    drive.grip = Grip::slip, drive.sense = answer.pt[at * (D - 1)] > 0 ? -1 : 1;
  }
}

/// Impulses where forces have no answer.
template <int D>
bool EventRun<D>::jam(Bodies& bodies) {
  std::vector<ContactRow<D>> rows;
  for (const HeldRow<D>& c : closed_) rows.push_back(c.row);
  if (rows.empty() || !stop_at(rows, kJamTime, bodies)) return fail("no forces and no impulses were found");
  flight_.write(bodies, y_);
  log(EventKind::jam, &rows.front());
  return true;
}

/// What holds from here on. `ahead`: the bodies shortly after, moved as before, where forces have changed.
template <int D>
bool EventRun<D>::settle(EventKind why, const Bodies* ahead) {
  for (int round = 0; round < kStrikes; ++round) {
    Bodies bodies = flight_.bodies(time_, y_);
    flight_.measure(bodies);
    find_closed(bodies);
    phase_ = std::make_shared<const Phase<D>>(flight_, std::vector<HeldRow<D>>());
    if (!strike(bodies, why)) return false;
    flight_.write(bodies, y_);
    if (!choose_grips(ahead ? *ahead : bodies, bodies)) {  // Painleve: an impulse without a strike
      if (!jam(bodies)) return false;
      ahead = nullptr;
      continue;
    }
    std::vector<HeldRow<D>> held;
    for (std::size_t i = 0; i < closed_.size(); ++i) {
      if (is_held_[i]) held.push_back(closed_[i]);
    }
    stop_slips(held, bodies);
    phase_ = std::make_shared<const Phase<D>>(flight_, std::move(held), drives_);
    phase_->project(time_, y_);
    bodies = flight_.bodies(time_, y_);
    if (jump_to_rest(bodies)) {
      ahead = nullptr;
      continue;
    }
    redundant_ = std::max(redundant_, phase_->forces(bodies).redundant);
    fresh_ = true;
    return true;
  }
  return fail("events follow each other without end");
}

template <int D>
std::optional<typename EventRun<D>::Found> EventRun<D>::first_strike(const StepView<D>& view, double end) {
  std::optional<Found> first;
  const Bodies begin = view.at(view.begin());
  for (const auto& parts : pairs_) {
    if (!may_meet(view, begin, parts, end)) continue;
    const std::optional<double> at = first_contact(view, parts, first ? first->time : end, effort_);
    if (at) first = Found{*at, true, parts};
  }
  find_limit(view, end, first);
  return first;
}

template <int D>
void EventRun<D>::find_limit(const StepView<D>& view, double end, std::optional<Found>& first) const {
  for (std::size_t i = 0; i < limits_.size(); ++i) {
    const double until = first ? first->time : end;
    if (is_still(limits_[i], view, until)) continue;
    const std::optional<double> at = first_reach(view, limits_[i], until);
    if (at) first = Found{*at, true, {}, static_cast<int>(i)};
  }
}

/// Does a limit that is reached stay so? What is held does, and what touches without force is watched.
template <int D>
bool EventRun<D>::is_still(const ContactRow<D>& limit, const StepView<D>& view, double end) const {
  for (const HeldRow<D>& held : view.phase().held()) {
    if (held.row.is(limit)) return true;
  }
  const bool closed =
      std::any_of(closed_.begin(), closed_.end(), [&](const HeldRow<D>& c) { return c.row.is(limit); });
  if (!closed) return false;
  const RowNow<D> then = now(limit, view.at(end));
  return std::abs(then.gap) <= kTouchingGap && std::abs(then.speed) <= kAtRest;
}

/// The time at which the gap of the point that overlaps first was zero, by its speed.
template <int D>
double EventRun<D>::sharpened(const StepView<D>& view, const Found& found) const {
  const Bodies bodies = view.at(found.time);
  bool ambiguous = false;
  double time = found.time;
  const std::vector<ContactRow<D>> rows =
      found.limit >= 0 ? std::vector{limits_[found.limit]}
                       : touching_rows(flight_.world(), bodies, found.parts, ambiguous);
  for (const ContactRow<D>& row : rows) {
    const RowNow<D> now = this->now(row, bodies);
    if (now.speed < -1e-6 && now.gap < 0) time = std::min(time, found.time - now.gap / now.speed);
  }
  return std::max(time, view.begin());
}

template <int D>
std::optional<typename EventRun<D>::Found> EventRun<D>::find_event(const StepView<D>& view) {
  assert(view.end() > view.begin());
  const std::optional<double> change = first_change(view);
  std::optional<Found> strike = first_strike(view, change.value_or(view.end()));
  if (strike) {
    strike->time = sharpened(view, *strike);
    return strike;
  }
  if (change) return Found{*change, false, {}};
  return {};
}

/// One step of the integrator, in which no angle that somebody asks for turns too far to be continued.
template <int D>
bool EventRun<D>::make_piece() {
  for (double longest = settings_.longest_step;;) {
    view_ = Piece{phase_, {}};
    if (!ode_.step(longest, view_->step)) return false;
    const double turn = largest_turn(StepView<D>(*phase_, view_->step));
    if (turn < kMostTurn) return true;
    longest = 0.5 * view_->step.h * kMostTurn / turn;
    ode_.start(time_, y_);
  }
}

template <int D>
void EventRun<D>::log_change(const Bodies& bodies, EventKind why) {
  const ContactRow<D>* row = changed_row(bodies, why);
  const Drive* drive = row ? nullptr : changed_drive(bodies, why);
  if (!drive) return log(why, row);
  const Joint<D>& joint = flight_.world().joints[drive->joint];
  events_.push_back({time_, why, joint.body_A, joint.body_B, {}, {}, drive->joint});
}

/// One step of the integrator, up to the first event in it.
template <int D>
bool EventRun<D>::follow() {
  if (settings_.stop && *settings_.stop) return fail("stopped");
  if (ode_.steps() >= settings_.max_steps) return fail("the motion takes more steps than max_steps allows");
  if (fresh_) ode_.start(time_, y_);
  fresh_ = false;
  if (!make_piece()) return creep();
  const bool slow = view_->step.h < kShortStep;
  short_steps_ = slow ? short_steps_ + 1 : 0;
  if (!slow) creeps_ = 0;
  if (short_steps_ > kMostShortSteps) return creep();
  const StepView<D> view(*phase_, view_->step);
  const std::optional<Found> found = find_event(view);
  time_ = found ? found->time : view.end();
  y_ = view.state(time_);
  if (!found) {
    ode_.correct(y_);
    flight_.measure(view.at(time_));
    return true;
  }
  const EventKind why = found->contact ? EventKind::contact : kind_of_change(view.at(time_));
  const bool forces = why == EventKind::slip || why == EventKind::release;
  const Bodies ahead = forces ? view.at(time_ + kAhead) : Bodies();
  const std::size_t before = events_.size();
  if (!found->contact) log_change(view.at(time_), why);
  if (!settle(why, forces ? &ahead : nullptr)) return false;
  if (!found->contact || events_.size() != before) return true;
  if (found->limit >= 0) log(why, &limits_[found->limit]);
  if (found->limit < 0) log(why, closed_.empty() ? nullptr : &closed_.back().row);
  return true;
}

template <int D>
bool EventRun<D>::advance(double time) {
  assert(std::isfinite(time) && y_.size() == flight_.count() * kStateSize<D>);
  if (!phase_ && !settle(EventKind::contact, nullptr)) return false;
  while (time_ < time) {
    if (!follow()) return false;
  }
  asked_ = time;
  return true;
}

/// Within a jump to rest, which has no motion of its own, the bodies are where it ends.
template <int D>
Eigen::VectorXd EventRun<D>::state() const {
  if (asked_ >= time_ || !view_ || asked_ > view_->step.end()) return y_;
  return StepView<D>(*view_->phase, view_->step).state(asked_);
}

template <int D>
void EventRun<D>::tell_contacts(double h, StepReport<D>& report) const {
  const Bodies bodies = this->bodies();
  const Forces forces = phase().forces(bodies);
  for (std::size_t i = 0; i < phase().held().size(); ++i) {
    const ContactRow<D>& row = phase().held()[i].row;
    if (row.kind == TouchKind::limit) continue;
    const RowNow<D> now = row_now<D>(row, bodies[row.P], bodies[row.E]);
    Contact<D> contact;
    contact.body_A = row.P, contact.body_B = row.E;
    contact.material_A = flight_.world().shapes[row.shape_P].material;
    contact.material_B = flight_.world().shapes[row.shape_E].material;
    contact.point = now.point, contact.normal = now.normal, contact.gap = contact.offset = now.gap;
    const int k = static_cast<int>(report.set.contacts.size());
    report.set.contacts.push_back(contact), report.set.unilateral.push_back(k);
    const Vec<D> force = forces.normal[i] * now.normal + now.across * forces.friction.col(i);
    report.forces.push_back({k, h * forces.normal[i], h * force});
  }
  report.contacts = static_cast<int>(report.set.contacts.size());
}

template class EventRun<2>;
template class EventRun<3>;

}  // namespace touchstone
