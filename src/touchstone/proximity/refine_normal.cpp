// A better normal for bodies that nearly touch. The closest point of the Minkowski difference to the origin
// lies at (or, by round-off, near) its vertex w = a - b. What meets there: facets (faces of A, faces of B,
// pairs of edges) and edges (edges of A, edges of B). One of their normals, or the direction of w with its
// part along one of those edges taken out, is the true one; each is measured, and the best counts.

#include <algorithm>
#include <cassert>
#include <vector>

#include "touchstone/math/checks.h"
#include "touchstone/math/tolerance.h"
#include "touchstone/proximity/normals.h"

namespace touchstone {
namespace {

/// What meets at a feature, as directions in the frame of A.
template <int D>
struct Surroundings {
  std::vector<Vec<D>> edges;    ///< unit
  std::vector<Vec<D>> normals;  ///< unit, outward

  void add_vertex(const Polytope<D>& P, const Mat<D>& R, int v) {
    for (int e : P.vertex_edges(v)) {
      const Edge& edge = P.edge(e);
      edges.push_back(R * (P.vertex(edge.head) - P.vertex(edge.tail)).normalized());
      normals.push_back(R * P.plane(edge.left).normal);
      if (edge.right >= 0) normals.push_back(R * P.plane(edge.right).normal);
    }
  }
  void add(const Polytope<D>& P, const Mat<D>& R, const Feature& feature) {
    if (feature.kind == FeatureKind::edge) {
      add_vertex(P, R, P.edge(feature.index).tail);
      add_vertex(P, R, P.edge(feature.index).head);
    } else {
      add_vertex(P, R, vertex_of(P, feature));
    }
  }
};

template <int D>
class Refinement {
 public:
  Refinement(const PairInFrameA<D>& pair, Gap<D>& gap)
      : pair_(pair),
        gap_(gap),
        apart_(gap.point_A - gap.point_B),
        near_{vertex_of(pair.A, gap.features.a), vertex_of(pair.B, gap.features.b)} {}

  void run() {
    Surroundings<D> a, b;
    a.add(pair_.A, Mat<D>::Identity(), gap_.features.a);
    b.add(pair_.B, pair_.X_AB.R, gap_.features.b);
    for (const Vec<D>& N : a.normals) offer(-N);
    for (const Vec<D>& N : b.normals) offer(N);
    for (const auto* side : {&a, &b}) {
      for (const Vec<D>& e : side->edges) offer(apart_ - apart_.dot(e) * e);
    }
    offer_products(a, b);
  }

 private:
  void offer(const Vec<D>& direction) {
    const double length = direction.norm();
    if (!(length > 0)) return;
    const Vec<D> n = direction / length;
    const double separation = n.dot(pair_.difference(pair_.supports(n, near_)));
    if (separation <= gap_.lower + noise_) return;
    gap_.lower = separation;
    gap_.normal = n;
  }

  void offer_products(const Surroundings<D>& a, const Surroundings<D>& b);

  const PairInFrameA<D>& pair_;
  Gap<D>& gap_;
  Vec<D> apart_;
  SupportPair near_;
  // Of directions that separate equally well the first counts: facets are known best, products least.
  double noise_ = kCertified / 16 * pair_.size();  ///< [m]
};

template <>
void Refinement<2>::offer_products(const Surroundings<2>&, const Surroundings<2>&) {}

template <>
void Refinement<3>::offer_products(const Surroundings<3>& a, const Surroundings<3>& b) {
  for (const Vec<3>& d : a.edges) {
    for (const Vec<3>& e : b.edges) {
      const Vec<3> n = d.cross(e);
      if (n.norm() > kParallel) offer(n.dot(apart_) < 0 ? Vec<3>(-n) : n);
    }
  }
}

}  // namespace

template <int D>
void refine_normal(const PairInFrameA<D>& pair, Gap<D>& gap) {
  Refinement<D>(pair, gap).run();
  assert(is_unit(gap.normal));
}

template void refine_normal(const PairInFrameA<2>&, Gap<2>&);
template void refine_normal(const PairInFrameA<3>&, Gap<3>&);

}  // namespace touchstone
