// A step whose I- and X-constraints all stand in one problem [Thesis eq. 4.50]: what the solver finds is
// taken.

#include <cassert>

#include "touchstone/dynamics/choice_rows.h"
#include "touchstone/dynamics/peg_lcp.h"
#include "touchstone/dynamics/solve_step.h"
#include "touchstone/math/checks.h"

namespace touchstone {
namespace {

/// How deep the thesis's public code lets a primary contact be.
constexpr double kPrimaryDepth = 1e-4;  // [m]

/// The member that pushes, by the thesis's public code: of those where a force is expected, the smallest gap
/// that is not below -kPrimaryDepth, else the largest [PEG 6].
template <int D>
int pushing_member(const ConstraintSet<D>& set, const std::vector<int>& members) {
  assert(!members.empty());
  std::vector<int> expected;
  std::copy_if(members.begin(), members.end(), std::back_inserter(expected),
               [&](int k) { return set.contacts[k].primary; });
  if (expected.empty()) expected = members;
  int best = most_open(set, expected);
  for (int k : expected) {
    const double offset = set.contacts[k].offset;
    if (offset >= -kPrimaryDepth && offset < set.contacts[best].offset) best = k;
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
      assert(is_index(row, end.all().equations.unilateral.size()));
      lists.back().others.push_back(end.all().equations.unilateral[row]);
      lists.back().others.back().offset =
          listed.set.contacts[k].offset / h + end.all().unilateral[row].carried;
    }
  }
  return lists;
}

}  // namespace

template <int D>
SolvedStep<D> solve_as_one(const StepInput<D>& input, const ConstraintSet<D>& set,
                           const SolveStage<D>& stage) {
  ListedSet<D> listed = put_primaries(set);
  const EndGaps<D> end(input, set);
  SolvedStep<D> step;
  step.assembly = assemble(input, listed.set);
  const auto problem = make_peg_lcp(step.assembly.equations, list_rows(listed, step.assembly, end, input.h));
  const Solution solution = stage.islands.solver(problem->problem(), stage.islands.solve);
  step.rows = size_of(problem->problem()), step.islands = 1;
  step.iterations = solution.iterations, step.residual = solution.residual;
  step.choice.solves = 1, step.choice.sizes = sizes_of(input, set);
  const bool complete = solution.z.size() == step.rows;
  step.solved = complete && (solution.status == SolveStatus::solved ||
                             solution.residual <= stage.islands.accepted_residual);
  if (step.solved) {
    step.impulses = problem->impulses(solution.z);
    step.set = std::move(listed.set);
    return step;
  }
  step.why = "the mixed problem of " + std::to_string(step.rows) +
             " rows was not solved: " + std::string(text_of(solution.status));
  return step;
}

template SolvedStep<2> solve_as_one(const StepInput<2>&, const ConstraintSet<2>&, const SolveStage<2>&);
template SolvedStep<3> solve_as_one(const StepInput<3>&, const ConstraintSet<3>&, const SolveStage<3>&);

}  // namespace touchstone
