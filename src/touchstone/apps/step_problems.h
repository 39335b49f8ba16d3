#pragma once
// run --write-problem STEP:FILE: the problems of chosen steps as files, for `solve` and for other solvers.

#include <filesystem>
#include <string>
#include <vector>

#include "touchstone/problems/problem_file.h"
#include "touchstone/scene/simulation.h"

namespace touchstone {

/// Looks over the shoulder of a simulation's solver. Must outlive the simulation's last step.
///
/// A step has one problem per island of bodies that touch, a second one where Poisson's restitution gives
/// impulses back, and more with the model `plane`, which evaluates contacts again. The file holds the only
/// one; several get a number each, in the order in which they were solved: problem-1.json, problem-2.json.
class StepProblems {
 public:
  /// Throws BadInput for a wish that is not STEP:FILE, or a file whose ending no format has.
  explicit StepProblems(const std::vector<std::string>& wishes);

  bool any() const { return !wishes_.empty(); }
  /// The simulation must solve on one thread.
  void watch(Simulation& simulation);
  /// Throws BadInput for a step that was not made or in which nothing touched, and for a file that cannot be
  /// written.
  void write() const;

 private:
  struct Wish {
    long step;  ///< from 1 on
    std::filesystem::path file;
    std::vector<StoredProblem> problems;
  };
  template <int D>
  void watch_solver(Simulation& simulation);
  void take_note(const Problem& problem, const Solution& solution);

  std::vector<Wish> wishes_;
  long step_ = 0;  ///< that is being made
};

}  // namespace touchstone
