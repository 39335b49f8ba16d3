#include "touchstone/contact/plane_contacts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "touchstone/contact/row_key.h"

namespace touchstone {
namespace {

/// So many renewals of a pair's rows take the normal halfway.
constexpr int kHalfway = 2;
/// So often a feature's row is replaced; then rows are added, for two may replace each other for ever.
constexpr int kReplacing = 10;
/// Bisections of the step towards the last instant whose rows give no energy.
constexpr int kBisections = 14;
constexpr double kNever = std::numeric_limits<double>::infinity();

bool before(const FeaturePair& x, const FeaturePair& y) {
  const auto number = [](const FeaturePair& p) {
    return std::array{static_cast<int>(p.a.kind), p.a.index, static_cast<int>(p.b.kind), p.b.index};
  };
  return number(x) < number(y);
}

/// Where within the step a force acts is open to first order: the point of contact moves along the bodies.
/// Applied at the start's point its work can be a gain of second order; of the points on the way one gives
/// none. True: the offset is not below zero, or no more.
template <int D>
bool move_along_path(const PlanePair<D>& pair, PlaneCorner<D>& c) {
  if (c.offset >= 0) return true;
  const Vec<D> slope = pair.closing_slope(c.normal);
  const Vec<D> shift = slope * (c.offset / (pair.h * slope.squaredNorm()));
  if (!(shift.norm() <= pair.way())) return false;
  c.point += shift, c.offset = 0;
  return true;
}

/// The mean of a plane's normals at the start and at the pose: that of the pose alone damps contacts that
/// turn fast [Plane 5.1]. A plane that turned by more than a right angle has none.
template <int D>
Vec<D> halfway(const Vec<D>& first, const Vec<D>& last) {
  return first.dot(last) > 0 ? Vec<D>((first + last).normalized()) : last;
}

}  // namespace

template <int D>
PlaneContacts<D>::PlaneContacts(const PlaneContacts& other) : settings_(other.settings_), set_(other.set_) {
  for (const auto& state : other.pairs_) pairs_.push_back(std::make_unique<PairState>(*state));
}

template <int D>
void PlaneContacts<D>::begin() {
  for (auto& state : pairs_) {
    if (state->plane) state->last_plane = state->plane->plane;
    state->plane.reset(), state->start_gap.reset(), state->end_gap.reset();
    state->seen_before = state->seen;
  }
  set_.clear();
  first_update_ = true;
}

/// Known pairs keep their state; pairs that left the sweep are forgotten unless they have rows in this step.
template <int D>
void PlaneContacts<D>::match_pairs(const PlaneScene<D>& scene) {
  std::vector<std::unique_ptr<PairState>> next;
  next.reserve(scene.pairs.size());
  swept_.clear();
  auto old = pairs_.begin();
  const auto keep_until = [&](const std::pair<int, int>& limit) {
    for (; old != pairs_.end() && std::pair((*old)->i, (*old)->j) < limit; ++old) {
      if ((*old)->plane) next.push_back(std::move(*old));
    }
  };
  for (const auto& [i, j] : scene.pairs) {
    keep_until({i, j});
    if (old != pairs_.end() && (*old)->i == i && (*old)->j == j) {
      next.push_back(std::move(*old++));
    } else {
      next.push_back(std::make_unique<PairState>());
      next.back()->i = i, next.back()->j = j;
      next.back()->sizes = {scene.shapes[i], scene.shapes[j]};
    }
    swept_.push_back(next.back().get());
  }
  constexpr int kLast = std::numeric_limits<int>::max();
  keep_until({kLast, kLast});
  pairs_ = std::move(next);
}

template <int D>
PairMotion<D> PlaneContacts<D>::motion_of(const PlaneScene<D>& scene, const PairState& state) const {
  return {state.sizes,
          scene.motion[scene.shapes[state.i].body],
          scene.motion[scene.shapes[state.j].body],
          scene.h,
          scene.acceleration,
          settings_.tolerance};
}

template <int D>
PlanePair<D> PlaneContacts<D>::pair_of(const PlaneScene<D>& scene, const PairState& state) const {
  const Shape<D>*A = scene.shapes[state.i].shape.get(), *B = scene.shapes[state.j].shape.get();
  return {motion_of(scene, state),
          {{A, scene.start[state.i]}, {B, scene.start[state.j]}},
          {{A, scene.end[state.i]}, {B, scene.end[state.j]}}};
}

/// A pair that was so far apart when it was seen last, be it steps ago, that it still is: its gap is no
/// smaller than it was then less the shifts of both parts since. From one evaluation to the next bodies
/// hardly move, and what is open by more than that cannot be hit.
template <int D>
bool PlaneContacts<D>::stays_away(const PlaneScene<D>& scene, const PairState& state,
                                  double& at_least) const {
  if (!state.seen) return false;
  at_least = state.seen->gap - largest_shift(state.sizes.ball_A, state.seen->X_WA, scene.end[state.i]) -
             largest_shift(state.sizes.ball_B, state.seen->X_WB, scene.end[state.j]);
  return at_least > 0 && is_clear(motion_of(scene, state), state, at_least);
}

template <int D>
void PlaneContacts<D>::measure_end(const PlaneScene<D>& scene, PairState& state, EndCloseness& ends) {
  const ContactShape<D>&A = scene.shapes[state.i], &B = scene.shapes[state.j];
  const Gap<D> gap = find_gap<D>({A.shape.get(), scene.end[state.i]}, {B.shape.get(), scene.end[state.j]},
                                 &state.end_memory, plain_gap());
  state.end_gap = gap.gap, state.end_normal = gap.normal, state.measured = true;
  state.seen = {{gap.gap, gap.normal}, scene.end[state.i], scene.end[state.j]};
  if (gap.gap < ends.lowest) ends.lowest = gap.gap, ends.closest = {state.i, state.j};
  if (gap.status == Status::overlapping) ends.overlapping.emplace_back(state.i, state.j);
}

/// The gap of a pair that was not measured because it could not be hit.
template <int D>
void PlaneContacts<D>::bring_up_to_date(const PlaneScene<D>& scene, PairState& state) {
  EndCloseness not_asked;
  if (!state.measured) measure_end(scene, state, not_asked);
}

/// Mostly that of the last step's end, where the bodies stand to the last bit as they did then.
template <int D>
const GapAlong<D>& PlaneContacts<D>::start_gap(const PlanePair<D>& pair, PairState& state) const {
  const auto same = [](const Pose<D>& X, const Pose<D>& Y) { return X.R == Y.R && X.p == Y.p; };
  if (state.start_gap) return *state.start_gap;
  const auto& before = state.seen_before;
  if (before && same(before->X_WA, pair.start.A.X_WB) && same(before->X_WB, pair.start.B.X_WB)) {
    state.start_gap = {before->gap, before->normal};
  } else {
    const Gap<D> gap = find_gap(pair.start.A, pair.start.B, &state.start_memory, plain_gap());
    state.start_gap = {gap.gap, gap.normal};
  }
  return *state.start_gap;
}

template <int D>
PlaneUpdate PlaneContacts<D>::update(const PlaneScene<D>& scene) {
  match_pairs(scene);
  PlaneUpdate result;
  EndCloseness& ends = result.ends;
  std::vector<std::pair<PairState*, double>> away;  // with the least that their gap can be
  for (PairState* state : swept_) {
    double at_least = 0;
    if (stays_away(scene, *state, at_least)) {
      state->measured = false;
      away.push_back({state, at_least});
      continue;
    }
    measure_end(scene, *state, ends);
    result.hits += evaluate(scene, *state);
    result.passed += state->passed;
  }
  for (const auto& [state, at_least] : away) {
    if (result.hits == 0 && at_least < ends.lowest) measure_end(scene, *state, ends);
  }
  result.lowest_gap = ends.lowest < kNever ? ends.lowest : 0;
  if (result.hits > 0) rebuild(scene);
  first_update_ = false;
  return result;
}

/// Adds or renews the rows of a pair where that is needed; true: it was.
template <int D>
bool PlaneContacts<D>::evaluate(const PlaneScene<D>& scene, PairState& state) {
  state.passed = false;
  if (is_clear(motion_of(scene, state), state, *state.end_gap)) return false;
  const PlanePair<D> pair = pair_of(scene, state);
  if (is_hit(pair, state)) {
    if (state.plane) {
      renew(pair, state);
    } else {
      add_plane(pair, state);
      add_first_rows(pair, state);
    }
    return true;
  }
  return first_update_ && is_near(pair, state) && add_near_rows(pair, state);
}

/// Half of what is left to the tolerance: gaps can creep towards it and never beyond. Bodies that started
/// deeper in each other than that do not sink further.
template <int D>
double PlaneContacts<D>::lowest_allowed(const PairState& state) const {
  constexpr double kStill = 0.05;  // [tolerances] how far they may by the errors of one step
  const double level = state.plane ? state.plane->level : 0, tolerance = settings_.tolerance;
  return level > -tolerance ? 0.5 * (level - tolerance) : level - kStill * tolerance;
}

template <int D>
bool PlaneContacts<D>::separates(const PairAt<D>& at, const PairPlane& plane) const {
  return separation_along(at, plane_normal(plane.plane, at, plane.normal)) >= -settings_.tolerance;
}

/// Apart at the end, and all the way: over the whole motion no gap is smaller than that of either end less
/// the way. Nor so near at first that it gets rows without being hit.
template <int D>
bool PlaneContacts<D>::is_clear(const PairMotion<D>& motion, const PairState& state, double gap) const {
  if (gap < lowest_allowed(state) || (first_update_ && gap <= motion.second_order())) return false;
  const double way = motion.way();
  return !motion.sizes.has_planes || gap > way || way <= motion.shallow_pass();
}

template <int D>
bool PlaneContacts<D>::is_hit(const PlanePair<D>& pair, PairState& state) const {
  if (*state.end_gap < lowest_allowed(state)) return true;
  if (!pair.has_planes() || *state.end_gap > pair.way() || pair.way() <= pair.shallow_pass()) return false;
  if (state.plane && separates(pair.end, *state.plane)) return false;
  if (pair.is_kept_apart_by(state.end_normal)) return false;
  const GapAlong<D>& first = start_gap(pair, state);
  if (first.gap < -settings_.tolerance) return false;  // in each other: nothing to pass
  state.passed = !pair.is_kept_apart(first.normal, state.end_normal) &&
                 pair.passes_through(first.gap, state.start_memory);
  return state.passed;
}

/// Pairs that are nearer than the second order of the step at its start and its end get their start rows at
/// once, as in any fixed-step scheme: in a stack they would be hit one after the other, from below, and where
/// a surface curves away a contact would push in every other step only.
template <int D>
bool PlaneContacts<D>::is_near(const PlanePair<D>& pair, PairState& state) const {
  const double near = pair.second_order();
  return *state.end_gap <= near && start_gap(pair, state).gap <= near;
}

/// A gap that the last step left below zero, or an overlap that the world started with, is not pushed open,
/// which would take energy from nowhere; nor may it sink further.
template <int D>
void PlaneContacts<D>::add_plane(const PlanePair<D>& pair, PairState& state) {
  state.plane.emplace();
  set_level(pair, state, true);
  if (!pair.has_planes()) return;  // round bodies have the normal of their gap
  const SeparatingAxis<D> best = choose(pair, state);
  state.plane->plane = best.features, state.plane->normal = best.normal;
}

/// A gap near the tolerance would ask for ever finer steps towards it. It is let open a little; the energy
/// that takes is far below what moving contacts lose. If not, take_care() stops it.
template <int D>
void PlaneContacts<D>::set_level(const PlanePair<D>& pair, PairState& state, bool recover) {
  constexpr double kDeep = 0.5, kAim = 0.25;  // [tolerances] below zero
  const double tolerance = settings_.tolerance, level = std::min(start_gap(pair, state).gap, 0.);
  PairPlane& plane = *state.plane;
  plane.recovers = recover && level < -kDeep * tolerance && level >= -tolerance;
  plane.level = plane.recovers ? -kAim * tolerance : level;
}

/// Only of a plane that separates at both ends: another could hold back what passes freely. Rows that the
/// motion does not violate are added too: friction may act on what touches without pressing.
template <int D>
bool PlaneContacts<D>::add_near_rows(const PlanePair<D>& pair, PairState& state) {
  add_plane(pair, state);
  PairPlane& plane = *state.plane;
  const bool serves = !pair.has_planes() || separates(pair.end, plane);
  if (serves) find_corners_at(pair, plane, 0);
  if (!serves || corners_.empty()) {
    state.plane.reset();
    return false;
  }
  put_corners(plane, true);
  return true;
}

/// The best plane at the start. That of the last step is it if it separates by the whole gap, along its
/// normal.
template <int D>
SeparatingAxis<D> PlaneContacts<D>::start_plane(const PlanePair<D>& pair, PairState& state) const {
  constexpr double kSameGap = 1e-14, kSameNormal = 1e-12;  // [sizes]; 1 - cosine
  const GapAlong<D>& gap = start_gap(pair, state);
  if (state.last_plane) {
    SeparatingAxis<D> last;
    last.features = *state.last_plane;
    last.normal = plane_normal(last.features, pair.start, gap.normal);
    if (last.normal.dot(gap.normal) >= 1 - kSameNormal) {
      last.separation = separation_along(pair.start, last.normal);
      if (last.separation >= gap.gap - kSameGap * pair.sizes.larger) return last;
    }
  }
  return pair.best_plane(pair.start);
}

/// The plane of a pair: rule `ca` asks for the one that separates last [Plane 3]. The start's is as good
/// where at the end it lies within the second order of the best.
template <int D>
SeparatingAxis<D> PlaneContacts<D>::choose(const PlanePair<D>& pair, PairState& state) const {
  const SeparatingAxis<D> best = start_plane(pair, state);
  if (state.plane->careful) return best;
  if (settings_.rule == PlaneRule::toi2) return pair.last_crossed_plane();
  const double at_end = separation_by(pair.end, best);
  if (!state.passed && at_end >= *state.end_gap - pair.second_order()) return best;
  if (*state.end_gap >= -settings_.tolerance && !state.passed) {
    const SeparatingAxis<D> last = pair.best_plane(pair.end);
    return separation_by(pair.start, last) > std::min(best.separation, at_end) ? last : best;
  }
  return pair.best_plane(pair.at(pair.time_of_contact(state.passed, state.start_memory)));
}

template <int D>
void PlaneContacts<D>::put(PairPlane& plane, const Row& row) {
  const auto less = [](const Row& x, const Row& y) { return before(x.features, y.features); };
  const auto at = std::lower_bound(plane.rows.begin(), plane.rows.end(), row, less);
  const bool known = at != plane.rows.end() && at->features == row.features;
  if (known && plane.renewals <= kReplacing) {
    *at = row;
  } else {
    plane.rows.insert(at, row);
  }
}

/// Bodies that the motion brings into each other by no more than its second order are about to do what they
/// do, and the rows of its end hold for the step; what strikes harder will be turned away from there.
template <int D>
void PlaneContacts<D>::add_first_rows(const PlanePair<D>& pair, PairState& state) {
  const bool shallow =
      first_update_ && pair.has_planes() && !state.passed && *state.end_gap >= -pair.second_order();
  if (!shallow) return add_start_rows(pair, state);
  find_corners_at(pair, *state.plane, 1);
  anticipate(state);
  put_corners(*state.plane, false);
  state.plane->guessed = true;
}

template <int D>
void PlaneContacts<D>::add_start_rows(const PlanePair<D>& pair, PairState& state) {
  if (pair.is_round()) return renew(pair, state);
  find_corners_at(pair, *state.plane, 0);
  // The shadows do not meet at the start: the corners are those of the end.
  if (corners_.empty()) return renew(pair, state);
  put_corners(*state.plane, true);
}

template <int D>
void PlaneContacts<D>::renew(const PlanePair<D>& pair, PairState& state) {
  PairPlane& plane = *state.plane;
  ++plane.renewals;
  const bool careful = plane.careful || state.passed || pair.is_round();
  find_corners_at(pair, plane, state.passed ? pair.time_of_contact(true, state.start_memory) : 1);
  if (careful && !std::all_of(corners_.begin(), corners_.end(),
                              [&](PlaneCorner<D>& c) { return move_along_path(pair, c); })) {
    find_corners_at(pair, plane, safe_time(pair, plane));
  }
  if (!careful) anticipate(state);
  if (plane.guessed) plane.rows.clear();  // that motion is no longer tried
  plane.guessed = false;
  put_corners(plane, careful);
}

/// Levers of the start meet the end's gap to first order, so that its error falls by a steady factor from one
/// evaluation to the next. Once that is known, all that is still to come is taken off at once [Aitken].
/// Before, and because the rows of others move the pair as well, rows aim above by a part of the error: a gap
/// that ends open by so little need not be looked at again, one that ends below must.
template <int D>
void PlaneContacts<D>::anticipate(PairState& state) {
  constexpr double kFast = 0.3;    // a slower fall is believed only where it is no slower than kSlow ...
  constexpr double kSlow = 0.8;    // (beyond, what is taken off is many times what was seen) ...
  constexpr double kSteady = 0.1;  // ... and was the same before, to this part of itself
  constexpr double kAbove = 0.3;   // [errors]
  PairPlane& plane = *state.plane;
  const double error = *state.end_gap - plane.level;
  const double factor = plane.last_error < 0 ? error / plane.last_error : 0, before = plane.last_factor;
  plane.last_error = error, plane.last_factor = factor;
  const bool steady = factor < kSlow && std::abs(factor - before) <= kSteady * factor;
  const bool believed = factor > 0 && (factor < kFast || steady);
  double to_come = believed ? factor / (1 - factor) * error : 0;
  if (!first_update_ && !plane.plain && error < 0) to_come += kAbove * error, plane.above = true;
  for (PlaneCorner<D>& c : corners_) c.offset += to_come;
  if (steady && factor >= kFast) plane.last_error = plane.last_factor = 0;
}

/// The latest instant, to some digits, whose rows have no offset below zero: they take energy and never give
/// it [PEG 7]. At the start there is none.
template <int D>
double PlaneContacts<D>::safe_time(const PlanePair<D>& pair, PairPlane& plane) {
  const auto is_safe = [&](double t) {
    find_corners_at(pair, plane, t);
    return std::all_of(corners_.begin(), corners_.end(), [](const auto& c) { return c.offset >= 0; });
  };
  double low = 0, high = 1;
  for (int pass = 0; pass < kBisections; ++pass) {
    const double middle = 0.5 * (low + high);
    (is_safe(middle) ? low : high) = middle;
  }
  return low;
}

/// Corners of the pose at the fraction t of the motion tried: normal halfway to there, levers of the start,
/// offset such that the motion gives the height seen.
template <int D>
void PlaneContacts<D>::find_corners_at(const PlanePair<D>& pair, PairPlane& plane, double t) {
  const PairAt<D> now = t == 0 ? pair.start : t == 1 ? pair.end : pair.at(t);
  plane.normal = plane_normal(plane.plane, now, plane.normal);
  Vec<D> n = plane.normal;
  // What does not settle so is tried with the normal of the end, which does more surely.
  if (t > 0 && pair.has_planes() && plane.renewals <= kHalfway) {
    n = halfway<D>(plane_normal(plane.plane, pair.start, n), n);
  }
  find_corners(pair.start, now, n, pair.overlay(n), overlay_, corners_);
  for (PlaneCorner<D>& c : corners_) {
    c.offset = c.height - plane.level - t * pair.h * pair.closing_rate(c.point, c.normal);
  }
}

/// `safe`: an offset below zero is round-off there, and no row may carry force with one: it would gain energy
/// [PEG 7].
template <int D>
void PlaneContacts<D>::put_corners(PairPlane& plane, bool safe) {
  for (const PlaneCorner<D>& c : corners_) {
    put(plane, {c.features, c.point, c.normal, safe ? std::max(c.offset, 0.) : c.offset});
  }
}

template <int D>
int PlaneContacts<D>::loosen(const PlaneScene<D>& scene, std::span<const double> pushes) {
  int loosened = 0;
  for (PairState* state : swept_) {
    if (!state->plane || state->plane->loosened || push_of(*state->plane, pushes) <= 0) continue;
    bring_up_to_date(scene, *state);
    const PlanePair<D> pair = pair_of(scene, *state);
    if (*state->end_gap <= pair.second_order()) continue;
    state->plane->loosened = true;
    state->plane->rows.clear();
    renew(pair, *state);
    ++loosened;
  }
  if (loosened) rebuild(scene);
  return loosened;
}

template <int D>
int PlaneContacts<D>::take_care(const PlaneScene<D>& scene, std::span<const double> pushes) {
  int renewed = 0;
  for (PairState* state : swept_) {
    if (!state->plane || state->plane->careful || !gives_energy(*state->plane, pushes)) continue;
    bring_up_to_date(scene, *state);
    const PlanePair<D> pair = pair_of(scene, *state);
    state->plane->rows.clear();
    ++renewed;
    if (state->plane->recovers || state->plane->above) {
      state->plane->plain = true, state->plane->above = false;
      set_level(pair, *state, false);
      renew(pair, *state);
      continue;
    }
    state->plane->careful = true;
    if (pair.has_planes()) {
      const SeparatingAxis<D> best = choose(pair, *state);
      state->plane->plane = best.features, state->plane->normal = best.normal;
    }
    add_start_rows(pair, *state);
  }
  if (renewed) rebuild(scene);
  return renewed;
}

template <int D>
double PlaneContacts<D>::push_of(const PairPlane& plane, std::span<const double> pushes) const {
  double push = 0;
  for (std::size_t k = 0; k < plane.rows.size(); ++k) push = std::max(push, pushes[plane.first_contact + k]);
  return push;
}

template <int D>
bool PlaneContacts<D>::gives_energy(const PairPlane& plane, std::span<const double> pushes) const {
  for (std::size_t k = 0; k < plane.rows.size(); ++k) {
    if (plane.rows[k].offset < 0 && pushes[plane.first_contact + k] > 0) return true;
  }
  return false;
}

template <int D>
void PlaneContacts<D>::rebuild(const PlaneScene<D>& scene) {
  set_.clear();
  for (auto& state : pairs_) {
    if (!state->plane) continue;
    const ContactShape<D>&A = scene.shapes[state->i], &B = scene.shapes[state->j];
    state->plane->first_contact = static_cast<int>(set_.contacts.size());
    for (const Row& row : state->plane->rows) {
      set_.unilateral.push_back(static_cast<int>(set_.contacts.size()));
      set_.contacts.push_back({A.body, B.body, A.material, B.material, row.point, row.normal, row.offset,
                               row_key(state->i, state->j, row.features)});
    }
  }
}

template class PlaneContacts<2>;
template class PlaneContacts<3>;

}  // namespace touchstone
