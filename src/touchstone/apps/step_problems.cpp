#include "touchstone/apps/step_problems.h"

#include <charconv>

#include "touchstone/scene/bad_input.h"
#include "touchstone/scene/names.h"
#include "touchstone/solve/solver.h"

namespace touchstone {
namespace {

namespace fs = std::filesystem;

/// FILE, or FILE with a number before its ending where there are several.
fs::path numbered(const fs::path& file, std::size_t number, std::size_t count) {
  if (count == 1) return file;
  const std::string name = file.stem().string() + "-" + std::to_string(number) + file.extension().string();
  return file.parent_path() / name;
}

/// The step of STEP:FILE; 0 where it is none.
long step_of(const std::string& wish, std::size_t colon) {
  long step = 0;
  const char* end = wish.data() + colon;
  const auto read = std::from_chars(wish.data(), end, step);
  return read.ec == std::errc() && read.ptr == end && step > 0 ? step : 0;
}

void write_one(const fs::path& file, const StoredProblem& stored) {
  try {
    write_problem(file, stored, format_of(file, stored.problem));
  } catch (const ProblemFileError& error) {
    throw BadInput(error.what());
  }
}

void check_ending(const fs::path& file) {
  try {
    format_of(file, Problem(Lcp{}));
  } catch (const ProblemFileError& error) {
    throw BadInput(error.what());
  }
}

}  // namespace

StepProblems::StepProblems(const std::vector<std::string>& wishes) {
  for (const std::string& wish : wishes) {
    const std::size_t colon = wish.find(':');
    const long step = colon == std::string::npos ? 0 : step_of(wish, colon);
    if (step == 0 || colon + 1 == wish.size())
      throw BadInput("--write-problem: expected STEP:FILE with a step from 1 on, got " + in_quotes(wish));
    wishes_.push_back({step, wish.substr(colon + 1), {}});
    check_ending(wishes_.back().file);
  }
}

void StepProblems::watch(Simulation& simulation) {
  simulation.before_step([this](Simulation&) { ++step_; });
  if (simulation.dimension() == 2)
    watch_solver<2>(simulation);
  else
    watch_solver<3>(simulation);
}

template <int D>
void StepProblems::watch_solver(Simulation& simulation) {
  const std::string name = simulation.scene().settings.solver;
  simulation.stepper<D>().watch_solver([this, name](const Problem& problem, const SolveSettings& settings) {
    Solution solution = solve(problem, name, settings);
    take_note(problem, solution);
    return solution;
  });
}

void StepProblems::take_note(const Problem& problem, const Solution& solution) {
  for (Wish& wish : wishes_)
    if (wish.step == step_) wish.problems.push_back({problem, solution.z});
}

void StepProblems::write() const {
  for (const Wish& wish : wishes_) {
    const std::string step = "--write-problem: step " + std::to_string(wish.step);
    if (wish.step > step_) throw BadInput(step + " was not made; the run had " + std::to_string(step_));
    if (wish.problems.empty()) throw BadInput(step + " has no problem: nothing touched");
    for (std::size_t i = 0; i < wish.problems.size(); ++i)
      write_one(numbered(wish.file, i + 1, wish.problems.size()), wish.problems[i]);
  }
}

}  // namespace touchstone
