#pragma once
// Which of several contacts must hold? A step with PEG's I- and X-constraints is a formula over ordinary
// contacts: all of U, and of each list (a disjunction) at least one. A guess that names one guard per
// violated list is an ordinary step, and solving steps of guesses, with a rule for the order of trying,
// solves the formula [PEG 1]:
//
//     search:   solve; while a list is violated: add its best member as a guard; no solution: go back
//     descend:  while a guard pushes though another member of its lists is open: take the most open members
//
// Without friction the energy of every descent falls, so it ends; and if the start satisfies the formula the
// search ends with a solution [PEG 1.3]. There are often several solutions: the rule decides which.

#include <functional>
#include <string_view>
#include <vector>

namespace touchstone {

/// A contact as the choice sees it.
struct ChoiceContact {
  double start = 0;       ///< [m] gap at the start of the step
  double free = 0;        ///< [m] gap at the end of the motion without contact
  double sag = 0;         ///< [m] by how much external forces alone change the gap in the step
  bool primary = true;    ///< goes first among equals
  double key = 0;         ///< decides between equals; from geometry, not from the order of bodies
  bool may_guard = true;  ///< false: another member of its lists is held, where there is one
};

struct ChoiceProblem {
  std::vector<ChoiceContact> contacts;
  std::vector<int> always;            ///< U: contacts that must hold
  std::vector<std::vector<int>> any;  ///< I and X: one of each list must hold
  int inter_count = 0;                ///< the first of them are I; they go first among equally violated lists
  double h = 0;                       ///< [s]
  bool convex = false;                ///< frictionless: solutions of guesses minimise `energy`
};

/// The answer to a guess: the step with these contacts alone.
struct ChoiceAnswer {
  bool solved = false;
  std::vector<double> end;   ///< [m] gap of every contact at the end of the step
  std::vector<double> push;  ///< [N s] of every contact; 0 where it was not named
  double energy = 0;         ///< [J] 1/2 |V - V_free|_M^2
};
using ChoiceSolver = std::function<ChoiceAnswer(const std::vector<int>& contacts)>;

enum class ChoiceRule {
  toi2,   ///< the contact that the free motion crosses last; one that only sinks by gravity before all
  toi,    ///< the same without allowance for gravity: traps a box that slides off a table [PEG 3.6]
  start,  ///< the largest gap at the start: traps likewise
  free    ///< the least violated at the end of the free motion: fast vertices tunnel around corners
};
struct ChoiceRuleEntry {
  std::string_view name, summary;
  ChoiceRule rule;
};
const std::vector<ChoiceRuleEntry>& choice_rules();
/// Throws std::invalid_argument for an unknown name.
ChoiceRule choice_rule(std::string_view name);

struct ChoiceSettings {
  ChoiceRule rule = ChoiceRule::toi2;
  bool strict = true;       ///< descend until no force is illegal [Thesis eq. 4.13]
  int max_nodes = 400;      ///< guesses before the search gives up
  double tolerance = 1e-9;  ///< [m] a gap above minus this is no violation

  bool operator==(const ChoiceSettings&) const = default;
};

struct Choice {
  bool found = false;
  std::vector<int> contacts;  ///< U and the guards, sorted
  int guards = 0;             ///< members of lists among them
  int solves = 0, backtracks = 0;
  int flips = 0;    ///< descents made
  int illegal = 0;  ///< guards that push though another member of each of their lists is open
};

/// The last guess given to `solve` is the answer, if one was found.
Choice choose_contacts(const ChoiceProblem& problem, const ChoiceSettings& settings,
                       const ChoiceSolver& solve);

/// How early a member of a violated list is tried: the largest first.
double choice_score(const ChoiceContact& contact, ChoiceRule rule, double h);

}  // namespace touchstone
