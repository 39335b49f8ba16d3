#pragma once
// The result of a run, for a person and for a machine.

#include <string>
#include <vector>

#include "touchstone/scene/simulation.h"

namespace touchstone {

struct RunResult {
  RunSummary summary;
  std::string recording;              ///< path; empty: none
  bool stopped = false;               ///< by Ctrl-C
  std::vector<std::string> warnings;  ///< of the scene and of the run
};

void print_summary(const Scene& scene, const RunResult& result);
std::string summary_as_json(const Scene& scene, const RunResult& result);

}  // namespace touchstone
