#include "touchstone/run/run.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "touchstone/math/checks.h"
#include "touchstone/run/run_tallies.h"

namespace touchstone {
namespace {

/// After this many steps a run drops its memory, whether it is recorded or not: so a new process that starts
/// there gets the same bits. One step in a hundred then starts without guesses, and a resumed run repeats at
/// most a hundred steps.
constexpr long kStepsBetweenCheckpoints = 100;

/// The target at a time.
double target_at(const JointController& c, double time) {
  assert(std::is_sorted(c.times.begin(), c.times.end()));
  const auto later = std::upper_bound(c.times.begin(), c.times.end(), time);
  if (later == c.times.begin()) return c.targets.front();
  if (later == c.times.end()) return c.targets.back();
  const auto i = static_cast<std::size_t>(later - c.times.begin());
  const double rate = (c.targets[i] - c.targets[i - 1]) / (c.times[i] - c.times[i - 1]);
  return c.targets[i - 1] + rate * (time - c.times[i - 1]);
}

}  // namespace

template <int D>
Run<D>::Run(RunContent<D> content, const RunSettings& settings)
    : world(world_at_start(content)),
      stepper(settings.step, settings.model),
      content_(std::move(content)),
      settings_(settings) {
  assert(content_.forces.size() == content_.world.bodies.size());
  first_potential_ = energy(world).potential;
  measure(settings_.measure_every > 0);
  gaps_ = {};  // as at every checkpoint
}

template <int D>
void Run<D>::forget() {
  stepper.forget();
  gaps_ = {}, momentum_ = {}, forces_ = {}, closeness_ = {};
  report = {}, measures = {};
}

template <int D>
void Run<D>::reset() {
  assert(!recording_);
  world = world_at_start(content_);
  forget();
  summary = {};
  measure(settings_.measure_every > 0);
  gaps_ = {};
}

template <int D>
Checkpoint<D> Run<D>::state() const {
  Checkpoint<D> state = take_checkpoint(world, content_.world);
  state.tallies = tallies();
  return state;
}

template <int D>
bool Run<D>::set_state(const Checkpoint<D>& state) {
  assert(!recording_);
  const auto there = static_cast<std::size_t>(state.bodies_present);
  World<D> restored = world;  // with what users have changed of bodies and joints
  if (there != world.bodies.size()) {
    restored = world_at_start(content_);
    if (there < restored.bodies.size() || there > content_.world.bodies.size()) return false;
    let_enter(restored, static_cast<int>(there));
  }
  if (state.tallies.size() != tallies().size() || !restore(state, content_.world, restored)) return false;
  world = std::move(restored);
  clear_forces();
  forget();
  summary = {};
  set_tallies(state.tallies);
  return true;
}

template <int D>
void Run<D>::fail(const std::string& message) {
  ++summary.failed_steps;
  summary.message = message;
  if (recording_) recording_->add_event({world.time, "failed", -1, -1});
}

template <int D>
bool Run<D>::let_appear() {
  const int before = static_cast<int>(world.bodies.size()), all = static_cast<int>(content_.appear.size());
  const double now = world.time + kSameTime * settings_.step.h;
  int there = before;
  while (there < all && content_.appear[there] <= now) ++there;
  if (there == before) return true;
  World<D> entered = world;
  let_enter(entered, there);
  if (!settings_.allow_overlap && !has_room(entered, before)) return false;
  world = std::move(entered);
  for (int i = before; recording_ && i < there; ++i) recording_->add_event({world.time, "appear", i, -1});
  return true;
}

template <int D>
bool Run<D>::has_room(const World<D>& entered, int before) {
  for (const OverlappingPair& pair : find_overlaps(entered, kLargestOverlap)) {
    if (std::max(pair.body_A, pair.body_B) < before) continue;
    fail("body \"" + entered.bodies[pair.body_B].name + "\" appears where \"" +
         entered.bodies[pair.body_A].name + "\" is");
    return false;
  }
  return true;
}

template <int D>
void Run<D>::let_enter(World<D>& world, int there) const {
  const int before = static_cast<int>(world.bodies.size());
  assert(before <= there && there <= static_cast<int>(content_.world.bodies.size()));
  const auto enters = [&](int a, int b) { return std::max(a, b) >= before && std::max(a, b) < there; };
  for (int i = before; i < there; ++i) world.bodies.push_back(content_.world.bodies[i]);
  for (const ContactShape<D>& part : content_.world.shapes) {
    if (enters(part.body, part.body)) world.shapes.push_back(part);
  }
  for (const Joint<D>& joint : content_.world.joints) {
    if (enters(joint.body_A, joint.body_B)) world.joints.push_back(joint);
  }
  for (const auto& pair : content_.world.excluded) {
    if (enters(pair.first, pair.second)) world.excluded.push_back(pair);
  }
  std::sort(world.excluded.begin(), world.excluded.end());
}

template <int D>
void Run<D>::drive(const JointController& controller) {
  assert(controller.times.size() == controller.targets.size() && !controller.times.empty());
  const int i = world.find_joint(content_.world.joints[controller.joint].name);
  if (i < 0) return;  // its bodies are not there yet
  Joint<D>& joint = world.joints[i];
  const double h = settings_.step.h;
  assert(is_index(controller.axis, joint.axes.size()));
  const double now = target_at(controller, world.time), then = target_at(controller, world.time + h);
  joint.axes[controller.axis].servos.push_back(
      {controller.kp, controller.kd, then, (then - now) / h, controller.max_force});
}

template <int D>
void Run<D>::set_forces() {
  assert(world.bodies.size() <= content_.forces.size());
  for (std::size_t i = 0; i < world.bodies.size(); ++i) world.bodies[i].force += content_.forces[i];
  for (const Joint<D>& told : content_.world.joints) {
    const bool pushed = std::any_of(told.axes.begin(), told.axes.end(),
                                    [](const JointAxis& axis) { return axis.force != 0; });
    const int j = pushed ? world.find_joint(told.name) : -1;
    for (std::size_t k = 0; j >= 0 && k < told.axes.size(); ++k) {
      world.joints[j].axes[k].force += told.axes[k].force;
    }
  }
  for (const JointController& controller : content_.controllers) drive(controller);
}

template <int D>
void Run<D>::clear_forces() {
  for (Body<D>& body : world.bodies) body.force.setZero();
  for (Joint<D>& joint : world.joints) {
    for (JointAxis& axis : joint.axes) axis.force = 0, axis.servos.clear();
  }
}

template <int D>
void Run<D>::measure(bool due) {
  if (!due) {
    closeness_ = {std::numeric_limits<double>::quiet_NaN(), -1, -1, std::numeric_limits<double>::quiet_NaN()};
    return;
  }
  closeness_ = gaps_.measure(world, report.ends);
  summary.max_overlap = std::max(summary.max_overlap, closeness_.overlap);
  if (!(closeness_.min_gap < summary.min_gap)) return;
  assert(is_index(closeness_.body_A, world.bodies.size()) &&
         is_index(closeness_.body_B, world.bodies.size()));
  summary.min_gap = closeness_.min_gap;
  summary.min_gap_time = world.time;
  summary.min_gap_bodies[0] = world.bodies[closeness_.body_A].name;
  summary.min_gap_bodies[1] = world.bodies[closeness_.body_B].name;
}

template <int D>
void Run<D>::count_step() {
  ++summary.steps;
  summary.relaxed_steps += is_relaxed();
  summary.divided_steps += report.divided;
  summary.friction_islands += report.friction.islands, summary.turns += report.friction.turns;
  summary.canonical_islands += report.friction.canonical;
  summary.pushing_pairs = report.pushing_pairs, summary.sliding_pairs = report.sliding_pairs;
  if (report.undetermined) summary.undetermined_pairs = static_cast<long>(report.undetermined->size());
  summary.located_impacts += report.located_impacts, summary.merged_impacts += report.merged_impacts;
  summary.dulled_impacts += report.dulled_impacts;
  if (report.balance.scale > 0) {
    summary.identity_error =
        std::max(summary.identity_error, std::abs(report.balance.error) / report.balance.scale);
  }
  for (const Body<D>& body : world.bodies) {
    if (body.is_dynamic()) summary.fastest = std::max(summary.fastest, linear<D>(body.velocity).norm());
  }
  summary.energy_gained += energy_gained(report.balance);
  summary.largest_gain = std::max(summary.largest_gain, energy_gained(report.balance));
  const double slack = energy_slack();
  summary.energy_excess += energy_excess(report.balance, report.energy.kinetic, slack);
  summary.joint_rise = std::max(0., summary.joint_rise - report.balance.joint);
  if (summary.joint_rise > slack) summary.joint_work = std::max(summary.joint_work, summary.joint_rise);
  summary.drive_work -= report.balance.drive;
  summary.energy_scale = std::max(
      {summary.energy_scale, report.energy.kinetic, std::abs(report.energy.potential - first_potential_)});
  summary.momentum_error = momentum_.worst();
  summary.residual = std::max(summary.residual, report.residual);
  summary.joint_error = std::max(summary.joint_error, report.joint_error);
  if (report.accuracy) summary.accuracy = report.accuracy;
  for (const StepEvent& event : report.events) ++summary.events[std::string(text_of(event.kind))];
  summary.contacts += report.contacts;
  summary.most_contacts = std::max(summary.most_contacts, static_cast<long>(report.contacts));
}

/// To lift all bodies by the tolerance of gaps, or to move them by it within a step.
template <int D>
double Run<D>::energy_slack() const {
  const double tolerance = settings_.step.model.gap_tolerance, speed = tolerance / settings_.step.h;
  double mass = 0;
  for (const Body<D>& body : world.bodies) mass += body.is_dynamic() ? body.mass : 0;
  return mass * (world.gravity.norm() * tolerance + speed * speed / 2);
}

template <int D>
bool Run<D>::step() {
  momentum_.before(world, settings_.step.h);
  const std::string shaken = forces_.watch(world);
  if (summary.unstable_joint.empty()) summary.unstable_joint = shaken;
  report = stepper.step(world);
  if (report.status == StepStatus::stopped) return false;
  if (report.status != StepStatus::done) {
    fail(std::string(text_of(report.status)) + ": " + report.message);
    return false;
  }
  if (!is_accurate()) momentum_.after(world, report);
  measure(settings_.measure_every > 0 && world.steps % settings_.measure_every == 0);
  count_step();
  const StageTimes& t = report.times;
  measures = {closeness_.min_gap,
              closeness_.overlap,
              energy_gained(report.balance),
              t.measure + t.relate + t.formulate + t.solve + t.advance,
              is_relaxed(),
              momentum_.last()};
  if (recording_) {
    recording_->add_step(report, measures);
    recording_->add_frame(world);
    for (const StepEvent& e : report.events)
      recording_->add_event({e.time, std::string(text_of(e.kind)), e.body_A, e.body_B});
  }
  if (is_checkpoint() && !is_accurate()) stepper.forget();
  if (is_checkpoint()) gaps_ = {};
  if (recording_) {
    add_checkpoint();
    recording_->flush_if_due();
  }
  return true;
}

template <int D>
void Run<D>::set_accuracy(double accuracy, RecordingSource source) {
  stepper.set_accuracy(accuracy);
  settings_.step.accuracy = accuracy, settings_.source = std::move(source);
  summary.accuracy.reset();
}

template <int D>
bool Run<D>::is_checkpoint() const {
  return world.steps % kStepsBetweenCheckpoints == 0;
}

template <int D>
void Run<D>::add_checkpoint() {
  if (!is_checkpoint()) return;
  Checkpoint<D> checkpoint = take_checkpoint(world, content_.world);
  checkpoint.tallies = tallies();
  checkpoint.tallies.resize(std::min(tally_count_, checkpoint.tallies.size()));
  recording_->add_checkpoint(std::move(checkpoint));
}

template <int D>
void Run<D>::record(const std::filesystem::path& file) {
  close_recording();
  recording_ = std::make_unique<RecordingWriter<D>>(file, settings_.source,
                                                    RecordingCast<D>{content_.world, content_.appear});
  recording_->add_frame(world);
  add_checkpoint();
  recording_->flush();  // the first step may take long
}

template <int D>
void Run<D>::resume(const std::filesystem::path& file) {
  const auto refuse = [&](const std::string& message) { throw BadRecording(file.string() + ": " + message); };
  Checkpoint<D> from;
  {
    const RecordingReader recording(file);
    if (!recording.has_cast(content_.world)) {
      refuse("the scene's bodies are not those of the recording; has a mesh or the program changed?");
    }
    from = recording.last_checkpoint<D>();
  }
  let_enter(world, std::clamp(static_cast<int>(from.bodies_present), static_cast<int>(world.bodies.size()),
                              static_cast<int>(content_.world.bodies.size())));
  tally_count_ = from.tallies.size();
  const bool fits = are_tallies(tally_count_) && restore(from, content_.world, world);
  if (!fits) refuse("/checkpoint: is damaged");
  stepper.forget();
  gaps_ = {};
  if (is_accurate()) make_again(from.steps);
  set_tallies(from.tallies);
  summary.steps_before = summary.steps;
  recording_ = std::make_unique<RecordingWriter<D>>(file, settings_.source,
                                                    RecordingCast<D>{content_.world, content_.appear}, from);
}

/// An accurate motion remembers all of its way, which no checkpoint holds: it is made again from the start.
template <int D>
void Run<D>::make_again(long steps) {
  world = world_at_start(content_);
  while (world.steps < steps && let_appear()) {
    set_forces();
    report = stepper.step(world);
    clear_forces();
    if (report.status != StepStatus::done) return;
  }
}

template <int D>
std::vector<double> Run<D>::tallies() const {
  return tallies_of(summary, [this](const std::string& name) { return world.find_body(name); });
}

template <int D>
void Run<D>::set_tallies(const std::vector<double>& tallies) {
  touchstone::set_tallies(tallies, summary, [this](int i) {
    return is_index(i, world.bodies.size()) ? world.bodies[i].name : std::string();
  });
  momentum_.set_worst(summary.momentum_error);
}

template <int D>
void Run<D>::close_recording() {
  const auto recording = std::move(recording_);  // closed or not, it is over
  if (recording) recording->close();
}

template class Run<2>;
template class Run<3>;

}  // namespace touchstone
