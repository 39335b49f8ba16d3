// Cutting polygons.

#include <algorithm>
#include <cassert>
#include <cmath>

#include "touchstone/geometry/convex_cutter.h"
#include "touchstone/geometry/support_hierarchy.h"
#include "touchstone/math/checks.h"

namespace touchstone {

void ConvexCutter<2>::clear() {
  drop();
  height_count_ = 0;
}

void ConvexCutter<2>::drop() {
  corners_.clear();
  live_count_ = head_ = hint_ = cut_count_ = 0;
  level_ = 0;
}

void ConvexCutter<2>::load(const Polytope<2>& P) {
  clear();
  for (int f = 0; f < P.facet_count(); ++f) add_corner(P.vertex(P.facet_vertices(f)[0]), P.plane(f), f);
  close_ring();
  level_ = 2 * P.hierarchy()->level;
}

void ConvexCutter<2>::load(const ConvexPieces<2>& body) {
  clear();
  for (std::size_t i = 0; i < body.facets.size(); ++i) {
    const auto& facet = body.facets[i];
    const auto& following = body.facets[(i + 1) % body.facets.size()];
    if (facet.loop.size() != 2 || facet.loop[1] != following.loop.front()) {
      throw BadShape("the edges of the polygon do not follow each other along its border");
    }
    add_corner(facet.loop[0], facet.plane, facet.source);
  }
  close_ring();
}

void ConvexCutter<2>::add_corner(const Vec<2>& x, const Plane<2>& plane, int source) {
  corners_.push_back({x, plane, source, false, -1, -1, 0, 0});
  ++live_count_;
}

void ConvexCutter<2>::close_ring() {
  assert(live_count_ == static_cast<int>(corners_.size()));  // none is cut off yet
  for (int c = 0; c < live_count_; ++c) link(c, c + 1 < live_count_ ? c + 1 : 0);
}

void ConvexCutter<2>::link(int corner, int next) {
  assert(is_index(corner, corners_.size()) && is_index(next, corners_.size()));
  corners_[corner].next = next;
  corners_[next].previous = corner;
}

double ConvexCutter<2>::height(int c) {
  Corner& corner = corners_[c];
  if (corner.measured != cut_count_) {
    corner.height = plane_.height(corner.x);
    corner.measured = cut_count_;
    ++height_count_;
  }
  return corner.height;
}

int ConvexCutter<2>::highest_of_all() {
  int best = head_;
  for (int c = following(head_); c != head_; c = following(c)) {
    if (height(c) > height(best)) best = c;
  }
  return best;
}

int ConvexCutter<2>::peak_from(int c) {
  while (height(following(c)) > height(c)) c = following(c);
  while (height(preceding(c)) > height(c)) c = preceding(c);
  return c;
}

/// A corner above the peak, behind the corners level with the peak, or -1.
int ConvexCutter<2>::higher_on_plateau(int peak, double slack) {
  const double top = height(peak);
  for (int c = following(peak); c != peak && height(c) >= top - slack; c = following(c)) {
    if (height(c) > top) return c;
  }
  for (int c = preceding(peak); c != peak && height(c) >= top - slack; c = preceding(c)) {
    if (height(c) > top) return c;
  }
  return -1;
}

int ConvexCutter<2>::climb_from(int corner) {
  int peak = -1;
  while (corner >= 0) {
    peak = peak_from(corner);
    corner = higher_on_plateau(peak, kLevelTop * tolerance_ + level_);
  }
  return peak;
}

void ConvexCutter<2>::mark_flush(int top) {
  int c = top;
  for (int i = 0; i < live_count_ && is_on(preceding(c)); ++i) c = preceding(c);
  for (int i = 0; i < live_count_ && is_on(c) && is_on(following(c)); ++i, c = following(c)) {
    corners_[c].flush = true;
  }
}

bool ConvexCutter<2>::reaches_below(int top) {
  for (int c = following(top); c != top; c = following(c)) {
    if (!is_on(c)) return true;
  }
  return false;
}

void ConvexCutter<2>::cut(const Plane<2>& plane, int source, double tolerance) {
  assert(tolerance >= 0 && is_unit(plane.normal));
  if (empty()) return;
  plane_ = plane;
  tolerance_ = tolerance;
  ++cut_count_;
  const bool few = live_count_ <= kFewCorners;
  const int top = few ? highest_of_all() : climb_from(hint_);
  hint_ = top;
  if (!is_out(top)) return is_on(top) ? mark_flush(top) : void();
  if (!reaches_below(top)) return drop();
  few ? cut_all_runs(top, source) : cut_run_around(top, source);
}

void ConvexCutter<2>::cut_run_around(int top, int source) {
  int first = top, last = top;
  while (is_out(preceding(first))) first = preceding(first);
  while (is_out(following(last))) last = following(last);
  cut_run(first, last, source);
}

/// Round-off may judge a corner against its neighbours, so that there are several runs.
void ConvexCutter<2>::cut_all_runs(int top, int source) {
  int kept = top;
  while (is_out(kept)) kept = following(kept);
  const int stop = kept;
  do {
    int last = kept;
    while (is_out(following(last))) last = following(last);
    const int next = following(last);
    if (last != kept) cut_run(following(kept), last, source);
    kept = next;
  } while (kept != stop);
}

/// Takes off the corners first .. last, all of which are out; those beside them are not.
void ConvexCutter<2>::cut_run(int first, int last, int source) {
  const int before = preceding(first), behind = following(last);
  assert(is_out(first) && is_out(last) && !is_out(before) && !is_out(behind));
  bool beheaded = false;
  for (int c = first; c != behind; c = following(c)) {
    --live_count_;
    beheaded = beheaded || c == head_;
  }
  const int leaving = leave_below(before, first, source), back = come_back(last, behind);
  if (leaving != before) link(before, leaving);
  link(leaving, back);
  if (back != behind) link(back, behind);
  assert(live_count_ > 0 && is_index(back, corners_.size()));
  if (beheaded) head_ = back;
  hint_ = leaving;
}

/// Where the border leaves the kept part and follows the plane. A kept end on the line needs no crossing.
int ConvexCutter<2>::leave_below(int kept, int out, int source) {
  if (is_on(kept)) {
    corners_[kept].plane = plane_;
    corners_[kept].source = source;
    corners_[kept].flush = false;
    return kept;
  }
  add_corner(crossing<2>(corners_[kept].x, height(kept), corners_[out].x, height(out)), plane_, source);
  return static_cast<int>(corners_.size()) - 1;
}

/// Where the border comes back; behind the crossing the edge is unchanged.
int ConvexCutter<2>::come_back(int out, int kept) {
  if (is_on(kept)) return kept;
  const Corner edge = corners_[out];
  add_corner(crossing<2>(corners_[kept].x, height(kept), edge.x, height(out)), edge.plane, edge.source);
  corners_.back().flush = edge.flush;
  return static_cast<int>(corners_.size()) - 1;
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
  assert(tolerance >= 0 && is_unit(line.normal));
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
  assert(!Q.empty() && tolerance >= 0);
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
