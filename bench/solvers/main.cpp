// `auto` beside Siconos' solvers on the shared problems, at equal residual. Prints markdown.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "../proximity/table.h"
#include "race.h"
#include "touchstone/problems/problem_file.h"
#include "touchstone/solve/residual.h"
#include "touchstone/solve/solver.h"

namespace touchstone::bench {
namespace {

struct Options {
  std::filesystem::path data;
  std::string only;
  bool check = false, all = false;
  double goal = 1e-8;
  RaceEffort effort;
};

/// Faster than this nobody needs to be.
constexpr double kFastEnough = 5;  // [us]
/// Two runs of one program differ by up to this factor.
constexpr double kNoise = 1.05;

struct Outcome {
  std::string problem, kind, ours, theirs;
  int size = 0;
  double our_us = 0, their_us = 0, residual = 0;
  bool solved = false, met = true;
};

std::vector<std::filesystem::path> files_of(const Options& options) {
  std::vector<std::filesystem::path> files;
  for (const char* folder : {"lcp", "mlcp", "friction"})
    for (const auto& entry : std::filesystem::directory_iterator(options.data / folder))
      if (options.only.empty() || entry.path().string().find(options.only) != std::string::npos)
        files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

void tell(const SiconosSolver& solver, const RaceResult& result) {
  if (!result.finished)
    std::printf("  %-26s crashed or took too long\n", solver.name.c_str());
  else if (result.siconos_us == 0)
    std::printf("  %-26s residual %.1e\n", solver.name.c_str(), result.siconos_residual);
  else
    std::printf("  %-26s residual %.1e  %.2f us; auto %.2f us\n", solver.name.c_str(),
                result.siconos_residual, result.siconos_us, result.our_us);
}

/// The fastest of Siconos' solvers that reaches the goal.
Outcome compare(const std::filesystem::path& file, const Options& options) {
  const Problem problem = read_problem(file, file.parent_path().filename().string());
  SolveSettings settings;
  settings.tolerance = options.goal;
  const Solution solution = touchstone::solve(problem, "auto", settings);
  Outcome outcome{file.filename(), kind_of(problem), solution.solver, "none"};
  outcome.size = size_of(problem);
  outcome.residual = solution.residual;
  outcome.solved = solution.status == SolveStatus::solved;
  const RaceCourse course{problem, file, options.goal};
  for (const SiconosSolver& solver : siconos_solvers(problem)) {
    const RaceResult result = race(course, solver, options.effort);
    if (options.all) tell(solver, result);
    if (!result.finished || result.siconos_us == 0) continue;
    if (outcome.their_us > 0 && result.siconos_us >= outcome.their_us) continue;
    outcome.theirs = solver.name;
    outcome.their_us = result.siconos_us;
    outcome.our_us = result.our_us;
  }
  if (outcome.their_us == 0) outcome.our_us = time_alone(course, options.effort);
  outcome.met = outcome.solved && (outcome.their_us == 0 || outcome.our_us <= kFastEnough ||
                                   outcome.our_us <= kNoise * outcome.their_us);
  return outcome;
}

void print(const std::vector<Outcome>& outcomes, double goal) {
  Table table({"problem", "kind", "solved by", "Siconos' best", "rows", "residual", "auto [us]",
               "Siconos [us]", "Siconos / auto", "met"});
  for (const Outcome& o : outcomes)
    table.add({o.problem, o.kind, o.solved ? o.ours : "**not solved**", o.theirs, std::to_string(o.size),
               scientific(o.residual, 1), fixed(o.our_us, 2), o.their_us > 0 ? fixed(o.their_us, 2) : "-",
               o.their_us > 0 ? fixed(o.their_us / o.our_us, 1) : "-", o.met ? "yes" : "**NO**"});
  std::printf("Best times of many runs, taken in turns; both reach a residual of %.0e by residual.h.\n\n",
              goal);
  table.print(4);
}

int run(const Options& options) {
  std::vector<Outcome> outcomes;
  for (const std::filesystem::path& file : files_of(options)) {
    if (options.all) std::printf("%s\n", file.filename().c_str());
    outcomes.push_back(compare(file, options));
    std::fflush(stdout);
  }
  print(outcomes, options.goal);
  const bool met = std::all_of(outcomes.begin(), outcomes.end(), [](const Outcome& o) { return o.met; });
  return options.check && !met ? 1 : 0;
}

void declare(CLI::App& app, Options& options) {
  const char* data = std::getenv("TOUCHSTONE_DATA");
  options.data = data ? data : TOUCHSTONE_SOURCE_DIR "/../shared/data";
  app.add_option("--data", options.data, "the folder that holds lcp, mlcp and friction");
  app.add_option("--only", options.only, "only files whose path contains this");
  app.add_option("--goal", options.goal, "the residual that both must reach");
  app.add_option("--seconds", options.effort.seconds, "time for each solver on each problem");
  app.add_option("--limit", options.effort.time_limit, "[s] after which a solver of Siconos is given up");
  app.add_flag("--all", options.all, "tell of every solver of Siconos");
  app.add_flag("--check", options.check, "exit with 1 where auto is slower on a problem above 5 us");
}

}  // namespace
}  // namespace touchstone::bench

int main(int argc, char** argv) {
  // Before the library is loaded by the children: several threads would only slow these small problems.
  setenv("OPENBLAS_NUM_THREADS", "1", 1);
  CLI::App app{"Complementarity problems: auto beside Siconos' solvers"};
  touchstone::bench::Options options;
  touchstone::bench::declare(app, options);
  CLI11_PARSE(app, argc, argv);
  return touchstone::bench::run(options);
}
