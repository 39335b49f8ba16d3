#pragma once
// What one step did, and how exactly.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "touchstone/contact/constraint_set.h"
#include "touchstone/contact/end_closeness.h"
#include "touchstone/dynamics/peg_lcp.h"
#include "touchstone/stepping/world.h"

namespace touchstone {

enum class StepStatus {
  done,
  unsolved,       ///< the solver did not reach its tolerance; the world is unchanged
  not_converged,  ///< contacts were evaluated anew until the limit, also in shorter steps; the world is
                  ///< unchanged
  bad_state       ///< a position, velocity or force is not a finite number, or so large that a body would
                  ///< leave the world or turn too fast to be followed; the world is unchanged
};
std::string_view text_of(StepStatus status);

/// Where the energy of a step went [J]. The identity [PEG 7]
///     kinetic + potential + jump + contact + joint + drive + friction - work = 0
/// holds to round-off in every step whose equations were solved; `error` is what is missing.
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

struct StageTimes {
  double measure = 0, relate = 0, formulate = 0, solve = 0, advance = 0;  ///< [s] wall
};

/// How a step chose between the members of I- and X-constraints [PEG 1.4]; zeros where there was no choice.
struct ChoiceReport {
  int guards = 0;      ///< members that were held, besides U
  int solves = 0;      ///< guesses solved: QPs without friction, LCPs with it
  int backtracks = 0;  ///< guesses without a solution
  int flips = 0;       ///< guards exchanged because they pushed without need
  int relaxed = 0;     ///< contacts whose overlap at the start was only kept from growing
  int illegal = 0;     ///< guards that still push without need [Thesis eq. 4.13]
  int renewed = 0;     ///< contacts linearised anew, summed over the evaluations
  PegSizes sizes;      ///< rows of the step's mixed problem, by the thesis's formulas; see also `rows`
  int widened = 0;     ///< times the margin was doubled because a pair outside of it closed
};

template <int D>
struct ContactForce {
  int contact = 0;    ///< index into StepReport::set.contacts
  double normal = 0;  ///< [N s] impulse on A along the normal
  Vec<D> impulse;     ///< [N s] on A, friction included; B gets the opposite
};

/// What the model `plane` had to do beyond its start rows, over all evaluations of a step.
struct PlaneReport {
  int passed = 0;    ///< pairs apart at both ends of a motion tried, but not between
  int loosened = 0;  ///< pairs whose rows had held them further apart than they are
  int careful = 0;   ///< pairs whose rows would have given energy, and got others
};

template <int D>
struct StepReport {
  StepStatus status = StepStatus::done;
  std::string message;  ///< why, if not done
  double time = 0;      ///< [s] at the end of the step
  double h = 0;         ///< [s]
  int pairs = 0, contacts = 0, rows = 0, islands = 0;
  int iterations = 0;
  int updates = 1;                ///< how often the contacts were evaluated in the step
  int substeps = 1;               ///< into how many the step was divided
  std::optional<double> min_gap;  ///< [m] exact, over all near pairs at the end; where the model measures it
  std::optional<EndCloseness> ends;  ///< at the poses the step left; where the model measured just these
  double residual = 0;               ///< the worst of the islands
  double joint_error = 0;            ///< [m, rad] the largest |C| at the end
  Energy energy;                     ///< at the end
  EnergyBalance balance;
  ChoiceReport choice;
  PlaneReport plane;
  StageTimes times;
  ConstraintSet<D> set;                 ///< as at the start of the step; guards stand in set.unilateral
  std::vector<ContactForce<D>> forces;  ///< one per unilateral contact, in the order of set.unilateral
};

}  // namespace touchstone
