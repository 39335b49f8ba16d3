#pragma once
// Bodies that strike within a step; inside stepping only.
//
// The equations of a step let two bodies that strike in its course end just in touch: of the approach they
// leave gap/h, which the next step takes. How the impulse is shared between the two steps depends on where
// within the step the bodies happen to meet, and where they slide, so does the direction of friction: the
// velocity after the strike does not converge with h. So where a pair strikes alone in its island, the island
// goes to the time of the strike first, and from there through the rest of the step, in whose equations the
// gap is zero: one impulse, at its time.
//
//     whole step      |-------------------------|        other islands
//     struck island   |~~~~~~~~~~~~~x-----------|        free to the strike, then with its impulse
//
// Strikes of larger islands, of corners of bodies that touch already, and further ones in the same step are
// merged with the equations of the step, and counted [docs/contact-models.md].

#include "touchstone/stepping/attempt.h"
#include "touchstone/stepping/island_courses.h"

namespace touchstone {

struct LoneImpact {
  std::size_t island = 0;  ///< number
  double time = 0;         ///< fraction of the step, at which the pair is apart by no more than round-off
  std::pair<int, int> bodies;
};

/// Can there be strikes to locate in the step from this world? Not where nothing that was apart at its start
/// strikes in the attempt at the whole step, which shows at no cost; else find_lone_impacts() says.
template <int D>
bool may_strike_alone(const World<D>& world, const Attempt<D>& attempt, const Stages<D>& stages);

/// The strikes of the next step that can be located, and the islands of the world within it.
template <int D>
struct FoundImpacts {
  std::vector<IslandBodies> islands;
  std::vector<LoneImpact> impacts;
  const Attempt<D>* whole = nullptr;  ///< at the whole step, where it holds: impacts are merged there
};
template <int D>
FoundImpacts<D> find_lone_impacts(const World<D>& world, const Stages<D>& stages,
                                  const StepMemory<D>& memory);

/// Makes the step with these impacts at their times. False: it cannot be made so; the world is as it was.
template <int D>
bool step_with_impacts(const FoundImpacts<D>& found, const Stages<D>& stages, World<D>& world,
                       StepMemory<D>& memory, StepReport<D>& report);

/// How many pairs of bodies strike in an attempt that starts at this world, without touching at its start.
template <int D>
int count_merged_impacts(const World<D>& world, const Attempt<D>& attempt);

}  // namespace touchstone
