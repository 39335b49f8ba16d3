// Vertices against facets, in the plane and in space alike. All is computed in the frame of the body whose
// facet it is, so that bodies far from the world's origin lose nothing.

#include "touchstone/proximity/feature_contacts.h"

#include <algorithm>
#include <cassert>
#include <tuple>

#include "touchstone/math/checks.h"
#include "touchstone/proximity/feature_query.h"

namespace touchstone {
namespace {

/// eq. 3.3 and 3.4: the facet's normal is given in the frame of P.
template <int D>
double smallest_rise(const Polytope<D>& P, int v, const Vec<D>& facet_normal) {
  assert(is_index(v, P.vertex_count()) && is_unit(facet_normal));
  double smallest = 1;
  for (int k : P.neighbours(v)) {
    smallest = std::min(smallest, facet_normal.dot((P.vertex(k) - P.vertex(v)).normalized()));
  }
  return smallest;
}

/// A vertex seen from the frame of the body whose facet it is held against.
template <int D>
struct VertexOverFacet {
  Vec<D> vertex, nearest;  ///< nearest: the point of the facet
  double psi;              ///< [m] height above the facet's plane

  VertexOverFacet(const Vec<D>& x, const Polytope<D>& P, int facet)
      : vertex(x), nearest(nearest_on_facet(P, facet, x)), psi(P.plane(facet).height(x)) {}

  Vec<D> from_facet() const { return vertex - nearest; }
};

/// The search for contacts of the vertices of V with the facets of F.
template <int D>
class VertexFacetSearch {
 public:
  VertexFacetSearch(const FeatureQuery<D>& query, bool vertices_of_A)
      : query_(query),
        vertices_of_A_(vertices_of_A),
        V_(vertices_of_A ? query.A : query.B),
        F_(vertices_of_A ? query.B : query.A),
        X_FV_(relative_pose(F_.X_WB, V_.X_WB)),
        cull_(query.cull_distance()) {}

  void append_to(std::vector<FeatureContact<D>>& contacts) const {
    const std::vector<Candidate> vertices = near_vertices();
    Extent<D> reached;
    for (const Candidate& v : vertices) reached.extend(v.position);
    for (int f = 0; f < F_.polytope->facet_count() && !vertices.empty(); ++f) {
      const Extent<D> extent = grown_extent(F_.polytope->facet_vertices(f));
      if (!extent.intersects(reached)) continue;
      for (const Candidate& v : vertices) {
        if (extent.contains(v.position)) append(v, f, contacts);
      }
    }
  }

 private:
  struct Candidate {
    int vertex;
    Vec<D> position;  ///< in the frame of F
  };

  std::vector<Candidate> near_vertices() const {
    Extent<D> extent;
    for (const Vec<D>& x : F_.polytope->vertices()) extent.extend(x);
    extent = grown<D>(extent, cull_);
    std::vector<Candidate> near;
    for (int v = 0; v < V_.polytope->vertex_count(); ++v) {
      const Vec<D> x = X_FV_ * V_.polytope->vertex(v);
      if (extent.contains(x)) near.push_back({v, x});
    }
    return near;
  }

  Extent<D> grown_extent(std::span<const int> vertices) const {
    Extent<D> extent;
    for (int v : vertices) extent.extend(F_.polytope->vertex(v));
    return grown<D>(extent, cull_);
  }

  void append(const Candidate& v, int f, std::vector<FeatureContact<D>>& contacts) const {
    if (std::abs(F_.polytope->plane(f).height(v.position)) > cull_) return;
    const VertexOverFacet<D> pair(v.position, *F_.polytope, f);
    if (pair.from_facet().norm() > query_.settings.reach) return;
    contacts.push_back(contact(pair, v.vertex, f));
  }

  FeatureContact<D> contact(const VertexOverFacet<D>& pair, int v, int f) const {
    const Vec<D>& normal = F_.polytope->plane(f).normal;
    FeatureContact<D> c;
    c.features = {{FeatureKind::vertex, v}, {static_cast<FeatureKind>(D - 1), f}};
    c.point_A = F_.X_WB * pair.vertex;
    c.point_B = F_.X_WB * pair.nearest;
    c.normal = F_.X_WB.R * normal;
    c.gap = pair.psi;
    c.applicability = smallest_rise<D>(*V_.polytope, v, X_FV_.R.transpose() * normal);
    c.feasible = in_feasible_region<D>(pair.from_facet(), normal, pair.psi, query_.settings.feasibility);
    assert(is_unit(c.normal));
    c.primary = c.feasible && query_.applicable(c.applicability);
    if (!vertices_of_A_) swap_bodies(c);
    return c;
  }

  static void swap_bodies(FeatureContact<D>& c) {
    std::swap(c.features.a, c.features.b);
    std::swap(c.point_A, c.point_B);
    c.normal = -c.normal;
  }

  const FeatureQuery<D>& query_;
  bool vertices_of_A_;
  const Placed<D>&V_, &F_;
  Pose<D> X_FV_;
  double cull_;  ///< [m]
};

auto sort_key(const FeaturePair& p) { return std::tuple(p.a.kind, p.b.kind, p.a.index, p.b.index); }

}  // namespace

template <int D>
Vec<D> nearest_on_facet(const Placed<D>& B, int facet, const Vec<D>& c) {
  return B.X_WB * nearest_on_facet(*B.polytope, facet, B.X_WB.to_local(c));
}

template <int D>
double vertex_facet_applicability(const Placed<D>& A, int va, const Placed<D>& B, int fb) {
  const Vec<D> normal_W = B.X_WB.R * B.polytope->plane(fb).normal;
  return smallest_rise<D>(*A.polytope, va, A.X_WB.R.transpose() * normal_W);
}

template <int D>
bool vertex_facet_feasibility(const Placed<D>& A, int va, const Placed<D>& B, int fb,
                              const FeasibilitySettings& settings) {
  const Vec<D> p_BVa = relative_pose(B.X_WB, A.X_WB) * A.polytope->vertex(va);
  const VertexOverFacet<D> pair(p_BVa, *B.polytope, fb);
  return in_feasible_region<D>(pair.from_facet(), B.polytope->plane(fb).normal, pair.psi, settings);
}

template <int D>
std::vector<FeatureContact<D>> find_feature_contacts(const Placed<D>& A, const Placed<D>& B,
                                                     const FeatureContactSettings& settings) {
  assert(A.polytope && B.polytope);
  assert(settings.reach >= 0 && settings.parallel_edges >= 0);
  const FeatureQuery<D> query{A, B, settings};
  std::vector<FeatureContact<D>> contacts;
  for (bool vertices_of_A : {true, false}) VertexFacetSearch<D>(query, vertices_of_A).append_to(contacts);
  append_edge_edge_contacts(query, contacts);
  std::sort(contacts.begin(), contacts.end(), [](const FeatureContact<D>& c, const FeatureContact<D>& d) {
    return sort_key(c.features) < sort_key(d.features);
  });
  return contacts;
}

template Vec<2> nearest_on_facet(const Placed<2>&, int, const Vec<2>&);
template Vec<3> nearest_on_facet(const Placed<3>&, int, const Vec<3>&);
template double vertex_facet_applicability(const Placed<2>&, int, const Placed<2>&, int);
template double vertex_facet_applicability(const Placed<3>&, int, const Placed<3>&, int);
template bool vertex_facet_feasibility(const Placed<2>&, int, const Placed<2>&, int,
                                       const FeasibilitySettings&);
template bool vertex_facet_feasibility(const Placed<3>&, int, const Placed<3>&, int,
                                       const FeasibilitySettings&);
template std::vector<FeatureContact<2>> find_feature_contacts(const Placed<2>&, const Placed<2>&,
                                                              const FeatureContactSettings&);
template std::vector<FeatureContact<3>> find_feature_contacts(const Placed<3>&, const Placed<3>&,
                                                              const FeatureContactSettings&);

}  // namespace touchstone
