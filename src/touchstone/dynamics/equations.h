#pragma once
// The equations of one step, before a formulation turns them into a problem for a solver:
//
//     M (V - V_free) = sum of G p         V_free = V_start + h M^-1 f
//     bilateral   G.V + offset + compliance p = 0        joints, motors without limit, dampers, no-slip
//     unilateral  0 <= G.V + offset _|_ p >= 0           contact normals, limits of joints
//     tangent     friction of a group: |p_t| <= mu p_n, or a constant bound (motors of limited force)
//
// Bodies that do not move by forces are folded into the offsets: every body here is dynamic.

#include <cassert>
#include <vector>

#include "touchstone/dynamics/row.h"
#include "touchstone/math/checks.h"

namespace touchstone {

/// A cone: the tangent rows [first, first + count) share a bound.
struct FrictionGroup {
  int normal = -1;  ///< unilateral row whose impulse p_n bounds them: |p_t| <= mu p_n + bound; -1: none
  double mu = 0;
  double bound = 0;  ///< [N s]; round cones with a normal do not have it
  int first = 0, count = 0;
  bool round =
      false;  ///< true: orthogonal directions of a round cone; false: directions of a pyramid, p >= 0

  bool operator==(const FrictionGroup&) const = default;
};

template <int D>
struct StepEquations {
  std::vector<double> inverse_mass;         ///< [1/kg] per body
  std::vector<SpinMat<D>> inverse_inertia;  ///< world axes
  std::vector<Twist<D>> V_free;
  std::vector<Row<D>> bilateral, unilateral, tangent;
  std::vector<FrictionGroup> groups;
  /// Per unilateral row: its part in the compliance of its pair of bodies, as a multiple of that of the whole
  /// pair [docs/friction.md]; empty: 1 each.
  std::vector<double> yielding;

  int body_count() const { return static_cast<int>(inverse_mass.size()); }
  bool operator==(const StepEquations&) const = default;  ///< to the bit
  Twist<D> apply_inverse_mass(int body, const Twist<D>& wrench) const {
    assert(is_index(body, inverse_mass.size()) && inverse_inertia.size() == inverse_mass.size());
    return twist<D>(inverse_mass[body] * linear<D>(wrench), inverse_inertia[body] * angular<D>(wrench));
  }
};

/// What solves them.
template <int D>
struct StepImpulses {
  std::vector<Twist<D>> V;                             ///< per body, at the end of the step
  std::vector<double> bilateral, unilateral, tangent;  ///< [N s or N m s] per row
  std::vector<double> slip;                            ///< per group: the multiplier of its bound

  bool operator==(const StepImpulses&) const = default;  ///< to the bit
};

/// The rate of a row at given velocities.
template <int D>
double rate(const Row<D>& row, const std::vector<Twist<D>>& V) {
  return rate_by(row, [&](int body) -> const Twist<D>& {
    assert(is_index(body, V.size()));
    return V[body];
  });
}

}  // namespace touchstone
