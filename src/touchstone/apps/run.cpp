// touchstone run: simulates a scene, records it, and tells how exact it was.

#include <cstdio>
#include <memory>
#include <optional>

#include "touchstone/apps/commands.h"
#include "touchstone/apps/progress.h"
#include "touchstone/apps/show_live.h"
#include "touchstone/apps/step_problems.h"
#include "touchstone/apps/summary.h"
#include "touchstone/apps/view.h"

namespace touchstone {
namespace {

constexpr const char* kRunExamples =
    R"(SCENE is a scene file or one of the scenes that 'touchstone list scenes' shows.

Examples:
  touchstone run box-stack
  touchstone run slope --duration 1 --step 0.001 -o slope.h5
  touchstone run slope --set contact.friction=0.5 --set bodies.block.mass=2 --json
  touchstone run polygons-in-box --view
  touchstone run triangle-drop --accuracy 1e-9
  touchstone run --resume slope.h5 --duration 2
  touchstone run my-scene.yaml --model corrective --solver lemke
  touchstone run box-stack --set contact.law=quadratic --write-problem 10:step.hdf5

--set changes one value of the scene: PATH=VALUE, where the path names keys, and members of lists by their name
or their place from 0 on. Repeat it as often as needed. An option that the contact model does not use is refused;
one that stands in the scene's file, run under another model, is told in a warning.

--write-problem writes the problem of a step, with its solution, for 'touchstone solve' and other solvers: .json,
.h5, .hdf5 (FCLIB's for round cones) or .dat (Siconos' text). Several islands make several files: FILE-1, FILE-2.

A recording that exists is overwritten with --force only; otherwise the run is recorded under a new name. No other
file is ever overwritten.

Ctrl-C ends the run at once, also within a step; the recording holds what was simulated until then. --resume goes
on from there, with the same bits as a run that was never stopped; --duration counts from the start of the scene.

Exit codes: 0 done; 2 bad input; 3 a step could not be solved (the recording ends before it), or the recording
could not be written any further (a full disk: it holds all but the last second); 130 stopped.)";

/// Share of a duration within which two are the same: steps add up with round-off.
constexpr double kSameDuration = 1e-9;

struct RunOptions {
  std::string scene, recording, resumed;
  std::optional<std::string> duration, step, accuracy, model, formulation, solver;
  std::vector<std::string> set, write_problem;
  int threads = 0;
  int port = 0;
  bool no_recording = false, json = false, quiet = false, view = false, no_browser = false;
  bool allow_ignored = false, force = false;
};

/// A run that is shown while it is computed, and afterwards until Ctrl-C.
class ShownRun {
 public:
  ShownRun(Simulation& simulation, const RunOptions& options) {
    if (!options.view) return;
    show_ = LiveShow::watch(simulation);
    // Standard output belongs to the summary.
    viewer_ = open_viewer(show_, {options.port, options.no_browser, options.quiet, false, stderr});
  }
  void end(const RunResult& result, const StopWish& stop) {
    if (!show_) return;
    show_->end(result.summary.message);
    std::fflush(stdout);
    wait_for(stop);
  }

 private:
  std::shared_ptr<LiveShow> show_;
  std::unique_ptr<ViewerServer> viewer_;
};

/// All options that change the scene, as overrides of its values.
std::vector<std::string> overrides_of(const RunOptions& options) {
  std::vector<std::string> all = options.set;
  const auto add = [&](const char* path, const std::optional<std::string>& value) {
    if (value) all.push_back(std::string(path) + "=" + *value);
  };
  add("duration", options.duration);
  add("step", options.step);
  add("accuracy", options.accuracy);
  add("contact.model", options.model);
  add("contact.formulation", options.formulation);
  add("contact.solver", options.solver);
  return all;
}

/// Steps to the end, or until one fails, or somebody wishes to stop. True: somebody did.
bool run_to_end(Simulation& simulation, const StopWish& stop, bool quiet) {
  const double end = simulation.scene().duration;
  Progress progress({simulation.time(), end}, "s", quiet);
  // run_until() for one step at a time.
  while (!stop.asked()) {
    const double before = simulation.time();
    if (!simulation.run_until(std::min(end, before + simulation.scene().settings.h)))
      return stop.asked() && simulation.summary().failed_steps == 0;
    if (simulation.time() == before) return false;
    progress.show(simulation.time());
  }
  return true;
}

void report(const Simulation& simulation, const RunResult& result, const RunOptions& options) {
  if (options.json) {
    std::printf("%s\n", summary_as_json(simulation.scene(), result).c_str());
  } else if (!options.quiet) {
    print_summary(simulation.scene(), result);
  }
}

/// Refuses options beside --resume that the recording holds already.
void check_resume(const RunOptions& options) {
  const auto forbid = [](bool given, const char* option) {
    if (given) throw BadInput(std::string(option) + ": a run that is resumed has it in its recording");
  };
  forbid(!options.scene.empty(), "SCENE");
  forbid(!options.recording.empty(), "--output");
  forbid(options.no_recording, "--no-recording");
  forbid(options.force, "--force");
  forbid(options.step.has_value(), "--step");
  forbid(options.accuracy.has_value(), "--accuracy");
  forbid(options.model.has_value(), "--model");
  forbid(options.formulation.has_value(), "--formulation");
  forbid(options.solver.has_value(), "--solver");
  forbid(!options.set.empty(), "--set");
  forbid(!options.write_problem.empty(), "--write-problem");
}

struct StartedRun {
  Simulation simulation;
  std::string recording;  ///< path; empty: none
};

/// Refuses a duration that ends before the recording does.
void check_duration(const RunOptions& options) try {
  const RecordingReader recording(options.resumed);
  char* rest = nullptr;
  const double end = std::strtod(options.duration->c_str(), &rest);
  if (*rest != '\0' || recording.times().empty()) return;  // text that is no number is refused elsewhere
  if (end >= recording.times().back() * (1 - kSameDuration)) return;
  char text[64];
  std::snprintf(text, sizeof text, "%.6g", recording.times().back());
  throw BadInput("--duration: " + options.resumed + " holds " + text + " s already; expected more than that");
} catch (const BadRecording& error) {
  throw BadInput(error.what());
}

/// A recording that another process writes is left to it.
void refuse_live(const std::string& file) {
  if (const std::string writer = writer_of_recording(file); !writer.empty())
    throw BadInput(file + ": is being written by " + writer);
}

StartedRun resume_run(const RunOptions& options, const StopWish& stop) {
  check_resume(options);
  refuse_live(options.resumed);
  if (options.duration) check_duration(options);
  SimulationSettings settings;
  settings.stop = stop.flag();
  settings.threads = options.threads;
  return {Simulation::resume(options.resumed, overrides_of(options), settings), options.resumed};
}

void warn(const Scene& scene, const std::string& text) {
  std::fprintf(stderr, "touchstone: WARNING: %s: %s\n", scene.name.c_str(), text.c_str());
}

/// The first of NAME.h5, NAME-2.h5, NAME-3.h5, ... that does not exist.
std::string unused_name(const std::string& wished) {
  const std::filesystem::path path = wished;
  std::error_code ignored;
  for (int i = 2;; ++i) {
    std::filesystem::path next = path;
    next.replace_filename(path.stem().string() + "-" + std::to_string(i) + path.extension().string());
    if (!std::filesystem::exists(next, ignored)) return next.string();
  }
}

/// Where to record: nothing that exists is lost, but a recording by --force.
std::string recording_name(const RunOptions& options, const std::string& scene) {
  if (options.no_recording) return "";
  const bool told = !options.recording.empty();
  const std::string wished = told ? options.recording : scene + ".h5";
  if (told) refuse_live(wished);
  const RecordingTarget target = recording_target(wished);
  if (target == RecordingTarget::free || (target == RecordingTarget::recording && options.force))
    return wished;
  if (target == RecordingTarget::other && told) {
    throw BadInput(wished + ": exists and is no recording, so it is not overwritten; choose another name");
  }
  const std::string other = unused_name(wished);
  std::fprintf(stderr, "touchstone: %s exists; recording to %s%s\n", wished.c_str(), other.c_str(),
               target == RecordingTarget::recording ? " (--force overwrites)" : "");
  return other;
}

StartedRun start_run(const RunOptions& options, StepProblems& problems, const StopWish& stop) {
  if (options.scene.empty()) throw BadInput("SCENE is required, or --resume and a recording");
  Scene scene = load_scene(options.scene, overrides_of(options),
                           options.allow_ignored ? IgnoredOptions::told : IgnoredOptions::refused);
  for (const std::string& warning : scene.warnings) warn(scene, warning);
  SimulationSettings settings;
  settings.threads = problems.any() ? 1 : options.threads;  // in one order
  settings.stop = stop.flag();
  const std::string recording = recording_name(options, scene.name);
  if (recording.empty()) scene.settings.split_forces = false;  // nobody sees them
  StartedRun run{Simulation(std::move(scene), settings), recording};
  if (problems.any()) problems.watch(run.simulation);
  return run;
}

int run_scene(const RunOptions& options) {
  StepProblems problems(options.write_problem);
  const StopWish stop;  // from here on Ctrl-C closes the recording
  StartedRun run = options.resumed.empty() ? start_run(options, problems, stop) : resume_run(options, stop);
  Simulation& simulation = run.simulation;
  RunResult result;
  ShownRun shown(simulation, options);  // refused before a file is made
  if (options.resumed.empty() && !run.recording.empty()) simulation.record(run.recording);
  result.recording = run.recording;
  result.stopped = run_to_end(simulation, stop, options.quiet || options.json);
  simulation.close_recording();
  result.summary = simulation.summary();
  result.warnings = simulation.scene().warnings;
  for (const std::string& warning : warnings_of(result.summary)) {
    warn(simulation.scene(), warning);
    result.warnings.push_back(warning);
  }
  report(simulation, result, options);
  problems.write();
  if (result.summary.failed_steps > 0) {
    std::fflush(stdout);
    std::fprintf(stderr, "touchstone: the step from %.6g s on failed: %s\n", result.summary.time,
                 result.summary.message.c_str());
  }
  shown.end(result, stop);
  if (result.summary.failed_steps > 0) return kNumbersFailed;
  return result.stopped ? kStopped : kDone;
}

}  // namespace

void add_run(CLI::App& program, int& exit_code) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = program.add_subcommand("run", "Simulates a scene, records it, tells how exact it was");
  const auto add = [&](const char* names, auto& target, const char* meaning, const char* value) {
    return command->add_option(names, target, meaning)->option_text(value);
  };
  add("SCENE", options->scene, "a scene file or a named scene", " ");
  add("-o,--output", options->recording, "where to record (default: the scene's name with .h5)", "REC.h5");
  add("--resume", options->resumed, "go on where a recording ended, in the same file", "REC.h5");
  add("--duration", options->duration, "how long to simulate [s]", "T");
  add("--step", options->step, "length of a step [s]", "H");
  add("--accuracy", options->accuracy,
      "integrate to this accuracy of positions [m] and locate every event; steps are then the interval of "
      "output",
      "A");
  add("--model", options->model, "contact model: touchstone list models", "NAME");
  add("--formulation", options->formulation, "equations of a step: touchstone list formulations", "NAME");
  add("--solver", options->solver, "touchstone list solvers", "NAME");
  add("--set", options->set, "change one value of the scene", "PATH=VALUE")->expected(1)->take_all();
  command->add_flag("--allow-ignored", options->allow_ignored,
                    "options that the contact model does not use are told, not refused");
  add("--write-problem", options->write_problem, "write what step STEP (from 1 on) had to solve", "STEP:FILE")
      ->expected(1)
      ->take_all();
  add("--threads", options->threads, "that solve; 0: as many as there are cores", "N")
      ->check(CLI::Range(0, 1024));
  command->add_flag("--view", options->view, "show it in the browser while it runs, and then until Ctrl-C");
  add("--port", options->port, "of --view, on 127.0.0.1 (8642 or, where that is taken, any)", "PORT")
      ->check(CLI::Range(0, 65535));
  command->add_flag("--no-browser", options->no_browser, "with --view, only print the address");
  command->add_flag("--force", options->force, "overwrite a recording that exists");
  command->add_flag("--no-recording", options->no_recording, "record nothing");
  command->add_flag("--json", options->json, "print the summary as one JSON object");
  command->add_flag("-q,--quiet", options->quiet, "no progress and no summary");
  command->footer(kRunExamples);
  command->callback([options, &exit_code] { exit_code = run_scene(*options); });
}

}  // namespace touchstone
