#pragma once
// One quantity of a run over time, and when it reaches a value. Events are found from the states before them:
// a step in which something happens (an impact, a stop) has it at the step's end.

#include <functional>
#include <vector>

#include "support/worlds.h"

namespace touchstone::support {

struct Sample {
  double time = 0;  ///< [s]
  double x = 0;
  double rate = 0;  ///< dx/dt
};

class Trace {
 public:
  void add(const Sample& sample) { samples_.push_back(sample); }
  const std::vector<Sample>& samples() const { return samples_; }
  const Sample& last() const { return samples_.back(); }
  /// At any time within the run, on the straight line between the ends of steps.
  Sample at(double time) const;

  /// When x passes the value for the n-th time.
  Sample reaching(double value, int n = 1) const;
  /// When the rate passes, or comes to, zero for the n-th time.
  Sample turning(int n = 1) const;
  /// When x comes to the value, ever faster, and is braked or thrown back there, for the n-th time.
  Sample striking(double value, int n = 1) const;

 private:
  using Event = std::function<bool(std::size_t i)>;
  /// The last state before the n-th event, which is between states i and i+1; throws std::out_of_range if it
  /// never comes.
  std::size_t last_before(const Event& event, int n) const;
  /// x + rate dt + slope dt^2/2 and rate + slope dt, the slope from this state and the one before it.
  Sample continued(std::size_t i, double dt) const;
  Sample continued_to(std::size_t i, double value) const;
  double slope(std::size_t i) const;

  std::vector<Sample> samples_;
};

/// What to watch: x and its rate. At the start the report is empty.
template <int D>
using Watch = std::function<Sample(const World<D>&, const StepReport<D>&)>;
/// Runs the world to the end; the traces, one per watch, start with its present state.
template <int D>
std::vector<Trace> traces(World<D>& world, double h, double end, const std::vector<Watch<D>>& watches);
template <int D>
Trace trace(World<D>& world, double h, double end, const Watch<D>& watch) {
  return traces<D>(world, h, end, {watch}).front();
}

}  // namespace touchstone::support
