#include "oracles/closest_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "oracles/exact_points.h"

namespace touchstone::oracle {
namespace {

using Kind = ClosestCandidate::Kind;

/// The features of a body that have a vertex near the other body.
template <int D>
struct NearPart {
  const Polytope<D>& polytope;
  std::vector<Vec<D>> points;   ///< all vertices, relative to A's position
  std::vector<Vec<D>> normals;  ///< of all facets, outward
  std::vector<int> vertices, edges, facets;
};

template <int D>
NearPart<D> all_of(const Placed<D>& body, const Vec<D>& origin) {
  NearPart<D> part{*body.polytope, {}, {}, {}, {}, {}};
  const ExactBody<long double, D> exact(body, origin);
  for (const auto& x : exact.points()) part.points.push_back(x.template cast<double>());
  for (const Plane<D>& plane : part.polytope.facet_planes())
    part.normals.push_back(body.X_WB.R * plane.normal);
  return part;
}

/// Keeps the features with a vertex at most `limit` along n.
template <int D>
void keep_near(NearPart<D>& part, const Vec<D>& n, double limit) {
  const Polytope<D>& P = part.polytope;
  const auto near = [&](int v) { return n.dot(part.points[v]) <= limit; };
  for (int v = 0; v < P.vertex_count(); ++v) {
    if (near(v)) part.vertices.push_back(v);
  }
  for (int e = 0; e < P.edge_count(); ++e) {
    if (near(P.edge(e).tail) || near(P.edge(e).head)) part.edges.push_back(e);
  }
  for (int f = 0; f < P.facet_count(); ++f) {
    const auto loop = P.facet_vertices(f);
    if (std::any_of(loop.begin(), loop.end(), near)) part.facets.push_back(f);
  }
}

template <int D>
double vertex_distance(const NearPart<D>& A, const NearPart<D>& B) {
  double best = std::numeric_limits<double>::infinity();
  for (const Vec<D>& a : A.points) {
    for (const Vec<D>& b : B.points) best = std::min(best, (a - b).squaredNorm());
  }
  return std::sqrt(best);
}

template <int D>
double highest(const NearPart<D>& part, const Vec<D>& n) {
  double best = -std::numeric_limits<double>::infinity();
  for (const Vec<D>& x : part.points) best = std::max(best, n.dot(x));
  return best;
}

template <int D>
struct Segment {
  Vec<D> tail, along;
};

template <int D>
Segment<D> segment(const NearPart<D>& part, int e) {
  const Edge& edge = part.polytope.edge(e);
  return {part.points[edge.tail], part.points[edge.head] - part.points[edge.tail]};
}

template <int D>
double point_segment(const Vec<D>& x, const Segment<D>& s) {
  const double t = std::clamp((x - s.tail).dot(s.along) / s.along.squaredNorm(), 0.0, 1.0);
  return (s.tail + t * s.along - x).norm();
}

/// Closest points lie inside both segments, or one is an end: five simple cases, no cleverness.
double segment_segment(const Segment<3>& p, const Segment<3>& q) {
  double best = std::min({point_segment<3>(p.tail, q), point_segment<3>(p.tail + p.along, q),
                          point_segment<3>(q.tail, p), point_segment<3>(q.tail + q.along, p)});
  const Vec<3> n = p.along.cross(q.along), w = q.tail - p.tail;
  const double nn = n.squaredNorm();
  if (nn == 0) return best;
  const double s = w.cross(q.along).dot(n) / nn, t = w.cross(p.along).dot(n) / nn;
  if (s < 0 || s > 1 || t < 0 || t > 1) return best;
  return std::min(best, (q.tail + t * q.along - p.tail - s * p.along).norm());
}

/// The height of x over the facet; infinite if its foot lies outside.
double point_facet(const Vec<3>& x, const NearPart<3>& part, int f) {
  const auto loop = part.polytope.facet_vertices(f);
  const Vec<3>& n = part.normals[f];
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vec<3>&u = part.points[loop[i]], &v = part.points[loop[(i + 1) % loop.size()]];
    if ((v - u).cross(x - u).dot(n) < 0) return std::numeric_limits<double>::infinity();
  }
  return std::abs(n.dot(x - part.points[loop[0]]));
}

double point_facet(const Vec<2>& x, const NearPart<2>& part, int f) {
  return point_segment<2>(x, segment(part, f));
}

class Shortlist {
 public:
  explicit Shortlist(double slack) : slack_(slack) {}
  void offer(const ClosestCandidate& candidate, double distance) {
    if (!(distance <= best_ + slack_)) return;
    best_ = std::min(best_, distance);
    list_.push_back({candidate, distance});
  }
  std::vector<ClosestCandidate> take() const {
    std::vector<ClosestCandidate> kept;
    for (const auto& [candidate, distance] : list_) {
      if (distance <= best_ + slack_) kept.push_back(candidate);
    }
    return kept;
  }

 private:
  double slack_;
  double best_ = std::numeric_limits<double>::infinity();
  std::vector<std::pair<ClosestCandidate, double>> list_;
};

template <int D>
void offer_vertex_facet(const NearPart<D>& A, const NearPart<D>& B, Shortlist& list) {
  for (int f : B.facets) {
    for (int v : A.vertices) list.offer({Kind::vertex_facet, v, f}, point_facet(A.points[v], B, f));
  }
  for (int f : A.facets) {
    for (int v : B.vertices) list.offer({Kind::facet_vertex, f, v}, point_facet(B.points[v], A, f));
  }
}

void offer_edges(const NearPart<2>&, const NearPart<2>&, Shortlist&) {}  // a vertex of one is always closest

void offer_edges(const NearPart<3>& A, const NearPart<3>& B, Shortlist& list) {
  for (int ea : A.edges) {
    for (int eb : B.edges) list.offer({Kind::edges, ea, eb}, segment_segment(segment(A, ea), segment(B, eb)));
  }
}

}  // namespace

template <int D>
std::vector<ClosestCandidate> search_closest(const Placed<D>& A, const Placed<D>& B,
                                             const ClosestQuery<D>& query) {
  NearPart<D> near_A = all_of(A, A.X_WB.p), near_B = all_of(B, A.X_WB.p);
  // Closest points a, b have n.(a - b) <= |a - b| <= reach, so neither is farther from the other body's
  // support plane than this.
  const double reach = vertex_distance(near_A, near_B) + query.slack;
  const Vec<D>& n = query.normal;
  const double top_of_B = highest<D>(near_B, n), bottom_of_A = -highest<D>(near_A, -n);
  keep_near<D>(near_A, n, top_of_B + reach);
  keep_near<D>(near_B, -n, -bottom_of_A + reach);
  Shortlist list(query.slack);
  offer_vertex_facet(near_A, near_B, list);
  offer_edges(near_A, near_B, list);
  return list.take();
}

template std::vector<ClosestCandidate> search_closest(const Placed<2>&, const Placed<2>&,
                                                      const ClosestQuery<2>&);
template std::vector<ClosestCandidate> search_closest(const Placed<3>&, const Placed<3>&,
                                                      const ClosestQuery<3>&);

}  // namespace touchstone::oracle
