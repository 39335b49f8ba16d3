// Footprints of polyhedra: points, segments and convex polygons of the contact plane, and how they meet
// [ContactData IV-E; Checked 1.2].
//
//            point        segment                      polygon
//   point    nearest      nearest                      Sutherland-Hodgman
//   segment               collinear overlap, nearest   Sutherland-Hodgman
//   polygon                                            Sutherland-Hodgman
//
// "Nearest" is both the crossing of features that meet and, where they do not, fall-back 2, to which we add
// the ends of edges that run along each other: one point of them would not keep the bodies apart.

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "touchstone/math/checks.h"
#include "touchstone/proximity/feature_contacts.h"
#include "touchstone/proximity/footprint.h"
#include "touchstone/proximity/polytope_parts.h"

namespace touchstone {
namespace {

using Points = ScratchVector<Vec<2>>;

struct Corner {
  Vec<2> position;
  int vertex;
};

const Vec<2>& position_of(const Vec<2>& x) { return x; }
const Vec<2>& position_of(const Corner& corner) { return corner.position; }

/// Drops every corner of a convex ring that is no further than the tolerance from the segment of its
/// neighbours: corners on a side, and all but one of several that coincide. A sliver becomes a segment, a
/// speck a point.
template <class T>
void drop_needless_corners(ScratchVector<T>& ring, double tolerance) {
  std::size_t kept = 0;  // in a row
  for (std::size_t i = 0; ring.size() > 1 && kept < ring.size();) {
    const std::size_t n = ring.size();
    i %= n;
    const Vec<2>&x = position_of(ring[i]), &before = position_of(ring[(i + n - 1) % n]),
          &after = position_of(ring[(i + 1) % n]);
    if ((nearest_on_segment<2>(before, after, x).point - x).squaredNorm() > tolerance * tolerance) {
      ++kept;
      ++i;
    } else {
      ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(i));
      kept = 0;
    }
  }
}

/// The hull of at least two points, counter-clockwise (Andrew's monotone chain).
ScratchVector<Corner> hull_of(ScratchVector<Corner> points, double tolerance) {
  assert(points.size() >= 2);
  const auto before = [](const Corner& a, const Corner& b) {
    return std::pair(a.position.x(), a.position.y()) < std::pair(b.position.x(), b.position.y());
  };
  std::sort(points.begin(), points.end(), before);
  ScratchVector<Corner> chain(points.get_allocator());
  const auto extend = [&](auto first, auto last) {
    const std::size_t floor = chain.size();
    for (auto it = first; it != last; ++it) {
      const auto turns_left = [&] {
        const Vec<2>&a = chain[chain.size() - 2].position, &b = chain.back().position;
        return cross(b - a, it->position - b) > 0;
      };
      while (chain.size() > floor + 1 && !turns_left()) chain.pop_back();
      chain.push_back(*it);
    }
    chain.pop_back();  // the other chain begins with it
  };
  extend(points.begin(), points.end());
  extend(points.rbegin(), points.rend());
  drop_needless_corners(chain, tolerance);
  return chain;
}

/// The facet whose vertices are just these; -1 if there is none.
int facet_of(const BodyAtPlane<3>& body, std::span<const int> touching) {
  assert(!touching.empty() && std::is_sorted(touching.begin(), touching.end()));
  const int f = best_facing_facet(body, touching[0]);
  const auto loop = body.P.facet_vertices(f);
  const auto touches = [&](int v) { return std::binary_search(touching.begin(), touching.end(), v); };
  return loop.size() == touching.size() && std::all_of(loop.begin(), loop.end(), touches) ? f : -1;
}

/// A facet's loop is counter-clockwise seen from outside: from above the plane for B, from below for A.
void fill_from_facet(Footprint<3>& F, const BodyAtPlane<3>& body, int facet) {
  const auto loop = body.P.facet_vertices(facet);
  F.vertices.assign(loop.begin(), loop.end());
  for (int v : loop) F.corners.push_back(body.project(v));
  if (body.above) {
    std::reverse(F.vertices.begin(), F.vertices.end());
    std::reverse(F.corners.begin(), F.corners.end());
  }
  F.whole = {FeatureKind::face, facet};
}

/// A vertex, or the two of an edge.
void fill_from_list(Footprint<3>& F, const BodyAtPlane<3>& body, std::span<const int> touching) {
  F.vertices.assign(touching.begin(), touching.end());
  for (int v : touching) F.corners.push_back(body.project(v));
}

/// More than a facet lies in the plane to the tolerance: of a body that is small, or nearly flat there.
void fill_from_hull(Footprint<3>& F, const BodyAtPlane<3>& body, std::span<const int> touching,
                    double tolerance) {
  ScratchVector<Corner> points(F.corners.get_allocator());
  for (int v : touching) points.push_back({body.project(v), v});
  for (const Corner& corner : hull_of(std::move(points), tolerance)) {
    F.corners.push_back(corner.position);
    F.vertices.push_back(corner.vertex);
  }
  F.whole = {FeatureKind::face, best_facing_facet(body, touching)};
}

void fill_sides(Footprint<3>& F, const Polytope<3>& P) {
  assert(F.vertices.size() == F.corners.size() && F.edges.empty());
  for (int i = 0; i < F.side_count(); ++i) {
    const int j = F.after(i);
    F.edges.push_back(edge_between(P, F.vertices[i], F.vertices[j]));
    F.outward.push_back(right_of(F.corners[j] - F.corners[i]).normalized());
  }
}

Feature feature_of_side(const Footprint<3>& F, int i) {
  return F.edges[i] >= 0 ? Feature{FeatureKind::edge, F.edges[i]} : F.whole;
}

/// How far x lies beyond the side i [m].
double beyond(const Footprint<3>& F, int i, const Vec<2>& x) { return F.outward[i].dot(x - F.corners[i]); }

/// What of the ring lies behind side i of F. Points within the tolerance of it are kept as they are, and cut
/// nothing.
void cut(const Points& ring, const Footprint<3>& F, int i, double tolerance, Points& kept) {
  assert(is_index(i, F.outward.size()) && &kept != &ring);
  kept.clear();
  const std::size_t n = ring.size();
  double s = n > 0 ? beyond(F, i, ring[0]) : 0;
  for (std::size_t k = 0; k < n; ++k) {
    const Vec<2>&x = ring[k], &y = ring[k + 1 < n ? k + 1 : 0];
    const double t = beyond(F, i, y);
    if (s <= tolerance) kept.push_back(x);
    if ((s < -tolerance && t > tolerance) || (s > tolerance && t < -tolerance)) {
      kept.push_back(x + s / (s - t) * (y - x));
    }
    s = t;
  }
}

/// Sutherland-Hodgman: what of the point, segment or polygon lies in the polygon F.
Points clipped(const Points& corners, const Footprint<3>& F, double tolerance) {
  Points ring(corners.get_allocator()), kept(corners.get_allocator());
  ring.reserve(corners.size() + F.corners.size());
  kept.reserve(corners.size() + F.corners.size());
  ring = corners;
  for (int i = 0; i < F.size() && !ring.empty(); ++i) {
    cut(ring, F, i, tolerance, kept);
    std::swap(ring, kept);
  }
  return ring;
}

/// The ends of the common part of two collinear segments; none when they cross, miss, or share a point only.
Points collinear_overlap(const Points& P, const Points& Q, double tolerance) {
  assert(P.size() == 2 && Q.size() == 2);
  const bool P_is_longer = (P[1] - P[0]).squaredNorm() >= (Q[1] - Q[0]).squaredNorm();
  const Points &longer = P_is_longer ? P : Q, &shorter = P_is_longer ? Q : P;
  const Vec<2> span = longer[1] - longer[0];
  const double length = span.norm();
  Points ends(P.get_allocator());
  if (length <= tolerance) return ends;
  const Vec<2> along = span / length;
  const auto off_line = [&](const Vec<2>& x) { return std::abs(cross(along, x - longer[0])) > tolerance; };
  if (off_line(shorter[0]) || off_line(shorter[1])) return ends;
  const bool same_way = along.dot(shorter[1] - shorter[0]) >= 0;
  const Vec<2>&first = shorter[same_way ? 0 : 1], &last = shorter[same_way ? 1 : 0];
  const double low = along.dot(first - longer[0]), high = along.dot(last - longer[0]);
  if (std::min(high, length) - std::max(low, 0.0) <= tolerance) return ends;
  ends.push_back(low > 0 ? first : longer[0]);
  ends.push_back(high < length ? last : longer[1]);
  return ends;
}

Points shared_corners(const Footprint<3>& A, const Footprint<3>& B, double tolerance) {
  if (B.size() > 2) return clipped(A.corners, B, tolerance);
  if (A.size() > 2) return clipped(B.corners, A, tolerance);
  if (A.size() == 2 && B.size() == 2) return collinear_overlap(A.corners, B.corners, tolerance);
  return Points(A.corners.get_allocator());
}

/// Side i of the footprint; a point is a segment without length.
std::pair<Vec<2>, Vec<2>> side(const Footprint<3>& F, int i) { return {F.corners[i], F.corners[F.after(i)]}; }

Meeting<3> nearest_points(const Footprint<3>& A, const Footprint<3>& B) {
  Meeting<3> best;
  double nearest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < std::max(1, A.side_count()); ++i) {
    for (int j = 0; j < std::max(1, B.side_count()); ++j) {
      const auto [a0, a1] = side(A, i);
      const auto [b0, b1] = side(B, j);
      const auto pair = nearest_on_segments<2>(a0, a1, b0, b1);
      const double distance = (pair.point_1 - pair.point_2).squaredNorm();
      if (distance >= nearest) continue;
      nearest = distance;
      best = {pair.point_1, pair.point_2};
    }
  }
  assert(std::isfinite(nearest));
  return best;
}

/// Footprints that miss each other: the nearest points and, if two edges are nearly parallel and within the
/// tolerance, the ends of the part that they would share.
void add_barely_missed(const Footprint<3>& A, const Footprint<3>& B, double tolerance,
                       ScratchVector<Meeting<3>>& meetings) {
  constexpr double kHair = 100;  // [tolerances] bodies that touch miss each other by no more
  const Meeting<3> nearest = nearest_points(A, B);
  const Vec<2> miss = nearest.on_A - nearest.on_B;
  if (miss.norm() <= kHair * tolerance) {
    Points shared = shared_corners(A, B, miss.norm() + tolerance);
    drop_needless_corners(shared, miss.norm() + tolerance);
    const auto [a0, a1] = side(A, 0);
    for (const Vec<2>& x : shared) {
      const bool of_A = B.size() > 2 || (nearest_on_segment<2>(a0, a1, x).point - x).norm() <= tolerance;
      meetings.push_back(of_A ? Meeting<3>{x, x - miss} : Meeting<3>{x + miss, x});
    }
  }
  if (meetings.size() < 2) meetings.assign(1, nearest);
}

}  // namespace

PlaneAxes<3> plane_axes(const Vec<3>& n) {
  const Vec<3> u = any_perpendicular(n);
  PlaneAxes<3> axes;
  axes << u.transpose(), n.cross(u).transpose();
  return axes;
}

Footprint<3> make_footprint(const BodyAtPlane<3>& body, std::span<const int> touching, double tolerance,
                            std::pmr::memory_resource* memory) {
  Footprint<3> F(memory);
  F.reserve(touching.size());
  if (touching.size() <= 2) {
    fill_from_list(F, body, touching);
  } else if (const int facet = facet_of(body, touching); facet >= 0) {
    fill_from_facet(F, body, facet);
  } else {
    fill_from_hull(F, body, touching, tolerance);
  }
  fill_sides(F, body.P);
  if (F.size() == 1) F.whole = {FeatureKind::vertex, F.vertices[0]};
  if (F.size() == 2) F.whole = feature_of_side(F, 0);
  return F;
}

ScratchVector<Meeting<3>> meet(const Footprint<3>& A, const Footprint<3>& B, double tolerance) {
  assert(A.size() > 0 && B.size() > 0 && tolerance >= 0);
  Points shared = shared_corners(A, B, tolerance);
  drop_needless_corners(shared, tolerance);
  ScratchVector<Meeting<3>> meetings(shared.get_allocator());
  meetings.reserve(shared.size() + 1);
  for (const Vec<2>& x : shared) meetings.push_back({x, x});
  if (meetings.empty()) add_barely_missed(A, B, tolerance, meetings);
  return meetings;
}

Feature feature_at(const Footprint<3>& F, const Vec<2>& x, double tolerance) {
  for (int i = 0; i < F.size(); ++i) {
    if ((x - F.corners[i]).squaredNorm() <= tolerance * tolerance)
      return {FeatureKind::vertex, F.vertices[i]};
  }
  for (int i = 0; i < F.side_count(); ++i) {
    if (std::abs(beyond(F, i, x)) <= tolerance) return feature_of_side(F, i);
  }
  return F.whole;
}

Feature feature_of_both(const Footprint<3>& F, const Vec<2>& x, const Vec<2>& y, double tolerance) {
  for (int i = 0; i < F.side_count(); ++i) {
    if (std::abs(beyond(F, i, x)) <= tolerance && std::abs(beyond(F, i, y)) <= tolerance)
      return feature_of_side(F, i);
  }
  return F.whole;
}

}  // namespace touchstone
