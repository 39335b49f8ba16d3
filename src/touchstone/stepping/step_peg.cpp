// The conductor of models with I- and X-constraints (`peg`, `peg-printed`, `lnc`): between formulate and
// solve stands the choice which members of the constraints are held; each guess is an ordinary step, so
// friction, joints and motors come by themselves [PEG 1].
//
// Where the formula cannot be satisfied, because bodies overlap or because an X-constraint forbids a state
// that is free, contacts are only kept from getting worse; the report counts them as relaxed.

#include <algorithm>
#include <map>
#include <numeric>

#include "touchstone/dynamics/convex_step.h"
#include "touchstone/proximity/gap.h"
#include "touchstone/stepping/advance.h"
#include "touchstone/stepping/trial.h"

namespace touchstone {
namespace {

/// Times the margin may be doubled when a pair closes that it did not see.
constexpr int kMaxWidenings = 4;
/// [m] overlap of an unseen pair that is round-off of touching.
constexpr double kUnseenOverlap = 1e-9;

/// The rows of all contacts, and with them their gaps at the end of any motion.
template <int D>
class EndGaps {
 public:
  EndGaps(const ConstraintSet<D>& set, Assembly<D> all, double h) : set_(set), all_(std::move(all)), h_(h) {}

  double operator()(int k, const std::vector<Twist<D>>& V) const {
    return set_.contacts[k].gap + h_ * speed(k, V);
  }
  double speed(int k, const std::vector<Twist<D>>& V) const {
    const int row = all_.row_of_contact[k];
    if (row < 0) return 0;
    return rate(all_.equations.unilateral[row], V) + all_.unilateral[row].carried;
  }
  const Assembly<D>& all() const { return all_; }

 private:
  const ConstraintSet<D>& set_;
  Assembly<D> all_;  ///< every contact of the set is unilateral in it
  double h_;
};

/// A number that depends on where the contact is and not on the order of bodies or vertices: its place along
/// a direction that no scene is aligned with.
template <int D>
double geometric_key(const Contact<D>& contact) {
  Vec<D> skew;
  for (int i = 0; i < D; ++i) skew[i] = std::sqrt(2 + 3 * i);
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

template <int D>
std::vector<double> pushes(const ConstraintSet<D>& set, const Assembly<D>& assembly,
                           const StepImpulses<D>& found) {
  std::vector<double> push(set.contacts.size(), 0.);
  for (std::size_t i = 0; i < set.unilateral.size(); ++i) {
    const int row = assembly.row_of_contact[i];
    if (row >= 0) push[set.unilateral[i]] = found.unilateral[row];
  }
  return push;
}

/// The member of a list with the largest gap.
template <int D>
int most_open(const ConstraintSet<D>& set, const std::vector<int>& members) {
  return *std::max_element(members.begin(), members.end(),
                           [&](int k, int m) { return set.contacts[k].gap < set.contacts[m].gap; });
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

/// The set with every contact unilateral.
template <int D>
ConstraintSet<D> with_all(ConstraintSet<D> set) {
  set.unilateral.resize(set.contacts.size());
  std::iota(set.unilateral.begin(), set.unilateral.end(), 0);
  return set;
}

// ---- all lists in one problem ----------------------------------------------------------------------------

/// How deep the thesis's public code lets a primary contact be.
constexpr double kPrimaryDepth = 1e-4;  // [m]

/// The member that pushes, by the thesis's public code: of those where a force is expected, the smallest gap
/// that is not below -kPrimaryDepth, else the largest [PEG 6].
template <int D>
int pushing_member(const ConstraintSet<D>& set, const std::vector<int>& members) {
  std::vector<int> expected;
  std::copy_if(members.begin(), members.end(), std::back_inserter(expected),
               [&](int k) { return set.contacts[k].primary; });
  if (expected.empty()) expected = members;
  int best = most_open(set, expected);
  for (int k : expected) {
    const double gap = set.contacts[k].gap;
    if (gap >= -kPrimaryDepth && gap < set.contacts[best].gap) best = k;
  }
  return best;
}

/// The set whose unilateral contacts are U and a copy of the pushing member of each list.
template <int D>
struct ListedSet {
  ConstraintSet<D> set;
  int always = 0;                        ///< of set.unilateral
  std::vector<std::vector<int>> others;  ///< per list: the members that do not push
};
template <int D>
ListedSet<D> put_primaries(const ConstraintSet<D>& set) {
  ListedSet<D> listed{set, static_cast<int>(set.unilateral.size()), {}};
  for (const auto* lists : {&set.inter_contact, &set.cross_contact}) {
    for (std::vector<int> members : *lists) {
      const int primary = pushing_member(set, members);
      listed.set.unilateral.push_back(static_cast<int>(listed.set.contacts.size()));
      listed.set.contacts.push_back(set.contacts[primary]);
      std::erase(members, primary);
      listed.others.push_back(members);
    }
  }
  return listed;
}

template <int D>
std::vector<ListRows<D>> list_rows(const ListedSet<D>& listed, const Assembly<D>& assembly,
                                   const EndGaps<D>& end, double h) {
  std::vector<ListRows<D>> lists;
  for (std::size_t j = 0; j < listed.others.size(); ++j) {
    const int primary = assembly.row_of_contact[listed.always + j];
    if (primary < 0) continue;
    lists.push_back({primary, {}});
    for (int k : listed.others[j]) {
      const int row = end.all().row_of_contact[k];
      lists.back().others.push_back(end.all().equations.unilateral[row]);
      lists.back().others.back().offset = listed.set.contacts[k].gap / h + end.all().unilateral[row].carried;
    }
  }
  return lists;
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
  if (step.status == SolveStatus::solved) return true;
  report.status = StepStatus::unsolved;
  report.message = "the contacts of the step contradict each other: " + std::string(text_of(step.status));
  return false;
}

/// Finds which members of the lists are held, and leaves their step in the trial.
template <int D>
Choice Stepper<D>::choose(Trial& trial, ConstraintSet<D>& set) {
  const World<D>& world = trial.world;
  ConstraintSet<D> guess = set;
  guess.unilateral.resize(set.contacts.size());
  std::iota(guess.unilateral.begin(), guess.unilateral.end(), 0);
  const EndGaps<D> end(
      set,
      assemble<D>({world.bodies, trial.joints, world.joints, guess, world.surfaces, world.gravity, trial.h,
                   settings_.joint_stabilisation, settings_.formulation}),
      trial.h);
  const ChoiceProblem problem = choice_problem(set, end, trial.h);
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
  return choose_contacts(problem, settings_.choice, solve);
}

/// Every list in one problem [Thesis eq. 4.50]: what the solver finds is taken.
template <int D>
bool Stepper<D>::solve_as_one(Trial& trial) {
  const World<D>& world = trial.world;
  StepReport<D>& report = trial.report;
  const auto assembled = [&](const ConstraintSet<D>& set) {
    return assemble<D>({world.bodies, trial.joints, world.joints, set, world.surfaces, world.gravity, trial.h,
                        settings_.joint_stabilisation, settings_.formulation});
  };
  const ListedSet<D> listed = put_primaries(report.set);
  const EndGaps<D> end(report.set, assembled(with_all(report.set)), trial.h);
  trial.assembly = assembled(listed.set);
  const auto lists = list_rows(listed, trial.assembly, end, trial.h);
  const auto problem = make_peg_lcp(trial.assembly.equations, lists);
  report.times.formulate += trial.watch.lap();
  SolveSettings solve = settings_.solve;
  const Solution solution = solver_(problem->problem(), solve);
  report.times.solve += trial.watch.lap();
  report.contacts = static_cast<int>(report.set.contacts.size());
  report.rows = size_of(problem->problem()), report.islands = 1;
  report.iterations = solution.iterations, report.residual = solution.residual;
  report.choice.solves = 1;
  const bool complete = solution.z.size() == report.rows;
  const bool solved =
      solution.status == SolveStatus::solved || solution.residual <= settings_.accepted_residual;
  trial.result = {};
  if (complete && solved) {
    trial.result.impulses = problem->impulses(solution.z);
    report.set = listed.set;
    return true;
  }
  report.status = StepStatus::unsolved;
  report.message = "the mixed problem of " + std::to_string(report.rows) +
                   " rows was not solved: " + std::string(text_of(solution.status));
  return false;
}

template <int D>
bool Stepper<D>::choose_and_solve(Trial& trial) {
  StepReport<D>& report = trial.report;
  report.choice.sizes = sizes_of(trial.world, report.set);
  if (settings_.formulation.form == Form::choices) return solve_as_one(trial);
  Choice choice = choose(trial, report.set);
  int solves = choice.solves, backtracks = choice.backtracks;
  if (!choice.found) {
    report.choice.relaxed = relax_violated(report.set);
    choice = choose(trial, report.set);
    solves += choice.solves, backtracks += choice.backtracks;
  }
  if (choice.found) {
    report.set.unilateral = choice.contacts;
  } else {
    report.choice.relaxed += hold_as_it_is(report.set);
    choice.found = solve_guess(trial, report.set);
    ++solves;
  }
  report.choice.guards = choice.guards, report.choice.illegal = choice.illegal;
  report.choice.flips += choice.flips;
  report.choice.solves += solves, report.choice.backtracks += backtracks;
  return choice.found;
}

/// Did two bodies close that have no contact in the set? A body that is struck may be faster at the end than
/// anything was at the start [PEG 1.4].
template <int D>
bool Stepper<D>::missed_a_pair(const Trial& trial) {
  const World<D>& world = trial.world;
  std::vector<Body<D>> moved = world.bodies;
  for (std::size_t b = 0; b < moved.size(); ++b) {
    const int local = trial.assembly.local[b];
    if (local >= 0) {
      move_freely(moved[b], trial.result.impulses.V[local], trial.h);
    } else {
      moved[b].position += trial.h * linear<D>(moved[b].velocity);
      moved[b].attitude = moved[b].attitude.turned(trial.h * angular<D>(moved[b].velocity));
    }
  }
  std::vector<Pose<D>> X_end;
  place_parts(world, moved, X_end);
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
void Stepper<D>::make_peg_step(World<D>& world, StepReport<D>& report) {
  Trial trial(world, settings_.h, report);
  follow_scripts(world, trial.h);
  double margin = settings_.margin > 0 ? settings_.margin : contact_margin(world, trial.h);
  for (int& widened = report.choice.widened;; ++widened, margin *= 2) {
    measure_.update(world, margin);
    report.pairs = static_cast<int>(measure_.pairs().size());
    report.times.measure += trial.watch.lap();

    model_->relate({world.shapes, measure_.X_WS(), measure_.pairs(), margin, settings_.tests}, pair_memory_,
                   report.set);
    report.times.relate += trial.watch.lap();

    if (!choose_and_solve(trial)) return;
    if (widened == kMaxWidenings || !missed_a_pair(trial)) break;
  }
  finish_step(world, trial);
}

template void Stepper<2>::make_peg_step(World<2>&, StepReport<2>&);
template void Stepper<3>::make_peg_step(World<3>&, StepReport<3>&);

}  // namespace touchstone
