// touchstone study: a grid of runs, one table, some pictures.

#include <cstdio>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "touchstone/apps/commands.h"
#include "touchstone/apps/python_script.h"
#include "touchstone/apps/study_runner.h"
#include "touchstone/apps/viewer_page.h"
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

/// Beside the program once it is installed, among the tools in the build tree.
fs::path plot_script() {
  const std::string found = find_program_file("plot_study.py");
  return found.empty() ? fs::path(TOUCHSTONE_TOOLS_IN_SOURCE) / "plot_study.py" : fs::path(found);
}

/// Draws the plots; if that fails, prints why. A failure is the fault of the study's plots or of its data.
int make_plots(const StudyPlan& plan, const StudyRows& rows) {
  const auto plots = nlohmann::json::parse(plan.plots);
  if (plots.empty()) return kDone;
  const fs::path wishes = rows.folder() / "plots.json";
  std::error_code ignored;
  for (const auto& plot : plots) fs::remove(rows.folder() / plot.value("file", ""), ignored);
  std::ofstream(wishes) << plots.dump(1) << "\n";
  const int code = run_python({plot_script().string(), {rows.table().string(), wishes.string()}, ""});
  if (code != kNoPython && code != kPythonMissing) return code == kPythonDone ? kDone : kBadInput;
  std::fprintf(stderr,
               "touchstone: no plots: there is no python3 with matplotlib and h5py (Debian packages "
               "python3-matplotlib and python3-h5py)\n");
  return kDone;
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
    for (const auto& plot : nlohmann::json::parse(plan.plots)) {
      const fs::path picture = rows.folder() / plot.value("file", "");
      if (!options.no_plots && fs::exists(picture)) std::printf("plot          %s\n", picture.c_str());
    }
  }
}

int exit_code_of(const StudyCounts& counts, bool stopped) {
  if (counts.refused > 0) return kBadInput;
  if (stopped) return kStopped;
  return counts.crashed > 0 ? kNumbersFailed : kDone;
}

/// The part of a study that the ranks of a job do together.
int work_on(const StudyPlan& plan, const StudyOptions& options, StudyTeam& team) {
  const StudyRows rows(options.folder.empty() ? fs::path(plan.name) : fs::path(options.folder), plan);
  const StopWish stop;
  const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const int jobs = options.jobs > 0 ? options.jobs : team.size() > 1 ? 1 : cores;
  const bool first = team.rank() == 0;
  StudyRunner runner({plan, rows, team, jobs, options.quiet || options.json || !first});
  const StudyCounts mine = runner.run(stop);
  if (stop.asked()) team.end_job(kStopped);
  const StudyCounts counts = team.sum(mine);
  int plots = kDone;
  if (first) {
    rows.write_table();
    if (!options.no_plots && !stop.asked()) plots = make_plots(plan, rows);
    report(options, plan, rows, counts);
  }
  if (!runner.trouble().empty()) std::fprintf(stderr, "%s\n", runner.trouble().c_str());
  const int code = exit_code_of(counts, stop.asked());
  return code == kDone ? plots : code;
}

int run_study(const StudyOptions& options) {
  const StudyPlan plan = load_study(find_study(options.study));
  // Faulty scenes are refused before any run is made.
  for (const std::size_t i : plan.samples)
    check_quantities(plan, load_scene(plan.runs[i].scene, plan.runs[i].overrides, IgnoredOptions::told));
  StudyTeam team;
  try {
    return work_on(plan, options, team);
  } catch (const std::exception& error) {
    if (team.size() == 1) throw;
    // The others would wait for this one for ever.
    std::fprintf(stderr, "touchstone: %s\n", error.what());
    team.end_job(kBadInput);
    throw;
  }
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
