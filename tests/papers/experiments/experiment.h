#pragma once
// The experiments of the thesis's chapter 5 and of the tilting plane, and what is known about their ends.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "touchstone/scene/simulation.h"

namespace touchstone {

/// One run of one scene under one model.
struct Trial {
  std::string scene;
  std::string model;
  double h = 0.01;  ///< [s]
  int seed = 0;     ///< of a scene that generates bodies; 0: none
};

/// What came out.
struct Outcome {
  long steps = 0;
  std::optional<double> stopped;  ///< [s] when a step failed; none: it ran to its end
  std::string why;                ///< it stopped
  double min_gap = 0;             ///< [m] exact, the worst of all steps
  double max_overlap = 0;         ///< [m^D] exact, of one step
  double energy_gained = 0;       ///< [J] sum
  double error = 0;               ///< [m] deviation from the truth; NaN: none is known
  double step_us = 0;             ///< CPU time of a step of one thread, median
  long relaxed = 0, divided = 0;  ///< steps
};

/// Bodies' centres at the end of a run, or while it lasts.
using Positions = std::vector<std::vector<double>>;
Positions positions(Simulation& simulation);

struct Experiment {
  std::string scene;
  std::vector<double> steps;  ///< [s]
  int seeds = 0;              ///< random sets 1 ... seeds; 0: none
  std::string truth;          ///< what the error is a deviation from, in words; empty: there is none
  /// [m] from the positions at the end.
  std::function<double(const Positions& end, const Positions& start)> error;
  /// [s] Where no closed form is known: the truth is a run of the model `plane` with this step. The error is
  /// the mean distance of `tracked` from it, over the whole run.
  double fine_step = 0;
  std::string tracked;
};

const std::vector<Experiment>& experiments();

/// Runs one trial. `most_seconds` of CPU time are enough; a trial that takes longer stops there.
Outcome run_trial(const Experiment& experiment, const Trial& trial, double most_seconds);

}  // namespace touchstone
