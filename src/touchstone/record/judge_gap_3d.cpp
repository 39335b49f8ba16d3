#include <algorithm>
#include <cassert>
#include <limits>

#include "touchstone/math/checks.h"
#include "touchstone/record/pair_judge.h"
#include "touchstone/record/segments.h"

namespace touchstone {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Sine below which two edges count as parallel: their axis is then that of a facet beside them.
constexpr double kParallelEdges = 1e-10;
/// How far outside of an edge's cone of normals a direction may lie and still be tried (its separation is
/// then measured on all vertices, so that trying too many is safe and trying too few is not).
constexpr double kConeSlack = 1e-9;

/// An edge, and the directions in which it is the furthest part of its polytope: n with
/// n.right >= 0 and n.left >= 0, both across the edge.
struct EdgeCone {
  Vec<3> along, right, left;
};

std::vector<EdgeCone> cones_of(const SeenPolytope<3>& P) {
  std::vector<EdgeCone> cones;
  for (const Edge& edge : P.polytope->edges()) {
    const Vec<3>&l = P.normals[edge.left], &r = P.normals[edge.right];
    const Vec<3> c = l.cross(r);
    cones.push_back({(P.vertices[edge.head] - P.vertices[edge.tail]).normalized(), c.cross(l).normalized(),
                     r.cross(c).normalized()});
  }
  return cones;
}

bool holds(const EdgeCone& cone, const Vec<3>& n) {
  return n.dot(cone.right) >= -kConeSlack && n.dot(cone.left) >= -kConeSlack;
}

/// How much further from the other body a feature lies than the nearest vertex, along the axis.
struct Heights {
  std::vector<double> vertex;

  double of(const Edge& edge) const { return std::min(vertex[edge.tail], vertex[edge.head]); }
  double of(std::span<const int> loop) const {
    double least = kInfinity;
    for (const int v : loop) least = std::min(least, vertex[v]);
    return least;
  }
};

Heights heights_above(const std::vector<Vec<3>>& points, const Vec<3>& n) {
  const double base = lowest<3>(points, n);
  Heights heights;
  for (const Vec<3>& x : points) heights.vertex.push_back(n.dot(x) - base);
  return heights;
}

/// The distance of a point from a facet, if its foot lies within; infinite otherwise.
double point_to_facet(const Vec<3>& x, const SeenPolytope<3>& P, int facet) {
  assert(is_index(facet, P.normals.size()));
  const auto loop = P.polytope->facet_vertices(facet);
  const Vec<3>& n = P.normals[facet];
  const double height = n.dot(x - P.vertices[loop[0]]);
  if (height < 0) return kInfinity;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vec<3>&a = P.vertices[loop[i]], &b = P.vertices[loop[(i + 1) % loop.size()]];
    if ((b - a).cross(n).dot(x - a) > 0) return kInfinity;
  }
  return height;
}

/// Two disjoint bodies: features more than `slack` behind the nearest vertices cannot be nearest.
struct ApartPair {
  const SeenPolytope<3>&A, &B;
  Heights below_A, above_B;
  double separation;
  double least;  ///< the distance yet

  double slack() const { return least - separation; }

  void try_edges() {
    for (const Edge& a : A.polytope->edges()) {
      if (below_A.of(a) > slack()) continue;
      for (const Edge& b : B.polytope->edges()) {
        if (below_A.of(a) + above_B.of(b) > slack()) continue;
        least = std::min(least, segment_to_segment(A.vertices[a.tail], A.vertices[a.head], B.vertices[b.tail],
                                                   B.vertices[b.head]));
      }
    }
  }

  void try_facets(const SeenPolytope<3>& P, const Heights& of_P, const SeenPolytope<3>& Q,
                  const Heights& of_Q) {
    for (int f = 0; f < Q.polytope->facet_count(); ++f) {
      const double height = of_Q.of(Q.polytope->facet_vertices(f));
      if (height > slack()) continue;
      for (std::size_t v = 0; v < P.vertices.size(); ++v) {
        if (of_P.vertex[v] + height > slack()) continue;
        least = std::min(least, point_to_facet(P.vertices[v], Q, f));
      }
    }
  }
};

double nearest_vertices(const SeenPolytope<3>& A, const SeenPolytope<3>& B) {
  double least = kInfinity;
  for (const Vec<3>& a : A.vertices) {
    for (const Vec<3>& b : B.vertices) least = std::min(least, (a - b).squaredNorm());
  }
  return std::sqrt(least);
}

}  // namespace

/// A pair of edges matters where the direction across both lies in both cones of normals.
template <>
void try_edge_axes(const SeenPolytope<3>& A, const SeenPolytope<3>& B, double& best, Vec<3>& axis) {
  const std::vector<EdgeCone> cones_A = cones_of(A), cones_B = cones_of(B);
  for (const EdgeCone& a : cones_A) {
    for (const EdgeCone& b : cones_B) {
      const Vec<3> across = a.along.cross(b.along);
      const double sine = across.norm();
      if (sine < kParallelEdges) continue;
      for (const Vec<3>& n : {Vec<3>(across / sine), Vec<3>(-across / sine)}) {
        if (!holds(a, n) || !holds(b, -n)) continue;
        const double s = lowest<3>(B.vertices, n) - highest<3>(A.vertices, n);
        if (s > best) best = s, axis = n;
      }
    }
  }
}

template <>
double distance_apart(const SeenPolytope<3>& A, const SeenPolytope<3>& B, const Vec<3>& axis,
                      double separation) {
  assert(separation > 0 && is_unit(axis));
  ApartPair pair{A,
                 B,
                 heights_above(A.vertices, -axis),
                 heights_above(B.vertices, axis),
                 separation,
                 nearest_vertices(A, B)};
  pair.try_facets(A, pair.below_A, B, pair.above_B);
  pair.try_facets(B, pair.above_B, A, pair.below_A);
  pair.try_edges();
  return pair.least;
}

template <>
double distance_of_point(const SeenPolytope<3>& P, const Vec<3>& point) {
  double height = -kInfinity;
  for (int f = 0; f < P.polytope->facet_count(); ++f) {
    height = std::max(height, P.normals[f].dot(point - P.vertices[P.polytope->facet_vertices(f)[0]]));
  }
  if (height <= 0) return height;
  double least = kInfinity;
  for (int f = 0; f < P.polytope->facet_count(); ++f) least = std::min(least, point_to_facet(point, P, f));
  for (const Edge& edge : P.polytope->edges()) {
    least = std::min(least, point_to_segment<3>(point, P.vertices[edge.tail], P.vertices[edge.head]));
  }
  return least;
}

}  // namespace touchstone
