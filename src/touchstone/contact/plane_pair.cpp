#include "touchstone/contact/plane_pair.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "touchstone/geometry/bounds.h"
#include "touchstone/geometry/extremal.h"
#include "touchstone/math/checks.h"
#include "touchstone/math/skew_direction.h"

namespace touchstone {
namespace {

/// [sizes] planes that separate equally well to this are a tie.
constexpr double kTie = 1e-9;

template <int D>
const Polytope<D>& polytope_of(const PlacedShape<D>& part) {
  return *polytope_of(*part.shape);
}

/// Has the part a furthest point along n? A half-space has one along its normal only.
template <int D>
bool reaches_end(const PlacedShape<D>& part, const Vec<D>& n) {
  constexpr double kParallel = 1e-13;  // 1 - cosine
  const Plane<D>* plane = plane_of(*part.shape);
  return !plane || (part.X_WB.R * plane->normal).dot(n) >= 1 - kParallel;
}

/// Ties are broken by where the plane faces in the world, the same for n and -n: neither the order of bodies
/// nor that of facets decides.
template <int D>
double tie_key(const Vec<D>& n) {
  return std::abs(n.dot(skew_direction<D>()));
}

/// Facets of P as planes against Q; `flip`: P is B.
template <int D>
void offer_facets(const PlacedShape<D>& p, const PlacedShape<D>& q, bool flip, double tie,
                  SeparatingAxis<D>& best) {
  const Polytope<D>&P = polytope_of(p), &Q = polytope_of(q);
  const Pose<D> X_PQ = relative_pose(p.X_WB, q.X_WB);
  int v = 0;
  for (int f = 0; f < P.facet_count(); ++f) {
    const Vec<D>& N = P.plane(f).normal;
    v = climb_extremal<D>(Q, -(X_PQ.R.transpose() * N), v);
    const double separation = N.dot(X_PQ * Q.vertex(v)) - P.plane(f).offset;
    if (separation < best.separation - tie) continue;
    const Vec<D> n = p.X_WB.R * (flip ? N : Vec<D>(-N));
    if (separation <= best.separation + tie && tie_key<D>(n) <= tie_key<D>(best.normal)) continue;
    const Feature facet{static_cast<FeatureKind>(D - 1), f}, vertex{FeatureKind::vertex, v};
    best.separation = std::max(separation, best.separation);
    best.normal = n;
    best.features = flip ? FeaturePair{vertex, facet} : FeaturePair{facet, vertex};
  }
}

/// Facets of P whose planes have the normal of one of the planes from the first to the last; `flip`: P is B.
/// At the start both parts may have a facet there; once one of them turns they part by one plane only.
template <int D>
void add_facets_along(const PlacedShape<D>& p, const PlacedShape<D>& q, bool flip, std::size_t last,
                      std::vector<SeparatingAxis<D>>& planes) {
  constexpr double kParallel = 1e-12;  // 1 - cosine
  const Polytope<D>&P = polytope_of(p), &Q = polytope_of(q);
  const Pose<D> X_PQ = relative_pose(p.X_WB, q.X_WB);
  for (int f = 0; f < P.facet_count(); ++f) {
    const Vec<D>& N = P.plane(f).normal;
    const Vec<D> n = p.X_WB.R * (flip ? N : Vec<D>(-N));
    const bool along =
        std::any_of(planes.begin(), planes.begin() + last,
                    [&](const SeparatingAxis<D>& plane) { return plane.normal.dot(n) >= 1 - kParallel; });
    if (!along) continue;
    const int v = climb_extremal<D>(Q, -(X_PQ.R.transpose() * N), 0);
    const Feature facet{static_cast<FeatureKind>(D - 1), f}, vertex{FeatureKind::vertex, v};
    const double separation = N.dot(X_PQ * Q.vertex(v)) - P.plane(f).offset;
    planes.push_back({separation, n, flip ? FeaturePair{vertex, facet} : FeaturePair{facet, vertex}});
  }
}

}  // namespace

GapSettings plain_gap() {
  GapSettings settings;
  settings.find_candidates = settings.find_points = false;
  return settings;
}

/// Of a turn the difference of the matrices has two equal singular values and, in space, a zero.
template <int D>
double largest_shift(const Ball<D>& part, const Pose<D>& from, const Pose<D>& to) {
  if (from.p == to.p && from.R == to.R) return 0;
  const Mat<D> turn = to.R - from.R;
  return (turn * part.centre + (to.p - from.p)).norm() + std::sqrt(0.5) * turn.norm() * part.radius;
}

template <int D>
PairSizes<D>::PairSizes(const ContactShape<D>& A, const ContactShape<D>& B)
    : radius_A(reach_of(*A.shape, A.X_CS)),
      radius_B(reach_of(*B.shape, B.X_CS)),
      ball_A(ball_about(*A.shape)),
      ball_B(ball_about(*B.shape)) {
  assert(radius_A >= 0 && radius_B >= 0);
  const double a = size_of(*A.shape), b = size_of(*B.shape);
  larger = std::max(a, b);
  thinner = std::min(thickness_of(*A.shape), thickness_of(*B.shape));
  has_planes = polytope_of(*A.shape) && polytope_of(*B.shape);
}

template <int D>
double separation_along(const PairAt<D>& at, const Vec<D>& n) {
  assert(is_unit(n));
  if (!reaches_end<D>(at.A, -n) || !reaches_end<D>(at.B, n)) return -std::numeric_limits<double>::infinity();
  const Vec<D> a = furthest_point<D>(*at.A.shape, at.A.X_WB.R.transpose() * -n);
  const Vec<D> b = furthest_point<D>(*at.B.shape, at.B.X_WB.R.transpose() * n);
  return n.dot(at.A.X_WB * a - at.B.X_WB * b);
}

template <int D>
double separation_by(const PairAt<D>& at, const SeparatingAxis<D>& plane) {
  return separation_along(at, plane_normal(plane.features, at, plane.normal));
}

template <int D>
double PairMotion<D>::closing_rate(const Vec<D>& x, const Vec<D>& n) const {
  return n.dot(point_velocity<D>(path_A.velocity, x - path_A.centre) -
               point_velocity<D>(path_B.velocity, x - path_B.centre));
}

template <int D>
Vec<D> PairMotion<D>::closing_slope(const Vec<D>& n) const {
  return -spin_velocity<D>(angular<D>(path_A.velocity) - angular<D>(path_B.velocity), n);
}

template <int D>
double PairMotion<D>::relative_speed() const {
  return (linear<D>(path_A.velocity) - linear<D>(path_B.velocity)).norm() +
         0.5 * h * (path_A.acceleration - path_B.acceleration).norm();
}

template <int D>
double PairMotion<D>::turning_speed() const {
  return angular<D>(path_A.velocity).norm() * sizes.radius_A +
         angular<D>(path_B.velocity).norm() * sizes.radius_B;
}

template <int D>
double PairMotion<D>::second_order(double speed) const {
  const double w = turning_speed(), radius = std::max(sizes.larger, tolerance);
  return h * h * (acceleration + 4 * w * (w + speed) / radius);
}

template <int D>
double PairMotion<D>::sinking() const {
  return std::max(2 * acceleration * h * h + tolerance, second_order());
}

template <int D>
double PairMotion<D>::shallow_pass() const {
  constexpr double kGraze = 0.05, kTouch = 1e-3;  // of the thickness of the thinner part
  return std::clamp(second_order(), kTouch * sizes.thinner, kGraze * sizes.thinner);
}

template <int D>
double PairMotion<D>::slack_at_ends(double part) const {
  return shallow_pass() - (path_A.bow(sizes.radius_A, part) + path_B.bow(sizes.radius_B, part));
}

template <int D>
OverlaySettings PairMotion<D>::overlay(const Vec<D>& n) const {
  assert(is_unit(n));
  constexpr double kShadow = 1e-9;  // [sizes] how far beyond the border of a shadow still counts
  const double closing = std::abs(n.dot(linear<D>(path_A.velocity) - linear<D>(path_B.velocity)));
  return {h * (closing + turning_speed() + h * acceleration), kShadow * sizes.larger};
}

template <int D>
bool PlanePair<D>::is_round() const {
  return touchstone::is_round(*start.A.shape) || touchstone::is_round(*start.B.shape);
}

template <int D>
MovingPair<D> PlanePair<D>::moving() const {
  return {{shape_A->shape.get(), &path_A, shape_A->X_CS},
          {shape_B->shape.get(), &path_B, shape_B->X_CS},
          this->turning_way()};
}

template <int D>
PairAt<D> PlanePair<D>::at(double t) const {
  const MovingPair<D> pair = moving();
  return {pair.A.at(t), pair.B.at(t)};
}

/// At both ends: points of bodies that turn leave their chords, and bodies that part may meet on the way.
template <int D>
bool PlanePair<D>::is_kept_apart_by(const GapAlong<D>& end_gap) const {
  const double least = -slack_at_ends();
  return end_gap.gap >= least && separation_along(start, end_gap.normal) >= least;
}

template <int D>
bool PlanePair<D>::is_kept_apart(const GapAlong<D>& start_gap, const Vec<D>& end_normal) const {
  const double least = -slack_at_ends();
  if (start_gap.gap >= least && separation_along(end, start_gap.normal) >= least) return true;
  const Vec<D> sum = start_gap.normal + end_normal;
  if (!(sum.squaredNorm() > 0)) return false;
  const Vec<D> between = sum.normalized();
  return separation_along(start, between) >= least && separation_along(end, between) >= least;
}

template <int D>
bool PlanePair<D>::is_kept_apart_in_halves(const GapAlong<D>& start_gap, const GapAlong<D>& end_gap,
                                           GapMemory<D>& memory) const {
  const double least = -slack_at_ends(0.5);
  if (least > 0) return false;  // too long for this
  const PairAt<D> middle = at(0.5);
  const Gap<D> gap = find_gap<D>(middle.A, middle.B, &memory, plain_gap());
  const auto keeps_half = [&](const PairAt<D>& other, const GapAlong<D>& there) {
    return (there.gap >= least && separation_along(middle, there.normal) >= least) ||
           separation_along(other, gap.normal) >= least;
  };
  return gap.gap >= least && keeps_half(start, start_gap) && keeps_half(end, end_gap);
}

/// Only where the motion is longer than the gap. An overlap shallower than the second order of the step is
/// left to its end. Bodies that are too fast to be followed count as if they met.
template <int D>
bool PlanePair<D>::passes_through(const GapAlong<D>& start_gap, const GapAlong<D>& end_gap,
                                  GapMemory<D> memory) const {
  const double shallow = shallow_pass(), longest = way();
  if (longest <= shallow || start_gap.gap > longest) return false;
  const MovingPair<D> pair = moving();
  const auto share = [&](double gap, double closing) { return (std::max(gap, 0.) + shallow) / closing; };
  AdvancementSettings settings{.depth = shallow + std::max(-start_gap.gap, 0.), .skip = shallow};
  settings.from = share(start_gap.gap, pair.closing(start_gap.normal));
  settings.until = 1 - share(end_gap.gap, pair.closing_before(end_gap.normal));
  const bool has_time = settings.from < settings.until;  // between the ends, to meet
  if (!has_time || is_kept_apart_in_halves(start_gap, end_gap, memory)) return false;
  return find_time_of_contact(pair, settings, memory).status != TimeOfContact::Status::apart;
}

template <int D>
double PlanePair<D>::last_time_apart(bool passed, double start_gap, GapMemory<D> memory) const {
  TimeOfContact bracket{TimeOfContact::Status::meets, 0, 1};
  const double depth = tolerance + (passed ? std::max(-start_gap, 0.) : 0.);
  if (passed) bracket = find_time_of_contact(moving(), {.depth = depth, .skip = shallow_pass()}, memory);
  return refine_time_of_contact(moving(), bracket, depth, memory);
}

template <int D>
SeparatingAxis<D> PlanePair<D>::best_plane(const PairAt<D>& at) const {
  assert(has_planes());
  const Pose<D> X_AB = relative_pose(at.A.X_WB, at.B.X_WB);
  SeparatingAxis<D> best = test_separating_axes(polytope_of(at.A), polytope_of(at.B), X_AB).best;
  best.normal = at.A.X_WB.R * best.normal;
  const double tie = kTie * sizes.larger;
  SeparatingAxis<D> facet;
  facet.separation = best.separation - 2 * tie, facet.normal = Vec<D>::Zero();
  offer_facets(at.A, at.B, false, tie, facet);
  offer_facets(at.B, at.A, true, tie, facet);
  if (facet.separation >= best.separation - tie) best = facet;
  return best;
}

/// A plane behind which the bodies were at the start comes last, without slop: it would gain energy
/// [Plane 5.3]. What sinks by no more than gravity asks for is as good as not crossed.
template <int D>
SeparatingAxis<D> PlanePair<D>::last_crossed_plane() const {
  assert(has_planes());
  const double slop = this->sinking(), tie = kTie * sizes.larger;
  const SeparatingAxis<D> first = best_plane(start);
  const Pose<D> X_AB = relative_pose(start.A.X_WB, start.B.X_WB);
  // Bodies that kiss are separated by all planes that do so to round-off.
  const PenetrationSettings separating{std::max(first.separation, 0.) + tie};
  std::vector<SeparatingAxis<D>> planes =
      test_separating_axes(polytope_of(start.A), polytope_of(start.B), X_AB, separating).ties;
  for (SeparatingAxis<D>& plane : planes) plane.normal = start.A.X_WB.R * plane.normal;
  const std::size_t found = planes.size();
  add_facets_along(start.A, start.B, false, found, planes);
  add_facets_along(start.B, start.A, true, found, planes);
  const auto score = [&](const SeparatingAxis<D>& plane) {
    const double s = plane.separation, e = separation_by(end, plane);
    return e >= -slop ? 2 * sizes.larger + e : (s + slop) / (s - e) * sizes.larger;
  };
  SeparatingAxis<D> best = first;
  double highest = score(best);
  for (const SeparatingAxis<D>& plane : planes) {
    const double now = score(plane);
    if (now < highest - tie) continue;
    if (now <= highest + tie && tie_key<D>(plane.normal) <= tie_key<D>(best.normal)) continue;
    best = plane, highest = std::max(now, highest);
  }
  return best;
}

#define TOUCHSTONE_INSTANTIATE(D)                                                \
  template struct PairSizes<D>;                                                  \
  template struct PairMotion<D>;                                                 \
  template struct PlanePair<D>;                                                  \
  template double largest_shift(const Ball<D>&, const Pose<D>&, const Pose<D>&); \
  template double separation_along(const PairAt<D>&, const Vec<D>&);             \
  template double separation_by(const PairAt<D>&, const SeparatingAxis<D>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
