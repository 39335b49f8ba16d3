#pragma once
// What contacts give to the bodies of each island of a step.

#include "touchstone/dynamics/assembly.h"

namespace touchstone {

/// [J] per island. Contacts, friction and limits of joints only take energy in the world; in a step they can
/// give some where a row pushes bodies out of each other, a bounce is large, or a limit was exceeded. From
/// M (V+ - V) = h f + sum G p, multiplied by V+, they give
///
///     given = sum p (G.V+ + carried) - 1/2 |V+ - V|_M^2
///
/// where the sum is over their rows and `carried` is the speed of scripted bodies, whose work is meant;
/// bodies that fall freely have no part in the last term.
struct IslandEnergy {
  double given = 0;
  double kinetic = 0;  ///< at the start and at the end, together
  double change = 0;   ///< of the kinetic energy of bodies that are pushed
  double work = 0;     ///< of all forces, absolute
  double mass = 0;     ///< [kg]
};

/// Bodies that feel each other within the step, by the rows of its equations.
struct IslandNumbers {
  std::vector<int> of_body;  ///< per body of the equations
  int count = 0;             ///< bodies without a row are islands, too
};
template <int D>
IslandNumbers number_islands(const StepEquations<D>& equations);

/// Bodies that push each other in this solution, or are joined: those of a pile that only lie near each other
/// do not pay for what others gain.
template <int D>
IslandNumbers number_pushing_islands(const StepEquations<D>& equations, const StepImpulses<D>& found);

template <int D>
std::vector<IslandEnergy> island_energies(const Assembly<D>& assembly, const StepImpulses<D>& found,
                                          const IslandNumbers& islands, double h);

}  // namespace touchstone
