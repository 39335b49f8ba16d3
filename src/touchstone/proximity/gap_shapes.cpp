// The gap of spheres and half-spaces, with each other and with polytopes: closed forms over the distance of
// a point from a polytope. Each pair is written once, for A of the first and B of the second kind.

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "touchstone/geometry/extremal.h"
#include "touchstone/proximity/feature_contacts.h"
#include "touchstone/proximity/gap.h"
#include "touchstone/proximity/require_pose.h"

namespace touchstone {
namespace {

template <int D>
double size_of(const Polytope<D>& P) {
  return P.size();
}
template <int D>
double size_of(const Sphere<D>& S) {
  return 2 * S.radius;
}
template <int D>
double size_of(const HalfSpace<D>&) {
  return 0;
}

/// Sets the gap, its bounds (closed forms: equal) and B's witness from A's.
template <int D>
Gap<D> make_gap(double gap, const Vec<D>& normal, const Vec<D>& point_A) {
  Gap<D> g;
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
  return best;
}

template <int D>
PointDistance<D> point_distance(const Polytope<D>& P, const Vec<D>& x) {
  PointDistance<D> inside{-std::numeric_limits<double>::infinity(), Vec<D>::Unit(0), {}};
  for (int f = 0; f < P.facet_count(); ++f) {
    const double height = P.plane(f).height(x);
    if (height > inside.distance) inside = {height, P.plane(f).normal, {kFacet<D>, f}};
  }
  return inside.distance <= kCertified * P.size() ? inside : distance_outside<D>(P, x);
}

/// Where the bodies are, and which normals count.
template <int D>
struct Asked {
  const Pose<D>&X_WA, &X_WB;
  double tie;  ///< [m] normals within this of the best one are candidates; negative: none are looked for

  Asked swapped() const { return {X_WB, X_WA, tie}; }
};

/// The facets that are as near to an inner point x as the nearest one; normals from P outward.
template <int D>
void add_candidates(const Polytope<D>& P, const Vec<D>& x, const Asked<D>& asked, Gap<D>& g) {
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

// ---- one function for each pair, A first ----------------------------------------------------------------

template <int D>
Gap<D> gap_of(const Sphere<D>& A, const Polytope<D>& B, const Asked<D>& asked) {
  const auto& [X_WA, X_WB, tie] = asked;
  const Vec<D> centre = X_WB.to_local(X_WA.p);
  const PointDistance<D> at = point_distance<D>(B, centre);
  const Vec<D> normal = X_WB.R * at.normal;
  Gap<D> g = make_gap<D>(at.distance - A.radius, normal, X_WA.p - A.radius * normal);
  g.features = {kSurface, at.feature};
  add_candidates<D>(B, centre, asked, g);
  return g;
}

template <int D>
Gap<D> gap_of(const Sphere<D>& A, const Sphere<D>& B, const Asked<D>& asked) {
  const auto& [X_WA, X_WB, tie] = asked;
  const Vec<D> apart = X_WA.p - X_WB.p;
  const double distance = apart.norm();
  const Vec<D> normal = distance > 0 ? Vec<D>(apart / distance) : Vec<D>(X_WA.R.col(D - 1));
  Gap<D> g = make_gap<D>(distance - A.radius - B.radius, normal, X_WA.p - A.radius * normal);
  g.features = {kSurface, kSurface};
  if (distance > 0 || tie < 0) return g;
  // Concentric: every direction serves. The axes of A stand for all of them.
  g.normal_is_unique = false;
  for (int k = 0; k < D; ++k) {
    g.candidates.push_back(X_WA.R.col(k));
    g.candidates.push_back(-X_WA.R.col(k));
  }
  return g;
}

template <int D>
Gap<D> gap_of(const Sphere<D>& A, const HalfSpace<D>& B, const Asked<D>& asked) {
  const auto& [X_WA, X_WB, tie] = asked;
  const Vec<D> normal = X_WB.R * B.plane.normal;
  const double gap = B.plane.height(X_WB.to_local(X_WA.p)) - A.radius;
  Gap<D> g = make_gap<D>(gap, normal, X_WA.p - A.radius * normal);
  g.features = {kSurface, kSurface};
  return g;
}

template <int D>
Gap<D> gap_of(const Polytope<D>& A, const HalfSpace<D>& B, const Asked<D>& asked) {
  const auto& [X_WA, X_WB, tie] = asked;
  const Vec<D> normal = X_WB.R * B.plane.normal;
  const int lowest = find_extremal<D>(A, -(X_WA.R.transpose() * normal));
  const Vec<D> point = X_WA * A.vertex(lowest);
  Gap<D> g = make_gap<D>(B.plane.height(X_WB.to_local(point)), normal, point);
  g.features = {{FeatureKind::vertex, lowest}, kSurface};
  return g;
}

template <int D>
Gap<D> gap_of(const HalfSpace<D>&, const HalfSpace<D>&, const Asked<D>&) {
  throw std::invalid_argument("the gap of two half-spaces is not defined: both are unbounded");
}

/// The other order: the answer of (B, A) with its sides exchanged.
template <int D, class ShapeA, class ShapeB>
Gap<D> swapped_gap(const ShapeA& A, const ShapeB& B, const Asked<D>& asked) {
  Gap<D> g = gap_of<D>(B, A, asked.swapped());
  g.normal = -g.normal;
  for (Vec<D>& n : g.candidates) n = -n;
  std::swap(g.point_A, g.point_B);
  std::swap(g.features.a, g.features.b);
  return g;
}

template <int D>
Gap<D> gap_of(const Polytope<D>& A, const Sphere<D>& B, const Asked<D>& asked) {
  return swapped_gap<D>(A, B, asked);
}
template <int D>
Gap<D> gap_of(const HalfSpace<D>& A, const Sphere<D>& B, const Asked<D>& asked) {
  return swapped_gap<D>(A, B, asked);
}
template <int D>
Gap<D> gap_of(const HalfSpace<D>& A, const Polytope<D>& B, const Asked<D>& asked) {
  return swapped_gap<D>(A, B, asked);
}

/// Asked of the two shapes that a pair of PlacedShapes holds.
template <int D>
struct GapOfShapes {
  const Pose<D>&X_WA, &X_WB;
  GapMemory<D>* memory;
  const GapSettings& settings;

  Gap<D> operator()(const Polytope<D>& A, const Polytope<D>& B) const {
    return find_gap<D>(Placed<D>{&A, X_WA}, Placed<D>{&B, X_WB}, memory, settings);
  }
  template <class ShapeA, class ShapeB>
  Gap<D> operator()(const ShapeA& A, const ShapeB& B) const {
    require_pose(X_WA, "A");
    require_pose(X_WB, "B");
    const double size = std::max(size_of<D>(A), size_of<D>(B)), touching = settings.touching * size;
    Gap<D> g = gap_of<D>(A, B, Asked<D>{X_WA, X_WB, settings.find_candidates ? touching : -1});
    g.round_off = kGapError * std::max({size, X_WA.p.norm(), X_WB.p.norm(), std::abs(g.gap)});
    if (std::abs(g.gap) <= touching) {
      g.status = Status::touching;
    } else {
      g.status = g.gap > 0 ? Status::disjoint : Status::overlapping;
    }
    return g;
  }
};

}  // namespace

template <int D>
Gap<D> find_gap(const PlacedShape<D>& A, const PlacedShape<D>& B, GapMemory<D>* memory,
                const GapSettings& settings) {
  return std::visit(GapOfShapes<D>{A.X_WB, B.X_WB, memory, settings}, *A.shape, *B.shape);
}

template Gap<2> find_gap(const PlacedShape<2>&, const PlacedShape<2>&, GapMemory<2>*, const GapSettings&);
template Gap<3> find_gap(const PlacedShape<3>&, const PlacedShape<3>&, GapMemory<3>*, const GapSettings&);

}  // namespace touchstone
