#include "touchstone/contact/overlay.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "touchstone/math/checks.h"

namespace touchstone {
namespace {

template <int D>
Feature facet_feature(int f) {
  return {static_cast<FeatureKind>(D - 1), f};
}

struct Crossing {
  bool within = false;    ///< both edges
  bool near_end = false;  ///< of an edge
  double s = 0, t = 0;    ///< shares of them
};

/// Where the edges p + s d and q + t e cross, seen along n; `near` [m]: what counts as the end of an edge.
Crossing crossing(const Vec<3>& p, const Vec<3>& d, const Vec<3>& q, const Vec<3>& e, const Vec<3>& n,
                  double near) {
  assert(is_unit(n) && near >= 0);
  constexpr double kParallelShadows = 1e-12;  // relative; their ends are vertex corners
  const Vec<3> across = n.cross(d), to_q = q - p;
  const double area = across.dot(e), before = across.dot(to_q);
  if (before * (before + area) >= 0) return {};  // e stays on one side of d
  if (std::abs(area) <= kParallelShadows * d.norm() * e.norm()) return {};
  const double s = n.dot(to_q.cross(e)) / area, t = -before / area;
  const double least_s = near / d.norm(), least_t = near / e.norm();
  const bool clear = s > least_s && s < 1 - least_s && t > least_t && t < 1 - least_t;
  return {s > 0 && s < 1 && t > 0 && t < 1, !clear, s, t};
}
Crossing crossing(const Vec<2>&, const Vec<2>&, const Vec<2>&, const Vec<2>&, const Vec<2>&, double) {
  return {};
}

}  // namespace

/// The vertices of A over B.
template <int D>
void OverlayFinder<D>::add_vertices_A(const Vec<D>& n, const OverlaySettings& settings) {
  const double reach = settings.reach;
  const Shadow<D>&a = shadow_A_, &b = shadow_B_;
  for (int v = 0; v < A_->vertex_count(); ++v) {
    if (a.height(v) - b.highest() > reach || !a.vertex_faces(v, -1)) continue;
    const Vec<D> x = a.vertex(v);
    const auto cut = b.cut(x);
    if (!cut.inside || -cut.high > reach) continue;
    assert(is_index(cut.high_facet, B_->facet_count()));
    const FeaturePair features{{FeatureKind::vertex, v}, facet_feature<D>(cut.high_facet)};
    corners_.push_back({x, x + cut.high * n, -cut.high, features});
  }
}

/// Is there a corner already, no further than `near` and no higher? (Heights within the reach of a tolerance
/// differ where a surface is steep, by more than bodies may overlap: the lowest corner counts.)
template <int D>
bool OverlayFinder<D>::is_known(const Vec<D>& point_B, double height, double near) const {
  constexpr double kLevel = 1e-3;  // of `near`
  return std::any_of(corners_.begin(), corners_.end(), [&](const OverlayPoint<D>& c) {
    return (c.point_B - point_B).squaredNorm() <= near * near && c.height <= height + kLevel * near;
  });
}

/// The vertices of B under A. One below a vertex of A, as in stacks of boxes, is a corner already.
template <int D>
void OverlayFinder<D>::add_vertices_B(const Vec<D>& n, const OverlaySettings& settings) {
  const double reach = settings.reach;
  const Shadow<D>&a = shadow_A_, &b = shadow_B_;
  for (int v = 0; v < B_->vertex_count(); ++v) {
    if (a.lowest() - b.height(v) > reach || !b.vertex_faces(v, +1)) continue;
    const Vec<D> x = b.vertex(v);
    const auto cut = a.cut(x);
    if (!cut.inside || cut.low > reach || is_known(x, cut.low, settings.tolerance)) continue;
    assert(is_index(cut.low_facet, A_->facet_count()));
    const FeaturePair features{facet_feature<D>(cut.low_facet), {FeatureKind::vertex, v}};
    corners_.push_back({x + cut.low * n, x, cut.low, features});
  }
}

/// Edges that face the other body and come near it.
template <int D>
void OverlayFinder<D>::find_near_edges(const Shadow<D>& shadow, double side, double limit,
                                       std::vector<Segment>& near) const {
  assert(side == 1 || side == -1);
  const Polytope<D>& P = &shadow == &shadow_A_ ? *A_ : *B_;
  near.clear();
  for (int e = 0; e < P.edge_count(); ++e) {
    const Edge& edge = P.edge(e);
    const double nearest = std::max(side * shadow.height(edge.tail), side * shadow.height(edge.head));
    if (nearest < limit || !shadow.edge_faces(e, side)) continue;
    const Vec<D> tail = shadow.vertex(edge.tail);
    near.push_back({e, tail, shadow.vertex(edge.head) - tail});
  }
}

/// A crossing at the end of an edge is a vertex over the other body, and a corner already.
template <int D>
void OverlayFinder<D>::add_crossing(const Segment& a, const Segment& b, const Vec<D>& n,
                                    const OverlaySettings& settings) {
  const auto [within, near_end, s, t] = crossing(a.tail, a.along, b.tail, b.along, n, settings.tolerance);
  if (!within) return;
  const Vec<D> on_A = a.tail + s * a.along, on_B = b.tail + t * b.along;
  const double height = n.dot(on_A - on_B);
  if (height > settings.reach || (near_end && is_known(on_B, height, 2 * settings.tolerance))) return;
  corners_.push_back({on_A, on_B, height, {{FeatureKind::edge, a.edge}, {FeatureKind::edge, b.edge}}});
}

template <int D>
void OverlayFinder<D>::add_crossings(const Vec<D>& n, const OverlaySettings& settings) {
  find_near_edges(shadow_A_, -1, -(shadow_B_.highest() + settings.reach), edges_A_);
  find_near_edges(shadow_B_, +1, shadow_A_.lowest() - settings.reach, edges_B_);
  ground_B_.begin(n);
  for (const Segment& b : edges_B_) ground_B_.add(b.tail, b.along);
  for (const Segment& a : edges_A_) {
    const std::vector<double>& sides = ground_B_.sides_of(a.tail, a.along);
    for (std::size_t k = 0; k < sides.size(); ++k)
      if (sides[k] < 0) add_crossing(a, edges_B_[k], n, settings);
  }
}

template <int D>
const std::vector<OverlayPoint<D>>& OverlayFinder<D>::find(const Placed<D>& A, const Placed<D>& B,
                                                           const Vec<D>& n, const OverlaySettings& settings) {
  assert(A.polytope && B.polytope && is_unit(n) && settings.tolerance >= 0);
  A_ = A.polytope, B_ = B.polytope;
  corners_.clear();
  shadow_A_.cast(A, n, settings.tolerance), shadow_B_.cast(B, n, settings.tolerance);
  add_vertices_A(n, settings);
  add_vertices_B(n, settings);
  if (D == 3) add_crossings(n, settings);
  return corners_;
}

template class OverlayFinder<2>;
template class OverlayFinder<3>;

}  // namespace touchstone
