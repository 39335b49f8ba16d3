// The conductor of models with I- and X-constraints (`peg`, `peg-printed`, `lnc`): between formulate and
// solve stands the choice which members of the constraints are held; each guess is an ordinary step, so
// friction, joints and motors come by themselves [PEG 1].
//
// Where the formula cannot be satisfied, because bodies overlap or because an X-constraint forbids a state
// that is free, contacts are only kept from getting worse; the report counts them as relaxed.

#include <algorithm>
#include <cmath>
#include <map>

#include "touchstone/dynamics/convex_step.h"
#include "touchstone/math/skew_direction.h"
#include "touchstone/proximity/gap.h"
#include "touchstone/stepping/advance.h"
#include "touchstone/stepping/choice_rows.h"
#include "touchstone/stepping/parts.h"
#include "touchstone/stepping/trial.h"

namespace touchstone {
namespace {

/// Times the margin may be doubled when a pair closes that it did not see.
constexpr int kMaxWidenings = 4;
/// Times the kinetic energy of the free motion, and a joule: rows that are solved only by more than this
/// contradict each other up to round-off.
constexpr double kAbsurdEnergy = 1e9;
/// [m] overlap of an unseen pair that is round-off of touching.
constexpr double kUnseenOverlap = 1e-9;

/// A number that depends on where the contact is and not on the order of bodies or vertices: its place along
/// a direction that no scene is aligned with.
template <int D>
double geometric_key(const Contact<D>& contact) {
  const Vec<D> skew = skew_direction<D>();
  return contact.point.dot(skew) + std::abs(contact.normal.dot(skew));
}

template <int D>
ChoiceProblem choice_problem(const ConstraintSet<D>& set, const EndGaps<D>& end, double h) {
  ChoiceProblem problem;
  problem.h = h;
  problem.always = set.unilateral;
  problem.any = set.inter_contact;
  problem.inter_count = static_cast<int>(problem.any.size());
  problem.any.insert(problem.any.end(), set.cross_contact.begin(), set.cross_contact.end());
  problem.convex = is_convex(end.all().equations);
  std::map<std::pair<int, int>, int> pairs;
  for (int k = 0; k < static_cast<int>(set.contacts.size()); ++k) {
    const Contact<D>& contact = set.contacts[k];
    const std::pair bodies(contact.body_A, contact.body_B);
    const int pair = pairs.try_emplace(bodies, static_cast<int>(pairs.size())).first->second;
    const double free = end(k, end.all().equations.V_free);
    const double sag = std::abs(free - end(k, end.all().V_start));
    problem.contacts.push_back({contact.gap, free, sag, contact.primary, pair, geometric_key(contact)});
  }
  return problem;
}

/// Lists that the start violates: their most open member may stay as deep as it is [PEG 1.1 R].
template <int D>
int relax_violated(ConstraintSet<D>& set) {
  int relaxed = 0;
  for (const auto* lists : {&set.inter_contact, &set.cross_contact}) {
    for (const std::vector<int>& members : *lists) {
      double& gap = set.contacts[most_open(set, members)].gap;
      if (gap < 0) gap = 0, ++relaxed;
    }
  }
  return relaxed;
}

/// U and the most open member of each list, none of them asked for more than not to get worse: V = 0 is a
/// solution, if no scripted body says otherwise.
template <int D>
int hold_as_it_is(ConstraintSet<D>& set) {
  for (const auto* lists : {&set.inter_contact, &set.cross_contact}) {
    for (const std::vector<int>& members : *lists) set.unilateral.push_back(most_open(set, members));
  }
  std::sort(set.unilateral.begin(), set.unilateral.end());
  set.unilateral.erase(std::unique(set.unilateral.begin(), set.unilateral.end()), set.unilateral.end());
  int relaxed = 0;
  for (int k : set.unilateral) {
    double& gap = set.contacts[k].gap;
    if (gap < 0) gap = 0, ++relaxed;
  }
  return relaxed;
}

/// Forces at negative offsets give energy: where a list has another member, that one is held [PEG 7.1 R3].
template <int D>
void forbid_gains(const ConstraintSet<D>& set, ChoiceProblem& problem) {
  for (std::size_t k = 0; k < set.contacts.size(); ++k)
    problem.contacts[k].may_guard = set.contacts[k].gap >= 0;
}

void count(const Choice& choice, int always, ChoiceReport& report) {
  report.guards = choice.found ? static_cast<int>(choice.contacts.size()) - always : 0;
  report.illegal = choice.illegal;
  report.flips += choice.flips;
  report.solves += choice.solves, report.backtracks += choice.backtracks;
}

template <int D>
PegSizes sizes_of(const World<D>& world, const ConstraintSet<D>& set) {
  PegCounts counts;
  for (const Body<D>& body : world.bodies) counts.velocities += body.is_dynamic() ? kDof<D> : 0;
  for (const Joint<D>& joint : world.joints) counts.bilateral += kDof<D> - axis_count<D>(joint.kind);
  counts.contacts = static_cast<int>(set.contacts.size());
  std::vector<bool> listed(set.contacts.size(), false);
  for (const auto* lists : {&set.inter_contact, &set.cross_contact}) {
    for (const auto& members : *lists) {
      for (int k : members) listed[k] = true;
    }
  }
  counts.in_lists = static_cast<int>(std::count(listed.begin(), listed.end(), true));
  for (const Contact<D>& contact : set.contacts) {
    const Surface& surface = world.surfaces.of(contact.material_A, contact.material_B);
    if (surface.friction == FrictionLaw::linear && surface.mu > 0)
      counts.directions = std::max(counts.directions, D == 2 ? 2 : surface.directions);
  }
  return peg_sizes(counts);
}

}  // namespace

/// formulate and solve for the contacts in set.unilateral.
template <int D>
bool Stepper<D>::solve_guess(Trial& trial, const ConstraintSet<D>& set) {
  StepReport<D>& report = trial.report;
  report.status = StepStatus::done, report.message.clear();
  report.residual = 0;
  const World<D>& world = trial.world;
  trial.assembly = assemble<D>({world.bodies, trial.joints, world.joints, set, world.surfaces, world.gravity,
                                trial.h, settings_.joint_stabilisation, settings_.formulation});
  if (!is_convex(trial.assembly.equations) || !trial.assembly.poisson.empty()) return solve_step(trial, set);
  report.times.formulate += trial.watch.lap();
  ConvexStep<D> step = solve_convex(trial.assembly.equations);
  report.contacts = static_cast<int>(set.contacts.size());
  report.islands = step.islands, report.iterations += step.iterations;
  report.rows = static_cast<int>(trial.assembly.equations.unilateral.size());
  report.residual = step.residual;
  report.times.solve += trial.watch.lap();
  trial.result = {};
  trial.result.impulses = std::move(step.impulses);
  const StepEquations<D>& equations = trial.assembly.equations;
  const std::vector<Twist<D>> rest(equations.V_free.size(), Twist<D>::Zero());
  const double most = kAbsurdEnergy * (1 + distance_from_free(equations, rest));
  const bool sane = distance_from_free(equations, trial.result.impulses.V) <= most;
  if (step.status == SolveStatus::solved && sane) return trial.stays_in_world();
  report.status = StepStatus::unsolved;
  report.message = "the contacts of the step contradict each other: " + std::string(text_of(step.status));
  return false;
}

/// Finds which members of the lists are held, and leaves their step in the trial. The rows are those of
/// `set`, the scores those of `start`: the same contacts as they were at the start of the step. `before`: a
/// choice that is kept, if one was found.
template <int D>
Choice Stepper<D>::choose(Trial& trial, const ConstraintSet<D>& set, const ConstraintSet<D>& start,
                          const Choice& before) {
  const World<D>& world = trial.world;
  const auto all_rows = [&](const ConstraintSet<D>& of) {
    return EndGaps<D>(
        of,
        assemble<D>({world.bodies, trial.joints, world.joints, with_all(of), world.surfaces, world.gravity,
                     trial.h, settings_.joint_stabilisation, settings_.formulation}),
        trial.h);
  };
  ConstraintSet<D> guess = set;
  const EndGaps<D> end = all_rows(set);
  ChoiceProblem problem = choice_problem(start, all_rows(start), trial.h);
  ChoiceSettings settings = settings_.choice;
  if (settings_.relinearise) forbid_gains(set, problem);
  if (before.found) problem.always = before.contacts, settings.strict = false;
  const ChoiceSolver solve = [&](const std::vector<int>& contacts) {
    guess.unilateral = contacts;
    ChoiceAnswer answer;
    answer.solved = solve_guess(trial, guess);
    if (!answer.solved) return answer;
    const StepImpulses<D>& found = trial.result.impulses;
    for (int k = 0; k < static_cast<int>(set.contacts.size()); ++k) answer.end.push_back(end(k, found.V));
    answer.push = pushes(guess, trial.assembly, found);
    answer.energy = distance_from_free(trial.assembly.equations, found.V);
    return answer;
  };
  Choice choice = choose_contacts(problem, settings, solve);
  count(choice, static_cast<int>(start.unilateral.size()), trial.report.choice);
  return choice;
}

template <int D>
bool Stepper<D>::choose_and_solve(Trial& trial) {
  StepReport<D>& report = trial.report;
  report.choice.sizes = sizes_of(trial.world, report.set);
  if (settings_.formulation.form == Form::choices) return solve_as_one(trial);
  if (settings_.relinearise) return relinearise(trial);
  Choice choice = choose(trial, report.set, report.set, {});
  if (!choice.found) {
    report.choice.relaxed = relax_violated(report.set);
    choice = choose(trial, report.set, report.set, {});
  }
  if (choice.found) {
    report.set.unilateral = choice.contacts;
    return true;
  }
  report.choice.relaxed += hold_as_it_is(report.set);
  ++report.choice.solves;
  return solve_guess(trial, report.set);
}

/// Did two bodies close that have no contact in the set? A body that is struck may be faster at the end than
/// anything was at the start [PEG 1.4].
template <int D>
bool Stepper<D>::missed_a_pair(const Trial& trial) {
  const World<D>& world = trial.world;
  const std::vector<Pose<D>> X_end = end_poses(world, trial.assembly, trial.result.impulses.V, trial.h);
  measure_.sweep(world, X_end);
  std::vector<std::pair<int, int>> seen;
  for (const Contact<D>& contact : trial.report.set.contacts)
    seen.emplace_back(contact.body_A, contact.body_B);
  std::sort(seen.begin(), seen.end());
  return std::any_of(measure_.pairs().begin(), measure_.pairs().end(), [&](const auto& pair) {
    const ContactShape<D>&A = world.shapes[pair.first], &B = world.shapes[pair.second];
    if (std::binary_search(seen.begin(), seen.end(), std::pair(A.body, B.body))) return false;
    return find_gap<D>(PlacedShape<D>{A.shape.get(), X_end[pair.first]},
                       PlacedShape<D>{B.shape.get(), X_end[pair.second]})
               .gap < -kUnseenOverlap;
  });
}

template <int D>
bool Stepper<D>::try_peg_step(World<D>& world, double h, StepReport<D>& report) {
  Trial trial(world, h, report);
  follow_scripts(world, h);
  double margin = settings_.margin > 0 ? settings_.margin : contact_margin(world, h);
  for (int widened = 0;; ++widened, margin *= 2) {
    measure_.update(world, margin);
    report.pairs = static_cast<int>(measure_.pairs().size());
    report.times.measure += trial.watch.lap();

    model_->relate({world.shapes, measure_.X_WS(), measure_.pairs(), margin, settings_.tests}, pair_memory_,
                   report.set);
    report.times.relate += trial.watch.lap();

    if (!choose_and_solve(trial)) return false;
    if (widened == kMaxWidenings || !missed_a_pair(trial)) break;
    ++report.choice.widened;
  }
  finish_step(world, trial);
  return true;
}

template <int D>
void Stepper<D>::make_peg_step(World<D>& world, StepReport<D>& report) {
  if (settings_.relinearise) report.updates = 0;
  make_one_step<D>(world, settings_.relinearise ? settings_.max_halvings : 0, report,
                   [&](World<D>& now, double h) { return try_peg_step(now, h, report); });
}

template void Stepper<2>::make_peg_step(World<2>&, StepReport<2>&);
template void Stepper<3>::make_peg_step(World<3>&, StepReport<3>&);
template Choice Stepper<2>::choose(Trial&, const ConstraintSet<2>&, const ConstraintSet<2>&, const Choice&);
template Choice Stepper<3>::choose(Trial&, const ConstraintSet<3>&, const ConstraintSet<3>&, const Choice&);

}  // namespace touchstone
