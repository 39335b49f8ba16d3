#pragma once
// A simulation as the viewer shows it while it runs.

#include <memory>

#include "touchstone/apps/show.h"
#include "touchstone/scene/simulation.h"

namespace touchstone {

/// Keeps every frame in memory. One thread adds, others ask.
class LiveShow : public Show {
 public:
  /// Adds the present state as its first frame and, from then on, each step.
  static std::shared_ptr<LiveShow> watch(Simulation& simulation);
  /// No more frames will come; `message` tells why it ended early, if it did.
  virtual void end(const std::string& message) = 0;
};

}  // namespace touchstone
