#include "touchstone/stepping/judge.h"

#include <cassert>
#include <cmath>
#include <stdexcept>

#include "touchstone/dynamics/row_energy.h"
#include "touchstone/math/checks.h"
#include "touchstone/stepping/motion_check.h"
#include "touchstone/stepping/paths.h"

namespace touchstone {
namespace {

/// The name of a body whose numbers are not finite, or nothing.
template <int D>
const std::string* find_bad_body(const World<D>& world) {
  for (const Body<D>& body : world.bodies) {
    const bool good = body.position.allFinite() && body.velocity.allFinite() && body.force.allFinite() &&
                      body.attitude.matrix().allFinite();
    if (!good) return &body.name;
  }
  return nullptr;
}

/// Did rows with an offset below zero give more than the step took [PEG 7]? Other gains (restitution, motors)
/// are meant.
template <int D>
bool gains_energy(const SolvedStep<D>& solved, std::span<const double> push, double h) {
  assert(push.size() == solved.set.contacts.size());
  double given = 0, taken = 0;
  for (std::size_t k = 0; k < push.size(); ++k) {
    const double term = push[k] * solved.set.contacts[k].offset / h;
    (term < 0 ? given : taken) += std::abs(term);
  }
  if (given == 0) return false;
  return given > taken + jump_energy(solved.assembly.equations, solved.assembly.V_start, solved.impulses.V);
}

/// A verdict may be that of a user's model.
void check_verdict(const Verdict& verdict, std::size_t bodies) {
  if (!(verdict.event > 0 && verdict.event < 1))
    throw std::invalid_argument("the contact model divides a step at an event that does not lie within it");
  for (int b : verdict.steady) {
    if (!is_index(b, bodies)) {
      throw std::invalid_argument("the contact model holds body " + std::to_string(b) +
                                  " steady; expected 0 to " + std::to_string(static_cast<int>(bodies) - 1));
    }
  }
}

}  // namespace

template <int D>
std::optional<std::string> trouble_at_start(const World<D>& world, double h) {
  if (const std::string* name = find_bad_body(world))
    return "body \"" + *name + "\" has a position, velocity or force that is not a finite number";
  return trouble_with_motion<D>(world, start_velocities(world, h), h);
}

template <int D>
Verdict judge_solution(const World<D>& world, std::span<const Twist<D>> V, double whole,
                       Attempt<D>& attempt) {
  assert(V.size() == world.bodies.size());
  if (!attempt.solved.solved) {
    attempt.status = StepStatus::unsolved, attempt.why = attempt.solved.why;
    return {Verdict::Word::too_long};
  }
  const auto trouble = trouble_with_motion<D>(world, V, whole);
  if (!trouble) return {};
  attempt.status = StepStatus::bad_state, attempt.why = *trouble;
  return {Verdict::Word::too_long};
}

template <int D>
Verdict judge_motion(const TriedMotion<D>& motion, const World<D>& world, const Stages<D>& stages,
                     StepContacts<D>& contacts, Attempt<D>& attempt) {
  using Word = Verdict::Word;
  const SolvedStep<D>& solved = attempt.solved;
  const std::vector<double> push = pushes(solved.set, solved.assembly, solved.impulses);
  const bool gains = stages.model->promises().energy && gains_energy(solved, push, motion.h);
  Verdict verdict = contacts.judge(motion, {push, solved.set.unilateral, gains});
  check_verdict(verdict, world.bodies.size());
  if (!stages.model->has_choices()) attempt.steady.add(verdict.steady, world.bodies.size());
  const int turned = attempt.steady.renew(world.bodies, attempt.paths);
  if (turned > 0 && verdict.word == Word::holds) verdict.word = Word::renewed;
  const int most = stages.settings.max_updates;
  const bool goes_on = verdict.word == Word::renewed || verdict.word == Word::wider;
  if (goes_on && attempt.updates >= most) {
    verdict.word = Word::too_long;
    verdict.why = "contacts did not settle in " + std::to_string(most) + " evaluations";
  }
  return verdict;
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                           \
  template std::optional<std::string> trouble_at_start(const World<D>&, double);                            \
  template Verdict judge_solution(const World<D>&, std::span<const Twist<D>>, double, Attempt<D>&);         \
  template Verdict judge_motion(const TriedMotion<D>&, const World<D>&, const Stages<D>&, StepContacts<D>&, \
                                Attempt<D>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
