#include "touchstone/contact/plane_renewal.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "touchstone/geometry/bounds.h"
#include "touchstone/math/checks.h"

namespace touchstone {
namespace {

/// In the first kHalfway renewals the normal is the mean of start and end.
constexpr int kHalfway = 2;
/// Up to this renewal a feature's row is replaced; then rows are added, for two may replace each other for
/// ever.
constexpr int kReplacing = 10;
/// Up to this renewal rows of spheres are believed to be exact.
constexpr int kStubborn = 6;
/// Bisections of the step towards the last instant whose rows give no energy.
constexpr int kBisections = 14;
constexpr int kCorners = 4;  // of most manifolds

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
  assert(is_unit(c.normal));
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
  assert(is_unit(first) && is_unit(last));
  return first.dot(last) > 0 ? Vec<D>((first + last).normalized()) : last;
}

template <int D>
void put(PairPlane<D>& plane, const PlaneRow<D>& row) {
  const auto less = [](const PlaneRow<D>& x, const PlaneRow<D>& y) { return before(x.features, y.features); };
  assert(std::is_sorted(plane.rows.begin(), plane.rows.end(), less));
  if (plane.rows.empty()) plane.rows.reserve(kCorners);
  const auto at = std::lower_bound(plane.rows.begin(), plane.rows.end(), row, less);
  const bool known = at != plane.rows.end() && at->features == row.features;
  if (known && plane.renewals <= kReplacing) {
    *at = row;
  } else {
    plane.rows.insert(at, row);
  }
}

}  // namespace

template <int D>
const GapAlong<D>& start_gap(const PlanePair<D>& pair, PairState<D>& state) {
  if (state.start_gap) return *state.start_gap;
  const auto& known = state.sighted_before;
  if (known && same(known->X_WA, pair.start.A.X_WB) && same(known->X_WB, pair.start.B.X_WB)) {
    state.start_gap = {known->gap, known->normal};
  } else {
    const Gap<D> gap = find_gap(pair.start.A, pair.start.B, &state.record.start_memory, plain_gap());
    state.start_gap = {gap.gap, gap.normal};
  }
  return *state.start_gap;
}

template <int D>
bool separates(const PairAt<D>& at, const PairPlane<D>& plane, double tolerance) {
  return separation_along(at, plane_normal(plane.plane, at, plane.normal)) >= -tolerance;
}

/// A gap that the last step left below zero, or an overlap that the world started with, is not pushed open,
/// which would take energy from nowhere; nor may it sink further.
template <int D>
void PlaneRenewal<D>::add_plane(const PlanePair<D>& pair, PairState<D>& state) {
  state.plane.emplace();
  set_level(pair, state, true);
  state.plane->normal = start_gap(pair, state).normal;
  if (!pair.has_planes()) return;  // round bodies have the normal of their gap
  const SeparatingAxis<D> best = choose(pair, state);
  state.plane->plane = best.features, state.plane->normal = best.normal;
}

/// A gap near the tolerance would ask for ever finer steps towards it. It is let open a little, unless the
/// step is so short that this would take more energy than to lift the bodies by the tolerance; mostly that is
/// far below what moving contacts lose. If not, restrain() stops it.
template <int D>
void PlaneRenewal<D>::set_level(const PlanePair<D>& pair, PairState<D>& state, bool recover) {
  assert(state.plane);
  constexpr double kDeep = 0.5, kAim = 0.25;  // [tolerances] below zero
  const double level = std::min(start_gap(pair, state).gap, 0.);
  PairPlane<D>& plane = *state.plane;
  const double speed = (-kAim * tolerance_ - level) / pair.h;
  plane.recovers = recover && level < -kDeep * tolerance_ && level >= -tolerance_ &&
                   0.5 * speed * speed <= pair.acceleration * tolerance_;
  plane.level = plane.recovers ? -kAim * tolerance_ : level;
}

/// The best plane at the start. That of the last step is it if it separates by the whole gap, along its
/// normal.
template <int D>
SeparatingAxis<D> PlaneRenewal<D>::start_plane(const PlanePair<D>& pair, PairState<D>& state) const {
  constexpr double kSameGap = 1e-14, kSameNormal = 1e-12;  // [sizes]; 1 - cosine
  const GapAlong<D>& gap = start_gap(pair, state);
  if (state.record.plane) {
    SeparatingAxis<D> last;
    last.features = *state.record.plane;
    last.normal = plane_normal(last.features, pair.start, gap.normal);
    if (last.normal.dot(gap.normal) >= 1 - kSameNormal) {
      last.separation = separation_along(pair.start, last.normal);
      if (last.separation >= gap.gap - kSameGap * pair.sizes.larger) return last;
    }
  }
  return pair.best_plane(pair.start);
}

/// The plane of a pair: rule `ca` asks for the one that separates last [Plane 3]. The start's is as good
/// where at the end it lies within the second order of the best. So is that of the end, if it separated at
/// the start and the motion tried sinks below it by no more than a step may sink before something holds it: a
/// foot that slides over the seam of two flush tiles is held by the first tile until it is over the second,
/// but a motion tried that sinks a little meets the side of the second.
template <int D>
SeparatingAxis<D> PlaneRenewal<D>::choose(const PlanePair<D>& pair, PairState<D>& state) const {
  assert(state.plane && state.end_gap && pair.has_planes());
  const SeparatingAxis<D> best = start_plane(pair, state);
  if (state.plane->takes_only) return best;
  if (rule_ == PlaneRule::toi2) return pair.last_crossed_plane();
  const double at_end = separation_by(pair.end, best);
  const bool meets = !state.passed && *state.end_gap < -tolerance_;
  if (meets) {
    const SeparatingAxis<D> last = pair.last_crossed_plane();
    if (last.separation >= -tolerance_ && separation_by(pair.end, last) >= -pair.sinking()) return last;
  }
  if (!state.passed && at_end >= *state.end_gap - pair.second_order()) return best;
  if (!state.passed && !meets) {
    const SeparatingAxis<D> last = pair.best_plane(pair.end);
    return separation_by(pair.start, last) > std::min(best.separation, at_end) ? last : best;
  }
  return pair.best_plane(
      pair.at(pair.last_time_apart(state.passed, start_gap(pair, state).gap, state.record.start_memory)));
}

/// A shallow hit hardly changes the motion: its rows are linearised at the end. A harder hit is deflected:
/// its rows are linearised at the start.
template <int D>
void PlaneRenewal<D>::add(const PlanePair<D>& pair, PairState<D>& state) {
  assert(!state.plane && state.end_gap);
  add_plane(pair, state);
  const bool shallow =
      first_try_ && pair.has_planes() && !state.passed && *state.end_gap >= -pair.second_order();
  if (!shallow) return add_start_rows(pair, state);
  find_corners_at(pair, *state.plane, 1);
  anticipate(state);
  put_corners(*state.plane, false);
  state.plane->from_first_try = true;
}

template <int D>
void PlaneRenewal<D>::follow(const PlanePair<D>& pair, PairState<D>& state) {
  assert(state.plane && state.end_gap);
  if (pair.is_round()) return;  // its rows are exact
  if (!first_try_) return renew(pair, state);
  find_corners_at(pair, *state.plane, 1);
  put_corners(*state.plane, false);
  state.plane->from_first_try = true;
}

/// Only of a plane that separates at both ends: another could hold back what passes freely. Rows that the
/// motion does not violate are added too: friction may act on what touches without pressing.
template <int D>
bool PlaneRenewal<D>::add_near(const PlanePair<D>& pair, PairState<D>& state) {
  assert(!state.plane);
  add_plane(pair, state);
  PairPlane<D>& plane = *state.plane;
  const bool serves = !pair.has_planes() || separates(pair.end, plane, tolerance_);
  if (serves) find_corners_at(pair, plane, 0);
  if (pair.is_round() && would_hold_back(pair)) find_nearest_corners(pair, plane);
  if (!serves || corners().empty()) {
    state.plane.reset();
    return false;
  }
  put_corners(plane, true);
  return true;
}

/// Do rows of the start hold back the motion tried, although the pair ends apart? The gap of a ball and a
/// body that does not turn is a convex function of the way, so a row promises no more than the gap will be,
/// and less where the surface turns away: a ball that rolls over the seam of two flush boxes would be braked
/// by the edge of the next one.
template <int D>
bool PlaneRenewal<D>::would_hold_back(const PlanePair<D>& pair) {
  const auto turns = [&](const PlacedShape<D>& part, const Path<D>& path, double radius) {
    return !is_round(*part.shape) && path.fastest_turn() * radius > tolerance_;
  };
  if (turns(pair.start.A, pair.path_A, pair.sizes.radius_A) ||
      turns(pair.start.B, pair.path_B, pair.sizes.radius_B))
    return false;
  return std::any_of(corners().begin(), corners().end(), [&](const PlaneCorner<D>& c) {
    return c.offset + pair.h * pair.closing_rate(c.point, c.normal) < -tolerance_;
  });
}

/// Corners where the pair is nearest on the way of the motion tried: of all rows on the way theirs is the one
/// that neither gives energy nor holds back what passes freely.
template <int D>
void PlaneRenewal<D>::find_nearest_corners(const PlanePair<D>& pair, PairPlane<D>& plane) {
  const auto closes_at = [&](double t) {
    find_corners_at(pair, plane, t);
    return std::any_of(corners().begin(), corners().end(),
                       [&](const PlaneCorner<D>& c) { return pair.closing_rate(c.point, c.normal) < 0; });
  };
  if (closes_at(1)) return;
  double low = 0, high = 1;
  for (int pass = 0; pass < kBisections; ++pass) {
    const double middle = 0.5 * (low + high);
    (closes_at(middle) ? low : high) = middle;
  }
  find_corners_at(pair, plane, high);
}

template <int D>
void PlaneRenewal<D>::add_start_rows(const PlanePair<D>& pair, PairState<D>& state) {
  if (pair.is_round()) return renew(pair, state);
  find_corners_at(pair, *state.plane, 0);
  if (corners().empty()) {
    // The shadows do not meet at the start: the corners are those of the end. How far the motion tried sinks
    // there tells nothing of what rows will miss: others hold the bodies until they meet.
    state.plane->may_aim_above = false;
    return renew(pair, state);
  }
  put_corners(*state.plane, true);
}

template <int D>
void PlaneRenewal<D>::renew(const PlanePair<D>& pair, PairState<D>& state) {
  assert(state.plane && state.end_gap);
  PairPlane<D>& plane = *state.plane;
  ++plane.renewals;
  // Rows of a sphere are exact where it moves along; where its body turns, only rows of the end are.
  const bool along = pair.is_round() && (plane.renewals <= kStubborn || *state.end_gap >= 0);
  const bool safe = plane.takes_only || state.passed || along;
  const double until =
      state.passed ? pair.last_time_apart(true, start_gap(pair, state).gap, state.record.start_memory) : 1;
  find_corners_at(pair, plane, until);
  if (safe && !std::all_of(corners().begin(), corners().end(),
                           [&](PlaneCorner<D>& c) { return move_along_path(pair, c); })) {
    find_corners_at(pair, plane, safe_time(pair, plane));
  }
  if (!safe) anticipate(state);
  if (plane.from_first_try) plane.rows.clear();  // that motion is no longer tried
  plane.from_first_try = false;
  put_corners(plane, safe);
}

template <int D>
void PlaneRenewal<D>::restrain(const PlanePair<D>& pair, PairState<D>& state) {
  assert(state.plane && state.end_gap);
  PairPlane<D>& plane = *state.plane;
  plane.rows.clear();
  if (plane.recovers || plane.aims_above) {
    plane.may_aim_above = plane.aims_above = false;
    set_level(pair, state, false);
    return renew(pair, state);
  }
  plane.takes_only = true;
  if (pair.has_planes()) {
    const SeparatingAxis<D> best = choose(pair, state);
    plane.plane = best.features, plane.normal = best.normal;
  }
  add_start_rows(pair, state);
}

/// Levers of the start meet the end's gap to first order, so that its error falls by a steady factor from one
/// evaluation to the next. Once that is known, all that is still to come is taken off at once [Aitken].
/// Before, and because the rows of others move the pair as well, rows aim above by a part of the error: a gap
/// that ends open by so little need not be looked at again, one that ends below must.
template <int D>
void PlaneRenewal<D>::anticipate(PairState<D>& state) {
  constexpr double kFast = 0.3;    // a slower fall is believed only where it is no slower than kSlow ...
  constexpr double kSlow = 0.8;    // (beyond, what is taken off is many times what was seen) ...
  constexpr double kSteady = 0.1;  // ... and was the same before, to this part of itself
  constexpr double kAbove = 0.3;   // [errors]
  PairPlane<D>& plane = *state.plane;
  assert(std::isfinite(*state.end_gap) && std::isfinite(plane.level));
  if (plane.goes_with_others()) return;  // what one pair anticipates would contradict the others
  const double error = *state.end_gap - plane.level;
  const double factor = plane.last_error < 0 ? error / plane.last_error : 0, earlier = plane.last_factor;
  plane.last_error = error, plane.last_factor = factor;
  const bool steady = factor < kSlow && std::abs(factor - earlier) <= kSteady * factor;
  const bool believed = factor > 0 && (factor < kFast || steady);
  double to_come = believed ? factor / (1 - factor) * error : 0;
  if (!first_try_ && plane.may_aim_above && error < 0) to_come += kAbove * error, plane.aims_above = true;
  for (PlaneCorner<D>& c : corners()) c.offset += to_come;
  if (steady && factor >= kFast) plane.last_error = plane.last_factor = 0;
}

/// The latest instant, to some digits, whose rows have no offset below zero: they take energy and never give
/// it [PEG 7]. At the start there is none.
template <int D>
double PlaneRenewal<D>::safe_time(const PlanePair<D>& pair, PairPlane<D>& plane) {
  const auto is_safe = [&](double t) {
    find_corners_at(pair, plane, t);
    return std::all_of(corners().begin(), corners().end(), [](const auto& c) { return c.offset >= 0; });
  };
  double low = 0, high = 1;
  for (int pass = 0; pass < kBisections; ++pass) {
    const double middle = 0.5 * (low + high);
    (is_safe(middle) ? low : high) = middle;
  }
  return low;
}

/// [m] The gap that the row of a corner aims at. A corner that kisses keeps the gap that it has, be it above
/// or below zero by round-off: to close gaps of 1e-11 m would decide which of many corners carry the load,
/// but corners of one plane that all keep their gaps contradict each other nowhere, and compliance decides
/// [docs/friction.md].
template <int D>
double PlaneRenewal<D>::level_of(const PairPlane<D>& plane, const PlaneCorner<D>& corner) const {
  constexpr double kKissing = 0.5;  // [tolerances]
  const bool kisses = !plane.recovers && std::abs(corner.gap) <= kKissing * tolerance_;
  return kisses ? corner.gap : plane.level;
}

/// Corners of the pose at the fraction t of the motion tried: normal halfway to there, levers of the start,
/// offset such that the motion gives the height seen.
template <int D>
void PlaneRenewal<D>::find_corners_at(const PlanePair<D>& pair, PairPlane<D>& plane, double t) {
  assert(t >= 0 && t <= 1);
  const PairAt<D> now = t == 0 ? pair.start : t == 1 ? pair.end : pair.at(t);
  plane.normal = plane_normal(plane.plane, now, plane.normal);
  Vec<D> n = plane.normal;
  // What does not settle so is tried with the normal of the end, which does more surely.
  if (t > 0 && pair.has_planes() && plane.renewals <= kHalfway) {
    n = halfway<D>(plane_normal(plane.plane, pair.start, n), n);
  }
  find_corners(pair.start, now, n, pair.overlay(n), scratch().overlay, corners());
  for (PlaneCorner<D>& c : corners()) {
    c.offset = c.height - level_of(plane, c) - t * pair.h * pair.closing_rate(c.point, c.normal);
  }
}

/// `safe`: an offset below zero is round-off there, and no row may carry force with one: it would gain energy
/// [PEG 7]; but for a pair that is let open.
template <int D>
void PlaneRenewal<D>::put_corners(PairPlane<D>& plane, bool safe) {
  const double least = plane.recovers ? -tolerance_ : 0;
  for (const PlaneCorner<D>& c : corners()) {
    assert(is_unit(c.normal) && std::isfinite(c.offset));
    put<D>(plane, {c.features, c.point, c.normal, c.gap, safe ? std::max(c.offset, least) : c.offset});
  }
}

#define TOUCHSTONE_INSTANTIATE(D)                                            \
  template const GapAlong<D>& start_gap(const PlanePair<D>&, PairState<D>&); \
  template bool separates(const PairAt<D>&, const PairPlane<D>&, double);    \
  template class PlaneRenewal<D>;
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
