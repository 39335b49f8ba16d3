#pragma once
// One engine on one scene, judged by exact geometry.

#include "peer.h"

namespace touchstone::bench {

struct RaceResult {
  long steps = 0, planned = 0, failed = 0;
  double min_gap = 0;        ///< [m] exact, the worst of all judged frames
  double max_overlap = 0;    ///< [m^3] exact, of a frame
  double energy_gained = 0;  ///< [J] sum of all rises of kinetic and potential energy
  double max_speed = 0;      ///< [m/s]
  double drift = 0;          ///< [m] the furthest that a body ended from where it began, gravity's axis aside
  double sunk = 0;           ///< [m] potential energy at the end per weight: the mean height of the centres
  double median_us = 0, p99_us = 0;  ///< CPU time of a step, of one thread
  bool exploded = false;             ///< a number was not finite, or a body faster than kExplosion
};

struct RaceSettings {
  double h = 0.005;          ///< [s]
  int judge_every = 1;       ///< steps
  double most_seconds = 60;  ///< of CPU time; a race that takes longer ends there
};

RaceResult race(const Engine& engine, const PeerScene& scene, const RaceSettings& settings);

}  // namespace touchstone::bench
