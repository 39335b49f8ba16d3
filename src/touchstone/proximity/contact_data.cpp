#include "touchstone/proximity/contact_data.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <variant>

#include "touchstone/proximity/feature_contacts.h"
#include "touchstone/proximity/intersection.h"
#include "touchstone/proximity/round_overlap.h"

namespace touchstone {
namespace {

/// What two bodies have in common, without the gap: one overload per pair of kinds.
template <int D>
struct Shared {
  FeaturePair features;
  std::vector<ManifoldPoint<D>> manifold;
  double overlap = 0;
};

template <int D, class S>
struct Body {
  const S& shape;
  const Pose<D>& X;
};
template <int D>
using Solid = Body<D, Polytope<D>>;
template <int D>
using Ball = Body<D, Sphere<D>>;
template <int D>
using Ground = Body<D, HalfSpace<D>>;

template <int D>
Shared<D> point_contact(const Gap<D>& gap, const FeaturePair& features, double overlap) {
  const Vec<D> middle = (gap.point_A + gap.point_B) / 2;
  return {features, {{middle, features.a, features.b}}, overlap};
}

template <int D>
Shared<D> find_shared(const Solid<D>& A, const Solid<D>& B, const Gap<D>& gap) {
  const Placed<D> a{&A.shape, A.X}, b{&B.shape, B.X};
  const ContactManifold<D> manifold = find_manifold(a, b, gap);
  const double overlap = gap.gap < 0 ? find_intersection(a, b, A.X.p).volume : 0.0;
  return {manifold.features, manifold.points, overlap};
}

template <int D>
Shared<D> find_shared(const Ball<D>& A, const Ball<D>& B, const Gap<D>& gap) {
  const double overlap = lens_volume<D>(A.shape.radius, B.shape.radius, (A.X.p - B.X.p).norm());
  return point_contact(gap, {kSurface, kSurface}, overlap);
}

/// The smallest feature of a facet (2D: an edge) that holds the point x of its border or inside.
template <int D>
Feature smallest_feature(const Polytope<D>& P, const Feature& facet, const Vec<D>& x) {
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

template <int D>
double ball_overlap(const Ball<D>& ball, const Solid<D>& solid, double gap) {
  return gap < 0 ? ball_polytope_volume(solid.shape, solid.X.to_local(ball.X.p), ball.shape.radius) : 0.0;
}

template <int D>
Shared<D> find_shared(const Ball<D>& A, const Solid<D>& B, const Gap<D>& gap) {
  const Feature b = smallest_feature<D>(B.shape, gap.features.b, B.X.to_local(gap.point_B));
  return point_contact(gap, {kSurface, b}, ball_overlap<D>(A, B, gap.gap));
}

template <int D>
Shared<D> find_shared(const Solid<D>& A, const Ball<D>& B, const Gap<D>& gap) {
  const Feature a = smallest_feature<D>(A.shape, gap.features.a, A.X.to_local(gap.point_A));
  return point_contact(gap, {a, kSurface}, ball_overlap<D>(B, A, gap.gap));
}

template <int D>
Shared<D> find_shared(const Ball<D>& A, const Ground<D>&, const Gap<D>& gap) {
  return point_contact(gap, {kSurface, kSurface}, cap_volume<D>(A.shape.radius, -gap.gap));
}

template <int D>
Shared<D> find_shared(const Ground<D>&, const Ball<D>& B, const Gap<D>& gap) {
  return point_contact(gap, {kSurface, kSurface}, cap_volume<D>(B.shape.radius, -gap.gap));
}

// ---- a polytope on a half-space --------------------------------------------------------------------------

/// Height above the lowest vertex of each vertex, in a direction of the body's frame.
template <int D>
std::vector<double> heights(const Polytope<D>& P, const Vec<D>& up) {
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

/// `plane` is the ground's in the world. Points lie midway between the body and the plane.
template <int D>
Shared<D> solid_on_plane(const Solid<D>& A, const Plane<D>& plane, double gap) {
  const Vec<D> up = A.X.R.transpose() * plane.normal;
  const Footing footing = find_footing<D>(A.shape, up, ManifoldSettings().plane_tolerance * A.shape.size());
  Shared<D> shared{{footing.feature, kSurface}, {}, 0};
  for (int v : footing.vertices) {
    const Vec<D> x = A.X * A.shape.vertex(v);
    const Vec<D> middle = x - (plane.height(x) - gap / 2) * plane.normal;
    shared.manifold.push_back({middle, {FeatureKind::vertex, v}, kSurface});
  }
  if (gap < 0) shared.overlap = find_intersection(Placed<D>{&A.shape, A.X}, plane, A.X.p).volume;
  return shared;
}

template <int D>
Shared<D> find_shared(const Solid<D>& A, const Ground<D>& B, const Gap<D>& gap) {
  Shared<D> shared = solid_on_plane(A, B.X * B.shape.plane, gap.gap);
  // A facet's loop is counter-clockwise seen from below; the normal, from B to A, looks up.
  std::reverse(shared.manifold.begin(), shared.manifold.end());
  return shared;
}

template <int D>
Shared<D> find_shared(const Ground<D>& A, const Solid<D>& B, const Gap<D>& gap) {
  Shared<D> shared = solid_on_plane(B, A.X * A.shape.plane, gap.gap);
  std::swap(shared.features.a, shared.features.b);
  for (ManifoldPoint<D>& point : shared.manifold) std::swap(point.a, point.b);
  return shared;
}

template <int D>
Shared<D> find_shared(const Ground<D>&, const Ground<D>&, const Gap<D>&) {
  return {};  // not reached: find_gap refuses two half-spaces
}

}  // namespace

template <int D>
ContactData<D> find_contact_data(const PlacedShape<D>& A, const PlacedShape<D>& B) {
  const Gap<D> gap = find_gap(A, B);
  const auto shared = std::visit(
      [&]<class S, class T>(const S& a, const T& b) {
        return find_shared<D>(Body<D, S>{a, A.X_WB}, Body<D, T>{b, B.X_WB}, gap);
      },
      *A.shape, *B.shape);
  return {gap, shared.features, shared.manifold, shared.overlap};
}

template ContactData<2> find_contact_data(const PlacedShape<2>&, const PlacedShape<2>&);
template ContactData<3> find_contact_data(const PlacedShape<3>&, const PlacedShape<3>&);

}  // namespace touchstone
