#pragma once
// How bodies that joints hold and that nothing else pushes go through a step.
//
// The equations of a step take joints at its start and move bodies by h times their velocity at its end: the
// joint is open by h^2 afterwards, and closing it in the next step gives or takes energy, to first order in
// h. Bodies that only joints push go another way, kick, drift and kick again [Andersen 1983]:
//
//     M (V' - V) = h/2 f + G(q)^T p         p such that the joints are closed at q+
//     q -> q+                               nothing pushes: the centre goes straight, the body turns freely
//     M (V+ - V'') = h/2 f + G(q+)^T p+     p+ such that G(q+) V+ = 0;  V'': V' after the free rotation
//
// It is of second order and the same backwards in time, so energy swings about its value and does not drift.
// Each impulse acts on both bodies at one point, so momentum is kept to round-off. Dampers of joints are
// taken at the end of each kick, which no damping makes unstable. docs/step.md derives what joints give.

#include <span>
#include <vector>

#include "touchstone/dynamics/body.h"
#include "touchstone/dynamics/joint.h"

namespace touchstone {

/// The bodies of one island and what joins them. Joints name bodies by their place in `bodies`.
template <int D>
struct SwingInput {
  std::vector<Body<D>> bodies;     ///< at the start of the step; those that are not dynamic rest
  std::vector<Twist<D>> external;  ///< [N; N m] per body: weight and forces, without those of joints
  std::vector<Joint<D>> joints;
  double h = 0;                    ///< [s]
  double joint_stabilisation = 1;  ///< share of a joint's error removed in this step
};

/// [J] What was done on one body. The sum is the change of its kinetic energy.
struct SwingWork {
  double external = 0;  ///< by the external wrench
  double motors = 0;    ///< by forces of joints that were set
  double dampers = 0;
  double joints = 0;
};

template <int D>
struct Swing {
  bool settled = false;           ///< else nothing below is known
  std::vector<Twist<D>> V_drift;  ///< per body: V'
  std::vector<Twist<D>> V_end;    ///< V+
  std::vector<Spin<D>> end_kick;  ///< [N m s] change of angular momentum at the end of the step
  std::vector<SwingWork> works;
};

/// Not settled where the joints cannot be closed at the end of the step by impulses at its start: bodies turn
/// too far in it.
template <int D>
Swing<D> swing(const SwingInput<D>& input);

}  // namespace touchstone
