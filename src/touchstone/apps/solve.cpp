// touchstone solve: one problem, by one solver or by all.

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "touchstone/apps/commands.h"
#include "touchstone/problems/problem_file.h"
#include "touchstone/scene/bad_input.h"
#include "touchstone/scene/json_text.h"
#include "touchstone/scene/names.h"
#include "touchstone/solve/solver.h"

namespace touchstone {
namespace {

constexpr const char* kSolveExamples =
    R"(Reads own files (JSON, HDF5), Siconos' text and FCLIB's HDF5. The residual that decides is the same for every
solver of a class.

Examples:
  touchstone solve problem.json
  touchstone solve problem.dat --solver all
  touchstone solve problem.hdf5 --solver nsgs --tolerance 1e-8 --json

Exit codes: 0 solved (by one of them, with all); 2 bad input; 3 not solved.)";

struct SolveOptions {
  std::string file, solver = "auto", kind, output;
  double tolerance = 1e-10;
  bool json = false, quiet = false;
};

struct SolveResult {
  std::string name;
  Solution solution;
  double time = 0;  ///< [s] wall
};

SolveResult solve_by(const Problem& problem, std::string_view name, const SolveOptions& options) {
  SolveSettings settings;
  settings.tolerance = options.tolerance;
  const auto start = std::chrono::steady_clock::now();
  Solution solution = solve(problem, name, settings);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  return {std::string(name), std::move(solution), time.count()};
}

std::vector<std::string> chosen_solvers(const Problem& problem, const SolveOptions& options) {
  std::vector<std::string> all, fitting;
  for (const SolverEntry& entry : solvers()) {
    all.emplace_back(entry.name);
    if (treats(entry.name, problem)) fitting.emplace_back(entry.name);
  }
  if (options.solver == "all") return fitting;
  for (const std::string& name : all) {
    if (name == options.solver) return {name};
  }
  throw BadInput("--solver: there is no solver " + in_quotes(options.solver) +
                 name_hint(options.solver, all));
}

void print_json(const SolveOptions& options, const Problem& problem,
                const std::vector<SolveResult>& results) {
  JsonWriter w;
  w.open('{').key("problem").value(options.file).key("kind").value(kind_of(problem));
  w.key("size").value(static_cast<double>(size_of(problem))).key("results").open('[');
  for (const SolveResult& r : results) {
    w.open('{').key("solver").value(r.name).key("status").value(std::string(text_of(r.solution.status)));
    w.key("residual").value(r.solution.residual).key("iterations");
    w.value(static_cast<double>(r.solution.iterations)).key("time").value(r.time).close('}');
  }
  w.close(']').close('}');
  std::printf("%s\n", w.text().c_str());
}

void print_text(const SolveOptions& options, const Problem& problem,
                const std::vector<SolveResult>& results) {
  std::printf("%s: %s, %d unknowns\n", options.file.c_str(), kind_of(problem).c_str(), size_of(problem));
  std::printf("%-18s %-14s %9s %11s %10s\n", "solver", "status", "residual", "iterations", "time");
  for (const SolveResult& r : results) {
    std::printf("%-18s %-14s %9.2g %11d %7.3g ms\n", r.name.c_str(), text_of(r.solution.status).data(),
                r.solution.residual, r.solution.iterations, 1e3 * r.time);
  }
}

Problem read(const SolveOptions& options) {
  try {
    return read_problem(options.file, options.kind);
  } catch (const ProblemFileError& error) {
    throw BadInput(error.what());
  }
}

void write(const SolveOptions& options, const Problem& problem, const std::vector<SolveResult>& results) {
  std::optional<VectorX> solution;
  for (const SolveResult& r : results) {
    if (!solution && r.solution.status == SolveStatus::solved) solution = r.solution.z;
  }
  try {
    write_problem(options.output, problem, solution);
  } catch (const ProblemFileError& error) {
    throw BadInput(error.what());
  }
}

int solve_file(const SolveOptions& options) {
  if (!(options.tolerance > 0)) throw BadInput("--tolerance: expected a number above zero");
  const Problem problem = read(options);
  std::vector<SolveResult> results;
  for (const std::string& name : chosen_solvers(problem, options)) {
    results.push_back(solve_by(problem, name, options));
  }
  if (!options.output.empty()) write(options, problem, results);
  if (options.json) {
    print_json(options, problem, results);
  } else if (!options.quiet) {
    print_text(options, problem, results);
  }
  for (const SolveResult& r : results) {
    if (r.solution.status == SolveStatus::solved) return kDone;
  }
  return kNumbersFailed;
}

}  // namespace

void add_solve(CLI::App& program, int& exit_code) {
  auto options = std::make_shared<SolveOptions>();
  CLI::App* command =
      program.add_subcommand("solve", "Solves an LCP, MLCP, QP or friction problem from a file");
  command->add_option("PROBLEM", options->file, "a problem file")->option_text(" ")->required();
  command->add_option("--solver", options->solver, "a name of `list solvers`, or all (auto)")
      ->option_text("NAME");
  command->add_option("--tolerance", options->tolerance, "of the residual (1e-10)")->option_text("NUMBER");
  command->add_option("--kind", options->kind, "lcp, mlcp or friction, where a text could be several")
      ->option_text("KIND");
  command
      ->add_option("-o,--output", options->output, "writes problem and solution: .json, .h5, .hdf5 or .dat")
      ->option_text("FILE");
  command->add_flag("--json", options->json, "print the results as one JSON object");
  command->add_flag("-q,--quiet", options->quiet, "print nothing; the exit code tells");
  command->footer(kSolveExamples);
  command->callback([options, &exit_code] { exit_code = solve_file(*options); });
}

}  // namespace touchstone
