#pragma once
// What makes a step acceptable. Every criterion stands here, in the order in which it is asked:
//
//     1  solved    the residual of every island is at most `accepted_residual`     every model; steps of PEG
//                  that are convex are solved by a method that proves it
//     2  bounded   no body leaves the world or turns too fast to be followed       every model
//     3  seen      no pair that had no contact ends with an overlap                by the model's promise
//     4  gap       no gap at the end is below minus the tolerance                  by the model's promise
//     5  pass      no pair passes through each other within the step               by the model's promise
//     6  energy    contacts, friction and limits give no energy, in any island     by the model's promise
//     7  joints    they are closed up to a tolerance                               with the promise of energy
//     8  turning   bodies that contacts hold turn as their equations were solved   every model
//
// Geometry (3, 4, 5) is judged by the contact model; a model that promises less says so in promises().

#include "touchstone/stepping/attempt.h"

namespace touchstone {

/// Criteria 1 and 2, of attempt.solved: the verdict is `holds` or `too_long`, and then the attempt has the
/// status. Over the whole step of length `whole` [s], also where a part of it is tried: then smaller parts do
/// not help. `V`: per body, as found.
template <int D>
Verdict judge_solution(const World<D>& world, std::span<const Twist<D>> V, double whole, Attempt<D>& attempt);

/// What forbids a step from here, or nothing: criterion 2 for bodies that go on as they move now.
template <int D>
std::optional<std::string> trouble_at_start(const World<D>& world, double h);

/// Criteria 3 to 8, of a motion that keeps 1 and 2, and that contacts settle in `max_updates` evaluations.
/// May add bodies to attempt.steady.
template <int D>
Verdict judge_motion(const TriedMotion<D>& motion, const World<D>& world, const Stages<D>& stages,
                     StepContacts<D>& contacts, Attempt<D>& attempt);

}  // namespace touchstone
