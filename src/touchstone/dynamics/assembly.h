#pragma once
// formulate, first half: contacts, joints and forces as the equations of the whole step.

#include <span>
#include <utility>
#include <vector>

#include "touchstone/contact/constraint_set.h"
#include "touchstone/dynamics/body.h"
#include "touchstone/dynamics/equations.h"
#include "touchstone/dynamics/formulation.h"
#include "touchstone/dynamics/joint.h"
#include "touchstone/dynamics/material.h"

namespace touchstone {

/// The state at the start of a step, and all that its equations depend on but the contacts.
template <int D>
struct StepInput {
  const std::vector<Body<D>>& bodies;
  std::span<const Twist<D>> velocities;  ///< per body; those of scripted bodies carry them through the step
  std::span<const Joint<D>> joints;
  const SurfaceTable& surfaces;
  Vec<D> gravity;
  double h = 0;                    ///< [s]
  double joint_stabilisation = 1;  ///< share of a joint's error removed in this step
  FormulationSettings formulation;
  /// Pairs of bodies (i < j, sorted) that stuck in the last step [dynamics/sticking.h].
  std::span<const std::pair<int, int>> sticking = {};
  // The same for every set of contacts that is tried: found once by prepare().
  std::vector<JointEquations<D>> joint_equations = {};
  std::vector<SpinMat<D>> inverse_inertia = {};  ///< per dynamic body, in world axes
};
template <int D>
void prepare(StepInput<D>& input);

/// What a row stands for.
enum class RowKind { joint, drive, contact, limit, friction };

/// Beside each row: its origin, and the part of its offset that is the speed of bodies that do not move by
/// forces, needed to tell their work from the rest.
struct RowNote {
  RowKind kind = RowKind::joint;
  int index = 0;       ///< of the joint, or of the contact
  double carried = 0;  ///< [m/s] G . V of fixed and scripted bodies, contained in the row's offset
};

/// A contact that strikes: its bodies approach, and would meet within the step.
struct Strike {
  int unilateral = 0;
  double bounce = 0;
  Restitution law = Restitution::newton;
  double dull = 0;  ///< [m/s] the offset of its row that takes all of the approach and gives nothing back
  double late =
      0;  ///< [J] what it takes more at the speed with which the bodies meet than at the present one
};

template <int D>
struct Assembly {
  StepEquations<D> equations;      ///< of all dynamic bodies
  std::vector<int> dynamic;        ///< body of the world of each body of the equations
  std::vector<int> local;          ///< the other way; -1: not dynamic
  std::vector<Twist<D>> V_start;   ///< of the bodies of the equations
  std::vector<Twist<D>> external;  ///< [N; N m] on them, gravity and joint forces included
  std::vector<RowNote> bilateral, unilateral, tangent;  ///< notes, in the order of the rows
  std::vector<int> row_of_contact;    ///< unilateral row of each entry of set.unilateral; -1: none
  std::vector<int> group_of_contact;  ///< likewise the friction group; -1: none
  std::vector<Strike> strikes;        ///< that bounce, by row; Poisson's in a second phase
};

/// `input` must be prepared.
template <int D>
Assembly<D> assemble(const StepInput<D>& input, const ConstraintSet<D>& set);

}  // namespace touchstone
