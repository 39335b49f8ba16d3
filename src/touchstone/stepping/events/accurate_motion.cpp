#include "touchstone/stepping/events/accurate_motion.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace touchstone {
namespace {

constexpr double kToStart = 100;  ///< the accuracy over the first tolerance
constexpr double kApart = 100;    ///< between the tolerances of two runs
constexpr double kTighter = 10;
constexpr double kLeastTolerance = 1e-13;  ///< of the run in the middle; the finest has a tenth of it
constexpr double kFinest = 1e-14;
constexpr double kOfAnEvent =
    2e-13;  ///< [m] what an event adds at any tolerance, by the round-off of its place
constexpr double kRoundOff = 1e-14;  ///< of the numbers of a state: what no estimate sees

/// [m] The largest distance of a body's points from its centre of mass.
template <int D>
std::vector<double> radii_of(const World<D>& world) {
  std::vector<double> radii(world.bodies.size(), 0);
  for (const ContactShape<D>& part : world.shapes) {
    double& radius = radii[part.body];
    if (const auto* ball = std::get_if<Sphere<D>>(part.shape.get()))
      radius = std::max(radius, part.X_CS.p.norm() + ball->radius);
    if (const auto* P = std::get_if<Polytope<D>>(part.shape.get())) {
      for (const Vec<D>& v : P->vertices()) radius = std::max(radius, (part.X_CS * v).norm());
    }
  }
  return radii;
}

}  // namespace

template <int D>
std::string AccurateMotion<D>::trouble(const World<D>& world) {
  for (const Surface& s : world.surfaces.all()) {
    const bool coulomb = s.friction == FrictionLaw::none || s.friction == FrictionLaw::quadratic ||
                         (D == 2 && s.friction == FrictionLaw::linear);
    if (!coulomb) return "a run to an accuracy follows Coulomb's law with round cones only (law: quadratic)";
    if (s.bounce > 0 && s.restitution != Restitution::newton)
      return "a run to an accuracy follows Newton's law of restitution only (restitution_law: newton)";
  }
  return "";
}

template <int D>
AccurateMotion<D>::AccurateMotion(const World<D>& world, const StepSettings& settings,
                                  const AccuracyReport& earlier)
    : start_(world),
      settings_(settings),
      accuracy_(earlier),
      earlier_error_(earlier.estimated),
      last_(world) {
  accuracy_.requested = settings.accuracy;
  tolerance_ = std::max(settings.accuracy / kToStart, kLeastTolerance);
  begin();
}

template <int D>
void AccurateMotion<D>::begin() {
  EventSettings settings;
  settings.stop = settings_.solve.stop;
  for (int i = 0; i < 3; ++i) {
    settings.tolerance = std::max(tolerance_ * std::pow(kApart, 1 - i), kFinest);
    runs_[i] = std::make_unique<EventRun<D>>(start_, settings);
  }
  accuracy_.tolerance = tolerance_;
  largest_ = 0;
}

template <int D>
bool AccurateMotion<D>::advance(double time) {
  assert(runs_[0] && runs_[1] && runs_[2]);
  const bool followed = runs_[2]->advance(time);
  for (int i = 0; i < 2 && followed; ++i) {
    if (runs_[i]->message().empty() && !runs_[i]->advance(time) && accuracy_.reason.empty() && i == 1) {
      accuracy_.reason = "a run with the tolerance of the estimate found no motion: " + runs_[i]->message();
    }
  }
  return followed;
}

/// [m] By how much a run differs from the finest.
template <int D>
double AccurateMotion<D>::difference(int run) const {
  const std::vector<double> radii = radii_of(start_);
  const auto fine = runs_[2]->bodies(), coarse = runs_[run]->bodies();
  double worst = 0;
  for (std::size_t b = 0; b < fine.size(); ++b) {
    const double turned = turn_between(fine[b].attitude, coarse[b].attitude).norm();
    worst = std::max(worst, (fine[b].x - coarse[b].x).norm() + radii[b] * turned);
  }
  return worst;
}

/// [m] The two finer runs may agree by chance. So the largest of their differences up to now counts, and a
/// hundredth of the difference of the coarsest run, as far as it alone does not break the promise: at a
/// coarse tolerance motion may be another one.
template <int D>
double AccurateMotion<D>::estimate() {
  const std::vector<double> radii = radii_of(start_);
  const auto bodies = runs_[2]->bodies();
  double size = 0;
  for (std::size_t b = 0; b < bodies.size(); ++b) size = std::max(size, bodies[b].x.norm() + radii[b]);
  largest_ = std::max(largest_, difference(1));
  if (runs_[0]->message().empty())
    largest_ = std::max(largest_, std::min(difference(0) / kApart, 0.5 * accuracy_.requested));
  const double finest = std::max(tolerance_ / kApart, kRoundOff);  // runs whose steps are the same agree
  return earlier_error_ + largest_ + finest * size + kOfAnEvent * static_cast<double>(told_);
}

/// What the two runs differ in first.
template <int D>
std::string AccurateMotion<D>::doubt() const {
  const auto &fine = runs_[2]->events(), &coarse = runs_[1]->events();
  const std::size_t both = std::min(fine.size(), coarse.size());
  for (std::size_t i = 0; i < both; ++i) {
    if (fine[i].kind == coarse[i].kind && fine[i].body_A == coarse[i].body_A &&
        fine[i].body_B == coarse[i].body_B)
      continue;
    return "the order of events " + std::to_string(i + 1) + " and " + std::to_string(i + 2) +
           " is undecided at this tolerance";
  }
  return "errors grow beyond the accuracy";
}

/// Does the estimate meet the request? If not, and a smaller tolerance may help, all runs go the whole way
/// again.
template <int D>
bool AccurateMotion<D>::judge(double time) {
  accuracy_.estimated = estimate();
  while (accuracy_.estimated > accuracy_.requested && accuracy_.reason.empty() &&
         tolerance_ > kLeastTolerance) {
    tolerance_ = std::max(tolerance_ / kTighter, kLeastTolerance);
    begin();
    told_ = 0;
    if (!advance(time)) return false;
    const auto& events = runs_[2]->events();
    while (told_ < events.size() && events[told_].time <= last_.time) ++told_;
    accuracy_.estimated = estimate();
  }
  if (accuracy_.estimated > accuracy_.requested && accuracy_.reason.empty()) accuracy_.reason = doubt();
  const auto& branches = runs_[2]->branches();
  accuracy_.branch_points = static_cast<int>(branches.size());
  if (!branches.empty() && accuracy_.reason.empty())
    accuracy_.reason = "branch point: " + branches.front().second;
  if (accuracy_.reason.empty()) accuracy_.trusted_until = time;
  accuracy_.amplification = std::max(accuracy_.amplification, accuracy_.estimated / tolerance_);
  accuracy_.force_indeterminacy = runs_[2]->redundant();
  accuracy_.integrator_steps = runs_[2]->steps();
  return true;
}

template <int D>
bool AccurateMotion<D>::has_left(const World<D>& world) const {
  if (world.bodies.size() != last_.bodies.size() || world.time != last_.time ||
      world.gravity != last_.gravity || world.shapes.size() != last_.shapes.size() ||
      world.joints.size() != last_.joints.size()) {
    return false;
  }
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    const Body<D>&now = world.bodies[b], &then = last_.bodies[b];
    if (now.position != then.position || now.velocity != then.velocity ||
        now.force != start_.bodies[b].force ||
        (turn_between(now.attitude, then.attitude).array() != 0).any()) {
      return false;
    }
  }
  for (std::size_t j = 0; j < world.joints.size(); ++j) {
    for (std::size_t k = 0; k < world.joints[j].axes.size(); ++k) {
      const JointAxis &now = world.joints[j].axes[k], &then = start_.joints[j].axes[k];
      const auto alike = [](const Servo& a, const Servo& b) {
        return a.kp == b.kp && a.kd == b.kd && a.target == b.target && a.rate == 0 && b.rate == 0;
      };
      if (now.force != then.force || now.motor != then.motor || now.motor_rate != then.motor_rate ||
          now.motor_force != then.motor_force || now.damping != then.damping || now.lower != then.lower ||
          now.upper != then.upper || now.bounce != then.bounce ||
          !std::equal(now.servos.begin(), now.servos.end(), then.servos.begin(), then.servos.end(), alike))
        return false;
    }
  }
  return true;
}

template <int D>
bool AccurateMotion<D>::step(World<D>& world, StepReport<D>& report) {
  const double time = world.time + settings_.h;
  if (!advance(time) || !judge(time)) {
    report.status = settings_.solve.is_stopped() ? StepStatus::stopped : StepStatus::not_converged;
    report.message = runs_[2]->message();
    return false;
  }
  tell(world, report);
  ++made_, last_ = world;
  return true;
}

/// Moves the world, and says what happened.
template <int D>
void AccurateMotion<D>::tell(World<D>& world, StepReport<D>& report) {
  const Energy before = energy(world);
  runs_[2]->put(world);
  ++world.steps;
  for (Body<D>& body : world.bodies) body.force.setZero();
  for (Joint<D>& joint : world.joints) {
    for (JointAxis& axis : joint.axes) axis.force = 0, axis.servos.clear();
  }
  for (Joint<D>& joint : world.joints) measure_joint(joint, world.bodies);
  report.accuracy = accuracy_;
  const auto& events = runs_[2]->events();
  for (; told_ < events.size() && events[told_].time <= world.time; ++told_) {
    report.events.push_back(events[told_]);
  }
  report.energy = energy(world);
  report.balance.kinetic = report.energy.kinetic - before.kinetic;
  report.balance.potential = report.energy.potential - before.potential;
  runs_[2]->tell_contacts(settings_.h, report);
}

template <int D>
std::shared_ptr<const AccurateMotion<D>> make_accurate_step(const StepSettings& settings,
                                                            std::shared_ptr<const AccurateMotion<D>> motion,
                                                            World<D>& world, StepReport<D>& report) {
  if (const std::string trouble = AccurateMotion<D>::trouble(world); !trouble.empty()) {
    report.status = StepStatus::bad_state, report.message = trouble;
    return motion;
  }
  std::shared_ptr<AccurateMotion<D>> next;
  if (motion && motion->has_left(world)) {
    if (motion.use_count() == 1) {
      next = std::const_pointer_cast<AccurateMotion<D>>(motion);  // nobody else sees it
    } else {  // the same motion to the last bit, made once more
      next = std::make_shared<AccurateMotion<D>>(motion->start(), settings, AccuracyReport{});
      World<D> again = motion->start();
      for (int i = 0; i < motion->made(); ++i) {
        StepReport<D> ignored;
        next->step(again, ignored);
      }
    }
  } else {
    next =
        std::make_shared<AccurateMotion<D>>(world, settings, motion ? motion->accuracy() : AccuracyReport{});
  }
  next->step(world, report);
  return next;
}

template class AccurateMotion<2>;
template class AccurateMotion<3>;
template std::shared_ptr<const AccurateMotion<2>> make_accurate_step(const StepSettings&,
                                                                     std::shared_ptr<const AccurateMotion<2>>,
                                                                     World<2>&, StepReport<2>&);
template std::shared_ptr<const AccurateMotion<3>> make_accurate_step(const StepSettings&,
                                                                     std::shared_ptr<const AccurateMotion<3>>,
                                                                     World<3>&, StepReport<3>&);

}  // namespace touchstone
