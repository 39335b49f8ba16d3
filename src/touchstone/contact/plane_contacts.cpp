#include "touchstone/contact/plane_contacts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "touchstone/contact/plane_rows.h"
#include "touchstone/contact/row_key.h"
#include "touchstone/geometry/extremal.h"
#include "touchstone/math/attitude.h"
#include "touchstone/proximity/gap.h"
#include "touchstone/proximity/penetration.h"

namespace touchstone {
namespace {

/// Planes whose normals differ by less than this (cosine) push the same way: the choice between them is
/// harmless.
constexpr double kSameWay = 0.999;
/// Bisections of the step towards the first contact: the plane is what matters, not the time.
constexpr int kBisections = 14;
/// So often a feature's row is replaced; then rows are added, for two may replace each other for ever.
constexpr int kReplacing = 10;

template <int D>
const Polytope<D>& polytope_of(const PlacedShape<D>& part) {
  return std::get<Polytope<D>>(*part.shape);
}

template <int D>
bool is_round(const PairAt<D>& pair) {
  return std::holds_alternative<Sphere<D>>(*pair.A.shape) || std::holds_alternative<Sphere<D>>(*pair.B.shape);
}

bool before(const FeaturePair& x, const FeaturePair& y) {
  const auto number = [](const FeaturePair& p) {
    return std::array{static_cast<int>(p.a.kind), p.a.index, static_cast<int>(p.b.kind), p.b.index};
  };
  return number(x) < number(y);
}

/// How far the pair is apart along n.
template <int D>
double separation_along(const PairAt<D>& at, const Vec<D>& n) {
  const Polytope<D>&A = polytope_of(at.A), &B = polytope_of(at.B);
  const int a = find_extremal<D>(A, at.A.X_WB.R.transpose() * -n);
  const int b = find_extremal<D>(B, at.B.X_WB.R.transpose() * n);
  return n.dot(at.A.X_WB * A.vertex(a) - at.B.X_WB * B.vertex(b));
}

GapSettings plain_gap() {
  GapSettings settings;
  settings.find_candidates = settings.find_points = false;
  return settings;
}

}  // namespace

/// One pair of the scene, with what is asked of it.
template <int D>
struct PlaneContacts<D>::PairView {
  const PlaneScene<D>& scene;
  const PlaneSettings& settings;
  int i, j;
  PairAt<D> start, end;
  Memory& memory;
  bool passed = false;  ///< apart at both ends of the step, but not between

  const BodyMotion<D>& motion_A() const { return scene.motion[scene.shapes[i].body]; }
  const BodyMotion<D>& motion_B() const { return scene.motion[scene.shapes[j].body]; }

  /// The speed at which A's point over B's at x moves along n, by the levers of the start.
  double closing_rate(const Vec<D>& x, const Vec<D>& n) const {
    const auto& A = motion_A();
    const auto& B = motion_B();
    return n.dot(point_velocity<D>(A.velocity, x - A.position) -
                 point_velocity<D>(B.velocity, x - B.position));
  }
  /// How the closing rate changes with the point.
  Vec<D> closing_slope(const Vec<D>& n) const {
    return -spin_velocity<D>(angular<D>(motion_A().velocity) - angular<D>(motion_B().velocity), n);
  }
  double relative_speed() const {
    return (linear<D>(motion_A().velocity) - linear<D>(motion_B().velocity)).norm();
  }
  /// How fast any feature can move along n, both bodies together.
  double speed_along(const Vec<D>& n) const {
    return std::abs(n.dot(linear<D>(motion_A().velocity) - linear<D>(motion_B().velocity))) + turning_speed();
  }
  double turning_speed() const {
    return angular<D>(motion_A().velocity).norm() * radius(start.A, motion_A()) +
           angular<D>(motion_B().velocity).norm() * radius(start.B, motion_B());
  }
  static double radius(const PlacedShape<D>& part, const BodyMotion<D>& motion) {
    if (const auto* P = std::get_if<Polytope<D>>(part.shape)) {
      return (part.X_WB * P->centre() - motion.position).norm() + P->radius();
    }
    const auto* S = std::get_if<Sphere<D>>(part.shape);
    return S ? (part.X_WB.p - motion.position).norm() + S->radius : 0;
  }
  static double size_of(const PlacedShape<D>& part) {
    const auto* P = std::get_if<Polytope<D>>(part.shape);
    const auto* S = std::get_if<Sphere<D>>(part.shape);
    return P ? P->size() : S ? 2 * S->radius : 0;
  }
  double size() const { return std::max(size_of(start.A), size_of(start.B)); }
  double smaller_size() const { return std::min(size_of(start.A), size_of(start.B)); }
  /// What lies further apart along n cannot meet in this step, unless others push; then it is seen at the
  /// end.
  OverlaySettings overlay(const Vec<D>& n) const {
    const double h = scene.h;
    constexpr double kShadow = 1e-9;  // [sizes] how far beyond the border of a shadow still counts
    return {2 * h * (speed_along(n) + h * settings.acceleration), kShadow * size()};
  }
  /// Both bodies at the fraction t of the motion.
  PairAt<D> at(double t) const {
    return {{start.A.shape, moved(start.A, motion_A(), t)}, {start.B.shape, moved(start.B, motion_B(), t)}};
  }
  double gap_at(double t) const {
    const PairAt<D> now = at(t);
    return find_gap(now.A, now.B, static_cast<GapMemory<D>*>(nullptr), plain_gap()).gap;
  }
  Pose<D> moved(const PlacedShape<D>& part, const BodyMotion<D>& motion, double t) const {
    const Vec<D> step = t * scene.h * linear<D>(motion.velocity);
    const Mat<D> R = Attitude<D>{}.turned(t * scene.h * angular<D>(motion.velocity)).matrix();
    return {R * part.X_WB.R, motion.position + step + R * (part.X_WB.p - motion.position)};
  }
  /// The plane of the largest separation. A facet's plane is preferred to that of two edges which separates
  /// no better: the normal of nearly parallel edges is mostly round-off.
  SeparatingAxis<D> best_plane(const PairAt<D>& pair) const {
    constexpr double kTie = 1e-9;  // [sizes]
    const Polytope<D>&A = polytope_of(pair.A), &B = polytope_of(pair.B);
    const Pose<D> X_AB = relative_pose(pair.A.X_WB, pair.B.X_WB);
    SeparatingAxis<D> best = test_separating_axes(A, B, X_AB).best;
    const double tie = best.separation - kTie * size();
    SeparatingAxis<D> facet;
    facet.separation = tie;
    offer_facets(A, B, X_AB, facet, false);
    offer_facets(B, A, X_AB.inverse(), facet, true);
    if (facet.separation > tie) best = facet;
    best.normal = pair.A.X_WB.R * best.normal;
    return best;
  }
  /// Facets of P as planes against Q; `flip`: P is B.
  static void offer_facets(const Polytope<D>& P, const Polytope<D>& Q, const Pose<D>& X_PQ,
                           SeparatingAxis<D>& best, bool flip) {
    int q = 0;
    for (int f = 0; f < P.facet_count(); ++f) {
      const Vec<D>& N = P.plane(f).normal;
      q = climb_extremal<D>(Q, -(X_PQ.R.transpose() * N), q);
      const double separation = N.dot(X_PQ * Q.vertex(q)) - P.plane(f).offset;
      if (separation <= best.separation) continue;
      const Feature facet{static_cast<FeatureKind>(D - 1), f}, vertex{FeatureKind::vertex, q};
      best.separation = separation;
      best.normal = flip ? Vec<D>(X_PQ.R.transpose() * N) : Vec<D>(-N);
      best.features = flip ? FeaturePair{vertex, facet} : FeaturePair{facet, vertex};
    }
  }
};

template <int D>
void PlaneContacts<D>::begin() {
  planes_.clear();
  set_.clear();
  first_update_ = true;
}

template <int D>
double PlaneContacts<D>::push_of(const PairPlane& plane, std::span<const double> pushes) const {
  double push = 0;
  for (std::size_t k = 0; k < plane.rows.size(); ++k) push = std::max(push, pushes[plane.first_contact + k]);
  return push;
}

/// How far a pair can part within a step by what the rows do not see: accelerations and turning.
template <int D>
double PlaneContacts<D>::second_order(const PairView& view) const {
  const double h = view.scene.h, w = view.turning_speed();
  const double u = view.relative_speed();
  const double radius = std::max(view.size(), settings_.tolerance);
  return h * h * (settings_.acceleration + 4 * w * w / radius + 4 * w * u / radius);
}

/// How deep a pass between the ends of the step may be and still count as none.
template <int D>
double PlaneContacts<D>::shallow_pass(const PairView& view) const {
  constexpr double kGraze = 0.05;  // [sizes of the smaller body]
  return std::min(second_order(view), kGraze * view.smaller_size());
}

template <int D>
PlaneUpdate PlaneContacts<D>::update(const PlaneScene<D>& scene) {
  PlaneUpdate result;
  bool first = true;
  for (const auto& [i, j] : scene.pairs) {
    PairView view = view_of(scene, i, j);
    const double gap = find_gap(view.end.A, view.end.B, &view.memory.end, plain_gap()).gap;
    result.lowest_gap = first ? gap : std::min(result.lowest_gap, gap);
    first = false;
    const auto known = planes_.find({i, j});
    PairPlane* plane = known == planes_.end() ? nullptr : &known->second;
    if (plane) plane->end_gap = gap;
    if (is_hit(view, plane, gap)) {
      ++result.hits;
      if (plane) {
        renew(view, *plane);
      } else {
        PairPlane& fresh = planes_[{i, j}];
        fresh.level = level_of(view);
        choose(view, fresh);
        add_start_rows(view, fresh);
      }
    } else if (!plane && first_update_ && is_near(view, gap)) {
      result.hits += add_near_rows(view);
    }
  }
  if (result.hits > 0) rebuild(scene);
  first_update_ = false;
  return result;
}

/// A gap that the last step left within the tolerance is not pushed open, which would take energy from
/// nowhere; nor may it sink further.
template <int D>
double PlaneContacts<D>::level_of(PairView& view) const {
  const double gap = find_gap(view.start.A, view.start.B, &view.memory.start, plain_gap()).gap;
  return std::clamp(gap, -settings_.tolerance, 0.);
}

template <int D>
bool PlaneContacts<D>::is_hit(PairView& view, const PairPlane* plane, double end_gap) {
  // Half of what is left to the tolerance: gaps can creep towards it and never beyond.
  if (end_gap < 0.5 * ((plane ? plane->level : 0) - settings_.tolerance)) return true;
  view.passed = passes_through(view);
  return view.passed;
}

/// Pairs that are nearer than the second order of the step at its start and its end get their start rows at
/// once, as in any fixed-step scheme: in a stack they would be hit one after the other, from below, and where
/// a surface curves away a contact would push in every other step only.
template <int D>
bool PlaneContacts<D>::is_near(PairView& view, double end_gap) const {
  const double near = second_order(view);
  return end_gap <= near && find_gap(view.start.A, view.start.B, &view.memory.start, plain_gap()).gap <= near;
}

/// Only of a plane that separates at both ends: another could hold back what passes freely. Rows that the
/// motion does not violate are added too: friction may act on what touches without pressing.
template <int D>
bool PlaneContacts<D>::add_near_rows(PairView& view) {
  PairPlane fresh;
  fresh.level = level_of(view);
  choose(view, fresh);
  if (has_overlay(view.start)) {
    const Vec<D> n = plane_normal(fresh.plane, view.end, fresh.normal);
    if (separation_along(view.end, n) < -settings_.tolerance) return false;
  }
  find_corners_at(view, fresh, 0);
  if (corners_.empty()) return false;
  put_corners(fresh, true);
  planes_[{view.i, view.j}] = std::move(fresh);
  return true;
}

/// Apart at both ends of the step, but perhaps not between: only where the motion is longer than the gap, and
/// the direction that separated them at the start no longer does.
template <int D>
bool PlaneContacts<D>::passes_through(PairView& view) {
  if (!has_overlay(view.start)) return false;
  const double way = view.scene.h * (view.relative_speed() + view.turning_speed());
  const double shallow = shallow_pass(view);
  if (way <= shallow) return false;
  const Gap<D> gap = find_gap(view.start.A, view.start.B, &view.memory.start, plain_gap());
  if (gap.gap > way) return false;
  if (separation_along(view.end, gap.normal) >= -settings_.tolerance) return false;
  // Conservative advancement: in a stride the gap shrinks by no more than it is, and what is shallower than
  // the second order of the step is left to its end.
  for (double t = 0; t < 1;) {
    const double now = view.gap_at(t);
    if (now < -shallow) return true;
    t += (std::max(now, 0.) + shallow) / way;
  }
  return false;
}

/// The last fraction of the step, to some digits, at which the pair is still apart on its way to the first
/// overlap.
template <int D>
double PlaneContacts<D>::time_of_contact(const PairView& view) const {
  const auto overlaps = [&](double t) { return view.gap_at(t) < -settings_.tolerance; };
  double low = 0, high = 1;
  if (view.passed) {
    // Apart at the end as well: the first stride that ends in an overlap bounds the search.
    const double way = view.scene.h * (view.relative_speed() + view.turning_speed());
    const double shallow = shallow_pass(view);
    for (high = 0; high < 1;) {
      const double now = view.gap_at(high);
      if (now < -settings_.tolerance) break;
      low = high, high += (std::max(now, 0.) + shallow) / way;
    }
  }
  for (int pass = 0; pass < kBisections; ++pass) {
    const double middle = 0.5 * (low + high);
    (overlaps(middle) ? high : low) = middle;
  }
  return low;
}

/// How far a plane keeps the pair apart at some instant.
template <int D>
double PlaneContacts<D>::separation(const PairAt<D>& at, const SeparatingAxis<D>& plane) const {
  return separation_along(at, plane_normal(plane.features, at, plane.normal));
}

/// The plane that separates last: rule `ca` [plane.md 3].
template <int D>
void PlaneContacts<D>::choose(PairView& view, PairPlane& plane) {
  if (!has_overlay(view.start)) return;  // round bodies have the normal of their gap
  SeparatingAxis<D> best = view.best_plane(view.start);
  if (!plane.careful) {
    const SeparatingAxis<D> last = view.best_plane(view.end);
    if (last.separation >= -settings_.tolerance && !view.passed) {
      // They end apart: the plane that is better over the whole step.
      if (separation(view.start, last) > std::min(best.separation, separation(view.end, best))) best = last;
    } else if (last.separation < -second_order(view) || best.normal.dot(last.normal) <= kSameWay) {
      best = view.best_plane(view.at(time_of_contact(view)));
    }
  }
  plane.plane = best.features, plane.normal = best.normal;
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

template <int D>
void PlaneContacts<D>::add_start_rows(PairView& view, PairPlane& plane) {
  if (is_round(view.start)) return renew(view, plane);
  find_corners_at(view, plane, 0);
  // The shadows do not meet at the start: the corners are those of the end.
  if (corners_.empty()) return renew(view, plane);
  put_corners(plane, true);
}

template <int D>
void PlaneContacts<D>::renew(PairView& view, PairPlane& plane) {
  ++plane.renewals;
  const bool careful = plane.careful || view.passed || is_round(view.start);
  find_corners_at(view, plane, view.passed ? time_of_contact(view) : 1);
  if (careful && !std::all_of(corners_.begin(), corners_.end(),
                              [&](PlaneCorner<D>& c) { return move_along_path(view, c); })) {
    find_corners_at(view, plane, safe_time(view, plane));
  }
  put_corners(plane, careful);
}

/// Where within the step a force acts is open to first order: the point of contact moves along the bodies.
/// Applied at the start's point its work can be a gain of second order; of the points on the way one gives
/// none. True: the offset is not below zero, or no more.
template <int D>
bool PlaneContacts<D>::move_along_path(const PairView& view, PlaneCorner<D>& c) const {
  if (c.offset >= 0) return true;
  const double h = view.scene.h;
  const Vec<D> slope = view.closing_slope(c.normal);
  const Vec<D> shift = slope * (c.offset / (h * slope.squaredNorm()));
  if (!(shift.norm() <= h * (view.relative_speed() + view.turning_speed()))) return false;
  c.point += shift, c.offset = 0;
  return true;
}

/// The latest instant, to some digits, whose rows have no offset below zero: they take energy and never give
/// it [PEG 7]. At the start there is none.
template <int D>
double PlaneContacts<D>::safe_time(PairView& view, PairPlane& plane) {
  const auto is_safe = [&](double t) {
    find_corners_at(view, plane, t);
    return std::all_of(corners_.begin(), corners_.end(), [](const auto& c) { return c.offset >= 0; });
  };
  double low = 0, high = 1;
  for (int pass = 0; pass < kBisections; ++pass) {
    const double middle = 0.5 * (low + high);
    (is_safe(middle) ? low : high) = middle;
  }
  return low;
}

/// Corners of the pose at the fraction t of the motion tried: normal of there, levers of the start, offset
/// such that the motion gives the height seen.
template <int D>
void PlaneContacts<D>::find_corners_at(PairView& view, PairPlane& plane, double t) {
  const PairAt<D> now = t == 0 ? view.start : t == 1 ? view.end : view.at(t);
  plane.normal = plane_normal(plane.plane, now, plane.normal);
  find_corners(view.start, now, plane.normal, view.overlay(plane.normal), corners_);
  for (PlaneCorner<D>& c : corners_)
    c.offset = c.height - plane.level - t * view.scene.h * view.closing_rate(c.point, c.normal);
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
  for (auto& [pair, plane] : planes_) {
    const auto [i, j] = pair;
    if (push_of(plane, pushes) <= 0 || plane.loosened) continue;
    PairView view = view_of(scene, i, j);
    if (plane.end_gap <= second_order(view)) continue;
    plane.loosened = true;
    plane.rows.clear();
    renew(view, plane);
    ++loosened;
  }
  if (loosened) rebuild(scene);
  return loosened;
}

template <int D>
int PlaneContacts<D>::take_care(const PlaneScene<D>& scene, std::span<const double> pushes) {
  int renewed = 0;
  for (auto& [pair, plane] : planes_) {
    if (plane.careful || !gives_energy(plane, pushes)) continue;
    plane.careful = true;
    plane.rows.clear();
    PairView view = view_of(scene, pair.first, pair.second);
    choose(view, plane);
    add_start_rows(view, plane);
    ++renewed;
  }
  if (renewed) rebuild(scene);
  return renewed;
}

template <int D>
bool PlaneContacts<D>::gives_energy(const PairPlane& plane, std::span<const double> pushes) const {
  for (std::size_t k = 0; k < plane.rows.size(); ++k) {
    if (plane.rows[k].offset < 0 && pushes[plane.first_contact + k] > 0) return true;
  }
  return false;
}

template <int D>
typename PlaneContacts<D>::PairView PlaneContacts<D>::view_of(const PlaneScene<D>& scene, int i, int j) {
  const PairAt<D> start{{scene.shapes[i].shape.get(), scene.start[i]},
                        {scene.shapes[j].shape.get(), scene.start[j]}};
  const PairAt<D> end{{start.A.shape, scene.end[i]}, {start.B.shape, scene.end[j]}};
  return {scene, settings_, i, j, start, end, memory_[{i, j}]};
}

template <int D>
void PlaneContacts<D>::rebuild(const PlaneScene<D>& scene) {
  set_.clear();
  for (auto& [pair, plane] : planes_) {
    const ContactShape<D>&A = scene.shapes[pair.first], &B = scene.shapes[pair.second];
    plane.first_contact = static_cast<int>(set_.contacts.size());
    for (const Row& row : plane.rows) {
      set_.unilateral.push_back(static_cast<int>(set_.contacts.size()));
      set_.contacts.push_back({A.body, B.body, A.material, B.material, row.point, row.normal, row.offset,
                               row_key(pair.first, pair.second, row.features)});
    }
  }
}

template class PlaneContacts<2>;
template class PlaneContacts<3>;

}  // namespace touchstone
