#pragma once
// `auto` beside one of Siconos' solvers on one problem, in a child process: both take turns, so that a noisy
// neighbour on the machine slows both, and a solver that crashes or hangs takes only the child with it.

#include "siconos_peer.h"

namespace touchstone::bench {

struct RaceEffort {
  double seconds = 0.3;  ///< for each of the two
  int most_rounds = 2000;
  int time_limit = 2;  ///< [s] of the child on its processor; then it is ended
};

struct RaceResult {
  bool finished = false;              ///< the child lived to tell
  double siconos_residual = 0;        ///< of Siconos' answer, by residual.h
  double siconos_us = 0, our_us = 0;  ///< the best runs
};

struct RaceCourse {
  const Problem& problem;
  std::filesystem::path file;
  double goal = 1e-8;  ///< the residual that both must reach
};

/// The loosest of Siconos' own tolerances is taken with which it reaches the goal.
RaceResult race(const RaceCourse& course, const SiconosSolver& solver, const RaceEffort& effort);

/// The best time [us] of `auto` alone.
double time_alone(const RaceCourse& course, const RaceEffort& effort);

}  // namespace touchstone::bench
