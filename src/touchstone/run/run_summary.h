#pragma once
// What happened in a run up to now, in one struct of plain numbers.

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "touchstone/stepping/step_report.h"

namespace touchstone {

/// Gaps and overlaps are exact and of the poses at the start of the run and at the end of each step: GapWatch
/// [run/gap_watch.h] says who measured them.
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
  double energy_excess = 0;  ///< [J] of it: what nobody asked for, see record/metrics.h
  double largest_gain = 0;   ///< [J] in one step
  double joint_work = 0;  ///< [J] the most that joints and limits gave, on balance, in any stretch of the run
  double joint_rise = 0;  ///< [J] in the stretch up to now in which it was most
  double drive_work = 0;  ///< [J] given by motors and controllers, less what dampers took; not gained
  double energy_scale = 0;  ///< [J] the largest kinetic energy, or change of potential energy, to judge it by
  double momentum_error = 0;  ///< relative, the worst step; NaN: some joint is tied to the world
  double residual = 0;        ///< the worst step
  double joint_error = 0;     ///< [m, rad] the worst step
  long failed_steps = 0;
  long divided_steps = 0;    ///< made in parts, for contacts did not settle in one
  long located_impacts = 0;  ///< of pairs that struck alone, at their times
  long merged_impacts = 0;   ///< with the equations of their steps
  long dulled_impacts =
      0;  ///< contacts that struck without a bounce, because no motion bounces as the law asks
  double identity_error = 0;   ///< of the energies involved, the worst step [step.md]
  double fastest = 0;          ///< [m/s] of any centre of mass, at the end of any step
  long relaxed_steps = 0;      ///< missed the solver's tolerance and were accepted all the same
  long friction_islands = 0;   ///< islands with contacts that push, summed over the steps
  long canonical_islands = 0;  ///< of them: those with the answer that is meant [docs/friction.md]
  long turns = 0;              ///< of the curves that led to their answers
  long pushing_pairs = 0;      ///< of bodies, with friction, in the last step
  long sliding_pairs = 0;      ///< of them: those that slid
  std::optional<long>
      undetermined_pairs;  ///< whose forces rigid bodies leave open, likewise; where asked for
  long contacts = 0;       ///< summed over the steps
  long most_contacts = 0;  ///< of one step
  std::string message;     ///< why a step failed
  std::string state_hash;  ///< of the last state
  std::optional<AccuracyReport> accuracy;  ///< of the last step, where an accuracy was asked for
  std::map<std::string, long> events;      ///< how often each kind of event happened, likewise
  /// A joint on which the force that a user set changed its sign in every step and grew: an explicit
  /// controller that is stiffer than the step allows. Empty: none.
  std::string unstable_joint;
};

/// [m, rad] A joint that is further open than this is worth a warning.
inline constexpr double kWideOpenJoint = 1e-2;

/// What somebody must know who reads no numbers, one sentence each: energy that nobody asked for, joints that
/// are open, controllers that are unstable.
std::vector<std::string> warnings_of(const RunSummary& summary);

}  // namespace touchstone
