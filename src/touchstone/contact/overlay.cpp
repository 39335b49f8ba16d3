#include "touchstone/contact/overlay.h"

#include <cmath>

#include "touchstone/contact/shadow.h"

namespace touchstone {
namespace {

template <int D>
using Corners = std::vector<OverlayPoint<D>>;

Feature facet_feature(const Placed<2>&, int f) { return {FeatureKind::edge, f}; }
Feature facet_feature(const Placed<3>&, int f) { return {FeatureKind::face, f}; }

/// The vertices of A over B.
template <int D>
void add_vertices_A(const Placed<D>& A, const Shadow<D>& a, const Placed<D>& B, const Shadow<D>& b,
                    const Vec<D>& n, double reach, Corners<D>& corners) {
  for (int v = 0; v < A.polytope->vertex_count(); ++v) {
    if (a.height(v) - b.highest() > reach || !a.vertex_faces(v, -1)) continue;
    const auto cut = b.cut(a.vertex(v));
    if (!cut.inside || -cut.high > reach) continue;
    corners.push_back({a.vertex(v),
                       a.vertex(v) + cut.high * n,
                       -cut.high,
                       {{FeatureKind::vertex, v}, facet_feature(B, cut.high_facet)}});
  }
}

/// The vertices of B under A.
template <int D>
void add_vertices_B(const Placed<D>& A, const Shadow<D>& a, const Placed<D>& B, const Shadow<D>& b,
                    const Vec<D>& n, double reach, Corners<D>& corners) {
  for (int v = 0; v < B.polytope->vertex_count(); ++v) {
    if (a.lowest() - b.height(v) > reach || !b.vertex_faces(v, +1)) continue;
    const auto cut = a.cut(b.vertex(v));
    if (!cut.inside || cut.low > reach) continue;
    corners.push_back({b.vertex(v) + cut.low * n,
                       b.vertex(v),
                       cut.low,
                       {facet_feature(A, cut.low_facet), {FeatureKind::vertex, v}}});
  }
}

/// Edges that face the other body and come near it.
std::vector<int> near_edges(const Placed<3>& P, const Shadow<3>& shadow, double side, double limit) {
  std::vector<int> edges;
  edges.reserve(P.polytope->edge_count());
  for (int e = 0; e < P.polytope->edge_count(); ++e) {
    const Edge& edge = P.polytope->edge(e);
    const double nearest = std::max(side * shadow.height(edge.tail), side * shadow.height(edge.head));
    if (nearest >= limit && shadow.edge_faces(e, side)) edges.push_back(e);
  }
  return edges;
}

/// The crossing of two edges seen along n, if it lies within both.
void add_crossing(const Placed<3>& A, const Shadow<3>& a, int ea, const Placed<3>& B, const Shadow<3>& b,
                  int eb, const Vec<3>& n, double reach, Corners<3>& corners) {
  const Edge &edge_A = A.polytope->edge(ea), &edge_B = B.polytope->edge(eb);
  const Vec<3> p = a.vertex(edge_A.tail), d = a.vertex(edge_A.head) - p;
  const Vec<3> q = b.vertex(edge_B.tail), e = b.vertex(edge_B.head) - q;
  const double area = n.dot(d.cross(e));
  constexpr double kParallelShadows = 1e-12;  // relative; their ends are vertex corners
  if (std::abs(area) <= kParallelShadows * d.norm() * e.norm()) return;
  const double s = n.dot((q - p).cross(e)) / area, t = n.dot((q - p).cross(d)) / area;
  if (!(s > 0 && s < 1 && t > 0 && t < 1)) return;
  const Vec<3> on_A = p + s * d, on_B = q + t * e;
  const double height = n.dot(on_A - on_B);
  if (height <= reach) {
    corners.push_back({on_A, on_B, height, {{FeatureKind::edge, ea}, {FeatureKind::edge, eb}}});
  }
}

void add_crossings(const Placed<2>&, const Shadow<2>&, const Placed<2>&, const Shadow<2>&, const Vec<2>&,
                   double, Corners<2>&) {}

void add_crossings(const Placed<3>& A, const Shadow<3>& a, const Placed<3>& B, const Shadow<3>& b,
                   const Vec<3>& n, double reach, Corners<3>& corners) {
  const std::vector<int> edges_A = near_edges(A, a, -1, -(b.highest() + reach));
  const std::vector<int> edges_B = near_edges(B, b, +1, a.lowest() - reach);
  for (int ea : edges_A) {
    for (int eb : edges_B) add_crossing(A, a, ea, B, b, eb, n, reach, corners);
  }
}

}  // namespace

template <int D>
void find_overlay(const Placed<D>& A, const Placed<D>& B, const Vec<D>& n, const OverlaySettings& settings,
                  std::vector<OverlayPoint<D>>& corners) {
  corners.clear();
  const Shadow<D> a(A, n, settings.tolerance), b(B, n, settings.tolerance);
  add_vertices_A(A, a, B, b, n, settings.reach, corners);
  add_vertices_B(A, a, B, b, n, settings.reach, corners);
  add_crossings(A, a, B, b, n, settings.reach, corners);
}

template void find_overlay(const Placed<2>&, const Placed<2>&, const Vec<2>&, const OverlaySettings&,
                           std::vector<OverlayPoint<2>>&);
template void find_overlay(const Placed<3>&, const Placed<3>&, const Vec<3>&, const OverlaySettings&,
                           std::vector<OverlayPoint<3>>&);

}  // namespace touchstone
