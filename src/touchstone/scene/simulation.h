#pragma once
// A scene that runs: the facade over world, stepper, measurements and recording.
//
//     auto sim = touchstone::Simulation(touchstone::load_scene("box-stack"));
//     sim.on_step([](auto& s) { ... });
//     sim.run_until(3.0);

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "touchstone/record/recording.h"
#include "touchstone/scene/scene.h"

namespace touchstone {

struct SimulationSettings {
  /// Exact gaps are measured after every n-th step, n being this number; 0: never.
  int measure_every = 1;
  /// That solve; 0: as many as there are cores; none: as the scene's settings say.
  std::optional<int> threads;
};

/// What happened up to now. Gaps and overlaps are exact, measured at the poses at the end of each step and at
/// the start of the run, apart from the contacts that the steps used.
struct RunSummary {
  long steps = 0;
  long steps_before = 0;                                     ///< of them: made before the run was resumed
  double time = 0;                                           ///< [s] simulated
  double wall_time = 0;                                      ///< [s]
  double min_gap = std::numeric_limits<double>::infinity();  ///< [m]; infinite: no two bodies may touch
  double min_gap_time = 0;                                   ///< [s]
  std::string min_gap_bodies[2];
  double max_overlap = 0;    ///< [m^D] shared volume, summed over the pairs of a step
  double energy_gained = 0;  ///< [J] sum over the steps, see record/metrics.h
  double energy_scale = 0;  ///< [J] the largest kinetic energy, or change of potential energy, to judge it by
  double momentum_error = 0;  ///< relative, the worst step; NaN: some joint is tied to the world
  double residual = 0;        ///< the worst step
  double joint_error = 0;     ///< [m, rad] the worst step
  long failed_steps = 0;
  long divided_steps = 0;     ///< made in parts, for contacts did not settle in one
  double identity_error = 0;  ///< of the energies involved, the worst step [step.md]
  double fastest = 0;         ///< [m/s] of any centre of mass, at the end of any step
  long relaxed_steps = 0;     ///< missed the solver's tolerance and were accepted all the same
  long contacts = 0;          ///< summed over the steps
  long most_contacts = 0;     ///< of one step
  std::string message;        ///< why a step failed
  std::string state_hash;     ///< of the last state
};

class Simulation {
 public:
  using Function = std::function<void(Simulation&)>;

  explicit Simulation(Scene scene, const SimulationSettings& settings = {});
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;
  ~Simulation();

  /// Continues a recording in the same file, with the same bits as a run that never stopped. (Functions and
  /// solvers of the user are not part of a recording: set them again.) `overrides` are applied after the
  /// recorded ones: "duration=5". Throws BadInput.
  static Simulation resume(const std::filesystem::path& recording,
                           const std::vector<std::string>& overrides = {},
                           const SimulationSettings& settings = {});

  /// Called before each step, to set forces and joint torques (they hold for that step), and after each.
  void before_step(Function function);
  void on_step(Function function);
  /// Records from here on. Throws BadInput when the file cannot be written.
  void record(const std::filesystem::path& file);
  /// Writes the rest of the recording and closes it.
  void close_recording();

  /// One step; false when it failed: the summary says why, and nothing has moved.
  bool step();
  /// Steps until the time [s] is reached; false when one failed.
  bool run_until(double time);

  int dimension() const { return scene().dimension; }
  double time() const;
  const Scene& scene() const;
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
