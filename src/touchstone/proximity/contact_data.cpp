#include "touchstone/proximity/contact_data.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <optional>

#include "touchstone/math/checks.h"
#include "touchstone/proximity/feature_contacts.h"
#include "touchstone/proximity/intersection.h"
#include "touchstone/proximity/pair_table.h"
#include "touchstone/proximity/round_overlap.h"

namespace touchstone {
namespace {

template <int D>
SharedFeatures<D> point_contact(const Gap<D>& gap, const FeaturePair& features) {
  const Vec<D> middle = (gap.point_A + gap.point_B) / 2;
  return {features, {{middle, features.a, features.b}}};
}

/// The smallest feature of a facet (2D: an edge) that holds the point x of its border or inside.
template <int D>
Feature smallest_feature(const Polytope<D>& P, const Feature& facet, const Vec<D>& x) {
  assert(facet.kind == kFacet<D> && is_index(facet.index, P.facet_count()));
  const double tolerance = ManifoldSettings().plane_tolerance * P.size();
  for (int v : P.facet_vertices(facet.index)) {
    if ((P.vertex(v) - x).norm() <= tolerance) return {FeatureKind::vertex, v};
  }
  for (int e : P.facet_edges(facet.index)) {
    const Vec<D>& tail = P.vertex(P.edge(e).tail);
    const Vec<D>& head = P.vertex(P.edge(e).head);
    if ((nearest_on_segment<D>(tail, head, x).point - x).norm() <= tolerance) return {FeatureKind::edge, e};
  }
  return facet;
}

// ---- a polytope on a half-space --------------------------------------------------------------------------

/// Height above the lowest vertex of each vertex, in a direction of the body's frame.
template <int D>
std::vector<double> heights(const Polytope<D>& P, const Vec<D>& up) {
  assert(is_unit(up));
  std::vector<double> height(P.vertex_count());
  double lowest = std::numeric_limits<double>::infinity();
  for (int v = 0; v < P.vertex_count(); ++v) lowest = std::min(lowest, height[v] = up.dot(P.vertex(v)));
  for (double& h : height) h -= lowest;
  return height;
}

/// A feature and its vertices in order; a facet's loop.
struct Footing {
  Feature feature;
  std::vector<int> vertices;
};

/// The facet (in 2D: the edge) that lies lowest, if all of its vertices are within the tolerance.
template <int D>
std::optional<Footing> lowest_facet(const Polytope<D>& P, const Vec<D>& up, double tolerance,
                                    const std::vector<double>& height) {
  assert(static_cast<int>(height.size()) == P.vertex_count() && tolerance >= 0);
  std::optional<Footing> found;
  double steepest = std::numeric_limits<double>::infinity();
  for (int f = 0; f < P.facet_count(); ++f) {
    const auto loop = P.facet_vertices(f);
    const bool low = std::all_of(loop.begin(), loop.end(), [&](int v) { return height[v] <= tolerance; });
    const double slope = up.dot(P.plane(f).normal);
    if (!low || slope >= steepest) continue;
    steepest = slope;
    found = Footing{{static_cast<FeatureKind>(D - 1), f}, {loop.begin(), loop.end()}};
  }
  return found;
}

/// The largest feature of the body that lies on the plane: facet, edge or vertex.
template <int D>
Footing find_footing(const Polytope<D>& P, const Vec<D>& up, double tolerance) {
  const std::vector<double> height = heights(P, up);
  if (auto facet = lowest_facet(P, up, tolerance, height)) return *facet;
  for (int e = 0; e < P.edge_count(); ++e) {
    const auto [tail, head, left, right] = P.edge(e);
    if (std::max(height[tail], height[head]) <= tolerance) return {{FeatureKind::edge, e}, {tail, head}};
  }
  const int v = static_cast<int>(std::min_element(height.begin(), height.end()) - height.begin());
  return {{FeatureKind::vertex, v}, {v}};
}

/// The answer of (B, A) as one of (A, B): the normal looks the other way, and so the corners of a polygon run
/// the other way round.
template <int D>
void exchange(SharedFeatures<D>& shared) {
  std::swap(shared.features.a, shared.features.b);
  for (ManifoldPoint<D>& point : shared.manifold) std::swap(point.a, point.b);
  std::reverse(shared.manifold.begin(), shared.manifold.end());
}

}  // namespace

// ---- one row after the other -----------------------------------------------------------------------------

template <int D>
SharedFeatures<D> PairRow<Polytope<D>, Polytope<D>>::shared(const A& a, const B& b, const PairPoses<D>& X,
                                                            const Gap<D>& gap) {
  const ContactManifold<D> manifold = find_manifold(Placed<D>{&a, X.X_WA}, Placed<D>{&b, X.X_WB}, gap);
  return {manifold.features, manifold.points};
}
template <int D>
double PairRow<Polytope<D>, Polytope<D>>::overlap(const A& a, const B& b, const PairPoses<D>& X, double gap) {
  if (!(gap < 0)) return 0;
  return find_intersection(Placed<D>{&a, X.X_WA}, Placed<D>{&b, X.X_WB}, X.X_WA.p).volume;
}

template <int D>
SharedFeatures<D> PairRow<Sphere<D>, Polytope<D>>::shared(const A&, const B& b, const PairPoses<D>& X,
                                                          const Gap<D>& gap) {
  return point_contact(gap, {kSurface, smallest_feature<D>(b, gap.features.b, X.X_WB.to_local(gap.point_B))});
}
template <int D>
double PairRow<Sphere<D>, Polytope<D>>::overlap(const A& a, const B& b, const PairPoses<D>& X, double gap) {
  return gap < 0 ? ball_polytope_volume(b, X.X_WB.to_local(X.X_WA.p), a.radius) : 0.0;
}

template <int D>
SharedFeatures<D> PairRow<Sphere<D>, Sphere<D>>::shared(const A&, const B&, const PairPoses<D>&,
                                                        const Gap<D>& gap) {
  return point_contact(gap, {kSurface, kSurface});
}
template <int D>
double PairRow<Sphere<D>, Sphere<D>>::overlap(const A& a, const B& b, const PairPoses<D>& X, double) {
  return lens_volume<D>(a.radius, b.radius, (X.X_WA.p - X.X_WB.p).norm());
}

template <int D>
SharedFeatures<D> PairRow<Sphere<D>, HalfSpace<D>>::shared(const A&, const B&, const PairPoses<D>&,
                                                           const Gap<D>& gap) {
  return point_contact(gap, {kSurface, kSurface});
}
template <int D>
double PairRow<Sphere<D>, HalfSpace<D>>::overlap(const A& a, const B&, const PairPoses<D>&, double gap) {
  return cap_volume<D>(a.radius, -gap);
}

/// Points lie midway between the body and the plane.
template <int D>
SharedFeatures<D> PairRow<Polytope<D>, HalfSpace<D>>::shared(const A& a, const B& b, const PairPoses<D>& X,
                                                             const Gap<D>& gap) {
  const Plane<D> plane = X.X_WB * b.plane;
  const Vec<D> up = X.X_WA.R.transpose() * plane.normal;
  const Footing footing = find_footing<D>(a, up, ManifoldSettings().plane_tolerance * a.size());
  SharedFeatures<D> shared{{footing.feature, kSurface}, {}};
  for (int v : footing.vertices) {
    const Vec<D> x = X.X_WA * a.vertex(v);
    const Vec<D> middle = x - (plane.height(x) - gap.gap / 2) * plane.normal;
    shared.manifold.push_back({middle, {FeatureKind::vertex, v}, kSurface});
  }
  // A facet's loop is counter-clockwise seen from below; the normal, from B to A, looks up.
  std::reverse(shared.manifold.begin(), shared.manifold.end());
  return shared;
}
template <int D>
double PairRow<Polytope<D>, HalfSpace<D>>::overlap(const A& a, const B& b, const PairPoses<D>& X,
                                                   double gap) {
  if (!(gap < 0)) return 0;
  return find_intersection(Placed<D>{&a, X.X_WA}, X.X_WB * b.plane, X.X_WA.p).volume;
}

// ---- the doors -------------------------------------------------------------------------------------------

template <int D>
double find_overlap(const PlacedShape<D>& A, const PlacedShape<D>& B) {
  assert(A.shape && B.shape);
  const auto ask = [&]<class Row>(Row, const auto& a, const auto& b, bool is_exchanged) {
    // Whether two polytopes overlap, their common part tells as well: a gap would be searched in vain.
    double gap = -std::numeric_limits<double>::infinity();
    constexpr GapSettings kGapOnly = {.find_candidates = false, .find_points = false};
    if constexpr (Row::kClosedForm) gap = find_gap<D>(A, B, nullptr, kGapOnly).gap;
    return Row::overlap(a, b, poses_in_order(A, B, is_exchanged), gap);
  };
  return ask_pair<D>(*A.shape, *B.shape, ask);
}

template <int D>
ContactData<D> find_contact_data(const PlacedShape<D>& A, const PlacedShape<D>& B) {
  assert(A.shape && B.shape);
  ContactData<D> data;
  data.gap = find_gap(A, B);
  const auto ask = [&](auto row, const auto& a, const auto& b, bool is_exchanged) {
    const PairPoses<D> X = poses_in_order(A, B, is_exchanged);
    Gap<D> gap = data.gap;
    if (is_exchanged) exchange(gap);
    SharedFeatures<D> shared = row.shared(a, b, X, gap);
    if (is_exchanged) exchange(shared);
    data.features = shared.features, data.manifold = std::move(shared.manifold);
    data.overlap = row.overlap(a, b, X, gap.gap);
  };
  ask_pair<D>(*A.shape, *B.shape, ask);
  assert(!data.manifold.empty() && data.overlap >= 0);
  return data;
}

#define TOUCHSTONE_INSTANTIATE(D)                                             \
  template double find_overlap(const PlacedShape<D>&, const PlacedShape<D>&); \
  template ContactData<D> find_contact_data(const PlacedShape<D>&, const PlacedShape<D>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
