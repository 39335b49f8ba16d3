#pragma once
// A world of one dimension while it runs: it lets bodies enter, sets forces, makes steps, measures and
// records. It reads no scenes; whoever runs it says what it starts from.

#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "touchstone/record/metrics.h"
#include "touchstone/record/recording.h"
#include "touchstone/run/force_watch.h"
#include "touchstone/run/gap_watch.h"
#include "touchstone/run/run_content.h"
#include "touchstone/run/run_summary.h"
#include "touchstone/stepping/step.h"

namespace touchstone {

/// Share of a step within which two times are the same: steps add up with round-off.
inline constexpr double kSameTime = 1e-6;

struct RunSettings {
  StepSettings step;
  std::string model{kDefaultModel};
  bool allow_overlap = false;  ///< may bodies appear where others are?
  int measure_every = 1;       ///< 1: exact gaps are measured after every step; n: after every n-th; 0: never
  RecordingSource source;      ///< what recordings say about where they come from
};

template <int D>
class Run {
 public:
  Run(RunContent<D> content, const RunSettings& settings);

  /// Bodies and joints whose time has come enter the world; false when one of them has no room.
  bool let_appear();
  /// Constant forces of the content and what controllers do, for the next step.
  void set_forces();
  /// Forgets all forces: of a step that was not made.
  void clear_forces();
  /// [m] From here on; 0: fixed steps. `source`: what recordings say from then on.
  void set_accuracy(double accuracy, RecordingSource source);
  /// False: it failed, which the summary tells, or somebody stopped it, which report.status tells.
  bool step();
  void record(const std::filesystem::path& file);
  /// Goes on in a recording of the same content. Throws BadRecording.
  void resume(const std::filesystem::path& file);
  void close_recording();
  bool is_recording() const { return recording_ != nullptr; }

  /// Goes back to the start of the content: to the last bit as if it were made anew. Not while it records.
  void reset();
  /// Where everything is, to come back to, with what was counted up to now.
  Checkpoint<D> state() const;
  /// Comes back to a state of the same content. What was remembered between steps is forgotten, so the same
  /// state is always followed by the same bits. False where the state is that of another content. Not while
  /// it records.
  bool set_state(const Checkpoint<D>& state);

  World<D> world;
  Stepper<D> stepper;
  StepReport<D> report;
  StepMeasures measures;  ///< of the last step
  RunSummary summary;

 private:
  void let_enter(World<D>& world, int there) const;
  bool has_room(const World<D>& entered, int before);  ///< for the bodies from `before` on
  void drive(const JointController& controller);
  void measure(bool due);
  void count_step();
  bool is_relaxed() const {
    return report.residual > settings_.step.solve.tolerance || report.choice.relaxed > 0;
  }
  bool is_accurate() const { return settings_.step.accuracy > 0; }
  void make_again(long steps);
  void fail(const std::string& message);
  void forget();  ///< all that is known of steps made
  bool is_checkpoint() const;
  void add_checkpoint();
  std::vector<double> tallies() const;
  void set_tallies(const std::vector<double>& tallies);
  double energy_slack() const;  ///< [J] in a step, by the tolerance of gaps

  const RunContent<D> content_;
  RunSettings settings_;
  GapWatch<D> gaps_;
  MomentumWatch<D> momentum_;
  ForceWatch<D> forces_;
  std::size_t tally_count_ = std::numeric_limits<std::size_t>::max();  ///< in the recording's checkpoints
  Closeness closeness_;
  double first_potential_ = 0;  ///< [J]
  std::unique_ptr<RecordingWriter<D>> recording_;
};

}  // namespace touchstone
