#include "touchstone/dynamics/selection.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "touchstone/math/random.h"

namespace touchstone {
namespace {

/// A point of the plane, of mass 1, that wants to be at `target` and must keep a_k.x + b_k >= 0 for the
/// contacts that are named. Solved by trying every active set of at most two rows.
struct PointProblem {
  Eigen::Vector2d target;
  std::vector<Eigen::Vector2d> a;
  std::vector<double> b;
  ChoiceProblem choice;

  double gap(int k, const Eigen::Vector2d& x) const { return a[k].dot(x) + b[k]; }

  bool feasible(const std::vector<int>& rows, const Eigen::Vector2d& x) const {
    return std::all_of(rows.begin(), rows.end(), [&](int k) { return gap(k, x) >= -1e-10; });
  }
  /// The nearest point that satisfies the rows, and the multipliers.
  bool solve(const std::vector<int>& rows, Eigen::Vector2d& best, std::vector<double>& push) const {
    double least = INFINITY;
    const auto consider = [&](const Eigen::Vector2d& x, const std::vector<std::pair<int, double>>& p) {
      if (!x.allFinite() || !feasible(rows, x) || (x - target).norm() >= least - 1e-13) return;
      least = (x - target).norm(), best = x;
      push.assign(a.size(), 0.);
      for (const auto& [k, value] : p) push[k] = value;
    };
    consider(target, {});
    for (int k : rows) consider(target - gap(k, target) * a[k], {{k, -gap(k, target)}});
    for (int k : rows) {
      for (int m : rows) {
        Eigen::Matrix2d A;
        A << a[k].transpose(), a[m].transpose();
        if (k >= m || std::abs(A.determinant()) < 1e-9) continue;
        const Eigen::Vector2d x = -A.inverse() * Eigen::Vector2d(b[k], b[m]);
        const Eigen::Vector2d p = A.transpose().inverse() * (x - target);
        if (p.minCoeff() >= 0) consider(x, {{k, p[0]}, {m, p[1]}});
      }
    }
    return std::isfinite(least);
  }
  ChoiceSolver solver() const {
    return [this](const std::vector<int>& rows) {
      ChoiceAnswer answer;
      Eigen::Vector2d x;
      answer.solved = solve(rows, x, answer.push);
      if (!answer.solved) return answer;
      for (int k = 0; k < static_cast<int>(a.size()); ++k) answer.end.push_back(gap(k, x));
      answer.energy = 0.5 * (x - target).squaredNorm();
      return answer;
    };
  }
};

/// The start, the origin, satisfies everything, if `start_holds`.
PointProblem random_problem(Random& random, bool start_holds) {
  PointProblem problem;
  problem.target = 2 * random.direction<2>();
  const int rows = 3 + random.index(5);
  for (int k = 0; k < rows; ++k) {
    problem.a.push_back(random.direction<2>());
    problem.b.push_back(random.uniform(-0.5, 0.5));
  }
  problem.choice.h = 1, problem.choice.convex = true;
  for (int j = 0; j < 1 + random.index(4); ++j) {
    std::vector<int> members;
    for (int i = 0; i < 2 + random.index(2); ++i) members.push_back(random.index(rows));
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
    if (start_holds) problem.b[members[0]] = std::abs(problem.b[members[0]]);
    problem.choice.any.push_back(members);
  }
  if (random.index(2) == 0) {
    problem.choice.always = {random.index(rows)};
    if (start_holds) problem.b[problem.choice.always[0]] = std::abs(problem.b[problem.choice.always[0]]);
  }
  for (int k = 0; k < rows; ++k) {
    problem.choice.contacts.push_back(
        {problem.b[k], problem.gap(k, problem.target), 0, true, 0, random.unit()});
  }
  return problem;
}

/// Is there any choice of members with a solution?
bool has_solution(const PointProblem& problem, std::size_t list, std::vector<int> rows) {
  Eigen::Vector2d x;
  std::vector<double> push;
  if (list == problem.choice.any.size()) return problem.solve(rows, x, push);
  return std::any_of(problem.choice.any[list].begin(), problem.choice.any[list].end(), [&](int k) {
    std::vector<int> more = rows;
    more.push_back(k);
    return has_solution(problem, list + 1, more);
  });
}

TEST(Selection, FindsAnAnswerThatSatisfiesEveryListWheneverThereIsOne) {
  Random random(1);
  int found = 0, none = 0, guarded = 0, backtracked = 0;
  for (int i = 0; i < 20000; ++i) {
    const PointProblem problem = random_problem(random, false);
    const Choice choice = choose_contacts(problem.choice, {}, problem.solver());
    ASSERT_EQ(choice.found, has_solution(problem, 0, problem.choice.always)) << "problem " << i;
    if (!choice.found) {
      ++none;
      continue;
    }
    ++found, guarded += choice.guards > 0, backtracked += choice.backtracks > 0;
    const ChoiceAnswer answer = problem.solver()(choice.contacts);
    for (int k : problem.choice.always) EXPECT_GE(answer.end[k], -1e-9);
    for (const std::vector<int>& members : problem.choice.any) {
      EXPECT_TRUE(std::any_of(members.begin(), members.end(), [&](int k) { return answer.end[k] >= -2e-9; }));
    }
  }
  EXPECT_GT(none, 30);
  EXPECT_GT(guarded, 5000);
  EXPECT_GT(backtracked, 30);
}

TEST(Selection, LeavesNoForceOnAGuardThatIsNotNeeded) {
  Random random(2);
  int flips = 0, illegal_before = 0;
  ChoiceSettings held;
  held.strict = false;
  for (int i = 0; i < 4000; ++i) {
    const PointProblem problem = random_problem(random, true);
    illegal_before += choose_contacts(problem.choice, held, problem.solver()).illegal;
    const Choice choice = choose_contacts(problem.choice, {}, problem.solver());
    ASSERT_TRUE(choice.found);
    EXPECT_EQ(choice.illegal, 0) << "problem " << i;
    EXPECT_LE(choice.solves, 40);
    flips += choice.flips;
  }
  EXPECT_GT(flips, 20);
  EXPECT_GT(illegal_before, 20);
}

TEST(Selection, StrictDescentNeverEndsHigherThanHeldGuards) {
  Random random(3);
  ChoiceSettings held;
  held.strict = false;
  for (int i = 0; i < 1000; ++i) {
    const PointProblem problem = random_problem(random, true);
    const auto energy = [&](const ChoiceSettings& settings) {
      return problem.solver()(choose_contacts(problem.choice, settings, problem.solver()).contacts).energy;
    };
    EXPECT_LE(energy({}), energy(held) + 1e-9);
  }
}

TEST(Selection, TheOrderOfContactsAndListsDoesNotMatter) {
  Random random(4);
  for (int i = 0; i < 500; ++i) {
    const PointProblem problem = random_problem(random, true);
    PointProblem other = problem;
    const int rows = static_cast<int>(problem.a.size());
    for (int k = 0; k < rows; ++k) {
      other.a[rows - 1 - k] = problem.a[k], other.b[rows - 1 - k] = problem.b[k];
      other.choice.contacts[rows - 1 - k] = problem.choice.contacts[k];
    }
    for (auto& members : other.choice.any) {
      for (int& k : members) k = rows - 1 - k;
      std::sort(members.begin(), members.end());
    }
    for (int& k : other.choice.always) k = rows - 1 - k;
    std::reverse(other.choice.any.begin(), other.choice.any.end());
    const auto end = [](const PointProblem& p) {
      Eigen::Vector2d x;
      std::vector<double> push;
      p.solve(choose_contacts(p.choice, {}, p.solver()).contacts, x, push);
      return x;
    };
    EXPECT_LT((end(problem) - end(other)).norm(), 1e-9) << "problem " << i;
  }
}

TEST(Selection, TakesTheFaceThatIsCrossedLastUnlessAnotherOnlySinks) {
  const double h = 0.01;
  const ChoiceContact early{0.01, -0.05, 0, true, 0, 0}, late{0.04, -0.01, 0, true, 0, 0};
  const ChoiceContact resting{0, -0.001, 0.001, true, 0, 0}, behind{-0.02, -0.03, 0, true, 0, 0};
  const auto score = [&](const ChoiceContact& c, ChoiceRule rule = ChoiceRule::toi2) {
    return choice_score(c, rule, h);
  };
  EXPECT_GT(score(late), score(early));
  EXPECT_GT(score(resting), score(late));
  EXPECT_GT(score(early), score(behind));
  EXPECT_LT(score(resting, ChoiceRule::toi), score(late, ChoiceRule::toi))
      << "without slop it is crossed at once";
  EXPECT_GT(score(late, ChoiceRule::start), score(early, ChoiceRule::start));
  EXPECT_GT(score(resting, ChoiceRule::free), score(late, ChoiceRule::free));
}

TEST(Selection, RulesHaveNamesAndOthersAreRefused) {
  for (const ChoiceRuleEntry& entry : choice_rules()) EXPECT_EQ(choice_rule(entry.name), entry.rule);
  EXPECT_THROW(choice_rule("luck"), std::invalid_argument);
}

}  // namespace
}  // namespace touchstone
