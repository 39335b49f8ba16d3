// touchstone study: a grid of runs, one table, some pictures.

#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <thread>

#include "touchstone/apps/commands.h"
#include "touchstone/apps/study_runner.h"
#include "touchstone/scene/json_text.h"

namespace touchstone {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStudyExamples =
    R"(STUDY is a YAML file [docs/study.md] or one of the studies that 'touchstone list studies' shows.

Examples:
  touchstone study fig-5-10b
  touchstone study my-study.yaml -o results --jobs 4
  mpirun -n 64 touchstone study my-study.yaml

Each run is a process of its own; one that crashes costs only itself. The table, the plots and what is known of each
run lie in a folder with the study's name. The same command again makes only the runs that are missing there.

Exit codes: 0 every run has a row (also those whose numbers failed); 2 bad input; 3 some runs crashed; 130 stopped.)";

struct StudyOptions {
  std::string study, folder;
  int jobs = 0;
  bool no_plots = false, json = false, quiet = false;
};

/// `python3` with matplotlib, or nothing. Debian's own is asked too, where another stands before it.
std::string find_python() {
  for (const char* python : {"python3", "/usr/bin/python3"}) {
    const std::string command = std::string(python) + " -c 'import matplotlib, h5py' > /dev/null 2>&1";
    if (std::system(command.c_str()) == 0) return python;
  }
  return "";
}

fs::path plot_script() {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path beside = program.parent_path() / TOUCHSTONE_DATA_BESIDE_PROGRAM / "plot_study.py";
  return fs::exists(beside, ignored) ? beside : fs::path(TOUCHSTONE_TOOLS_IN_SOURCE) / "plot_study.py";
}

std::string in_shell(const std::string& word) {
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// True when there are pictures, or none were asked for.
bool make_plots(const StudyPlan& plan, const StudyRows& rows) {
  if (plan.plots.empty()) return true;
  const fs::path wishes = rows.folder() / "plots.json";
  std::ofstream(wishes) << plan.plots.dump(1) << "\n";
  const std::string python = find_python();
  if (python.empty()) {
    std::fprintf(stderr,
                 "touchstone: no plots: there is no python3 with matplotlib and h5py (Debian packages "
                 "python3-matplotlib and python3-h5py)\n");
    return false;
  }
  const std::string command = python + " " + in_shell(plot_script().string()) + " " +
                              in_shell(rows.table().string()) + " " + in_shell(wishes.string()) + " >&2";
  return std::system(command.c_str()) == 0;
}

void report(const StudyOptions& options, const StudyPlan& plan, const StudyRows& rows,
            const StudyCounts& counts) {
  if (options.json) {
    const auto number = [](std::size_t n) { return static_cast<double>(n); };
    JsonWriter w;
    w.open('{').key("study").value(plan.name).key("runs").value(number(plan.runs.size()));
    w.key("made").value(number(counts.made)).key("known").value(number(counts.known));
    w.key("crashed").value(number(counts.crashed)).key("refused").value(number(counts.refused));
    w.key("table").value(rows.table().string()).close('}');
    std::printf("%s\n", w.text().c_str());
  } else if (!options.quiet) {
    std::printf("%s: %zu runs, %zu made now, %zu known before, %zu crashed\n", plan.name.c_str(),
                plan.runs.size(), counts.made, counts.known, counts.crashed);
    std::printf("table         %s\n", rows.table().c_str());
    for (const auto& plot : plan.plots)
      std::printf("plot          %s\n", (rows.folder() / plot.value("file", "")).c_str());
  }
}

int exit_code_of(const StudyCounts& counts, bool stopped) {
  if (counts.refused > 0) {
    std::fprintf(stderr, "%s\n", counts.refusal.c_str());
    return kBadInput;
  }
  if (stopped) return kStopped;
  return counts.crashed > 0 ? kNumbersFailed : kDone;
}

int run_study(const StudyOptions& options) {
  const StudyPlan plan = load_study(find_study(options.study));
  // What would be refused is told before anything is made.
  for (const std::size_t i : plan.samples) load_scene(plan.runs[i].scene, plan.runs[i].overrides);
  StudyTeam team;
  const StudyRows rows(options.folder.empty() ? fs::path(plan.name) : fs::path(options.folder));
  const StopWish stop;
  const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const int jobs = options.jobs > 0 ? options.jobs : team.size() > 1 ? 1 : cores;
  const bool first = team.rank() == 0;
  StudyRunner runner{plan, rows, team, jobs, options.quiet || options.json || !first};
  const StudyCounts counts = runner.run(stop);
  if (stop.asked()) team.end_job(kStopped);
  team.wait_for_all();
  if (first) {
    rows.write_table(plan);
    if (!options.no_plots && !stop.asked()) make_plots(plan, rows);
    report(options, plan, rows, counts);
  }
  return exit_code_of(counts, stop.asked());
}

}  // namespace

void add_study(CLI::App& program, int& exit_code) {
  auto options = std::make_shared<StudyOptions>();
  CLI::App* command =
      program.add_subcommand("study", "Runs scenes over a grid of models, steps, seeds and values");
  command->add_option("STUDY", options->study, "a study file or a named study")->option_text(" ")->required();
  command->add_option("-o,--output", options->folder, "folder of the results (default: the study's name)")
      ->option_text("FOLDER");
  command
      ->add_option("-j,--jobs", options->jobs,
                   "runs at a time; 0: as many as there are cores (MPI: one per rank)")
      ->option_text("N")
      ->check(CLI::Range(0, 1024));
  command->add_flag("--no-plots", options->no_plots, "make the table only");
  command->add_flag("--json", options->json, "print the result as one JSON object");
  command->add_flag("-q,--quiet", options->quiet, "no progress and no summary");
  command->footer(kStudyExamples);
  command->callback([options, &exit_code] { exit_code = run_study(*options); });
}

}  // namespace touchstone
