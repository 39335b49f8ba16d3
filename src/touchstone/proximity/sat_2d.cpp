// Separating axes in the plane: the normals of all edges of A and of B. The supporting vertex of the other
// polygon moves monotonically as the normal turns (rotating calipers), so all of them cost O(V_A + V_B).

#include "touchstone/geometry/extremal.h"
#include "touchstone/proximity/axis_collector.h"

namespace touchstone {
namespace {

/// Offers every edge normal of P, with Q placed in the frame of P.
/// `flip`: P is B.
void offer_edge_normals(const Polytope<2>& P, const Polytope<2>& Q, const Pose<2>& X_PQ, bool flip,
                        AxisCollector<2>& axes) {
  int q = 0;
  for (int f = 0; f < P.facet_count(); ++f) {
    const Vec<2>& N = P.plane(f).normal;
    q = climb_extremal<2>(Q, -(X_PQ.R.transpose() * N), q);
    const Vec<2> x = X_PQ * Q.vertex(q);
    const double top = std::max(N.dot(P.vertex(f)), N.dot(P.vertex(P.edge(f).head)));
    const Feature edge{FeatureKind::edge, f}, vertex{FeatureKind::vertex, q};
    offer_facet_normal<2>(N.dot(x) - top, N, {edge, vertex}, flip ? &X_PQ : nullptr, axes);
  }
}

}  // namespace

template <>
Penetration<2> test_separating_axes(const Polytope<2>& A, const Polytope<2>& B, const Pose<2>& X_AB,
                                    const PenetrationSettings& settings) {
  AxisCollector<2> axes(settings.tie);
  offer_edge_normals(A, B, X_AB, false, axes);
  offer_edge_normals(B, A, X_AB.inverse(), true, axes);
  return axes.result();
}

template <>
Penetration<2> find_penetration(const Polytope<2>& A, const Polytope<2>& B, const Pose<2>& X_AB,
                                const PenetrationSettings& settings, Expansion<2>*) {
  return test_separating_axes<2>(A, B, X_AB, settings);
}

}  // namespace touchstone
