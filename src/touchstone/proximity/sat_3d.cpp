// Separating axes in space: the normals of all faces of A and of B, and the cross products of those pairs of
// edges that make a facet of the Minkowski difference [Checked 1.1].
//
// An edge of A between faces N_L, N_R and an edge of B between M_L, M_R make one iff the arcs (N_L, N_R) and
// (-M_L, -M_R) cross on the Gauss sphere. N_L x N_R runs along the edge d_A (and M_L x M_R along e_B), so the
// three triple products of the arc test become products of plain dot products:
//
//     (M_L.d_A)(M_R.d_A) < 0,    (N_L.e_B)(N_R.e_B) < 0,    (M_L.d_A)(N_R.e_B) < 0
//
// They also tell the side: (d_A x e_B) x N_R = -(N_R.e_B) d_A, so that d_A x e_B lies between N_L and N_R
// where N_R.e_B < 0, and its opposite elsewhere. (The sum N_L + N_R would not tell it: on a blade it is
// round-off.)
//
// For nearly parallel edges the cross product is poorly known, and its s(n), taken at the edges alone, can be
// far too large when the origin is not over that thin facet. So every edge axis that would count is measured
// again over all vertices: s(n) of *any* unit n is a true lower bound of the separation.

#include <cassert>
#include <vector>

#include "touchstone/math/checks.h"
#include "touchstone/math/tolerance.h"
#include "touchstone/proximity/axis_collector.h"
#include "touchstone/proximity/separation.h"

namespace touchstone {
namespace {

using V3 = Vec<3>;

/// Offers every face normal of P, with Q placed in the frame of P.
/// `flip`: P is B.
void offer_face_normals(const Polytope<3>& P, const Polytope<3>& Q, const Pose<3>& X_PQ, bool flip,
                        AxisCollector<3>& axes) {
  int q = 0;
  for (int f = 0; f < P.facet_count(); ++f) {
    const V3& N = P.plane(f).normal;
    q = climb_extremal<3>(Q, -(X_PQ.R.transpose() * N), q);
    const double separation = P.plane(f).normal.dot(X_PQ * Q.vertex(q)) - P.plane(f).offset;
    if (!axes.wants(separation)) continue;
    const Feature face{FeatureKind::face, f}, vertex{FeatureKind::vertex, q};
    offer_facet_normal<3>(separation, N, {face, vertex}, flip ? &X_PQ : nullptr, axes);
  }
}

/// B's edges and normals in the frame of A, as flat arrays that are used again by the next call.
struct PlacedB {
  std::vector<V3> tails, directions, normals;

  void place(const Polytope<3>& B, const Pose<3>& X_AB) {
    normals.resize(B.facet_count());
    for (int f = 0; f < B.facet_count(); ++f) normals[f] = X_AB.R * B.plane(f).normal;
    tails.resize(B.edge_count());
    directions.resize(B.edge_count());
    for (int e = 0; e < B.edge_count(); ++e) {
      tails[e] = X_AB * B.vertex(B.edge(e).tail);
      directions[e] = X_AB.R * (B.vertex(B.edge(e).head) - B.vertex(B.edge(e).tail));
    }
  }
};

class EdgePairs {
 public:
  EdgePairs(const PairInFrameA<3>& pair, AxisCollector<3>& axes) : pair_(pair), axes_(axes) {
    thread_local PlacedB scratch_placed;
    thread_local std::vector<double> scratch_rise;
    placed_ = &scratch_placed;
    rise_ = &scratch_rise;
    placed_->place(pair.B, pair.X_AB);
    rise_->resize(pair.B.facet_count());
  }

  void offer_all() {
    for (int e = 0; e < pair_.A.edge_count(); ++e) offer_with(e);
  }

 private:
  /// All edges of B with edge `ea` of A.
  void offer_with(int ea) {
    const Edge& a = pair_.A.edge(ea);
    const V3 d = pair_.A.vertex(a.head) - pair_.A.vertex(a.tail);
    const V3 &N_L = pair_.A.plane(a.left).normal, &N_R = pair_.A.plane(a.right).normal;
    std::vector<double>& rise = *rise_;
    for (std::size_t f = 0; f < rise.size(); ++f) rise[f] = placed_->normals[f].dot(d);
    const auto edges = pair_.B.edges();
    for (std::size_t eb = 0; eb < edges.size(); ++eb) {
      const double left = rise[edges[eb].left];
      if (!(left * rise[edges[eb].right] < 0)) continue;
      const V3& e = placed_->directions[eb];
      const double right_A = N_R.dot(e);
      if (left * right_A < 0 && N_L.dot(e) * right_A < 0)
        offer(ea, static_cast<int>(eb), right_A > 0 ? d : V3(-d));
    }
  }

  /// `d`: along the edge of A, such that d x e points from B to A.
  void offer(int ea, int eb, const V3& d) {
    assert(is_index(ea, pair_.A.edge_count()) && is_index(eb, placed_->directions.size()));
    const V3& e = placed_->directions[eb];
    V3 n = d.cross(e);
    const double length = n.norm();
    if (length <= kParallel * d.norm() * e.norm()) return;
    n /= length;
    const Edge &a = pair_.A.edge(ea), &b = pair_.B.edge(eb);
    if (!axes_.wants(n.dot(pair_.A.vertex(a.tail) - placed_->tails[eb]))) return;
    const SupportPair at = pair_.supports(n, {a.tail, b.tail});
    axes_.offer({n.dot(pair_.difference(at)), n, {{FeatureKind::edge, ea}, {FeatureKind::edge, eb}}});
  }

  const PairInFrameA<3>& pair_;
  AxisCollector<3>& axes_;
  PlacedB* placed_;
  std::vector<double>* rise_;  ///< slope of each face normal of B along the present edge of A
};

}  // namespace

template <>
Penetration<3> test_separating_axes(const Polytope<3>& A, const Polytope<3>& B, const Pose<3>& X_AB,
                                    const PenetrationSettings& settings) {
  AxisCollector<3> axes(settings.tie);
  offer_face_normals(A, B, X_AB, false, axes);
  offer_face_normals(B, A, X_AB.inverse(), true, axes);
  const PairInFrameA<3> pair{A, B, X_AB};
  EdgePairs(pair, axes).offer_all();
  return axes.result();
}

}  // namespace touchstone
