#include "touchstone/proximity/closest_features.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>

#include "touchstone/geometry/extremal.h"
#include "touchstone/math/tolerance.h"
#include "touchstone/proximity/feature_contacts.h"
#include "touchstone/proximity/polytope_parts.h"
#include "touchstone/proximity/view.h"

namespace touchstone {

template <int D>
FeaturePair facing_vertices(const Polytope<D>& A, const Polytope<D>& B, const Pose<D>& X_AB) {
  const Vec<D> to_B = X_AB * B.centre() - A.centre();
  const Vec<D> to_A = -(X_AB.R.transpose() * to_B);
  return {{FeatureKind::vertex, find_extremal(A, to_B)}, {FeatureKind::vertex, find_extremal(B, to_A)}};
}

namespace {

/// Keeps the nearest of the pairs of features that it is shown.
template <int D>
struct Nearest {
  ClosestFeatures<D> best;
  double squared_distance = std::numeric_limits<double>::infinity();

  void offer(const FeaturePair& features, const Vec<D>& point_A, const Vec<D>& point_B) {
    const double d = (point_A - point_B).squaredNorm();
    if (d >= squared_distance) return;
    squared_distance = d;
    best = {WalkEnd::closest, features, point_A, point_B, 0};
  }
};

/// Every vertex of side s with every face of the other that it lies over, or on: the vertex of a kiss may be
/// `below` [m] the face by round-off.
void offer_vertex_faces(const std::array<View<3>, 2>& view, int s, double below, Nearest<3>& nearest) {
  const Polytope<3>&P = view[s].polytope(), &Q = view[1 - s].polytope();
  for (int v = 0; v < P.vertex_count(); ++v) {
    const Vec<3> x = view[s].vertex(v), local = view[1 - s].to_local(x);
    const Feature vertex{FeatureKind::vertex, v};
    for (int f = 0; f < Q.facet_count(); ++f) {
      const double height = Q.plane(f).height(local);
      if (height < -below || !covers(Q, f, local)) continue;
      const Vec<3> foot = x - height * view[1 - s].plane_normal(f);
      const Feature face{FeatureKind::face, f};
      const FeaturePair features = s == 0 ? FeaturePair{vertex, face} : FeaturePair{face, vertex};
      nearest.offer(features, s == 0 ? x : foot, s == 0 ? foot : x);
    }
  }
}

Feature end_or_edge(const Edge& edge, int e, double t) {
  if (t <= 0) return {FeatureKind::vertex, edge.tail};
  if (t >= 1) return {FeatureKind::vertex, edge.head};
  return {FeatureKind::edge, e};
}

template <int D>
void offer_edge_pairs(const Polytope<D>& A, const Polytope<D>& B, const Pose<D>& X_AB, Nearest<D>& nearest) {
  const View<D> b(B, &X_AB);
  for (int j = 0; j < B.edge_count(); ++j) {
    const Edge& eb = B.edge(j);
    const Vec<D> p = b.vertex(eb.tail), q = b.vertex(eb.head);
    for (int i = 0; i < A.edge_count(); ++i) {
      const Edge& ea = A.edge(i);
      const auto near = nearest_on_segments<D>(A.vertex(ea.tail), A.vertex(ea.head), p, q);
      nearest.offer({end_or_edge(ea, i, near.s), end_or_edge(eb, j, near.t)}, near.point_1, near.point_2);
    }
  }
}

}  // namespace

template <>
ClosestFeatures<2> search_closest_features(const Polytope<2>& A, const Polytope<2>& B, const Pose<2>& X_AB) {
  Nearest<2> nearest;
  offer_edge_pairs<2>(A, B, X_AB, nearest);
  assert(nearest.best.end == WalkEnd::closest);
  return nearest.best;
}

template <>
ClosestFeatures<3> search_closest_features(const Polytope<3>& A, const Polytope<3>& B, const Pose<3>& X_AB) {
  Nearest<3> nearest;
  offer_edge_pairs<3>(A, B, X_AB, nearest);
  const std::array<View<3>, 2> view{View<3>(A, nullptr), View<3>(B, &X_AB)};
  const double below = kCertified * std::max(A.size(), B.size());
  for (int s : {0, 1}) offer_vertex_faces(view, s, below, nearest);
  assert(nearest.best.end == WalkEnd::closest);
  return nearest.best;
}

template FeaturePair facing_vertices<2>(const Polytope<2>&, const Polytope<2>&, const Pose<2>&);
template FeaturePair facing_vertices<3>(const Polytope<3>&, const Polytope<3>&, const Pose<3>&);

}  // namespace touchstone
