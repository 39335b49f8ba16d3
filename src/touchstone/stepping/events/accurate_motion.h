#pragma once
// A motion that says how exact it is. Three runs with different tolerances go on side by side; the finest is
// the answer, and what the next one differs from it is the estimate of the error.
//
//     tolerances    100 t      t      t/100         t = accuracy/100 to start with
//                     |        |        |
//                  converges?  estimate  answer
//
// Where the estimate exceeds the accuracy, all three start anew with a tenth of the tolerance, up to
// round-off.

#include <array>
#include <memory>

#include "touchstone/stepping/events/event_run.h"
#include "touchstone/stepping/step_report.h"
#include "touchstone/stepping/step_settings.h"

namespace touchstone {

template <int D>
class AccurateMotion {
 public:
  /// From the present state of the world on.
  AccurateMotion(const World<D>& world, const StepSettings& settings, const AccuracyReport& earlier);

  /// Why the world cannot be followed so; empty: it can.
  static std::string trouble(const World<D>& world);

  /// Is this the world as the last step left it?
  bool has_left(const World<D>& world) const;
  /// The world's next output; false where no motion is found.
  bool step(World<D>& world, StepReport<D>& report);
  /// Where the motion began.
  const World<D>& start() const { return start_; }
  int made() const { return made_; }  ///< steps
  const AccuracyReport& accuracy() const { return accuracy_; }

 private:
  void begin();
  bool advance(double time);
  double difference(int run) const;
  double estimate();
  bool judge(double time);
  std::string doubt() const;
  void tell(World<D>& world, StepReport<D>& report);

  World<D> start_;
  StepSettings settings_;
  AccuracyReport accuracy_;
  double tolerance_;
  double earlier_error_ = 0;  ///< [m] of the state from which the motion starts
  double largest_ = 0;        ///< [m] difference of runs up to now
  int made_ = 0;
  std::array<std::unique_ptr<EventRun<D>>, 3> runs_;  ///< the coarsest first
  std::size_t told_ = 0;                              ///< events
  World<D> last_;                                     ///< as the last step left it
};

/// One step of the world, by the motion that went on until here if the world is still as it left it, else by
/// a new one. The motion that was given is never changed: others may share it.
template <int D>
std::shared_ptr<const AccurateMotion<D>> make_accurate_step(const StepSettings& settings,
                                                            std::shared_ptr<const AccurateMotion<D>> motion,
                                                            World<D>& world, StepReport<D>& report);

}  // namespace touchstone
