#include "touchstone/dynamics/selection.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>

#include "touchstone/math/checks.h"

namespace touchstone {
namespace {

/// [m] added to what gravity explains: gaps of resting contacts are this noisy.
constexpr double kRestNoise = 1e-9;
/// Twice the sag: one step of fall, and the step before it.
constexpr double kStepsOfSag = 2;
/// Scores this near are equal, so that round-off does not decide.
constexpr double kSameScore = 1e-9;
/// Forces below this share of the largest are round-off.
constexpr double kNoForce = 1e-10;
/// A descent must lower the energy by more than this share.
constexpr double kSameEnergy = 1e-12;

double last_crossed(const ChoiceContact& c, double slop, double h) {
  if (c.free >= -slop) return 2 + c.free;
  if (c.start >= -slop) return (c.start + slop) / (c.start - c.free);
  return c.start / h - 1;
}

class Search {
 public:
  Search(const ChoiceProblem& problem, const ChoiceSettings& settings, const ChoiceSolver& solve)
      : problem_(problem), settings_(settings), solve_(solve), named_(problem.contacts.size(), false) {
    assert(std::all_of(problem.always.begin(), problem.always.end(),
                       [&](int k) { return is_index(k, named_.size()); }));
    for (int k : problem.always) named_[k] = true;
    for (const ChoiceContact& c : problem.contacts)
      score_.push_back(choice_score(c, settings.rule, problem.h));
  }

  Choice run() {
    Guess base = problem_.always;
    std::sort(base.begin(), base.end());
    Choice& choice = choice_;
    choice.found = search(base);
    if (!choice.found) return choice;
    if (settings_.strict) descend();
    if (last_ != current_) ask(current_);
    choice.contacts = current_;
    choice.guards = static_cast<int>(current_.size() - base.size());
    choice.illegal = static_cast<int>(illegal().size());
    return choice;
  }

 private:
  using Guess = std::vector<int>;

  double tolerance(int k) const {
    return settings_.tolerance * std::max(1., std::abs(problem_.contacts[k].start));
  }
  ChoiceAnswer ask(const Guess& guess) {
    ++choice_.solves;
    last_ = guess;
    return solve_(guess);
  }
  static Guess with(Guess guess, int k) {
    assert(std::is_sorted(guess.begin(), guess.end()));
    const auto at = std::lower_bound(guess.begin(), guess.end(), k);
    if (at == guess.end() || *at != k) guess.insert(at, k);
    return guess;
  }

  /// Of scores a and b of contacts k and m: is k tried first?
  bool precedes(int k, int m) const {
    const double scale = std::max({1., std::abs(score_[k]), std::abs(score_[m])});
    if (std::abs(score_[k] - score_[m]) > kSameScore * scale) return score_[k] > score_[m];
    const ChoiceContact &a = problem_.contacts[k], &b = problem_.contacts[m];
    if (a.primary != b.primary) return a.primary;
    return a.key > b.key;
  }
  int best_of(const std::vector<int>& members) const {
    assert(!members.empty());
    int best = members.front();
    for (int k : members) {
      if (precedes(k, best)) best = k;
    }
    return best;
  }
  /// The members of a list that may be held; all, if none may.
  std::vector<int> guards_of(int j) const {
    std::vector<int> members = problem_.any[j];
    std::erase_if(members, [&](int k) { return !problem_.contacts[k].may_guard; });
    return members.empty() ? problem_.any[j] : members;
  }

  /// By how much a list is violated [m]; <= 0: it holds.
  double violation(const std::vector<int>& members) const {
    double least = std::numeric_limits<double>::infinity();
    for (int k : members) least = std::min(least, -answer_.end[k] - tolerance(k));
    return least;
  }
  int most_violated() const {
    int worst = -1;
    double by = 0;
    for (int j = 0; j < static_cast<int>(problem_.any.size()); ++j) {
      const double violated = violation(problem_.any[j]);
      const double same = kSameScore * settings_.tolerance;
      if (violated <= 0 || violated < by - same) continue;
      if (worst < 0 || violated > by + same || goes_first(j, worst)) {
        by = violated, worst = j;
      }
    }
    return worst;
  }
  /// Of two lists that are equally violated, most often because they share a member: I before X, then the
  /// longer one, then the one with the better members.
  bool goes_first(int j, int i) const {
    std::vector<int> one = problem_.any[j], other = problem_.any[i];
    const bool inter_j = j < problem_.inter_count, inter_i = i < problem_.inter_count;
    if (inter_j != inter_i) return inter_j;
    if (one.size() != other.size()) return one.size() > other.size();
    while (!one.empty()) {
      const int k = best_of(one), m = best_of(other);
      if (k != m) return precedes(k, m);
      std::erase(one, k), std::erase(other, m);
    }
    return false;
  }

  bool search(const Guess& base) {
    std::vector<Guess> stack = {base};
    std::set<Guess> seen;
    while (!stack.empty() && static_cast<int>(seen.size()) < settings_.max_nodes) {
      const Guess guess = std::move(stack.back());
      stack.pop_back();
      if (!seen.insert(guess).second) continue;
      answer_ = ask(guess);
      if (!answer_.solved) {
        ++choice_.backtracks;
        continue;
      }
      assert(answer_.end.size() == problem_.contacts.size());
      const int worst = most_violated();
      if (worst < 0) {
        current_ = guess;
        return true;
      }
      push_children(guess, worst, stack);
    }
    return false;
  }

  /// Every member of the list, the best on top.
  void push_children(const Guess& guess, int worst, std::vector<Guess>& stack) const {
    std::vector<Guess> children;
    for (std::vector<int> members = guards_of(worst); !members.empty();) {
      const int best = best_of(members);
      children.push_back(with(guess, best));
      std::erase(members, best);
    }
    stack.insert(stack.end(), children.rbegin(), children.rend());
  }

  /// A guard may push only if some list needs it: all other members of the list are closed.
  std::vector<int> illegal() const {
    double largest = 0;
    for (int k : current_) largest = std::max(largest, answer_.push[k]);
    std::vector<int> found;
    for (int k : current_) {
      if (!named_[k] && answer_.push[k] > kNoForce * largest && !is_needed(k)) found.push_back(k);
    }
    return found;
  }
  bool is_needed(int k) const {
    return std::any_of(problem_.any.begin(), problem_.any.end(), [&](const std::vector<int>& members) {
      if (std::find(members.begin(), members.end(), k) == members.end()) return false;
      return std::all_of(members.begin(), members.end(),
                         [&](int m) { return m == k || answer_.end[m] <= tolerance(m); });
    });
  }

  /// The most open member of each list; the present guard stays where it is as open as any.
  Guess most_open() const {
    Guess guess = problem_.always;
    std::sort(guess.begin(), guess.end());
    for (int j = 0; j < static_cast<int>(problem_.any.size()); ++j) {
      const std::vector<int> members = guards_of(j);
      int best = best_of(members);
      for (int k : members) {
        if (answer_.end[k] > answer_.end[best] + tolerance(k)) best = k;
      }
      for (int k : members) {
        const bool present = std::binary_search(current_.begin(), current_.end(), k);
        if (present && answer_.end[k] >= answer_.end[best] - tolerance(k)) best = k;
      }
      guess = with(guess, best);
    }
    return guess;
  }

  void descend() {
    std::set<Guess> seen = {current_};
    while (!illegal().empty()) {
      const Guess next = most_open();
      if (!seen.insert(next).second) return;
      const ChoiceAnswer answer = ask(next);
      if (!answer.solved) return;
      if (problem_.convex && answer.energy >= answer_.energy * (1 - kSameEnergy)) return;
      ++choice_.flips;
      answer_ = answer, current_ = next;
    }
  }

  const ChoiceProblem& problem_;
  const ChoiceSettings& settings_;
  const ChoiceSolver& solve_;
  std::vector<bool> named_;    ///< in U
  std::vector<double> score_;  ///< per contact
  Choice choice_;
  Guess current_, last_;  ///< the guess that answer_ belongs to; the last one asked
  ChoiceAnswer answer_;
};

}  // namespace

double choice_score(const ChoiceContact& contact, ChoiceRule rule, double h) {
  switch (rule) {
    case ChoiceRule::toi2:
      return last_crossed(contact, kStepsOfSag * contact.sag + kRestNoise, h);
    case ChoiceRule::toi:
      return last_crossed(contact, 0, h);
    case ChoiceRule::start:
      return contact.start;
    case ChoiceRule::free:
      return contact.free;
  }
  return 0;
}

const std::vector<ChoiceRuleEntry>& choice_rules() {
  static const std::vector<ChoiceRuleEntry> entries = {
      {"toi2", "the contact that the free motion crosses last, gravity allowed for [PEG 1.2]",
       ChoiceRule::toi2},
      {"toi", "the same without allowance for gravity", ChoiceRule::toi},
      {"start", "the largest gap at the start of the step", ChoiceRule::start},
      {"free", "the least violated at the end of the free motion", ChoiceRule::free}};
  return entries;
}

ChoiceRule choice_rule(std::string_view name) {
  for (const ChoiceRuleEntry& entry : choice_rules()) {
    if (entry.name == name) return entry.rule;
  }
  throw std::invalid_argument("there is no rule of choice \"" + std::string(name) + "\"");
}

Choice choose_contacts(const ChoiceProblem& problem, const ChoiceSettings& settings,
                       const ChoiceSolver& solve) {
  return Search(problem, settings, solve).run();
}

}  // namespace touchstone
