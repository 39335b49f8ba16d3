#include "touchstone/contact/plane_rows.h"

#include <cassert>

#include "touchstone/geometry/bounds.h"
#include "touchstone/math/checks.h"
#include "touchstone/proximity/witnesses.h"

namespace touchstone {
namespace {

template <int D>
const Polytope<D>* polytope_of(const PlacedShape<D>& part) {
  return polytope_of(*part.shape);
}
/// Seen from a point near by: heights of bodies far from the world's origin lose nothing to its distance.
/// (Four corners of a box 300 m up would contradict each other by 1e-11 m/s.)
template <int D>
PlacedShape<D> seen_from(const Vec<D>& origin, const PlacedShape<D>& part) {
  return {part.shape, {part.X_WB.R, part.X_WB.p - origin}};
}
template <int D>
Placed<D> placed(const PlacedShape<D>& part) {
  return {polytope_of(part), part.X_WB};
}

/// Where the point of a body was when the body stood at `start`.
template <int D>
Vec<D> carried_back(const PlacedShape<D>& start, const PlacedShape<D>& now, const Vec<D>& x) {
  return start.X_WB * now.X_WB.to_local(x);
}

bool is_facet(const Feature& f, int dimension) { return static_cast<int>(f.kind) == dimension - 1; }

Vec<3> crossing_normal(const FeaturePair& plane, const PairAt<3>& at, const Vec<3>& before) {
  assert(is_unit(before));
  const auto direction = [](const PlacedShape<3>& part, int e) {
    const Polytope<3>& P = *polytope_of(part);
    return Vec<3>(part.X_WB.R * (P.vertex(P.edge(e).head) - P.vertex(P.edge(e).tail)));
  };
  Vec<3> n = direction(at.A, plane.a.index).cross(direction(at.B, plane.b.index));
  const double length = n.norm();
  if (length == 0) return before;
  return n.dot(before) < 0 ? Vec<3>(-n / length) : Vec<3>(n / length);
}
Vec<2> crossing_normal(const FeaturePair&, const PairAt<2>&, const Vec<2>& before) { return before; }

/// The vertices of a polytope over a half-space. sign = +1: the polytope is A.
template <int D>
void add_vertices(const PairAt<D>& start, const PairAt<D>& now, double reach, double sign,
                  std::vector<PlaneCorner<D>>& corners) {
  assert(sign == 1 || sign == -1);
  const auto body = [&](const PairAt<D>& at) -> const PlacedShape<D>& { return sign > 0 ? at.A : at.B; };
  const auto ground = [&](const PairAt<D>& at) {
    const PlacedShape<D>& part = sign > 0 ? at.B : at.A;
    return part.X_WB * *plane_of(*part.shape);
  };
  const Polytope<D>& P = *polytope_of(body(now));
  const Plane<D> below = ground(now), below_at_start = ground(start);
  for (int v = 0; v < P.vertex_count(); ++v) {
    const double height = below.normal.dot(body(now).X_WB * P.vertex(v)) - below.offset;
    if (height > reach) continue;
    FeaturePair features{{FeatureKind::vertex, v}, {FeatureKind::face, 0}};
    if (sign < 0) std::swap(features.a, features.b);
    const Vec<D> point = body(start).X_WB * P.vertex(v);
    corners.push_back({features, point, sign * below.normal, height, below_at_start.height(point)});
  }
}

/// Round bodies touch along the line of the gap; the point rides with the line, not with the turning surface.
template <int D>
void add_nearest(const PairAt<D>& start, const PairAt<D>& now, double reach,
                 std::vector<PlaneCorner<D>>& corners) {
  const Gap<D> gap = find_gap(now.A, now.B);
  if (gap.gap > reach) return;
  const auto back = [](const PlacedShape<D>& from, const PlacedShape<D>& to, const Vec<D>& x) {
    return is_round(*from.shape) ? Vec<D>(from.X_WB.p + (x - to.X_WB.p)) : carried_back(from, to, x);
  };
  const Vec<D> on_A = back(start.A, now.A, gap.point_A), on_B = back(start.B, now.B, gap.point_B);
  const Vec<D> point = is_round(*start.A.shape) && is_round(*start.B.shape) ? Vec<D>(0.5 * (on_A + on_B))
                       : is_round(*start.A.shape)                           ? on_A
                                                                            : on_B;
  corners.push_back({{}, point, gap.normal, gap.gap, gap.normal.dot(on_A - on_B)});
}

/// The corners of two polytopes' overlay.
template <int D>
void add_overlay(const PairAt<D>& start, const PairAt<D>& now, const Vec<D>& n,
                 const OverlaySettings& settings, OverlayFinder<D>& overlay,
                 std::vector<PlaneCorner<D>>& corners) {
  assert(is_unit(n) && has_overlay(now));
  const PlacedShape<D> A = seen_from(now.B.X_WB.p, now.A), B = seen_from(now.B.X_WB.p, now.B);
  for (const OverlayPoint<D>& corner : overlay.find(placed(A), placed(B), n, settings)) {
    const Vec<D> on_A = carried_back(start.A, A, corner.point_A);
    const Vec<D> on_B = carried_back(start.B, B, corner.point_B);
    const bool vertex_A = corner.features.a.kind == FeatureKind::vertex;
    const bool vertex_B = corner.features.b.kind == FeatureKind::vertex;
    const Vec<D> point = vertex_A ? on_A : vertex_B ? on_B : Vec<D>(0.5 * (on_A + on_B));
    corners.push_back({corner.features, point, n, corner.height, n.dot(on_A - on_B)});
  }
}

}  // namespace

template <int D>
bool has_overlay(const PairAt<D>& pair) {
  return polytope_of(pair.A) && polytope_of(pair.B);
}

template <int D>
Vec<D> plane_normal(const FeaturePair& plane, const PairAt<D>& at, const Vec<D>& before) {
  if (!has_overlay(at)) return before;
  if (is_facet(plane.a, D) && !is_facet(plane.b, D)) {
    return -(at.A.X_WB.R * polytope_of(at.A)->plane(plane.a.index).normal);
  }
  if (is_facet(plane.b, D) && !is_facet(plane.a, D)) {
    return at.B.X_WB.R * polytope_of(at.B)->plane(plane.b.index).normal;
  }
  return crossing_normal(plane, at, before);
}

template <int D>
void find_corners(const PairAt<D>& start, const PairAt<D>& now, const Vec<D>& n,
                  const OverlaySettings& settings, OverlayFinder<D>& overlay,
                  std::vector<PlaneCorner<D>>& corners) {
  corners.clear();
  switch (contact_form(*now.A.shape, *now.B.shape)) {
    case ContactForm::features:
      return add_overlay(start, now, n, settings, overlay, corners);
    case ContactForm::vertices_of_A:
      return add_vertices(start, now, settings.reach, +1, corners);
    case ContactForm::vertices_of_B:
      return add_vertices(start, now, settings.reach, -1, corners);
    case ContactForm::point:
      return add_nearest(start, now, settings.reach, corners);
    case ContactForm::none:
      return;
  }
}

#define TOUCHSTONE_INSTANTIATE(D)                                                                       \
  template bool has_overlay(const PairAt<D>&);                                                          \
  template Vec<D> plane_normal(const FeaturePair&, const PairAt<D>&, const Vec<D>&);                    \
  template void find_corners(const PairAt<D>&, const PairAt<D>&, const Vec<D>&, const OverlaySettings&, \
                             OverlayFinder<D>&, std::vector<PlaneCorner<D>>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
