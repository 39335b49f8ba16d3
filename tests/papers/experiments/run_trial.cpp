#include <ctime>

#include <algorithm>
#include <cmath>
#include <map>

#include "experiment.h"
#include "touchstone/run/gap_watch.h"

namespace touchstone {
namespace {

constexpr double kSample = 0.01;  ///< [s] between positions that are compared with the truth
const double kNone = std::nan("");

double cpu_us() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) * 1e-3;
}

double median(std::vector<double> values) {
  if (values.empty()) return kNone;
  const auto middle = values.begin() + static_cast<long>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Simulation simulation_of(const Trial& trial) {
  std::vector<std::string> overrides = {"step=" + std::to_string(trial.h), "contact.model=" + trial.model};
  if (trial.seed > 0) overrides.push_back("generate.seed=" + std::to_string(trial.seed));
  Scene scene = load_scene(trial.scene, overrides);
  scene.settings.threads = 1;  // its own clock is read
  return Simulation(std::move(scene), SimulationSettings{0});
}

template <int D>
Positions positions_in(const World<D>& world) {
  Positions all;
  for (const Body<D>& body : world.bodies) all.emplace_back(body.position.begin(), body.position.end());
  return all;
}

template <int D>
int find_body(Simulation& simulation, const std::string& name) {
  return simulation.world<D>().find_body(name);
}

/// Where the tracked body was at the times k kSample.
class Track {
 public:
  explicit Track(std::string body) : body_(std::move(body)) {}

  void look(Simulation& simulation) {
    if (body_.empty()) return;
    const double due = static_cast<double>(seen_.size()) * kSample;
    if (simulation.time() < due - 1e-9) return;
    const int i =
        simulation.dimension() == 2 ? find_body<2>(simulation, body_) : find_body<3>(simulation, body_);
    seen_.push_back(positions(simulation).at(i));
  }

  void forget() { seen_.clear(); }

  /// The mean distance, as far as both go.
  double distance(const Track& truth) const {
    const std::size_t count = std::min(seen_.size(), truth.seen_.size());
    double sum = 0;
    for (std::size_t n = 0; n < count; ++n) {
      double square = 0;
      for (std::size_t k = 0; k < seen_[n].size(); ++k) {
        square += (seen_[n][k] - truth.seen_[n][k]) * (seen_[n][k] - truth.seen_[n][k]);
      }
      sum += std::sqrt(square) / static_cast<double>(count);
    }
    return count > 0 ? sum : kNone;
  }

 private:
  std::string body_;
  Positions seen_;
};

/// The truth of a scene and seed, computed once.
const Track& true_track(const Experiment& experiment, int seed) {
  static std::map<std::pair<std::string, int>, Track> known;
  const auto it = known.find({experiment.scene, seed});
  if (it != known.end()) return it->second;
  Simulation simulation = simulation_of({experiment.scene, "plane", experiment.fine_step, seed});
  Track track(experiment.tracked);
  track.look(simulation);
  const double end = simulation.scene().duration;
  while (simulation.time() < end - experiment.fine_step / 2 && simulation.step()) track.look(simulation);
  if (simulation.summary().failed_steps > 0) track.forget();  // then there is no truth
  return known.emplace(std::pair{experiment.scene, seed}, std::move(track)).first->second;
}

template <int D>
struct Watch {
  GapWatch<D> gaps;
  void measure(Simulation& simulation, Outcome& outcome) {
    const Closeness close = gaps.measure(simulation.world<D>());
    outcome.min_gap = std::min(outcome.min_gap, close.min_gap);
    outcome.max_overlap = std::max(outcome.max_overlap, close.overlap);
    outcome.divided += simulation.report<D>().substeps > 1;
  }
};

/// Masses times speeds at the end of `momentum`: one speed for all, 3 / (sum of masses).
double momentum_error(Simulation& simulation) {
  double worst = 0;
  for (const Body<2>& body : simulation.world<2>().bodies) {
    worst = std::max(worst, std::abs(body.velocity[0] - 3 / 3.67));
  }
  return worst;
}

}  // namespace

Positions positions(Simulation& simulation) {
  return simulation.dimension() == 2 ? positions_in(simulation.world<2>())
                                     : positions_in(simulation.world<3>());
}

Outcome run_trial(const Experiment& experiment, const Trial& trial, double most_seconds) {
  Simulation simulation = simulation_of(trial);
  Outcome outcome;
  Watch<2> plane;
  Watch<3> space;
  Track track(experiment.tracked);
  track.look(simulation);
  const Positions start = positions(simulation);
  std::vector<double> times;
  double spent = 0;
  // At least one step: some experiments are one step, however long.
  while (times.empty() || simulation.time() < simulation.scene().duration - trial.h / 2) {
    const double before = cpu_us();
    const bool made = simulation.step();
    times.push_back(cpu_us() - before);
    spent += times.back();
    if (!made || spent > most_seconds * 1e6) {
      outcome.stopped = simulation.time();
      outcome.why = made ? "too slow" : simulation.summary().message;
      break;
    }
    simulation.dimension() == 2 ? plane.measure(simulation, outcome) : space.measure(simulation, outcome);
    track.look(simulation);
  }
  const RunSummary summary = simulation.summary();
  outcome.steps = summary.steps, outcome.relaxed = summary.relaxed_steps;
  outcome.energy_gained = summary.energy_gained;
  outcome.step_us = median(times);
  outcome.error = kNone;
  if (outcome.stopped) return outcome;
  if (experiment.error) outcome.error = experiment.error(positions(simulation), start);
  if (experiment.scene == "momentum") outcome.error = momentum_error(simulation);
  if (experiment.fine_step > 0) outcome.error = track.distance(true_track(experiment, trial.seed));
  return outcome;
}

}  // namespace touchstone
