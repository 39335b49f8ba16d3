#pragma once
// What one step did, and how exactly.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "touchstone/contact/contact_model.h"
#include "touchstone/dynamics/solve_step.h"
#include "touchstone/stepping/world.h"

namespace touchstone {

enum class StepStatus {
  done,
  unsolved,       ///< the solver did not reach its tolerance; the world is unchanged
  not_converged,  ///< the contact model let no motion pass, also in shorter steps; the world is unchanged
  bad_state,      ///< a position, velocity or force is not a finite number, or so large that a body would
                  ///< leave the world or turn too fast to be followed; the world is unchanged
  stopped         ///< somebody asked for it (SolveSettings::stop); the world is unchanged
};
/// Would shorter steps end in the same way?
inline bool is_final(StepStatus status) {
  return status == StepStatus::bad_state || status == StepStatus::stopped;
}
std::string_view text_of(StepStatus status);

/// Where the energy of a step went [J]. The identity [PEG 7]
///     kinetic + potential + jump + contact + joint + drive + friction - work = 0
/// holds to round-off in every step whose equations were solved; `error` is the left side as computed.
struct EnergyBalance {
  double kinetic = 0;    ///< change
  double potential = 0;  ///< change
  double jump = 0;       ///< 1/2 |v+ - v|_M^2, lost by the implicit step
  double contact = 0;    ///< sum p psi/h over normals: > 0 lost, < 0 gained (restitution, overlap pushed out)
  double joint = 0;      ///< sum p C/h over joints and limits
  double drive = 0;      ///< taken by dampers, > 0, and given by motors, < 0
  double friction = 0;   ///< lost
  double work = 0;       ///< of external forces other than gravity, and of scripted bodies
  double error = 0;
  double scale = 0;  ///< sum of the absolute values, to judge the error by
};

/// [J] What was done on one body in a step. The sum is the change of its kinetic energy.
struct BodyWork {
  double gravity = 0;   ///< the potential energy that it lost
  double forces = 0;    ///< that a scene or a user sets on the body
  double motors = 0;    ///< motors, dampers, controllers and forces of joints
  double scripts = 0;   ///< bodies that move by a script, through contacts and joints
  double contacts = 0;  ///< friction included, and what impacts and the implicit step lose
  double joints = 0;    ///< limits included; without contacts also what the implicit step loses

  double sum() const { return gravity + forces + motors + scripts + contacts + joints; }
};

struct StageTimes {
  double measure = 0, relate = 0, formulate = 0, solve = 0, advance = 0;  ///< [s] wall

  void add_solve(double both, double formulating) { formulate += formulating, solve += both - formulating; }
};

/// What happens in a motion to a requested accuracy [docs/events.md].
enum class EventKind {
  impact,   ///< bodies struck, and got impulses
  contact,  ///< a contact began without impulse
  release,  ///< a force became zero, and the contact or the limit of a joint opens
  slip,     ///< a contact that stuck slides; a motor that held its rate gives way
  stop,     ///< a contact that slid stops; a motor holds its rate again
  border,   ///< a point left the facet or edge on which it was
  rest,     ///< bounces without end, which were made at once
  jam,      ///< forces without a solution: an impulse without a strike
  limit     ///< a joint reached a limit, with an impulse or without
};
std::string_view text_of(EventKind kind);

/// Something that happened within a step, at its time.
struct StepEvent {
  double time = 0;  ///< [s]
  EventKind kind = EventKind::contact;
  int body_A = -1, body_B = -1;  ///< -1: nobody
  Feature feature_A, feature_B;  ///< of contacts: what of the bodies touches
  int joint = -1;                ///< of the world, where a joint is what it happens to
};

/// How exact a motion is that was made to a requested accuracy, from its start on [docs/events.md].
struct AccuracyReport {
  double requested = 0;      ///< [m] of positions; of angles times the size of the body
  double estimated = 0;      ///< [m] likewise, at the end of the step
  double trusted_until = 0;  ///< [s] the last time at which the estimate was below the request
  std::string reason;        ///< why not until the end; empty: it is trusted
  int branch_points = 0;     ///< instants at which several answers are right
  double amplification = 0;  ///< the largest estimate, over the tolerance of the integrator
  int force_indeterminacy =
      0;  ///< the largest dimension of forces that rigid bodies leave open; the motion is the same
  double tolerance = 0;       ///< of the integrator, of the coarser of two runs that are compared
  long integrator_steps = 0;  ///< of the finer
};

template <int D>
struct ContactForce {
  int contact = 0;    ///< index into StepReport::set.contacts
  double normal = 0;  ///< [N s] impulse on A along the normal
  Vec<D> impulse;     ///< [N s] on A, friction included; B gets the opposite
};

template <int D>
struct StepReport {
  StepStatus status = StepStatus::done;
  std::string message;  ///< why, if not done
  double time = 0;      ///< [s] at the end of the step
  double h = 0;         ///< [s]
  int pairs = 0, contacts = 0, rows = 0, islands = 0;
  int iterations = 0;
  int updates = 0;       ///< how often the contacts were evaluated in the step that was taken
  int substeps = 1;      ///< in how many parts the step was made, where it was made in most
  bool divided = false;  ///< in parts because it could not be made as a whole, not only for impacts
  int located_impacts =
      0;                   ///< pairs of bodies that struck within the step and got their impulse at that time
  int merged_impacts = 0;  ///< pairs that struck and got it from the equations of the whole step
  int dulled_impacts =
      0;  ///< contacts that struck and did not bounce, because no motion does as the law asks
  std::optional<double> min_gap;  ///< [m] exact, over all near pairs at the end; where the model measures it
  std::optional<EndCloseness> ends;  ///< at the poses the step left; where the model measured just these
  double residual = 0;               ///< the worst of the islands
  double joint_error = 0;            ///< [m, rad] the largest |C| at the end
  Energy energy;                     ///< at the end
  EnergyBalance balance;
  std::vector<BodyWork> works;  ///< per body of the world; zeros for those that do not move by forces
  /// Per body of the world: forces acted all along its way, because it fell or swung freely, and not where it
  /// was at the start.
  std::vector<char> flew;
  ChoiceReport choice;
  FrictionAnswers friction;  ///< summed over the parts of the step
  int pushing_pairs = 0;     ///< of bodies that push each other with Coulomb's friction, at the end
  int sliding_pairs = 0;     ///< of them: those that slide somewhere
  /// Pairs whose wrench the rigid problem leaves open [dynamics/determinacy.h]; where
  /// StepSettings::determinacy asks for it.
  std::optional<BodyPairs> undetermined;
  std::vector<ModelNote> notes;  ///< what the contact model tells, summed over the parts of the step
  StageTimes times;
  std::vector<StepEvent> events;           ///< where the accuracy was asked for
  std::optional<AccuracyReport> accuracy;  ///< likewise
  ConstraintSet<D> set;                    ///< as it was solved last; guards stand in set.unilateral
  std::vector<ContactForce<D>> forces;     ///< one per unilateral contact, in the order of set.unilateral

  /// The model's note of this name; 0 where it tells none.
  int note(std::string_view name) const {
    for (const ModelNote& note : notes) {
      if (note.name == name) return note.count;
    }
    return 0;
  }
};

}  // namespace touchstone
