#include "touchstone/stepping/judge.h"

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <stdexcept>

#include "touchstone/dynamics/island_energy.h"
#include "touchstone/math/checks.h"
#include "touchstone/stepping/judge_joints.h"
#include "touchstone/stepping/motion_check.h"
#include "touchstone/stepping/paths.h"
#include "touchstone/stepping/swings.h"

namespace touchstone {
namespace {

/// Strikes that exclude each other's bounces, as those of a ball that flies to and fro between two walls
/// within one step, are made apart from each other in parts of the step, unless these are shorter by this.
constexpr double kShortest = 64;

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

/// Which islands gained energy by contacts, friction and limits, and by how much beyond what round-off and
/// the tolerance of gaps explain [docs/contact-models.md].
template <int D>
class Gains {
 public:
  Gains(const World<D>& world, const Stages<D>& stages, const SolvedStep<D>& solved, double h)
      : world_(world),
        solved_(solved),
        islands_(number_pushing_islands(solved.assembly.equations, solved.impulses)) {
    const double g = world.gravity.norm(), tolerance = stages.settings.model.gap_tolerance;
    const double speed = tolerance / stages.settings.h;  // in a whole step: shorter parts may give no more
    for (const IslandEnergy& island : island_energies(solved.assembly, solved.impulses, islands_, h)) {
      const double lift = island.mass * (g * tolerance + 0.5 * speed * speed);
      const double allowed = kAllowed * (island.kinetic + island.work) + lift;
      excess_.push_back(island.given - allowed);
    }
  }
  /// Per contact: whether its island gained; empty if none did.
  std::vector<char> by_contact() const;
  /// What is wrong, or nothing.
  std::optional<std::string> complaint() const;

 private:
  static constexpr double kAllowed = 1e-11;
  const World<D>& world_;
  const SolvedStep<D>& solved_;
  IslandNumbers islands_;
  std::vector<double> excess_;  ///< [J] per island
};

template <int D>
std::vector<char> Gains<D>::by_contact() const {
  if (std::all_of(excess_.begin(), excess_.end(), [](double x) { return x <= 0; })) return {};
  std::vector<char> gives;
  for (const Contact<D>& contact : solved_.set.contacts) {
    const int a = solved_.assembly.local[contact.body_A], b = solved_.assembly.local[contact.body_B];
    const int body = a >= 0 ? a : b;
    gives.push_back(body >= 0 && excess_[islands_.of_body[body]] > 0);
  }
  return gives;
}

template <int D>
std::optional<std::string> Gains<D>::complaint() const {
  for (std::size_t b = 0; b < islands_.of_body.size(); ++b) {
    const double excess = excess_[islands_.of_body[b]];
    if (excess <= 0) continue;
    char text[64];
    std::snprintf(text, sizeof text, "\" (and what it touches) %.3g J", excess);
    return "contacts would give body \"" + world_.bodies[solved_.assembly.dynamic[b]].name + text;
  }
  return std::nullopt;
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
  if (attempt.solved.dulled > 0 && attempt.h > whole / kShortest) {
    attempt.status = StepStatus::unsolved, attempt.why = "the bounces of strikes exclude each other";
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
  const bool promised = stages.model->promises().energy;
  std::optional<Gains<D>> gains;
  if (promised) gains.emplace(world, stages, solved, motion.h);
  const std::vector<char> gives = promised ? gains->by_contact() : std::vector<char>();
  Verdict verdict = contacts.judge(motion, {push, solved.set.unilateral, gives});
  check_verdict(verdict, world.bodies.size());
  if (!stages.model->has_choices()) attempt.steady.add(verdict.steady, world.bodies.size());
  const int turned = attempt.steady.renew(world.bodies, attempt.paths);
  if (turned > 0 && verdict.word == Word::holds) verdict.word = Word::renewed;
  if (promised && verdict.word == Word::holds) {
    if (const auto complaint = gains->complaint()) return {Word::too_long, 0.5, *complaint};
    if (const auto trouble = trouble_with_joints(world, attempt, stages.settings))
      return {Word::too_long, 0.5, *trouble};
    if (const auto trouble = trouble_with_swings(world, attempt, stages.settings))
      return {Word::too_long, 0.5, *trouble};
  }
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
