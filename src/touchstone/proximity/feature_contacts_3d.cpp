// What space has beyond the plane: facets are polygons, and edges cross [Thesis 3.2, 3.4, 3.6.2].

#include <algorithm>
#include <cassert>
#include <limits>

#include "touchstone/math/checks.h"
#include "touchstone/math/tolerance.h"
#include "touchstone/proximity/feature_query.h"

namespace touchstone {
namespace {

/// An edge between its two faces, in some frame. Seen from outside, with the edge pointing up:
///
///       left | right       t1 = n1 x e,  t2 = e x n2 [Thesis eq. 3.2]
///      <--t1 | t2-->       both lie in their face, across the edge, and point into the face
struct EdgeWedge {
  Vec<3> e;        ///< unit, tail to head
  Vec<3> t1, t2;   ///< unit
  Vec<3> outward;  ///< sum of the faces' normals

  EdgeWedge(const Polytope<3>& P, int edge, const Mat<3>& R) {
    const Edge& between = P.edge(edge);
    const Vec<3> n1 = R * P.plane(between.left).normal, n2 = R * P.plane(between.right).normal;
    e = (R * (P.vertex(between.head) - P.vertex(between.tail))).normalized();
    t1 = n1.cross(e).normalized();
    t2 = e.cross(n2).normalized();
    outward = n1 + n2;
    assert(is_unit(e) && is_unit(t1) && is_unit(t2));
  }
};

/// The unit vector across two edges; zero when their sine is at most `parallel`.
Vec<3> unit_across(const EdgeWedge& a, const EdgeWedge& b, double parallel) {
  const Vec<3> across = a.e.cross(b.e);
  const double sine = across.norm();
  return sine > parallel ? Vec<3>(across / sine) : Vec<3>::Zero();
}

/// eq. 3.5, for n in either sign: max(min(d), min(-d)) = max(min d, -max d).
double applicability(const EdgeWedge& a, const EdgeWedge& b) {
  const Vec<3> n = unit_across(a, b, kParallel);
  const auto [least, most] = std::minmax({n.dot(a.t1), n.dot(a.t2), -n.dot(b.t1), -n.dot(b.t2)});
  return std::max(least, -most);
}

/// eq. 3.6, negated. With the thesis's orientation O = e_b x -(n1 + n2), e_a . O = -(e_a x e_b) . (n1 + n2):
/// it turns n into the half-space of the outward normals of e_b, which is from B to A. Edge e_a, asked in
/// the same way, wants the opposite of its own outward normals.
Vec<3> normal_across(const EdgeWedge& a, const EdgeWedge& b, double parallel) {
  const Vec<3> n = unit_across(a, b, parallel);
  const double side = n.dot(b.outward - a.outward);
  if (std::abs(side) <= kParallel) return Vec<3>::Zero();
  return side > 0 ? n : Vec<3>(-n);
}

/// An edge that may be within reach, in the frame of A.
struct PlacedEdge {
  int index;
  Vec<3> tail, head;
  Extent<3> extent;
};

std::vector<PlacedEdge> edges_near(const Polytope<3>& P, const std::vector<Vec<3>>& positions,
                                   const Extent<3>& other) {
  assert(static_cast<int>(positions.size()) == P.vertex_count());
  std::vector<PlacedEdge> near;
  for (int e = 0; e < P.edge_count(); ++e) {
    const Vec<3>&tail = positions[P.edge(e).tail], &head = positions[P.edge(e).head];
    const Extent<3> extent(tail.cwiseMin(head), tail.cwiseMax(head));
    if (extent.intersects(other)) near.push_back({e, tail, head, extent});
  }
  return near;
}

Extent<3> grown_extent(const std::vector<Vec<3>>& positions, double by) {
  Extent<3> extent;
  for (const Vec<3>& x : positions) extent.extend(x);
  return grown<3>(extent, by);
}

/// The search for pairs of edges, in the frame of A.
class EdgeEdgeSearch {
 public:
  explicit EdgeEdgeSearch(const FeatureQuery<3>& query)
      : query_(query), A_(*query.A.polytope), B_(*query.B.polytope) {
    X_AB_ = relative_pose(query.A.X_WB, query.B.X_WB);
  }

  void append_to(std::vector<FeatureContact<3>>& contacts) const {
    const double cull = query_.cull_distance();
    const std::vector<Vec<3>> vertices_A(A_.vertices().begin(), A_.vertices().end());
    std::vector<Vec<3>> vertices_B;
    for (const Vec<3>& x : B_.vertices()) vertices_B.push_back(X_AB_ * x);
    const auto edges_A = edges_near(A_, vertices_A, grown_extent(vertices_B, cull));
    auto edges_B = edges_near(B_, vertices_B, grown_extent(vertices_A, cull));
    for (PlacedEdge& b : edges_B) b.extent = grown<3>(b.extent, cull);
    for (const PlacedEdge& a : edges_A) {
      for (const PlacedEdge& b : edges_B) {
        if (a.extent.intersects(b.extent)) append(a, b, contacts);
      }
    }
  }

 private:
  void append(const PlacedEdge& a, const PlacedEdge& b, std::vector<FeatureContact<3>>& contacts) const {
    const auto nearest = nearest_on_segments<3>(a.tail, a.head, b.tail, b.head);
    if ((nearest.point_1 - nearest.point_2).norm() > query_.settings.reach) return;
    const EdgeWedge wedge_a(A_, a.index, Mat<3>::Identity()), wedge_b(B_, b.index, X_AB_.R);
    const Vec<3> normal = normal_across(wedge_a, wedge_b, query_.settings.parallel_edges);
    if (normal == Vec<3>::Zero()) return;
    const Pose<3>& X_WA = query_.A.X_WB;
    const Vec<3> apart = nearest.point_1 - nearest.point_2;
    FeatureContact<3> c;
    c.features = {{FeatureKind::edge, a.index}, {FeatureKind::edge, b.index}};
    c.point_A = X_WA * nearest.point_1;
    c.point_B = X_WA * nearest.point_2;
    c.normal = X_WA.R * normal;
    assert(is_unit(c.normal));
    c.gap = normal.dot(apart);
    c.applicability = applicability(wedge_a, wedge_b);
    c.feasible = in_feasible_region<3>(apart, normal, c.gap, query_.settings.feasibility);
    c.primary = c.feasible && query_.applicable(c.applicability);
    contacts.push_back(c);
  }

  const FeatureQuery<3>& query_;
  const Polytope<3>&A_, &B_;
  Pose<3> X_AB_;
};

}  // namespace

Vec<3> nearest_on_facet(const Polytope<3>& P, int facet, const Vec<3>& c) {
  const Plane<3>& plane = P.plane(facet);
  const auto loop = P.facet_vertices(facet);
  double nearest = std::numeric_limits<double>::infinity();
  Vec<3> answer = c - plane.height(c) * plane.normal;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vec<3>&a = P.vertex(loop[i]), &b = P.vertex(loop[(i + 1) % loop.size()]);
    // Only an edge that c lies beyond can hold the nearest point; beyond none, c lies over the facet.
    if (plane.normal.cross(b - a).dot(c - a) >= 0) continue;
    const Vec<3> x = nearest_on_segment<3>(a, b, c).point;
    const double distance = (c - x).squaredNorm();
    if (distance >= nearest) continue;
    nearest = distance;
    answer = x;
  }
  return answer;
}

double edge_edge_applicability(const Placed<3>& A, int ea, const Placed<3>& B, int eb) {
  return applicability({*A.polytope, ea, A.X_WB.R}, {*B.polytope, eb, B.X_WB.R});
}

Vec<3> edge_edge_normal(const Placed<3>& A, int ea, const Placed<3>& B, int eb) {
  return normal_across({*A.polytope, ea, A.X_WB.R}, {*B.polytope, eb, B.X_WB.R}, kParallel);
}

void append_edge_edge_contacts(const FeatureQuery<3>& query, std::vector<FeatureContact<3>>& contacts) {
  EdgeEdgeSearch(query).append_to(contacts);
}

}  // namespace touchstone
