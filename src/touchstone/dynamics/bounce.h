#pragma once
// Restitution never gives energy; inside dynamics only.
//
// Newton's and Poisson's laws are stated for one contact. With several at once, or with friction, both can
// give energy (a rod that lands on both ends; Kane's pendulum). What cannot be disputed is the rest: the
// impulses without any bounce, which only take. Between the two,
//
//     p(s) = (1 - s) p_dull + s p_bounce,      V(s) likewise,      0 <= s <= 1,
//
// every row that holds at both ends holds (it is linear), every cone that holds both holds p(s) (it is
// convex), and the energy that the contacts of an island give is a quadratic of s that is not positive at
// s = 0. The law: of the bounce as much as takes at least the kinetic energy that the law of impact takes,
// per island: s = 1, or the root. So what bodies rise within the step of the bounce is paid for; without
// that, a ball of e = 0.8 hopped for ever. A lone contact without friction and forces always has s = 1.

#include "touchstone/dynamics/island_energy.h"

namespace touchstone {

template <int D>
class Bounce {
 public:
  Bounce(const Assembly<D>& assembly, const StepImpulses<D>& found, double h);
  /// Is there an island with strikes whose contacts give energy?
  bool gives() const;
  /// The equations in which these islands do not bounce.
  Assembly<D> without() const;
  /// Limits the impulses of these islands; `dull`: those of without().
  void limit(const StepImpulses<D>& dull, StepImpulses<D>& found) const;

 private:
  int island_of(const Strike& strike) const;
  StepImpulses<D> between(const StepImpulses<D>& dull, const StepImpulses<D>& found,
                          const std::vector<double>& share) const;

  const Assembly<D>& assembly_;
  double h_;
  IslandNumbers islands_;
  std::vector<char> gives_;      ///< per island
  std::vector<double> allowed_;  ///< [J] per island: what contacts may give, at most zero
};

}  // namespace touchstone
