// `solver_table [--auto] [FOLDER...]`: every problem file of the folders by auto, then every solver against
// every one and against random classes, as the tables of docs/notes/solver-tables.md (tools/make_solvers_doc
// writes them).
// --auto: the first of these tables only; exits with 1 if a problem was neither solved nor proved unsolvable.

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>

#include "support/friction_sets.h"
#include "support/problem_sets.h"
#include "touchstone/problems/problem_file.h"
#include "touchstone/solve/solver.h"

namespace touchstone {
namespace {

namespace fs = std::filesystem;

constexpr double kTolerance = 1e-10;
/// A time is the best of so many runs; slow ones are run once.
constexpr int kRuns = 5;
constexpr double kSlow = 0.05;  // [s]
constexpr int kPerClass = 20;

/// What a solver made of some problems of one kind.
struct Cell {
  int solved = 0, tried = 0;
  double worst = 0, time = 0;                ///< the largest residual of the solved ones; seconds of all
  SolveStatus status = SolveStatus::solved;  ///< of the last that was not solved
  double missed = 0;                         ///< its residual
};

/// [s] of this thread on a processor: on a shared machine the clock on the wall measures the others.
double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void run(const Problem& problem, std::string_view solver, Cell& cell) {
  SolveSettings settings;
  settings.tolerance = kTolerance;
  Solution solution;
  double best = 1e300;
  for (int k = 0; k < kRuns && (k == 0 || best < kSlow); ++k) {
    const double start = processor_time();
    solution = solve(problem, solver, settings);
    best = std::min(best, processor_time() - start);
  }
  ++cell.tried;
  cell.time += best;
  if (solution.status == SolveStatus::solved) {
    ++cell.solved;
    cell.worst = std::max(cell.worst, solution.residual);
  } else {
    cell.status = solution.status;
    cell.missed = solution.residual;
  }
}

std::string time_text(double seconds) {
  char text[32];
  if (seconds < 1e-3) {
    std::snprintf(text, sizeof text, "%.3g us", 1e6 * seconds);
  } else {
    std::snprintf(text, sizeof text, seconds < 1 ? "%.3g ms" : "%.0f ms", 1e3 * seconds);
  }
  return text;
}

std::string text_of(const Cell& cell) {
  char text[96];
  if (cell.tried == 1 && cell.solved == 1) {
    std::snprintf(text, sizeof text, "%s, %.0e", time_text(cell.time).c_str(), cell.worst);
  } else if (cell.tried == 1) {
    const bool measured = cell.status == SolveStatus::inaccurate;
    std::snprintf(text, sizeof text, measured ? "*%s %.0e*" : "*%s*", text_of(cell.status).data(),
                  cell.missed);
  } else {
    std::snprintf(text, sizeof text, "%s%d/%d, %s", cell.solved < cell.tried ? "*" : "", cell.solved,
                  cell.tried, time_text(cell.time / cell.tried).c_str());
    return std::string(text) + (cell.solved < cell.tried ? "*" : "");
  }
  return text;
}

/// Rows of one kind: each a name with its problems.
using Rows = std::vector<std::pair<std::string, std::vector<Problem>>>;

void print_table(const Rows& rows) {
  std::vector<std::string_view> names;
  for (const SolverEntry& entry : solvers()) {
    if (treats(entry.name, rows.front().second.front())) names.push_back(entry.name);
  }
  std::printf("| problem | rows |");
  for (const std::string_view name : names) std::printf(" %s |", name.data());
  std::printf("\n| --- | --- |");
  for (std::size_t i = 0; i < names.size(); ++i) std::printf(" --- |");
  for (const auto& [row, problems] : rows) {
    std::printf("\n| %s | %d |", row.c_str(), size_of(problems.front()));
    for (const std::string_view name : names) {
      Cell cell;
      for (const Problem& problem : problems) run(problem, name, cell);
      std::printf(" %s |", text_of(cell).c_str());
      std::fflush(stdout);
    }
  }
  std::printf("\n\n");
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// lcp, mlcp and friction of the shared data; elsewhere the content tells.
Problem read(const fs::path& file) {
  const std::string folder = file.parent_path().filename();
  return read_problem(file, folder == "lcp" || folder == "mlcp" || folder == "friction" ? folder : "");
}

/// What auto made of the files, counted.
struct AutoCount {
  int solved = 0, proved = 0, open = 0;
};

void print_by_auto(const fs::path& file, AutoCount& count) {
  const Problem problem = read(file);
  SolveSettings settings;
  settings.tolerance = kTolerance;
  const Solution solution = solve(problem, "auto", settings);
  const bool solved = solution.status == SolveStatus::solved;
  const bool proved = solution.status == SolveStatus::unsolvable;
  ++(solved ? count.solved : proved ? count.proved : count.open);
  std::printf("| %s | %s | %d | %s | %s | %.0e |\n", file.stem().c_str(), kind_of(problem).c_str(),
              size_of(problem), text_of(solution.status).data(), solution.solver.c_str(), solution.residual);
}

/// Was every one solved or proved to have no solution?
bool print_auto(const std::vector<fs::path>& folders) {
  AutoCount count;
  std::printf("### Every file by auto\n\n| problem | class | rows | status | by | residual |\n");
  std::printf("| --- | --- | --- | --- | --- | --- |\n");
  for (const fs::path& folder : folders)
    for (const fs::path& file : files_in(folder)) print_by_auto(file, count);
  std::printf("\nSolved to %.0e: %d; proved to have no solution: %d; neither: %d.\n\n", kTolerance,
              count.solved, count.proved, count.open);
  return count.open == 0;
}

void print_files(const fs::path& folder) {
  std::map<std::string, Rows> by_kind;
  for (const fs::path& file : files_in(folder)) {
    const Problem problem = read(file);
    by_kind[kind_of(problem)].push_back({file.stem().string(), {problem}});
  }
  for (const auto& [kind, rows] : by_kind) {
    std::printf("### %s: %s\n\n", folder.filename().c_str(), kind.c_str());
    print_table(rows);
  }
}

void print_lcp_classes() {
  Rows rows;
  for (const std::string& name : support::lcp_classes()) {
    for (const int n : {12, 120}) {
      std::vector<Problem> problems;
      for (int seed = 1; seed <= kPerClass; ++seed) problems.emplace_back(support::make_lcp(name, n, seed));
      rows.push_back({name, std::move(problems)});
    }
  }
  std::printf("### Random classes: lcp\n\n");
  print_table(rows);
}

void print_friction_classes() {
  Rows rows;
  for (const std::string& name : support::friction_classes()) {
    for (const int dimension : {2, 3}) {
      std::vector<Problem> problems;
      Random random(41);
      for (int k = 0; k < kPerClass; ++k)
        problems.emplace_back(support::make_friction({name, dimension, 8}, random));
      rows.push_back({name + ", " + std::to_string(dimension) + "D", std::move(problems)});
    }
  }
  std::printf("### Random classes: global-friction\n\n");
  print_table(rows);
}

}  // namespace
}  // namespace touchstone

int main(int argc, char** argv) {
  using namespace touchstone;
  std::vector<fs::path> folders(argv + 1, argv + argc);
  const bool only_auto = !folders.empty() && folders.front() == "--auto";
  if (only_auto) folders.erase(folders.begin());
  const bool all_settled = print_auto(folders);
  if (only_auto) return all_settled ? 0 : 1;
  for (const fs::path& folder : folders) print_files(folder);
  print_lcp_classes();
  print_friction_classes();
}
