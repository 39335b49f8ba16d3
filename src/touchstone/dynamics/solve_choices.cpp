// A step with I- and X-constraints (`peg`, `peg-printed`, `lnc`): the members that are held are chosen, and
// each guess is an ordinary step, so friction, joints and motors come by themselves [PEG 1].
//
// Where the formula cannot be satisfied, because bodies overlap or because an X-constraint forbids a state
// that is free, contacts are only kept from getting worse; the report counts them as relaxed.

#include <cmath>

#include "touchstone/dynamics/choice_rows.h"
#include "touchstone/dynamics/convex_step.h"
#include "touchstone/dynamics/solve_step.h"
#include "touchstone/math/skew_direction.h"
#include "touchstone/math/stopwatch.h"

namespace touchstone {
namespace {

/// Times the kinetic energy of the free motion, and a joule: rows that are solved only by more than this
/// contradict each other up to round-off.
constexpr double kAbsurdEnergy = 1e9;

/// A number that depends on where the contact is and not on the order of bodies or vertices: its place along
/// a direction that no scene is aligned with.
template <int D>
double geometric_key(const Contact<D>& contact) {
  const Vec<D> skew = skew_direction<D>();
  return contact.point.dot(skew) + std::abs(contact.normal.dot(skew));
}

/// `end`: of the same contacts.
template <int D>
ChoiceProblem choice_problem(const ConstraintSet<D>& set, const EndGaps<D>& end, double h) {
  ChoiceProblem problem;
  problem.h = h;
  problem.always = set.unilateral;
  problem.any = set.inter_contact;
  problem.inter_count = static_cast<int>(problem.any.size());
  problem.any.insert(problem.any.end(), set.cross_contact.begin(), set.cross_contact.end());
  problem.convex = is_convex(end.all().equations);
  for (int k = 0; k < static_cast<int>(set.contacts.size()); ++k) {
    const Contact<D>& contact = set.contacts[k];
    const double free = end(k, end.all().equations.V_free);
    const double sag = std::abs(free - end(k, end.all().V_start));
    problem.contacts.push_back({contact.offset, free, sag, contact.primary, geometric_key(contact)});
  }
  return problem;
}

/// Lists that the start violates: their most open member may stay as deep as it is [PEG 1.1 R].
template <int D>
int relax_violated(ConstraintSet<D>& set) {
  int relaxed = 0;
  for (const auto* lists : {&set.inter_contact, &set.cross_contact}) {
    for (const std::vector<int>& members : *lists) {
      double& offset = set.contacts[most_open(set, members)].offset;
      if (offset < 0) offset = 0, ++relaxed;
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
    double& offset = set.contacts[k].offset;
    if (offset < 0) offset = 0, ++relaxed;
  }
  return relaxed;
}

template <int D>
class ChoiceStep {
 public:
  ChoiceStep(const StepInput<D>& input, const ConstraintSet<D>& set, const ImpulseMemory& last,
             const SolveStage<D>& stage)
      : input_(input), last_(last), stage_(stage), set_(set) {
    report_.sizes = sizes_of(input, set);
  }
  SolvedStep<D> run();

 private:
  bool renews() const { return !set_.preferred.empty(); }
  Choice choose(bool keep);
  void solve_guess();
  void solve_plainly();
  SolvedStep<D> finished(bool found);

  const StepInput<D>& input_;
  const ImpulseMemory& last_;
  const SolveStage<D>& stage_;
  ConstraintSet<D> set_;  ///< set_.unilateral: U
  SolvedStep<D> guess_;   ///< the last one; guess_.set.unilateral: the contacts it holds
  int iterations_ = 0;
  double formulating_ = 0;  ///< [s]
  ChoiceReport report_;
};

/// Solves for the contacts in guess_.set.unilateral. Steps without friction and joints are convex, and have a
/// method that proves it where they have no solution.
template <int D>
void ChoiceStep<D>::solve_guess() {
  Stopwatch watch;
  guess_.assembly = assemble(input_, guess_.set);
  formulating_ += watch.lap();
  const StepEquations<D>& equations = guess_.assembly.equations;
  const bool convex = is_convex(equations) && guess_.assembly.strikes.empty();
  if (!convex || stage_.solver_is_named) return solve_plainly();
  ConvexStep<D> step = solve_convex(equations);
  iterations_ += step.iterations;
  guess_.islands = step.islands, guess_.rows = static_cast<int>(equations.unilateral.size());
  guess_.residual = step.residual;
  guess_.impulses = std::move(step.impulses);
  const std::vector<Twist<D>> rest(equations.V_free.size(), Twist<D>::Zero());
  const double most = kAbsurdEnergy * (1 + distance_from_free(equations, rest));
  const bool sane = distance_from_free(equations, guess_.impulses.V) <= most;
  guess_.solved = step.status == SolveStatus::solved && sane;
  guess_.why = "the contacts of the step contradict each other: " + std::string(text_of(step.status));
}

template <int D>
void ChoiceStep<D>::solve_plainly() {
  IslandResult<D> result =
      solve_islands(guess_.assembly, last_.guess(guess_.set, guess_.assembly), stage_.islands, input_.h);
  iterations_ += result.iterations;
  guess_.solved = result.solved, guess_.why = std::move(result.message);
  guess_.impulses = std::move(result.impulses);
  guess_.islands = result.islands, guess_.rows = result.rows, guess_.residual = result.residual;
}

/// Finds which members of the lists are held, and leaves their step in guess_. `keep`: those of set_.kept
/// are.
template <int D>
Choice ChoiceStep<D>::choose(bool keep) {
  const EndGaps<D> end(input_, set_);
  ConstraintSet<D> first = set_;
  if (renews()) first.contacts = set_.preferred;
  ChoiceProblem problem = choice_problem(first, renews() ? EndGaps<D>(input_, first) : end, input_.h);
  ChoiceSettings settings = stage_.choice;
  // Forces at negative offsets give energy: where a list has another member, that one is held [PEG 7.1 R3].
  for (std::size_t k = 0; k < set_.contacts.size() && renews(); ++k)
    problem.contacts[k].may_guard = set_.contacts[k].offset >= 0;
  if (keep) problem.always = set_.kept, settings.strict = false;
  guess_.set = set_;
  const ChoiceSolver solve = [&](const std::vector<int>& contacts) {
    guess_.set.unilateral = contacts;
    ChoiceAnswer answer;
    if (stage_.islands.solve.is_stopped()) return answer;
    solve_guess();
    answer.solved = guess_.solved;
    if (!answer.solved) return answer;
    const StepImpulses<D>& found = guess_.impulses;
    for (int k = 0; k < static_cast<int>(set_.contacts.size()); ++k) answer.end.push_back(end(k, found.V));
    answer.push = pushes(guess_.set, guess_.assembly, found);
    answer.energy = distance_from_free(guess_.assembly.equations, found.V);
    return answer;
  };
  Choice choice = choose_contacts(problem, settings, solve);
  report_.guards = choice.found ? static_cast<int>(choice.contacts.size() - set_.unilateral.size()) : 0;
  report_.illegal = choice.illegal, report_.flips += choice.flips;
  report_.solves += choice.solves, report_.backtracks += choice.backtracks;
  return choice;
}

template <int D>
SolvedStep<D> ChoiceStep<D>::run() {
  Choice choice = choose(!set_.kept.empty());
  if (!choice.found && !set_.kept.empty()) choice = choose(false);
  if (!choice.found && renews()) {
    guess_.why = "no choice of contacts has a solution";
    return finished(false);
  }
  if (!choice.found) {
    report_.relaxed = relax_violated(set_);
    choice = choose(false);
  }
  if (choice.found) {
    guess_.set.unilateral = choice.contacts;
    return finished(true);
  }
  report_.relaxed += hold_as_it_is(set_);
  ++report_.solves;
  guess_.set = set_;
  solve_guess();
  return finished(guess_.solved);
}

template <int D>
SolvedStep<D> ChoiceStep<D>::finished(bool found) {
  guess_.solved = found;
  guess_.iterations = iterations_, guess_.formulating = formulating_;
  guess_.choice = report_;
  return std::move(guess_);
}

}  // namespace

template <int D>
PegSizes sizes_of(const StepInput<D>& input, const ConstraintSet<D>& set) {
  PegCounts counts;
  for (const Body<D>& body : input.bodies) counts.velocities += body.is_dynamic() ? kDof<D> : 0;
  for (const Joint<D>& joint : input.joints) counts.bilateral += kDof<D> - axis_count<D>(joint.kind);
  counts.contacts = static_cast<int>(set.contacts.size());
  std::vector<bool> listed(set.contacts.size(), false);
  for (const auto* lists : {&set.inter_contact, &set.cross_contact}) {
    for (const auto& members : *lists) {
      for (int k : members) listed[k] = true;
    }
  }
  counts.in_lists = static_cast<int>(std::count(listed.begin(), listed.end(), true));
  for (const Contact<D>& contact : set.contacts) {
    const Surface& surface = surface_at(input.surfaces, contact);
    if (surface.friction == FrictionLaw::linear && surface.mu > 0)
      counts.directions = std::max(counts.directions, D == 2 ? 2 : surface.directions);
  }
  return peg_sizes(counts);
}

template <int D>
SolvedStep<D> solve_choices(const StepInput<D>& input, const ConstraintSet<D>& set, const ImpulseMemory& last,
                            const SolveStage<D>& stage) {
  return ChoiceStep<D>(input, set, last, stage).run();
}

template PegSizes sizes_of(const StepInput<2>&, const ConstraintSet<2>&);
template PegSizes sizes_of(const StepInput<3>&, const ConstraintSet<3>&);
template SolvedStep<2> solve_choices(const StepInput<2>&, const ConstraintSet<2>&, const ImpulseMemory&,
                                     const SolveStage<2>&);
template SolvedStep<3> solve_choices(const StepInput<3>&, const ConstraintSet<3>&, const ImpulseMemory&,
                                     const SolveStage<3>&);

}  // namespace touchstone
