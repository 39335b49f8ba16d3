#pragma once
// A scene or a world that runs: the facade over world, stepper, measurements and recording, of either
// dimension.
//
//     auto sim = touchstone::Simulation(touchstone::load_scene("box-stack"));
//     sim.on_step([](auto& s) { ... });
//     sim.run_until(3.0);

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "touchstone/record/recording.h"
#include "touchstone/run/run_summary.h"
#include "touchstone/scene/scene.h"
#include "touchstone/stepping/step_report.h"

namespace touchstone {

struct SimulationSettings {
  /// Exact gaps are measured after every n-th step, n being this number; 0: never.
  int measure_every = 1;
  /// That solve; 0: as many as there are cores; none: as the scene's settings say.
  std::optional<int> threads;
  /// Becomes true when somebody wishes to stop: the step that is being made then ends soon, unmade. Null:
  /// nobody.
  const std::atomic<bool>* stop = nullptr;
};

/// Of a simulation in the plane or in space.
using SimulationState = std::variant<Checkpoint<2>, Checkpoint<3>>;

class Simulation {
 public:
  using Function = std::function<void(Simulation&)>;

  explicit Simulation(Scene scene, const SimulationSettings& settings = {});
  /// A world made in code [stepping/build_world.h], by the model `plane`; scene_of_world() makes other scenes
  /// of it. Throws BadScene where bodies overlap or a joint is open.
  template <int D>
  explicit Simulation(const World<D>& world, const StepSettings& step = {},
                      const SimulationSettings& settings = {});
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;
  ~Simulation();

  /// Continues a recording in the same file, with the same bits as a run that never stopped. (Functions and
  /// solvers of the user are not part of a recording: set them again.) `overrides` are applied after the
  /// recorded ones: "duration=5". Throws BadInput.
  static Simulation resume(const std::filesystem::path& recording,
                           const std::vector<std::string>& overrides = {},
                           const SimulationSettings& settings = {});
  /// The same for a scene that was made in code, of which the recording holds no text.
  static Simulation resume_with(Scene scene, const std::filesystem::path& recording,
                                const SimulationSettings& settings = {});

  /// Called before each step, to set forces and joint torques (they hold for that step), and after each.
  void before_step(Function function);
  void on_step(Function function);
  /// Called for each event of a motion to an accuracy [docs/events.md], after the step in which it lies.
  using EventFunction = std::function<void(Simulation&, const StepEvent&)>;
  void on_event(EventFunction function);
  /// [m] Motion is followed to this accuracy from here on; 0: by fixed steps. Throws BadInput while it
  /// records, and where it is no accuracy.
  void set_accuracy(double accuracy);
  /// Records from here on; overwrites a recording of the same name, but no other file and none that somebody
  /// writes. Throws BadInput when the file cannot be made. Once it was made, whatever writes to it throws
  /// RecordingLost when that fails: a full disk, a folder that is gone.
  void record(const std::filesystem::path& file);
  /// Writes the rest of the recording and closes it.
  void close_recording();

  /// One step; false when it failed: the summary says why, and nothing has moved. A step that somebody
  /// stopped is no failure.
  bool step();
  /// Steps until the time [s] is reached; false when one failed or was stopped.
  bool run_until(double time);

  /// Goes back to the start of the scene, without reading it again; functions and stages of the user stay.
  /// Throws BadInput while it records, and so does set_state().
  void reset();
  /// Where everything is: a value, of which any number may be kept. A simulation that was set to a state
  /// makes the same steps from there every time. Masses, joint limits, gravity and the like are not part of
  /// it.
  SimulationState state() const;
  /// Throws BadInput for a state of another scene.
  void set_state(const SimulationState& state);
  /// Another simulation in the same state, with all that users have changed of its world; it records nothing,
  /// and functions and stages of the user are to be set again.
  Simulation copy() const;

  int dimension() const { return scene().dimension; }
  double time() const;
  const Scene& scene() const;
  const SimulationSettings& settings() const;
  RunSummary summary() const;
  /// These throw std::bad_variant_access when the scene has another dimension.
  template <int D>
  World<D>& world();
  template <int D>
  Stepper<D>& stepper();
  /// Of the last step.
  template <int D>
  const StepReport<D>& report() const;
  const StepMeasures& measures() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace touchstone
