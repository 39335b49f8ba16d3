// Cutting polygons.

#include <algorithm>
#include <cmath>

#include "touchstone/geometry/convex_cutter.h"

namespace touchstone {

void ConvexCutter<2>::load(const Polytope<2>& P) {
  clear();
  for (int f = 0; f < P.facet_count(); ++f) {
    corners_.push_back({P.vertex(P.facet_vertices(f)[0]), 0, P.plane(f), f, false});
  }
}

void ConvexCutter<2>::load(const ConvexPieces<2>& body) {
  clear();
  for (std::size_t i = 0; i < body.facets.size(); ++i) {
    const auto& facet = body.facets[i];
    const auto& following = body.facets[(i + 1) % body.facets.size()];
    if (facet.loop.size() != 2 || facet.loop[1] != following.loop.front()) {
      throw BadShape("the edges of the polygon do not follow each other along its border");
    }
    corners_.push_back({facet.loop[0], 0, facet.plane, facet.source, false});
  }
}

HeightRange ConvexCutter<2>::measure(const Plane<2>& plane) {
  HeightRange range{INFINITY, -INFINITY};
  for (Corner& corner : corners_) {
    corner.height = plane.height(corner.x);
    range.low = std::min(range.low, corner.height);
    range.high = std::max(range.high, corner.height);
  }
  return range;
}

void ConvexCutter<2>::mark_flush(double tolerance) {
  for (std::size_t i = 0; i < corners_.size(); ++i) {
    const Corner& end = corners_[(i + 1) % corners_.size()];
    if (corners_[i].height >= -tolerance && end.height >= -tolerance) corners_[i].flush = true;
  }
}

void ConvexCutter<2>::cut(const Plane<2>& plane, int source, double tolerance) {
  const HeightRange range = measure(plane);
  if (range.high <= tolerance) return range.high >= -tolerance ? mark_flush(tolerance) : void();
  if (range.low >= -tolerance) return clear();
  cut_.clear();
  for (std::size_t i = 0; i < corners_.size(); ++i) {
    const Corner& a = corners_[i];
    const Corner& b = corners_[i + 1 < corners_.size() ? i + 1 : 0];
    const bool a_out = a.height > tolerance, b_out = b.height > tolerance;
    if (!a_out) cut_.push_back(a);
    if (a_out == b_out) continue;
    const Corner& kept = a_out ? b : a;
    const bool kept_is_on = kept.height >= -tolerance;
    if (a_out) {
      // The edge re-enters: from the crossing on it is what it was. A kept end on the line needs no crossing.
      if (!kept_is_on)
        cut_.push_back({crossing<2>(b.x, b.height, a.x, a.height), 0, a.plane, a.source, a.flush});
    } else {
      if (kept_is_on) cut_.pop_back();
      const Vec<2> x = kept_is_on ? a.x : crossing<2>(a.x, a.height, b.x, b.height);
      cut_.push_back({x, 0, plane, source, false});
    }
  }
  corners_.swap(cut_);
}

namespace {

/// Removes corners that lie within the tolerance of the one before.
void merge_corners(std::vector<Vec<2>>& polygon, double tolerance) {
  const auto near = [&](const Vec<2>& a, const Vec<2>& b) { return (a - b).norm() <= tolerance; };
  polygon.erase(std::unique(polygon.begin(), polygon.end(), near), polygon.end());
  while (polygon.size() > 1 && near(polygon.front(), polygon.back())) polygon.pop_back();
}

}  // namespace

void clip_polygon(std::vector<Vec<2>>& polygon, const Plane<2>& line, double tolerance) {
  const auto above = [&](const Vec<2>& x) { return line.height(x) > tolerance; };
  if (std::none_of(polygon.begin(), polygon.end(), above)) return;
  std::vector<Vec<2>> kept;
  kept.reserve(polygon.size() + 1);
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec<2>& a = polygon[i];
    const Vec<2>& b = polygon[i + 1 < polygon.size() ? i + 1 : 0];
    const double ha = line.height(a), hb = line.height(b);
    if (ha <= tolerance) kept.push_back(a);
    if (ha < -tolerance && hb > tolerance) kept.push_back(crossing<2>(a, ha, b, hb));
    if (hb < -tolerance && ha > tolerance) kept.push_back(crossing<2>(b, hb, a, ha));
  }
  merge_corners(kept, tolerance);
  polygon.swap(kept);
}

namespace {

void add_line(std::vector<Plane<2>>& lines, const Vec<2>& normal, const Vec<2>& through) {
  lines.push_back({normal, normal.dot(through)});
}

/// The lines below which a polygon, a segment or a point lies. Corners that coincide bound nothing.
std::vector<Plane<2>> border_lines(const std::vector<Vec<2>>& Q, double tolerance) {
  std::vector<Plane<2>> lines;
  lines.reserve(Q.size() + 2);
  for (std::size_t i = 0; i < Q.size(); ++i) {
    const Vec<2> along = Q[(i + 1) % Q.size()] - Q[i];
    const double length = along.norm();
    if (length <= tolerance) continue;
    add_line(lines, right_of(along) / length, Q[i]);
    if (Q.size() == 2) add_line(lines, -along / length, Q[i]);  // a segment ends at its ends
  }
  if (!lines.empty()) return lines;
  for (const Vec<2>& normal : {Vec<2>(1, 0), Vec<2>(0, 1), Vec<2>(-1, 0), Vec<2>(0, -1)}) {
    add_line(lines, normal, Q[0]);
  }
  return lines;
}

}  // namespace

std::vector<Vec<2>> intersect_polygons(const std::vector<Vec<2>>& P, const std::vector<Vec<2>>& Q,
                                       double tolerance) {
  if (Q.empty()) return {};
  std::vector<Vec<2>> common = P;
  for (const Plane<2>& line : border_lines(Q, tolerance)) clip_polygon(common, line, tolerance);
  return common;
}

}  // namespace touchstone
