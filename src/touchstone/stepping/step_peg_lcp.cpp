// A step whose I- and X-constraints all stand in one problem [Thesis eq. 4.50]: what the solver finds is
// taken.

#include "touchstone/dynamics/peg_lcp.h"
#include "touchstone/stepping/choice_rows.h"
#include "touchstone/stepping/trial.h"

namespace touchstone {
namespace {

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

}  // namespace

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
    return trial.stays_in_world();
  }
  report.status = StepStatus::unsolved;
  report.message = "the mixed problem of " + std::to_string(report.rows) +
                   " rows was not solved: " + std::string(text_of(solution.status));
  return false;
}

template bool Stepper<2>::solve_as_one(Trial&);
template bool Stepper<3>::solve_as_one(Trial&);

}  // namespace touchstone
