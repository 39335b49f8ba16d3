#pragma once
// A scene of one dimension while it runs; what Simulation hides the dimension of. Private to scene/.

#include <optional>

#include "touchstone/record/metrics.h"
#include "touchstone/record/recording.h"
#include "touchstone/scene/gap_watch.h"
#include "touchstone/scene/simulation.h"

namespace touchstone {

/// Share of a step within which two times are the same: steps add up with round-off.
inline constexpr double kSameTime = 1e-6;

template <int D>
class SceneRun {
 public:
  SceneRun(const Scene& scene, const SimulationSettings& settings);

  /// Bodies and joints whose time has come enter the world; false when one of them has no room.
  bool let_appear();
  /// Constant forces of the scene and what controllers do, for the next step.
  void set_forces();
  /// Forgets all forces: of a step that was not made.
  void clear_forces();
  bool step();
  void record(const std::filesystem::path& file);
  /// Goes on in a recording of the same scene. Throws BadRecording.
  void resume(const std::filesystem::path& file);
  void close_recording();

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
    return report.residual > scene_.settings.solve.tolerance || report.choice.relaxed > 0;
  }
  void fail(const std::string& message);
  bool is_checkpoint() const;
  void add_checkpoint();
  RecordingSource source() const;
  std::vector<double> tallies() const;
  void set_tallies(const std::vector<double>& tallies);

  const Scene& scene_;
  const SceneContent<D>& content_;
  SimulationSettings settings_;
  GapWatch<D> gaps_;
  MomentumWatch<D> momentum_;
  Closeness closeness_;
  double first_potential_ = 0;  ///< [J]
  std::unique_ptr<RecordingWriter<D>> recording_;
};

}  // namespace touchstone
