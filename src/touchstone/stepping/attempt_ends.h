#pragma once
// How an attempt begins and how it ends; inside stepping only.

#include "touchstone/stepping/attempt.h"

namespace touchstone {

/// What the equations of a step from here depend on. `world` and `V` (per body) must outlive the answer.
template <int D>
StepInput<D> step_input(const World<D>& world, std::span<const Twist<D>> V, double h,
                        const StepSettings& settings);

/// [m] How far apart parts may be and still belong to the first pairs.
template <int D>
double first_margin(const World<D>& world, std::span<const Twist<D>> V, double h, const Stages<D>& stages);

/// The forces of contacts without friction, of the solution that was taken, become the canonical ones
/// [docs/friction.md].
template <int D>
void split_forces(const Stages<D>& stages, const StepMemory<D>& last, Attempt<D>& attempt);

/// The attempt with the last verdict on its motion, its notes for the report and its memory for the next
/// step.
template <int D>
Attempt<D> finished(Attempt<D> attempt, const Verdict& verdict, StepContacts<D>& contacts,
                    Measure<D>& measure);

}  // namespace touchstone
