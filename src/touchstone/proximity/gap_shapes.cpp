// The gap of any two shapes, by the rows of pair_table.h. Two polytopes have a search of their own (gap.cpp);
// spheres and half-spaces, with each other and with polytopes, have closed forms over the distance of a point
// from a polytope.

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "touchstone/geometry/bounds.h"
#include "touchstone/math/checks.h"
#include "touchstone/proximity/feature_contacts.h"
#include "touchstone/proximity/gap.h"
#include "touchstone/proximity/pair_table.h"
#include "touchstone/proximity/require_pose.h"

namespace touchstone {
namespace {

/// Sets the gap, its bounds (closed forms: equal) and B's witness from A's.
template <int D>
Gap<D> make_gap(double gap, const Vec<D>& normal, const Vec<D>& point_A) {
  Gap<D> g;
  assert(is_unit(normal));
  g.gap = g.lower = g.upper = gap;
  g.normal = normal;
  g.point_A = point_A;
  g.point_B = point_A - gap * normal;
  return g;
}

/// How a point lies to a polytope, in the polytope's frame: distance negative inside, normal outward.
template <int D>
struct PointDistance {
  double distance;  ///< [m]
  Vec<D> normal;    ///< from the polytope to the point
  Feature feature;
};

/// Each facet that the point lies over, the nearest border included.
template <int D>
PointDistance<D> distance_outside(const Polytope<D>& P, const Vec<D>& x) {
  const Placed<D> placed{&P, {}};
  PointDistance<D> best{std::numeric_limits<double>::infinity(), Vec<D>::Unit(0), {}};
  for (int f = 0; f < P.facet_count(); ++f) {
    const double height = P.plane(f).height(x);
    if (height <= 0 || height >= best.distance) continue;  // the facet is no nearer than its plane
    const Vec<D> apart = x - nearest_on_facet<D>(placed, f, x);
    const double distance = apart.norm();
    if (distance < best.distance) best = {distance, apart / distance, {kFacet<D>, f}};
  }
  assert(std::isfinite(best.distance));  // the point lies above one of the facets
  return best;
}

template <int D>
PointDistance<D> point_distance(const Polytope<D>& P, const Vec<D>& x) {
  PointDistance<D> inside{-std::numeric_limits<double>::infinity(), Vec<D>::Unit(0), {}};
  for (int f = 0; f < P.facet_count(); ++f) {
    const double height = P.plane(f).height(x);
    if (height > inside.distance) inside = {height, P.plane(f).normal, {kFacet<D>, f}};
  }
  assert(std::isfinite(inside.distance));
  return inside.distance <= kCertified * P.size() ? inside : distance_outside<D>(P, x);
}

/// The facets that are as near to an inner point x as the nearest one; normals from P outward.
template <int D>
void add_candidates(const Polytope<D>& P, const Vec<D>& x, const GapQuery<D>& asked, Gap<D>& g) {
  if (asked.tie < 0) return;
  double best = -std::numeric_limits<double>::infinity();
  for (const Plane<D>& plane : P.facet_planes()) best = std::max(best, plane.height(x));
  if (best > kCertified * P.size()) return;
  for (const Plane<D>& plane : P.facet_planes()) {
    if (plane.height(x) >= best - asked.tie) g.candidates.push_back(asked.X_WB.R * plane.normal);
  }
  g.normal_is_unique = g.candidates.size() == 1;
  if (g.normal_is_unique) g.candidates.clear();
}

}  // namespace

// ---- one function per row --------------------------------------------------------------------------------

template <int D>
Gap<D> PairRow<Polytope<D>, Polytope<D>>::gap(const A& a, const B& b, const GapQuery<D>& asked) {
  return find_gap<D>(Placed<D>{&a, asked.X_WA}, Placed<D>{&b, asked.X_WB}, asked.memory, asked.settings);
}

template <int D>
Gap<D> PairRow<Sphere<D>, Polytope<D>>::gap(const A& a, const B& b, const GapQuery<D>& asked) {
  const Pose<D>&X_WA = asked.X_WA, &X_WB = asked.X_WB;
  const Vec<D> centre = X_WB.to_local(X_WA.p);
  const PointDistance<D> at = point_distance<D>(b, centre);
  const Vec<D> normal = X_WB.R * at.normal;
  Gap<D> g = make_gap<D>(at.distance - a.radius, normal, X_WA.p - a.radius * normal);
  g.features = {kSurface, at.feature};
  add_candidates<D>(b, centre, asked, g);
  return g;
}

template <int D>
Gap<D> PairRow<Sphere<D>, Sphere<D>>::gap(const A& a, const B& b, const GapQuery<D>& asked) {
  const Pose<D>&X_WA = asked.X_WA, &X_WB = asked.X_WB;
  const Vec<D> apart = X_WA.p - X_WB.p;
  const double distance = apart.norm();
  const Vec<D> normal = distance > 0 ? Vec<D>(apart / distance) : Vec<D>(X_WA.R.col(D - 1));
  Gap<D> g = make_gap<D>(distance - a.radius - b.radius, normal, X_WA.p - a.radius * normal);
  g.features = {kSurface, kSurface};
  if (distance > 0 || asked.tie < 0) return g;
  // Concentric: every direction serves. The axes of A stand for all of them.
  g.normal_is_unique = false;
  for (int k = 0; k < D; ++k) {
    g.candidates.push_back(X_WA.R.col(k));
    g.candidates.push_back(-X_WA.R.col(k));
  }
  return g;
}

template <int D>
Gap<D> PairRow<Sphere<D>, HalfSpace<D>>::gap(const A& a, const B& b, const GapQuery<D>& asked) {
  const Pose<D>&X_WA = asked.X_WA, &X_WB = asked.X_WB;
  const Vec<D> normal = X_WB.R * b.plane.normal;
  const double gap = b.plane.height(X_WB.to_local(X_WA.p)) - a.radius;
  Gap<D> g = make_gap<D>(gap, normal, X_WA.p - a.radius * normal);
  g.features = {kSurface, kSurface};
  return g;
}

template <int D>
Gap<D> PairRow<Polytope<D>, HalfSpace<D>>::gap(const A& a, const B& b, const GapQuery<D>& asked) {
  const Pose<D>&X_WA = asked.X_WA, &X_WB = asked.X_WB;
  const Vec<D> normal = X_WB.R * b.plane.normal;
  const int lowest = find_extremal<D>(a, -(X_WA.R.transpose() * normal));
  const Vec<D> point = X_WA * a.vertex(lowest);
  Gap<D> g = make_gap<D>(b.plane.height(X_WB.to_local(point)), normal, point);
  g.features = {{FeatureKind::vertex, lowest}, kSurface};
  return g;
}

template <int D>
Gap<D> PairRow<HalfSpace<D>, HalfSpace<D>>::gap(const A&, const B&, const GapQuery<D>&) {
  throw std::invalid_argument("the gap of two half-spaces is not defined: both are unbounded");
}

// ---- the door --------------------------------------------------------------------------------------------

namespace {

/// How all closed forms are asked, and what all of them leave open.
template <int D>
struct ClosedForm {
  const PlacedShape<D>&A, &B;
  const GapSettings& settings;
  double size = std::max(size_of(*A.shape), size_of(*B.shape)), touching = settings.touching * size;

  GapQuery<D> query(bool is_exchanged) const {
    require_pose(A.X_WB, "A");
    require_pose(B.X_WB, "B");
    return {poses_in_order(A, B, is_exchanged), nullptr, settings, settings.find_candidates ? touching : -1};
  }
  void finish(Gap<D>& g, bool is_exchanged) const {
    if (is_exchanged) exchange(g);
    g.round_off = kGapError * std::max({size, A.X_WB.p.norm(), B.X_WB.p.norm(), std::abs(g.gap)});
    if (std::abs(g.gap) <= touching) {
      g.status = Status::touching;
    } else {
      g.status = g.gap > 0 ? Status::disjoint : Status::overlapping;
    }
  }
};

}  // namespace

template <int D>
Gap<D> find_gap(const PlacedShape<D>& A, const PlacedShape<D>& B, GapMemory<D>* memory,
                const GapSettings& settings) {
  assert(A.shape && B.shape);
  const auto ask = [&]<class Row>(Row, const auto& a, const auto& b, auto is_exchanged) {
    if constexpr (!Row::kClosedForm) {
      static_assert(!is_exchanged, "a memory is of A and B in this order");
      const PairPoses<D> poses{A.X_WB, B.X_WB};
      return Row::gap(a, b, {poses, memory, settings, -1});
    } else {
      const ClosedForm<D> form{A, B, settings};
      Gap<D> g = Row::gap(a, b, form.query(is_exchanged));
      form.finish(g, is_exchanged);
      return g;
    }
  };
  return ask_pair<D>(*A.shape, *B.shape, ask);
}

template Gap<2> find_gap(const PlacedShape<2>&, const PlacedShape<2>&, GapMemory<2>*, const GapSettings&);
template Gap<3> find_gap(const PlacedShape<3>&, const PlacedShape<3>&, GapMemory<3>*, const GapSettings&);

}  // namespace touchstone
