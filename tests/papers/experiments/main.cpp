// experiments_table: every experiment under every contact model, in one Markdown table.
//
//     experiments_table [--quick] [--scene WORD] [--model WORD]

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "experiment.h"
#include "touchstone/contact/contact_model.h"

namespace touchstone {
namespace {

struct Options {
  bool quick = false;
  std::string scene, model;
  int seeds = 10;
  double most_seconds = 60;  ///< of CPU time per run
};

std::string number(double x) {
  if (std::isnan(x)) return "-";
  char text[32];
  std::snprintf(text, sizeof text, x == 0 ? "%.0f" : "%.2g", x);
  return text;
}

double quantile(std::vector<double> values, double fraction) {
  std::erase_if(values, [](double x) { return std::isnan(x); });
  if (values.empty()) return std::nan("");
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(fraction * static_cast<double>(values.size() - 1) + 0.5)];
}

/// Several sets as one line: medians (with quartiles) of errors and times, the worst of all else.
struct Line {
  std::vector<double> errors, times;
  Outcome worst;
  int runs = 0, stopped = 0;

  void add(const Outcome& outcome) {
    ++runs;
    errors.push_back(outcome.error);
    times.push_back(outcome.step_us);
    stopped += outcome.stopped.has_value();
    worst.min_gap = std::min(worst.min_gap, outcome.min_gap);
    worst.max_overlap = std::max(worst.max_overlap, outcome.max_overlap);
    worst.energy_gained = std::max(worst.energy_gained, outcome.energy_gained);
    worst.relaxed += outcome.relaxed, worst.divided += outcome.divided, worst.steps += outcome.steps;
    if (outcome.stopped && !worst.stopped) worst.stopped = outcome.stopped, worst.why = outcome.why;
  }

  std::string error_text() const {
    const std::string middle = number(quantile(errors, 0.5));
    if (runs == 1 || middle == "-") return middle;
    return middle + " (" + number(quantile(errors, 0.25)) + ", " + number(quantile(errors, 0.75)) + ")";
  }

  std::string failure_text() const {
    if (stopped == 0) return "0";
    const std::string reason = worst.why.substr(0, worst.why.find(':'));
    const std::string when = " at " + number(*worst.stopped) + " s";
    return (runs == 1 ? reason + when
                      : std::to_string(stopped) + " of " + std::to_string(runs) + ": " + reason);
  }
};

Line run_line(const Experiment& experiment, const Trial& base, const Options& options) {
  Line line;
  const int seeds = std::min(experiment.seeds, options.quick ? 2 : options.seeds);
  for (int seed = experiment.seeds > 0 ? 1 : 0; seed <= seeds; ++seed) {
    Trial trial = base;
    trial.seed = seed;
    line.add(run_trial(experiment, trial, options.most_seconds));
    std::fprintf(stderr, "%s, h = %g, %s, seed %d\n", trial.scene.c_str(), trial.h, trial.model.c_str(),
                 seed);
  }
  return line;
}

void print_line(const Experiment& experiment, const Trial& trial, const Line& line) {
  std::printf("| %s | %g | %s | %s | %s | %s | %s | %s | %ld / %ld | %.0f |\n", experiment.scene.c_str(),
              trial.h, trial.model.c_str(), line.error_text().c_str(), number(line.worst.min_gap).c_str(),
              number(line.worst.max_overlap).c_str(), number(line.worst.energy_gained).c_str(),
              line.failure_text().c_str(), line.worst.divided, line.worst.steps, quantile(line.times, 0.5));
  std::fflush(stdout);
}

void run_experiment(const Experiment& experiment, const Options& options) {
  for (const double h : experiment.steps) {
    if (options.quick && h != experiment.steps.back()) continue;
    for (const ContactModelEntry& model : contact_models()) {
      if (model.name.find(options.model) == std::string_view::npos) continue;
      const Trial trial{experiment.scene, std::string(model.name), h, 0};
      print_line(experiment, trial, run_line(experiment, trial, options));
    }
  }
}

void print_truths() {
  std::printf("\n| experiment | the error is the deviation from | sets |\n| --- | --- | --- |\n");
  for (const Experiment& e : experiments()) {
    std::printf("| %s | %s | %d |\n", e.scene.c_str(), e.truth.empty() ? "-" : e.truth.c_str(),
                std::max(1, e.seeds));
  }
}

}  // namespace
}  // namespace touchstone

int main(int argc, char** argv) {
  using namespace touchstone;
  CLI::App program("Every experiment under every contact model");
  Options options;
  program.add_flag("--quick", options.quick, "two random sets, the longest step only");
  program.add_option("--scene", options.scene, "only experiments whose name holds this");
  program.add_option("--model", options.model, "only models whose name holds this");
  program.add_option("--seeds", options.seeds, "how many random sets at most");
  program.add_option("--most-seconds", options.most_seconds, "CPU time after which a run is given up");
  CLI11_PARSE(program, argc, argv);
  std::printf(
      "| experiment | h [s] | model | error [m] | min gap [m] | overlap [m^D] | energy gained [J] | failed | "
      "divided / steps | CPU/step [us] |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
  for (const Experiment& experiment : experiments()) {
    if (experiment.scene.find(options.scene) != std::string::npos) run_experiment(experiment, options);
  }
  print_truths();
}
