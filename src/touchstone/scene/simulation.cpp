#include "touchstone/scene/simulation.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <sstream>

#include "touchstone/run/run.h"
#include "touchstone/scene/world_scene.h"

namespace touchstone {
namespace {

using AnyRun = std::variant<Run<2>, Run<3>>;

/// What a recording says about where it comes from.
RecordingSource source_of(const Scene& scene) {
  const std::string file = scene.file.empty() ? "" : std::filesystem::absolute(scene.file).string();
  const std::string overrides =
      nlohmann::json(scene.overrides).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return {scene.name, scene.text, file, overrides, TOUCHSTONE_VERSION, scene.settings.h};
}

std::unique_ptr<AnyRun> make_run(const Scene& scene, const SimulationSettings& settings) {
  const RunSettings run{scene.settings, scene.model, scene.allow_overlap, settings.measure_every,
                        source_of(scene)};
  return std::visit(
      [&]<int D>(const RunContent<D>& content) {
        return std::make_unique<AnyRun>(std::in_place_type<Run<D>>, content, run);
      },
      scene.content);
}

/// A JSON list; the first recordings have one a line.
std::vector<std::string> overrides_in(const std::string& text) {
  std::vector<std::string> overrides;
  const auto list = nlohmann::json::parse(text, nullptr, false);
  if (list.is_array()) {
    for (const auto& item : list) {
      if (item.is_string()) overrides.push_back(item.get<std::string>());
    }
    return overrides;
  }
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) overrides.push_back(line);
  return overrides;
}

/// A recording that somebody writes has no end yet to go on from.
void refuse_live(const std::filesystem::path& file) {
  if (const std::string writer = writer_of_recording(file); !writer.empty())
    throw BadRecording(file.string() + ": is being written by " + writer);
}

/// The scene that was recorded. A recording holds its text; meshes are read from their files.
Scene scene_of_recording(const std::filesystem::path& file, const std::vector<std::string>& more) {
  const RecordingReader recording(file);
  if (recording.text_attribute("scene") == kMadeInCode) {
    throw BadRecording(file.string() +
                       ": its world was made in code: the program that made it can go on by resume_with()");
  }
  const std::filesystem::path scene_file = recording.text_attribute("scene_file");
  std::vector<std::string> overrides = overrides_in(recording.text_attribute("overrides"));
  overrides.insert(overrides.end(), more.begin(), more.end());
  const std::string name = scene_file.empty() ? recording.text_attribute("scene_name") : scene_file.string();
  Scene scene = parse_scene({recording.text_attribute("scene"), name, scene_file.parent_path(), overrides,
                             true, IgnoredOptions::told});
  scene.warnings.clear();  // who made the recording has seen them
  scene.file = scene_file;
  return scene;
}

}  // namespace

struct Simulation::State {
  Scene scene;
  std::unique_ptr<AnyRun> run;
  std::vector<Function> before, after;
  std::vector<EventFunction> at_events;
  double wall_time = 0;

  SimulationSettings settings;

  State(Scene s, const SimulationSettings& given) : scene(std::move(s)), settings(given) {
    if (settings.threads) scene.settings.threads = *settings.threads;
    scene.settings.solve.stop = settings.stop;
    run = make_run(scene, settings);
  }

  template <class Action>
  decltype(auto) with(const Action& action) const {
    return std::visit(action, *run);
  }

  void refuse_while_recording(const char* what) const {
    if (with([](const auto& r) { return r.is_recording(); }))
      throw BadInput(std::string(what) + ": close the recording first");
  }

  /// An action that writes to the recording: a file that cannot be made is the user's business.
  template <class Action>
  void recording(const Action& action) const {
    try {
      with(action);
    } catch (const RecordingLost&) {
      throw;
    } catch (const BadRecording& error) {
      throw BadInput(error.what());
    }
  }

  /// A function may add functions: places are counted, and the one that runs is a copy.
  template <class F, class... Told>
  static void call(const std::vector<F>& functions, Simulation& sim, const Told&... told) {
    for (std::size_t i = 0; i < functions.size(); ++i) {
      const F function = functions[i];
      function(sim, told...);
    }
  }
  void call_at_events(Simulation& sim) const {
    if (at_events.empty()) return;
    const auto events = with([](const auto& r) { return r.report.events; });
    for (const StepEvent& event : events) call(at_events, sim, event);
  }

  /// Forces hold for the step they were set for: where a user's function or stage throws, they are forgotten.
  bool make_step(Simulation& sim) const {
    bool done = false;
    with([](auto& r) { r.set_forces(); });
    call(before, sim);
    recording([&](auto& r) { done = r.step(); });
    return done;
  }
};

Simulation::Simulation(Scene scene, const SimulationSettings& settings)
    : state_(std::make_unique<State>(std::move(scene), settings)) {}

template <int D>
Simulation::Simulation(const World<D>& world, const StepSettings& step, const SimulationSettings& settings)
    : Simulation(scene_of_world(world, step), settings) {}

Simulation Simulation::resume(const std::filesystem::path& recording,
                              const std::vector<std::string>& overrides,
                              const SimulationSettings& settings) try {
  refuse_live(recording);
  return resume_with(scene_of_recording(recording, overrides), recording, settings);
} catch (const BadRecording& error) {
  throw BadInput(error.what());
}

Simulation Simulation::resume_with(Scene scene, const std::filesystem::path& recording,
                                   const SimulationSettings& settings) try {
  refuse_live(recording);
  Simulation simulation(std::move(scene), settings);
  simulation.state_->with([&](auto& run) { run.resume(recording); });
  return simulation;
} catch (const BadRecording& error) {
  throw BadInput(error.what());
}

Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;
Simulation::~Simulation() = default;

void Simulation::before_step(Function function) { state_->before.push_back(std::move(function)); }
void Simulation::on_step(Function function) { state_->after.push_back(std::move(function)); }

void Simulation::on_event(EventFunction function) { state_->at_events.push_back(std::move(function)); }

void Simulation::set_accuracy(double accuracy) try {
  state_->refuse_while_recording("accuracy");
  Scene changed = state_->scene;
  changed.settings.accuracy = accuracy;
  changed.overrides.push_back("accuracy=" + nlohmann::json(accuracy).dump());
  state_->with([&](auto& run) { run.set_accuracy(accuracy, source_of(changed)); });
  state_->scene = std::move(changed);
} catch (const std::invalid_argument& error) {
  throw BadInput(error.what());
}

void Simulation::record(const std::filesystem::path& file) {
  close_recording();
  if (const std::string writer = writer_of_recording(file); !writer.empty())
    throw BadInput(file.string() + ": is being written by " + writer);
  if (recording_target(file) == RecordingTarget::other)
    throw BadInput(file.string() + ": exists and is no recording, so it is not overwritten");
  state_->recording([&](auto& run) { run.record(file); });
}

void Simulation::close_recording() {
  state_->recording([](auto& run) { run.close_recording(); });
}

bool Simulation::step() {
  const auto begin = std::chrono::steady_clock::now();
  bool done = state_->with([](auto& run) { return run.let_appear(); });
  try {
    if (done) done = state_->make_step(*this);
  } catch (...) {
    state_->with([](auto& run) { run.clear_forces(); });
    throw;
  }
  if (!done) state_->with([](auto& run) { run.clear_forces(); });
  state_->wall_time += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (done) state_->call_at_events(*this);
  if (done) state_->call(state_->after, *this);
  return done;
}

bool Simulation::run_until(double end) {
  while (end - time() > kSameTime * scene().settings.h) {
    if (!step()) return false;
  }
  return true;
}

void Simulation::reset() {
  state_->refuse_while_recording("reset()");
  state_->with([](auto& run) { run.reset(); });
  state_->wall_time = 0;
}

SimulationState Simulation::state() const {
  return state_->with([](const auto& run) { return SimulationState(run.state()); });
}

void Simulation::set_state(const SimulationState& state) {
  state_->refuse_while_recording("set_state()");
  const bool fits = state_->with([&]<int D>(Run<D>& run) {
    const auto* same = std::get_if<Checkpoint<D>>(&state);
    return same && run.set_state(*same);
  });
  if (!fits) throw BadInput("state: it is that of another scene");
}

Simulation Simulation::copy() const {
  Simulation other(state_->scene, state_->settings);
  other.set_state(state());
  state_->with([&]<int D>(const Run<D>& run) { other.world<D>() = run.world; });
  return other;
}

double Simulation::time() const {
  return state_->with([](const auto& run) { return run.world.time; });
}

const Scene& Simulation::scene() const { return state_->scene; }
const SimulationSettings& Simulation::settings() const { return state_->settings; }

RunSummary Simulation::summary() const {
  return state_->with([&](const auto& run) {
    RunSummary summary = run.summary;
    summary.time = run.world.time;
    summary.wall_time = state_->wall_time;
    summary.state_hash = hash_text(state_hash(run.world));
    return summary;
  });
}

template <int D>
World<D>& Simulation::world() {
  return std::get<Run<D>>(*state_->run).world;
}
template <int D>
Stepper<D>& Simulation::stepper() {
  return std::get<Run<D>>(*state_->run).stepper;
}
template <int D>
const StepReport<D>& Simulation::report() const {
  return std::get<Run<D>>(*state_->run).report;
}

const StepMeasures& Simulation::measures() const {
  return state_->with([](const auto& run) -> const StepMeasures& { return run.measures; });
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                   \
  template Simulation::Simulation(const World<D>&, const StepSettings&, const SimulationSettings&); \
  template World<D>& Simulation::world<D>();                                                        \
  template Stepper<D>& Simulation::stepper<D>();                                                    \
  template const StepReport<D>& Simulation::report<D>() const;
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
