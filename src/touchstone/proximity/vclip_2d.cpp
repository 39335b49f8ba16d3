// V-Clip in the plane: the walk of vclip_3d.cpp with vertices and edges only (V-V, V-E). The edge plays the
// part of the face: a vertex above it whose own edge goes down hands over to that edge's end, or, where the
// edge leaves the slab over the other one, to the vertex at which it leaves.
//
//            \ v /            slab
//             \ /   u       |      |
//      -------  ----        |      |
//        e of the other     tail  head

#include "touchstone/proximity/walk.h"

namespace touchstone {
namespace {

using V2 = Vec<2>;

class PlaneWalk : public Walk<2, PlaneWalk> {
 public:
  using Walk::Walk;

  Move step() {
    const bool edge_a = feature_[0].kind == FeatureKind::edge, edge_b = feature_[1].kind == FeatureKind::edge;
    if (edge_a && edge_b) return Move::lost;  // edge-edge is no state of the walk
    if (edge_a || edge_b) return vertex_edge(edge_a ? 1 : 0);
    return vertex_vertex();
  }

 private:
  Move vertex_vertex() {
    const V2 x = view_[0].vertex(feature_[0].index), y = view_[1].vertex(feature_[1].index);
    if (leave_vertex(0, y - x) || leave_vertex(1, x - y)) return Move::go;
    return closest_at(0, x, y);
  }

  bool leave_vertex(int s, const V2& toward) {
    const Polytope<2>& P = view_[s].polytope();
    const int v = feature_[s].index;
    const V2 local = view_[s].to_local_direction(toward);
    for (int i : {0, 1}) {
      const V2 d = P.vertex(P.neighbours(v)[i]) - P.vertex(v);
      if (local.dot(d) <= noise_ * d.norm()) continue;
      to(s, FeatureKind::edge, P.vertex_edges(v)[i]);
      return true;
    }
    return false;
  }

  Move vertex_edge(int s) {
    const int t = 1 - s;
    const V2 x = view_[s].vertex(feature_[s].index);
    const Edge& e = view_[t].edge(feature_[t].index);
    const V2 tail = view_[t].vertex(e.tail), d = view_[t].along(e);
    const double along = (x - tail).dot(d), length = d.squaredNorm();
    if (along <= 0) return to_vertex(t, e.tail);
    if (along >= length) return to_vertex(t, e.head);
    const V2 N = view_[t].plane_normal(feature_[t].index);
    const double height = N.dot(x - tail);
    if (height < -on_facet_) return escape_below(s, x);
    const Polytope<2>& P = view_[s].polytope();
    for (int i : {0, 1}) {
      const int u = P.neighbours(feature_[s].index)[i];
      const V2 y = view_[s].vertex(u);
      if (N.dot(y - x) >= -noise_) continue;
      return descend(s, {P.vertex_edges(feature_[s].index)[i], u}, x, y);
    }
    return closest_at(s, x, x - height * N);
  }

  struct Descent {
    int edge, end;
  };

  /// The edge of side s from x to y goes down over the other's edge.
  Move descend(int s, const Descent& down, const V2& x, const V2& y) {
    const int t = 1 - s;
    const Edge& e = view_[t].edge(feature_[t].index);
    const V2 tail = view_[t].vertex(e.tail), d = view_[t].along(e);
    const V2 N = view_[t].plane_normal(feature_[t].index);
    const double from = (x - tail).dot(d), until = (y - tail).dot(d), length = d.squaredNorm();
    if (until >= 0 && until <= length) {
      if (N.dot(y - tail) < -on_facet_) return Move::penetrating;
      return to_vertex(s, down.end);
    }
    const double cut = until < 0 ? from / (from - until) : (length - from) / (until - from);
    if (N.dot(x + cut * (y - x) - tail) < -on_facet_) return Move::penetrating;
    to(s, FeatureKind::edge, down.edge);
    return to_vertex(t, until < 0 ? e.tail : e.head);
  }

  Move to_vertex(int s, int v) { return to(s, FeatureKind::vertex, v); }
};

}  // namespace

template <>
ClosestFeatures<2> walk_to_closest_features(const Polytope<2>& A, const Polytope<2>& B, const Pose<2>& X_AB,
                                            const FeaturePair& start) {
  return PlaneWalk(A, B, X_AB, start).run();
}

}  // namespace touchstone
