#include "touchstone/proximity/facet_features.h"

#include <algorithm>
#include <cassert>

#include "touchstone/math/checks.h"
#include "touchstone/math/tolerance.h"
#include "touchstone/proximity/polytope_parts.h"

namespace touchstone {
namespace {

using V3 = Vec<3>;

/// Cosine of the angle within which a facet of A or B is tried in the place of a normal computed.
constexpr double kSameDirection = 1 - 1e-10;

class FacetNaming {
 public:
  explicit FacetNaming(const PairInFrameA<3>& pair) : pair_(pair), tolerance_(kCertified * pair.size()) {}

  SeparatingAxis<3> name(const FacetCorners& corners, SeparatingAxis<3> axis) const {
    const V3 n = axis.normal;
    for (const SupportPair& at : corners) {
      const bool of_A = try_faces_of_A(at, n, axis);
      if (try_faces_of_B(at, n, axis) || of_A) return axis;
    }
    try_edges(corners, n, axis);
    return axis;
  }

 private:
  bool try_axis(const SeparatingAxis<3>& axis, const SupportPair& hint, SeparatingAxis<3>& best) const {
    assert(is_unit(axis.normal));
    const SupportPair at = pair_.supports(axis.normal, hint);
    const double separation = axis.normal.dot(pair_.difference(at));
    if (separation < best.separation - tolerance_) return false;
    best = axis;
    best.separation = separation;
    if (best.features.a.kind == FeatureKind::vertex) best.features.a.index = at.a;
    if (best.features.b.kind == FeatureKind::vertex) best.features.b.index = at.b;
    return true;
  }

  /// The face of P that lies before its edge as it leaves the vertex, so that the edges of a vertex lead to
  /// each of its faces once.
  static int face_before(const Polytope<3>& P, int edge, int vertex) {
    assert(P.edge(edge).tail == vertex || P.edge(edge).head == vertex);
    return P.edge(edge).tail == vertex ? P.edge(edge).left : P.edge(edge).right;
  }

  bool try_faces_of_A(const SupportPair& at, const V3& n, SeparatingAxis<3>& best) const {
    const Feature vertex{FeatureKind::vertex, at.b};
    for (int e : pair_.A.vertex_edges(at.a)) {
      const Feature face{FeatureKind::face, face_before(pair_.A, e, at.a)};
      const V3 normal = -pair_.A.plane(face.index).normal;
      if (normal.dot(n) < kSameDirection) continue;
      if (try_axis({0, normal, {face, vertex}}, at, best)) return true;
    }
    return false;
  }

  bool try_faces_of_B(const SupportPair& at, const V3& n, SeparatingAxis<3>& best) const {
    const V3 local = pair_.X_AB.R.transpose() * n;
    const Feature vertex{FeatureKind::vertex, at.a};
    for (int e : pair_.B.vertex_edges(at.b)) {
      const Feature face{FeatureKind::face, face_before(pair_.B, e, at.b)};
      const V3& normal = pair_.B.plane(face.index).normal;
      if (normal.dot(local) < kSameDirection) continue;
      if (try_axis({0, pair_.X_AB.R * normal, {vertex, face}}, at, best)) return true;
    }
    return false;
  }

  /// Two corners that differ by an edge of one body: a side of the face runs along it.
  struct Side {
    int edge;      ///< of A or of B
    int from;      ///< its vertex at the first of the two corners
    V3 direction;  ///< in the frame of A
  };

  Side side_on_A(const SupportPair& p, const SupportPair& q) const {
    return {edge_between(pair_.A, p.a, q.a), p.a, pair_.A.vertex(q.a) - pair_.A.vertex(p.a)};
  }
  Side side_on_B(const SupportPair& p, const SupportPair& q) const {
    return {edge_between(pair_.B, p.b, q.b), p.b, pair_.X_AB.R * (pair_.B.vertex(q.b) - pair_.B.vertex(p.b))};
  }

  /// Every edge of A that a side of the face runs along, with every such edge of B.
  bool try_edges(const FacetCorners& at, const V3& n, SeparatingAxis<3>& best) const {
    for (int i = 0; i < 3; ++i) {
      const Side a = side_on_A(at[i], at[(i + 1) % 3]);
      for (int j = 0; a.edge >= 0 && j < 3; ++j) {
        if (try_edge_pair(a, side_on_B(at[j], at[(j + 1) % 3]), n, best)) return true;
      }
    }
    return false;
  }

  bool try_edge_pair(const Side& a, const Side& b, const V3& n, SeparatingAxis<3>& best) const {
    if (b.edge < 0) return false;
    const V3 across = a.direction.cross(b.direction);
    const double length = across.norm();
    if (length <= kParallel * a.direction.norm() * b.direction.norm()) return false;
    const V3 normal = across / (across.dot(n) > 0 ? length : -length);
    return try_axis({0, normal, {{FeatureKind::edge, a.edge}, {FeatureKind::edge, b.edge}}}, {a.from, b.from},
                    best);
  }

  const PairInFrameA<3>& pair_;
  double tolerance_;  ///< [m]
};

}  // namespace

SeparatingAxis<3> name_facet(const PairInFrameA<3>& pair, const FacetCorners& corners,
                             const SeparatingAxis<3>& computed) {
  return FacetNaming(pair).name(corners, computed);
}

}  // namespace touchstone
