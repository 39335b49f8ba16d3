// The model `plane` [Plane]: one separating plane per pair of parts, chosen by time of impact; contacts at
// the corners of the shadow overlay along its normal; truth is the exact gap at the end of the step, and rows
// are added or linearised anew only after that gap was seen below the tolerance.

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "touchstone/contact/plane_model.h"
#include "touchstone/contact/plane_neighbours.h"
#include "touchstone/contact/plane_pairs.h"
#include "touchstone/contact/plane_renewal.h"
#include "touchstone/contact/row_key.h"
#include "touchstone/math/checks.h"
#include "touchstone/math/joined_sets.h"

namespace touchstone {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

template <int D>
struct PlaneMemory : ModelMemory {
  std::vector<PairRecord<D>> pairs;  ///< sorted
};

template <int D>
class PlaneContacts : public StepContacts<D> {
 public:
  PlaneContacts(const ModelSettings& settings, const TriedMotion<D>& motion, const PlaneMemory<D>* last)
      : tolerance_(settings.gap_tolerance),
        renewal_(settings.gap_tolerance, settings.plane_rule),
        pairs_(motion, last ? std::span(last->pairs) : std::span<const PairRecord<D>>()) {
    update(motion);
    rebuild(motion);
    renewal_.end_first_try();
    first_try_ = false;
  }

  const ConstraintSet<D>& set() const override { return set_; }
  Verdict judge(const TriedMotion<D>& motion, const Reaction& reaction) override;
  std::vector<ModelNote> notes() const override {
    return {{"passed", passed_}, {"loosened", loosened_}, {"careful", careful_}};
  }
  ModelMemoryPtr memory() override;

 private:
  using State = PairState<D>;

  PairMotion<D> motion_of(const TriedMotion<D>& motion, const State& state) const;
  PlanePair<D> pair_of(const TriedMotion<D>& motion, const State& state) const;

  /// Measures every pair at the end of the motion; adds or renews the rows of pairs that overlap there, or
  /// would pass through each other. Returns how many did.
  int update(const TriedMotion<D>& motion);
  bool stays_away(const TriedMotion<D>& motion, const State& state, double& at_least) const;
  void measure_end(const TriedMotion<D>& motion, State& state, EndCloseness& ends);
  void bring_up_to_date(const TriedMotion<D>& motion, State& state);
  enum class Seen { clear, near, hit };
  Seen look_at(const TriedMotion<D>& motion, State& state);
  void renew_rows(const TriedMotion<D>& motion);
  bool is_clear(const PairMotion<D>& motion, const State& state, double gap) const;
  bool is_hit(const PlanePair<D>& pair, State& state) const;
  bool is_near(const PlanePair<D>& pair, State& state) const;

  void number_islands(const TriedMotion<D>& motion);
  bool is_open(const State& state) const { return open_[state.island]; }
  int loosen(const TriedMotion<D>& motion, std::span<const double> push);
  int restrain(const TriedMotion<D>& motion, const Reaction& reaction, std::vector<int>& steady);
  void rebuild(const TriedMotion<D>& motion);

  double tolerance_;  ///< [m]
  PlaneRenewal<D> renewal_;
  bool first_try_ = true;
  PlanePairs<D> pairs_;
  std::vector<std::pair<State*, double>> away_;  ///< of the motion: not measured, with the least gap
  std::vector<State*> hit_,
      held_;                ///< by the motion: pairs that it hits, and pairs with rows that it does not
  std::vector<char> open_;  ///< per island of pairs that may meet: some of its rows have changed
  ConstraintSet<D> set_;
  EndCloseness ends_;  ///< of the last motion, if it hit nothing
  int passed_ = 0, loosened_ = 0, careful_ = 0;
};

/// Once nothing of an island is hit, rows that hold a pair apart or gave energy are looked after. Islands are
/// judged each by itself, so that none moves otherwise than if it were alone.
template <int D>
Verdict PlaneContacts<D>::judge(const TriedMotion<D>& motion, const Reaction& reaction) {
  assert(reaction.push.size() == set_.contacts.size());
  Verdict verdict;
  int open = update(motion);
  const int loosened = loosen(motion, reaction.push), restrained = restrain(motion, reaction, verdict.steady);
  loosened_ += loosened, careful_ += restrained, open += loosened + restrained;
  if (open > 0) {
    rebuild(motion);
    verdict.word = Verdict::Word::renewed;
  } else {
    verdict.lowest_gap = ends_.lowest < kNever ? ends_.lowest : 0;
    verdict.ends = ends_;
  }
  return verdict;
}

/// Islands: bodies that may meet on their paths, directly or through others that move.
template <int D>
void PlaneContacts<D>::number_islands(const TriedMotion<D>& motion) {
  JoinedSets sets(static_cast<int>(motion.paths.size()));
  const auto bodies = [&](const State& state) {
    return std::pair(motion.shapes[state.record.i].body, motion.shapes[state.record.j].body);
  };
  for (const State* state : pairs_.all()) {
    const auto [a, b] = bodies(*state);
    if (motion.moves(a) && motion.moves(b)) sets.join(a, b);
  }
  for (State* state : pairs_.all()) {
    const auto [a, b] = bodies(*state);
    state->island = sets.find(motion.moves(a) ? a : b);
  }
  open_.assign(motion.paths.size(), false);
}

template <int D>
ModelMemoryPtr PlaneContacts<D>::memory() {
  auto memory = std::make_shared<PlaneMemory<D>>();
  memory->pairs.reserve(pairs_.all().size());
  for (State* state : pairs_.all()) {
    if (state->plane) state->record.plane = state->plane->plane;
    memory->pairs.push_back(std::move(state->record));
  }
  return memory;
}

template <int D>
PairMotion<D> PlaneContacts<D>::motion_of(const TriedMotion<D>& motion, const State& state) const {
  return {state.record.sizes,
          motion.paths[motion.shapes[state.record.i].body],
          motion.paths[motion.shapes[state.record.j].body],
          motion.h,
          motion.acceleration,
          tolerance_};
}

template <int D>
PlanePair<D> PlaneContacts<D>::pair_of(const TriedMotion<D>& motion, const State& state) const {
  const int i = state.record.i, j = state.record.j;
  return {motion_of(motion, state),
          {motion.part_at_start(i), motion.part_at_start(j)},
          {motion.part_at_end(i), motion.part_at_end(j)},
          &motion.shapes[i],
          &motion.shapes[j]};
}

/// A pair that was so far apart when it was seen last, be it steps ago, that it still is: its gap is no
/// smaller than it was then less the shifts of both parts since. From one evaluation to the next bodies
/// hardly move, and what is open by more than that cannot be hit.
template <int D>
bool PlaneContacts<D>::stays_away(const TriedMotion<D>& motion, const State& state, double& at_least) const {
  const PairRecord<D>& known = state.record;
  if (!known.sighted) return false;
  at_least = known.sighted->gap -
             largest_shift(known.sizes.ball_A, known.sighted->X_WA, motion.end[known.i]) -
             largest_shift(known.sizes.ball_B, known.sighted->X_WB, motion.end[known.j]);
  return at_least > 0 && is_clear(motion_of(motion, state), state, at_least);
}

template <int D>
void PlaneContacts<D>::measure_end(const TriedMotion<D>& motion, State& state, EndCloseness& ends) {
  const int i = state.record.i, j = state.record.j;
  auto& sighted = state.record.sighted;
  if (!state.end_gap || !sighted || !same(sighted->X_WA, motion.end[i]) ||
      !same(sighted->X_WB, motion.end[j])) {
    const Gap<D> gap =
        find_gap<D>(motion.part_at_end(i), motion.part_at_end(j), &state.record.end_memory, plain_gap());
    assert(is_unit(gap.normal) && std::isfinite(gap.gap));
    sighted = {{gap.gap, gap.normal}, motion.end[i], motion.end[j], gap.status == Status::overlapping};
  }
  state.end_gap = sighted->gap, state.end_normal = sighted->normal, state.measured = true;
  if (sighted->gap < ends.lowest) ends.lowest = sighted->gap, ends.closest = {i, j};
  if (sighted->overlaps) ends.overlapping.emplace_back(i, j);
}

/// The gap of a pair that was not measured because it could not be hit.
template <int D>
void PlaneContacts<D>::bring_up_to_date(const TriedMotion<D>& motion, State& state) {
  EndCloseness not_asked;
  if (!state.measured) measure_end(motion, state, not_asked);
}

template <int D>
int PlaneContacts<D>::update(const TriedMotion<D>& motion) {
  pairs_.match(motion);
  number_islands(motion);
  int hits = 0;
  ends_ = {};
  away_.clear(), away_.reserve(pairs_.swept().size());
  hit_.clear(), held_.clear();
  for (State* state : pairs_.swept()) {
    double at_least = 0;
    if (stays_away(motion, *state, at_least)) {
      state->measured = false;
      away_.push_back({state, at_least});
      if (state->plane) held_.push_back(state);
      continue;
    }
    measure_end(motion, *state, ends_);
    const Seen seen = look_at(motion, *state);
    if (seen != Seen::clear) ++hits, open_[state->island] = true;
    if (seen == Seen::hit) {
      hit_.push_back(state);
    } else if (state->plane) {
      held_.push_back(state);
    }
    passed_ += state->passed;
  }
  renew_rows(motion);
  for (const auto& [state, at_least] : away_) {
    if (hits > 0 || at_least >= ends_.lowest) continue;
    State seen_in_passing = *state;  // what other islands ask for must not change what this one remembers
    measure_end(motion, seen_in_passing, ends_);
  }
  return hits;
}

/// Does the motion hit the pair? One that is near gets its rows at once.
template <int D>
typename PlaneContacts<D>::Seen PlaneContacts<D>::look_at(const TriedMotion<D>& motion, State& state) {
  assert(state.end_gap && state.measured);
  state.passed = false;
  if (is_clear(motion_of(motion, state), state, *state.end_gap)) return Seen::clear;
  const PlanePair<D> pair = pair_of(motion, state);
  if (is_hit(pair, state)) return Seen::hit;
  const bool added = first_try_ && is_near(pair, state) && renewal_.add_near(pair, state);
  return added ? Seen::near : Seen::clear;
}

/// Adds or renews the rows of pairs that the motion hits, and of their neighbours.
template <int D>
void PlaneContacts<D>::renew_rows(const TriedMotion<D>& motion) {
  for (State* state : hit_) {
    const PlanePair<D> pair = pair_of(motion, *state);
    if (state->plane) {
      renewal_.renew(pair, *state);
    } else {
      renewal_.add(pair, *state);
    }
  }
  if (hit_.empty() && !first_try_) return;
  for (State* state : find_followers<D>(motion, hit_, held_, first_try_, tolerance_)) {
    bring_up_to_date(motion, *state);
    renewal_.follow(pair_of(motion, *state), *state);
  }
}

/// Apart at the end, and all the way: over the whole motion no gap is smaller than that of either end less
/// the way. Nor so near at first that it gets rows without being hit.
template <int D>
bool PlaneContacts<D>::is_clear(const PairMotion<D>& motion, const State& state, double gap) const {
  if (gap < state.lowest_allowed(tolerance_)) return false;
  const double speed = motion.relative_speed();
  if (first_try_ && gap <= motion.second_order(speed)) return false;
  const double way = motion.way(speed);
  return gap > way || way <= motion.shallow_pass();
}

template <int D>
bool PlaneContacts<D>::is_hit(const PlanePair<D>& pair, State& state) const {
  assert(state.end_gap && state.measured);
  if (*state.end_gap < state.lowest_allowed(tolerance_)) return true;
  const double way = pair.way();
  if (*state.end_gap > way || way <= pair.shallow_pass()) return false;
  const GapAlong<D> last{*state.end_gap, state.end_normal};
  if (pair.is_kept_apart_by(last)) return false;
  const GapAlong<D>& first = start_gap(pair, state);
  state.passed = !pair.is_kept_apart(first, state.end_normal) &&
                 pair.passes_through(first, last, state.record.start_memory);
  return state.passed;
}

/// Pairs that are nearer than the second order of the step at its start and its end get their start rows at
/// once, as in any fixed-step scheme: in a stack they would be hit one after the other, from below, and where
/// a surface curves away a contact would push in every other step only.
template <int D>
bool PlaneContacts<D>::is_near(const PlanePair<D>& pair, State& state) const {
  const double near = pair.second_order();
  return *state.end_gap <= near && start_gap(pair, state).gap <= near;
}

/// Renews the rows of pairs that push though they end apart, in islands where nothing is hit. Returns how
/// many.
template <int D>
int PlaneContacts<D>::loosen(const TriedMotion<D>& motion, std::span<const double> push) {
  const auto pushes = [&](const PairPlane<D>& plane) {
    assert(plane.first_contact + plane.contact_count <= static_cast<int>(push.size()));
    const auto first = push.begin() + plane.first_contact;
    return std::any_of(first, first + plane.contact_count, [](double p) { return p > 0; });
  };
  std::vector<State*> loosened;
  for (State* state : pairs_.swept()) {
    if (is_open(*state) || !state->plane || state->plane->loosened || !pushes(*state->plane)) continue;
    bring_up_to_date(motion, *state);
    const PlanePair<D> pair = pair_of(motion, *state);
    if (*state->end_gap <= pair.second_order()) continue;
    state->plane->loosened = true;
    state->plane->rows.clear();
    renewal_.renew(pair, *state);
    loosened.push_back(state);
  }
  for (State* state : loosened) open_[state->island] = true;
  return static_cast<int>(loosened.size());
}

/// Islands that gained energy, and where all else holds: the pairs that push by rows with an offset below
/// zero get others. Returns how many. Their bodies are held `steady` from now on.
template <int D>
int PlaneContacts<D>::restrain(const TriedMotion<D>& motion, const Reaction& reaction,
                               std::vector<int>& steady) {
  const auto gives = [&](const PairPlane<D>& plane) {
    assert(plane.first_contact + plane.contact_count <= static_cast<int>(set_.contacts.size()));
    for (int k = plane.first_contact; k < plane.first_contact + plane.contact_count; ++k) {
      if (reaction.gains_energy(k) && set_.contacts[k].offset < 0 && reaction.push[k] > 0) return true;
    }
    return false;
  };
  std::vector<State*> restrained;
  for (State* state : pairs_.swept()) {
    if (is_open(*state) || !state->plane || state->plane->takes_only || !gives(*state->plane)) continue;
    bring_up_to_date(motion, *state);
    renewal_.restrain(pair_of(motion, *state), *state);
    restrained.push_back(state);
    steady.push_back(motion.shapes[state->record.i].body);
    steady.push_back(motion.shapes[state->record.j].body);
  }
  for (State* state : restrained) open_[state->island] = true;
  return static_cast<int>(restrained.size());
}

template <int D>
void PlaneContacts<D>::rebuild(const TriedMotion<D>& motion) {
  set_.clear();
  std::size_t rows = 0;
  for (const State* state : pairs_.all()) rows += state->plane ? state->plane->rows.size() : 0;
  set_.contacts.reserve(rows), set_.unilateral.reserve(rows);
  for (State* state : pairs_.all()) {
    if (!state->plane) continue;
    const int i = state->record.i, j = state->record.j;
    const ContactShape<D>&A = motion.shapes[i], &B = motion.shapes[j];
    state->plane->first_contact = static_cast<int>(set_.contacts.size());
    state->plane->contact_count = static_cast<int>(state->plane->rows.size());
    for (const PlaneRow<D>& row : state->plane->rows) {
      assert(is_unit(row.normal));
      set_.unilateral.push_back(static_cast<int>(set_.contacts.size()));
      set_.contacts.push_back({A.body, B.body, A.material, B.material, row.point, row.normal, row.gap,
                               row_key(i, j, row.features), true, row.offset});
    }
  }
}

template <int D>
class PlaneModel : public ContactModel<D> {
 public:
  explicit PlaneModel(const ModelSettings& settings) : settings_(settings) {}
  Promise promises() const override { return {.seen = true, .gap = true, .pass = true, .energy = true}; }
  bool sweeps() const override { return true; }
  ModelMemoryPtr merged(std::span<const ModelMemoryPtr> parts) const override {
    auto all = std::make_shared<PlaneMemory<D>>();
    for (const ModelMemoryPtr& part : parts) {
      const auto* known = dynamic_cast<const PlaneMemory<D>*>(part.get());
      if (known) all->pairs.insert(all->pairs.end(), known->pairs.begin(), known->pairs.end());
    }
    const auto before = [](const PairRecord<D>& x, const PairRecord<D>& y) {
      return std::pair(x.i, x.j) < std::pair(y.i, y.j);
    };
    std::sort(all->pairs.begin(), all->pairs.end(), before);
    return all;
  }
  /// The first contacts are those of bodies that go on as they move now: bodies that rest or slide mostly do,
  /// and the state alone decides, not what was remembered.
  std::unique_ptr<StepContacts<D>> propose(const TriedMotion<D>& motion,
                                           const ModelMemoryPtr& last) const override {
    return std::make_unique<PlaneContacts<D>>(settings_, motion,
                                              dynamic_cast<const PlaneMemory<D>*>(last.get()));
  }

 private:
  ModelSettings settings_;
};

}  // namespace

template <int D>
std::unique_ptr<ContactModel<D>> make_plane_model(const ModelSettings& settings) {
  return std::make_unique<PlaneModel<D>>(settings);
}

template std::unique_ptr<ContactModel<2>> make_plane_model(const ModelSettings&);
template std::unique_ptr<ContactModel<3>> make_plane_model(const ModelSettings&);

}  // namespace touchstone
