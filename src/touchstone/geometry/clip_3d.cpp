// Cutting polyhedra.
//
//            o'-----o   out                      o, o' are out, k, k' kept. The facet's loop leaves by the
//           /  facet \                           exit k -> o and comes back by the entry o' -> k'. On each
//   - - - q'- - <- - -q - -  the plane           a corner is put, and q -> q' closes the facet's loop again.
//         /            \                         Turned round, q' -> q is an edge of the cut, whose next one
//        k'    kept     k                        begins at q: it belongs to the facet across k -> o.

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <tuple>

#include "touchstone/geometry/convex_cutter.h"
#include "touchstone/geometry/point_order.h"
#include "touchstone/geometry/support_hierarchy.h"
#include "touchstone/math/checks.h"

namespace touchstone {

void ConvexCutter<3>::clear() {
  drop();
  height_count_ = 0;
}

void ConvexCutter<3>::drop() {
  points_.clear();
  live_.clear();
  edges_.clear();
  facets_.clear();
  live_count_ = hint_ = cut_count_ = gather_count_ = 0;
  level_ = 0;
  scattered_ = false;
}

void ConvexCutter<3>::load(const Polytope<3>& P) {
  clear();
  for (const Vec<3>& x : P.vertices()) add_point(x, -1);
  edges_.resize(2 * static_cast<std::size_t>(P.edge_count()));
  for (int f = 0; f < P.facet_count(); ++f) {
    const auto vertices = P.facet_vertices(f), edges = P.facet_edges(f);
    const auto half_edge = [&](std::size_t i) {
      return 2 * edges[i] + (P.edge(edges[i]).tail != vertices[i]);
    };
    int h = half_edge(0);
    facets_.push_back({P.plane(f), f, h, false});
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const int next = half_edge(i + 1 < edges.size() ? i + 1 : 0);
      edges_[h] = {vertices[i], next, f};
      points_[vertices[i]].edge = h;
      h = next;
    }
  }
  assert(std::all_of(points_.begin(), points_.end(), [](const Point& point) { return point.edge >= 0; }));
  level_ = 2 * P.hierarchy()->level;
}

int ConvexCutter<3>::add_point(const Vec<3>& x, int edge) {
  const int point = static_cast<int>(points_.size());
  points_.push_back({x, 0, edge});
  live_.push_back(point);
  ++live_count_;
  return point;
}

// ---- corners above the plane -----------------------------------------------------------------------------

double ConvexCutter<3>::height(int p) {
  Point& point = points_[p];
  if (point.measured != cut_count_) {
    point.height = plane_.height(point.x);
    point.measured = cut_count_;
    ++height_count_;
  }
  return point.height;
}

int ConvexCutter<3>::highest_of_all() {
  std::erase_if(live_, [&](int p) { return points_[p].edge < 0; });
  assert(static_cast<int>(live_.size()) == live_count_ && live_count_ > 0);
  const auto lower = [&](int p, int q) { return height(p) < height(q); };
  return *std::max_element(live_.begin(), live_.end(), lower);
}

int ConvexCutter<3>::peak_from(int point) {
  for (;;) {
    int best = point;
    visit_neighbours(point, [&](int p) { best = height(p) > height(best) ? p : best; });
    if (best == point) return point;
    point = best;
  }
}

/// A corner above the peak, beside the corners level with the peak, or -1. Where cuts have crowded corners,
/// round-off makes a peak of any of them; the search ends as soon as there is a way up.
int ConvexCutter<3>::higher_on_plateau(int peak, double slack) {
  const double top = height(peak);
  int higher = -1;
  gather_from(peak, [&](int p) {
    if (height(p) > top) higher = p;
    return higher < 0 && height(p) >= top - slack;
  });
  return higher;
}

int ConvexCutter<3>::climb_from(int point) {
  int peak = -1;
  while (point >= 0) {
    peak = peak_from(point);
    point = higher_on_plateau(peak, kLevelTop * tolerance_ + level_);
  }
  return peak;
}

void ConvexCutter<3>::gather_above(int top, double floor) {
  if (!is_measured_whole()) return gather_from(top, [&](int p) { return height(p) > floor; });
  ++gather_count_;
  region_.clear();
  for (int p : live_) {
    if (!(height(p) > floor)) continue;
    points_[p].gathered = gather_count_;
    region_.push_back(p);
  }
}

/// The points above this [m] lie on the plane or out.
double ConvexCutter<3>::floor_of_plane() const { return std::nextafter(-tolerance_, -INFINITY); }

/// Whether anything is left below the plane. The points that are out have been gathered, and stay so.
bool ConvexCutter<3>::reaches_below(int top) {
  bool below = false;
  for (std::size_t i = 0; i < region_.size() && !below; ++i) {
    visit_neighbours(region_[i], [&](int p) { below = below || height(p) < -tolerance_; });
  }
  if (below) return true;
  gather_above(top, floor_of_plane());
  below = static_cast<int>(region_.size()) < live_count_;
  gather_above(top, tolerance_);
  return below;
}

bool ConvexCutter<3>::is_on_plane(const Facet& facet) {
  int h = facet.edge;
  do {
    if (height(end_of(h)) < -tolerance_) return false;
    h = edges_[h].next;
  } while (h != facet.edge);
  return true;
}

void ConvexCutter<3>::mark_flush(int top) {
  gather_above(top, floor_of_plane());
  for (int p : region_) mark_flush_at(p);
}

void ConvexCutter<3>::mark_flush_at(int point) {
  const int start = points_[point].edge;
  int h = start;
  do {
    Facet& facet = facets_[edges_[h].facet];
    if (facet.judged != cut_count_) facet.flush = facet.flush || is_on_plane(facet);
    facet.judged = cut_count_;
    h = edges_[h ^ 1].next;
  } while (h != start);
}

// ---- the cut ---------------------------------------------------------------------------------------------

void ConvexCutter<3>::cut(const Plane<3>& plane, int source, double tolerance) {
  assert(tolerance >= 0 && is_unit(plane.normal));
  if (empty()) return;
  plane_ = plane;
  tolerance_ = tolerance;
  ++cut_count_;
  const int top = is_measured_whole() ? highest_of_all() : climb_from(hint_);
  hint_ = top;
  if (height(top) <= tolerance) return height(top) >= -tolerance ? mark_flush(top) : void();
  gather_above(top, tolerance);
  if (!reaches_below(top)) return drop();
  gather_entries();
  insert_points();
  link_facets();
  close_cut(source);
  hint_ = static_cast<int>(points_.size()) - 1;
}

/// Finds where edges come back from above, forgets the points above, and takes all facets that they touch
/// for cut off; link_facets() takes back those of which something is left.
void ConvexCutter<3>::gather_entries() {
  entries_.clear();
  for (int p : region_) gather_entries_from(p);
  for (int p : region_) points_[p].edge = -1;
  live_count_ -= static_cast<int>(region_.size());
  assert(live_count_ > 0);  // cut() would have dropped the body
}

void ConvexCutter<3>::gather_entries_from(int p) {
  int h = points_[p].edge;
  do {
    facets_[edges_[h].facet].edge = -1;
    if (points_[end_of(h)].gathered != gather_count_) entries_.push_back(h);
    h = edges_[h ^ 1].next;
  } while (h != points_[p].edge);
}

/// An end that lies on the plane gets a twin at the same place: an edge of no length does no harm (its ends
/// are always judged alike), while collapsing it would need care at every turn.
void ConvexCutter<3>::insert_points() {
  for (int entry : entries_) {
    const int o = edges_[entry].origin, k = end_of(entry);
    const Vec<3>&out = points_[o].x, &kept = points_[k].x;
    assert(height(o) > tolerance_ && height(k) <= tolerance_);
    const Vec<3> x = height(k) >= -tolerance_ ? kept : crossing<3>(kept, height(k), out, height(o));
    edges_[entry].origin = add_point(x, entry);
  }
}

void ConvexCutter<3>::link_facets() {
  cut_edge_of_.resize(std::max(cut_edge_of_.size(), edges_.size()));
  for (int entry_across : entries_) {
    const int exit = entry_across ^ 1;
    const int f = edges_[exit].facet;
    assert(is_index(f, facets_.size()));
    int entry = edges_[exit].next;
    while (points_[end_of(entry)].edge < 0) entry = edges_[entry].next;
    const int fresh = static_cast<int>(edges_.size());
    edges_.push_back({edges_[entry_across].origin, entry, f});
    edges_.push_back({edges_[entry].origin, -1, -1});
    edges_[exit].next = fresh;
    facets_[f].edge = exit;
    cut_edge_of_[entry] = fresh + 1;
  }
}

/// The new edges, turned round, are the border of the cut: one loop, or several where round-off has judged
/// a corner against its neighbours; each becomes a facet.
void ConvexCutter<3>::close_cut(int source) {
  const int first = static_cast<int>(edges_.size() - 2 * entries_.size()) + 1;
  for (std::size_t i = 0; i < entries_.size(); ++i) edges_[first + 2 * i].next = cut_edge_of_[entries_[i]];
  const std::size_t before = facets_.size();
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    int h = first + 2 * static_cast<int>(i);
    if (edges_[h].facet >= 0) continue;
    const int f = static_cast<int>(facets_.size());
    facets_.push_back({plane_, source, h, false});
    for (; edges_[h].facet < 0; h = edges_[h].next) edges_[h].facet = f;
  }
  scattered_ = scattered_ || facets_.size() > before + 1;
}

void ConvexCutter<3>::gather_loop(int edge) {
  loop_.clear();
  int h = edge;
  do {
    const Vec<3>& x = points_[edges_[h].origin].x;
    if (loop_.empty() || x != loop_.back()) loop_.push_back(x);
    h = edges_[h].next;
  } while (h != edge);
  while (loop_.size() > 1 && loop_.front() == loop_.back()) loop_.pop_back();
}

// ---- from loose facets -----------------------------------------------------------------------------------

namespace {

/// A side of a loose facet, so sorted that the two sides of an edge follow each other.
struct Side {
  std::array<double, 6> ends;  // the smaller end first: the same for both sides
  bool backward;               // runs from the larger to the smaller end
  int number;                  // in the order of the loops
  bool operator<(const Side& other) const {
    return std::tie(ends, number) < std::tie(other.ends, other.number);
  }
};

Side make_side(const Vec<3>& a, const Vec<3>& b, int number) {
  const bool backward = lexicographic<3>(b, a);
  const Vec<3>&low = backward ? b : a, &high = backward ? a : b;
  return {{low[0], low[1], low[2], high[0], high[1], high[2]}, backward, number};
}

/// The half-edge of each side, such that h and h^1 run between the same ends in opposite directions.
std::vector<int> pair_sides(std::vector<Side> sides) {
  std::sort(sides.begin(), sides.end());
  std::vector<int> half_edge(sides.size());
  int edges = 0;
  for (std::size_t begin = 0; begin < sides.size();) {
    std::array<int, 2> used{edges, edges};  // edges with a forward side, edges with a backward one
    std::size_t i = begin;
    for (; i < sides.size() && sides[i].ends == sides[begin].ends; ++i) {
      half_edge[sides[i].number] = 2 * used[sides[i].backward]++ + sides[i].backward;
    }
    if (used[0] != used[1]) throw BadShape("the facets of the body do not close");
    edges = used[0];
    begin = i;
  }
  assert(2 * static_cast<std::size_t>(edges) == sides.size());
  return half_edge;
}

}  // namespace

void ConvexCutter<3>::load(const ConvexPieces<3>& body) {
  clear();
  scattered_ = true;  // loose facets promise nothing
  std::vector<Side> sides;
  for (const auto& facet : body.facets) {
    for (std::size_t i = 0; i < facet.loop.size(); ++i) {
      const Vec<3>& end = facet.loop[(i + 1) % facet.loop.size()];
      sides.push_back(make_side(facet.loop[i], end, static_cast<int>(sides.size())));
    }
  }
  const std::vector<int> half_edge = pair_sides(std::move(sides));
  edges_.resize(half_edge.size());
  std::vector<Vec<3>> origins(half_edge.size());
  auto side = half_edge.begin();
  for (const auto& facet : body.facets) {
    const int n = static_cast<int>(facet.loop.size());
    for (int i = 0; i < n; ++i) {
      edges_[side[i]] = {-1, side[(i + 1) % n], static_cast<int>(facets_.size())};
      origins[side[i]] = facet.loop[i];
    }
    facets_.push_back({facet.plane, facet.source, side[0], false});
    side += n;
  }
  assert(side == half_edge.end());
  number_points(origins);
}

/// One point for each ring of half-edges: where a body is so thin that two of its corners coincide, they
/// stay two.
void ConvexCutter<3>::number_points(const std::vector<Vec<3>>& origins) {
  assert(origins.size() == edges_.size());
  for (int start = 0; start < static_cast<int>(edges_.size()); ++start) {
    if (edges_[start].origin >= 0) continue;
    const int p = add_point(origins[start], start);
    for (int h = start; edges_[h].origin < 0; h = edges_[h ^ 1].next) edges_[h].origin = p;
  }
}

}  // namespace touchstone
