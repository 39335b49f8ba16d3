// Cutting polyhedra.
//
//            o'-----o   out                      o, o' are out, k, k' kept. The facet's loop leaves by the
//           /  facet \                           exit k -> o and comes back by the entry o' -> k'. On each
//   - - - q'- - <- - -q - -  the plane           a corner is put, and q -> q' closes the facet's loop again.
//         /            \                         Turned round, q' -> q is an edge of the cut, whose next one
//        k'    kept     k                        begins at q: it belongs to the facet across k -> o.

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>

#include "touchstone/geometry/convex_cutter.h"

namespace touchstone {

void ConvexCutter<3>::clear() {
  points_.clear();
  live_.clear();
  edges_.clear();
  facets_.clear();
}

void ConvexCutter<3>::load(const Polytope<3>& P) {
  clear();
  for (const Vec<3>& x : P.vertices()) points_.push_back({x, 0, -1});
  live_.resize(points_.size());
  std::iota(live_.begin(), live_.end(), 0);
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
}

HeightRange ConvexCutter<3>::measure(const Plane<3>& plane) {
  HeightRange range{INFINITY, -INFINITY};
  for (int p : live_) {
    Point& point = points_[p];
    point.height = plane.height(point.x);
    range.low = std::min(range.low, point.height);
    range.high = std::max(range.high, point.height);
  }
  return range;
}

bool ConvexCutter<3>::is_on_plane(const Facet& facet, double tolerance) const {
  int h = facet.edge;
  do {
    if (height_of_end(h) < -tolerance) return false;
    h = edges_[h].next;
  } while (h != facet.edge);
  return true;
}

void ConvexCutter<3>::mark_flush(double tolerance) {
  for (Facet& facet : facets_) {
    if (facet.edge >= 0 && is_on_plane(facet, tolerance)) facet.flush = true;
  }
}

void ConvexCutter<3>::cut(const Plane<3>& plane, int source, double tolerance) {
  const HeightRange range = measure(plane);
  if (range.high <= tolerance) return range.high >= -tolerance ? mark_flush(tolerance) : void();
  if (range.low >= -tolerance) return clear();
  gather_entries(tolerance);
  insert_points(tolerance);
  link_facets(tolerance);
  close_cut(plane, source);
}

/// Finds where edges come back from above, forgets the points above, and takes all facets that they touch
/// for cut off; link_facets() takes back those of which something is left.
void ConvexCutter<3>::gather_entries(double tolerance) {
  entries_.clear();
  std::size_t kept = 0;
  for (int p : live_) {
    if (points_[p].height > tolerance) {
      gather_entries_from(p, tolerance);
    } else {
      live_[kept++] = p;
    }
  }
  live_.resize(kept);
}

void ConvexCutter<3>::gather_entries_from(int p, double tolerance) {
  int h = points_[p].edge;
  do {
    facets_[edges_[h].facet].edge = -1;
    if (height_of_end(h) <= tolerance) entries_.push_back(h);
    h = edges_[h ^ 1].next;
  } while (h != points_[p].edge);
}

/// An end that lies on the plane gets a twin at the same place: an edge of no length does no harm (its ends
/// are always judged alike), while collapsing it would need care at every turn.
void ConvexCutter<3>::insert_points(double tolerance) {
  for (int entry : entries_) {
    const Point& out = points_[edges_[entry].origin];
    const Point& kept = points_[edges_[entry ^ 1].origin];
    const bool kept_is_on = kept.height >= -tolerance;
    const Vec<3> x = kept_is_on ? kept.x : crossing<3>(kept.x, kept.height, out.x, out.height);
    edges_[entry].origin = static_cast<int>(points_.size());
    live_.push_back(edges_[entry].origin);
    points_.push_back({x, 0, entry});
  }
}

void ConvexCutter<3>::link_facets(double tolerance) {
  cut_edge_of_.resize(std::max(cut_edge_of_.size(), edges_.size()));
  for (int entry_across : entries_) {
    const int exit = entry_across ^ 1;
    const int f = edges_[exit].facet;
    int entry = edges_[exit].next;
    while (height_of_end(entry) > tolerance) entry = edges_[entry].next;
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
void ConvexCutter<3>::close_cut(const Plane<3>& plane, int source) {
  const int first = static_cast<int>(edges_.size() - 2 * entries_.size()) + 1;
  for (std::size_t i = 0; i < entries_.size(); ++i) edges_[first + 2 * i].next = cut_edge_of_[entries_[i]];
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    int h = first + 2 * static_cast<int>(i);
    if (edges_[h].facet >= 0) continue;
    const int f = static_cast<int>(facets_.size());
    facets_.push_back({plane, source, h, false});
    for (; edges_[h].facet < 0; h = edges_[h].next) edges_[h].facet = f;
  }
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
  const bool backward = std::lexicographical_compare(b.data(), b.data() + 3, a.data(), a.data() + 3);
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
  return half_edge;
}

}  // namespace

void ConvexCutter<3>::load(const ConvexPieces<3>& body) {
  clear();
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
  number_points(origins);
}

/// One point for each ring of half-edges: where a body is so thin that two of its corners coincide, they
/// stay two.
void ConvexCutter<3>::number_points(const std::vector<Vec<3>>& origins) {
  for (int start = 0; start < static_cast<int>(edges_.size()); ++start) {
    if (edges_[start].origin >= 0) continue;
    const int p = static_cast<int>(points_.size());
    points_.push_back({origins[start], 0, start});
    live_.push_back(p);
    for (int h = start; edges_[h].origin < 0; h = edges_[h ^ 1].next) edges_[h].origin = p;
  }
}

}  // namespace touchstone
