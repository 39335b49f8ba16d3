#pragma once
// What can be told to a stepper.

#include <string>
#include <string_view>

#include "touchstone/contact/model_settings.h"
#include "touchstone/dynamics/formulation.h"
#include "touchstone/dynamics/selection.h"

namespace touchstone {

/// Tighter than a solver's own default: gaps and energies of a step are judged at 1e-12.
inline SolveSettings exact_enough() {
  SolveSettings settings;
  settings.tolerance = 1e-12;
  return settings;
}

/// The name of a solver that stands for "whichever fits".
inline constexpr std::string_view kAnySolver = "auto";

/// How bodies that nothing pushes move through a step.
enum class FreeFlight {
  as_model,  ///< exact, but printed with models and formulations that are kept as papers print them
  exact,     ///< by the closed form of constant forces
  printed    ///< by x+ = x + h v+: g h t/2 too low after the time t
};

/// What a step does where bodies strike in its course [stepping/impacts.h].
enum class Impacts {
  located,  ///< a pair that strikes alone in a small island gets one impulse, at its time
  merged    ///< the equations of the whole step share it between this step and the next
};

struct StepSettings {
  double h = 0.01;  ///< [s]
  /// [m] of positions, and of angles times the size of the body: motion is integrated to this accuracy,
  /// events are located, and a step is only an interval of the output (docs/events.md). 0: fixed steps of the
  /// length h.
  double accuracy = 0;
  double margin = 0;               ///< [m] of contacts; 0: from speeds and gravity, contact_margin()
  double joint_stabilisation = 1;  ///< share of a joint's error removed per step [Thesis eq. 2.28]; 0: none
  bool correct_joints = false;     ///< after each step, by [Thesis alg. 1]
  double joint_tolerance =
      0.01;  ///< how far a step may leave a joint open: in radii of gyration, angles in rad
  FreeFlight free_flight = FreeFlight::as_model;
  Impacts impacts = Impacts::located;  ///< where the model promises gaps and free flight is exact
  FormulationSettings formulation = {};
  std::string solver = std::string(kAnySolver);
  SolveSettings solve = exact_enough();
  double accepted_residual =
      1e-9;  ///< what missed the tolerance is still taken up to here; the report tells the residual
  /// Tell between which bodies the rigid problem does not determine the forces [dynamics/determinacy.h].
  bool determinacy = false;
  /// Share forces without friction among redundant contacts as compliance would [dynamics/canonical.h]. The
  /// motion does not depend on it, and a third of the time of a resting stack is its price.
  bool split_forces = true;
  int threads = 0;             ///< that solve islands; 0: as many as there are cores
  ChoiceSettings choice = {};  ///< models with I- and X-constraints: which member is held
  ModelSettings model = {};    ///< what the contact model is told
  int max_updates = 30;        ///< evaluations of contacts before a step is divided
  int max_halvings = 10;       ///< how often a step, and each part of it, may be divided in two
};

}  // namespace touchstone
