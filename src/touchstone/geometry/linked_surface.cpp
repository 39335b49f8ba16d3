#include "touchstone/geometry/linked_surface.h"

#include <cassert>

#include "touchstone/math/checks.h"

namespace touchstone {

LinkedSurface::LinkedSurface(const PolytopeData<3>& data) : positions_(data.vertices) {
  // A triangulation has less than 3 V edges, and taking a vertex adds less than it removes.
  half_edges_.reserve(12 * data.vertices.size());
  link_rings(data);
  assert(std::all_of(half_edges_.begin(), half_edges_.end(), [](const HalfEdge& h) { return h.twin >= 0; }));
  cut_facets(data);
}

/// The half-edge of item i in the polytope's list of neighbours is half-edge i.
void LinkedSurface::link_rings(const PolytopeData<3>& data) {
  const int n = static_cast<int>(data.vertices.size());
  std::vector<int> first_of_edge(data.edges.size(), -1);
  for (int v = 0; v < n; ++v) {
    const int begin = data.vertex_begin[v], end = data.vertex_begin[v + 1];
    ring_start_.push_back(begin);
    degree_.push_back(end - begin);
    for (int h = begin; h < end; ++h) {
      int& twin = first_of_edge[data.vertex_edges[h]];
      half_edges_.push_back(
          {data.vertex_neighbours[h], twin, h + 1 == end ? begin : h + 1, h == begin ? end - 1 : h - 1});
      if (twin >= 0) half_edges_[twin].twin = h;
      twin = h;
    }
  }
}

void LinkedSurface::cut_facets(const PolytopeData<3>& data) {
  std::vector<int> from_tail(data.edges.size());
  for (int h = 0; h < static_cast<int>(half_edges_.size()); ++h) {
    const int e = data.vertex_edges[h];
    if (half_edges_[h].target == data.edges[e].head) from_tail[e] = h;
  }
  for (std::size_t f = 0; f + 1 < data.facet_begin.size(); ++f) {
    const int begin = data.facet_begin[f], count = data.facet_begin[f + 1] - begin;
    assert(count >= 3);
    if (count == 3) continue;
    hole_.corners.assign(&data.facet_vertices[begin], &data.facet_vertices[begin] + count);
    hole_.ahead.resize(count);
    hole_.back.resize(count);
    for (int i = 0; i < count; ++i) {
      const int e = data.facet_edges[begin + i];
      const int h = from_tail[e];
      const bool along = data.edges[e].tail == hole_.corners[i];
      hole_.ahead[i] = along ? h : half_edges_[h].twin;
      hole_.back[(i + 1) % count] = along ? half_edges_[h].twin : h;
    }
    plan_chords([](int i, int j) { return (j - i) % 2 == 1 ? i + 1 : j - 1; });
    link_chords();
  }
}

/// Every chord, and the side from the last corner to the first, gets a triangle on the side of the corners
/// between its ends.
template <class Apex>
void LinkedSurface::plan_chords(Apex apex) {
  const auto add = [&](int i, int j) {
    if (j - i < 2) return;  // a side of the rim
    hole_.chords.push_back({i, j});
    hole_.open.push_back({i, j});
  };
  hole_.chords.clear();
  hole_.open.assign(1, {0, static_cast<int>(hole_.corners.size()) - 1});
  while (!hole_.open.empty()) {
    const auto [i, j] = hole_.open.back();
    hole_.open.pop_back();
    const int k = apex(i, j);
    assert(i < k && k < j);
    add(i, k);
    add(k, j);
  }
}

/// The corner between i and j for which no other one lies above the triangle: wrapping a gift about the
/// chord from i to j.
int LinkedSurface::highest_apex(int i, int j) const {
  assert(i + 1 < j);
  const Vec<3>& origin = positions_[hole_.corners[i]];
  const Vec<3> chord = positions_[hole_.corners[j]] - origin;
  const auto side = [&](int k) -> Vec<3> { return positions_[hole_.corners[k]] - origin; };
  int best = i + 1;
  Vec<3> normal = side(best).cross(chord);
  for (int k = i + 2; k < j; ++k) {
    if (normal.dot(side(k)) <= 0) continue;
    best = k;
    normal = side(best).cross(chord);
  }
  return best;
}

/// At corner i, chords run counter-clockwise from the side ahead (to i+1) to the side back (to i-1), by
/// rising number. Enclosing chords are linked first, so each new one lies next to the rim.
void LinkedSurface::link_chords() {
  for (const auto& [i, j] : hole_.chords) {
    const int there = link_after(hole_.ahead[i], hole_.corners[j]);
    const int back = link_after(half_edges_[hole_.back[j]].previous, hole_.corners[i]);
    half_edges_[there].twin = back;
    half_edges_[back].twin = there;
    ++degree_[hole_.corners[i]];
    ++degree_[hole_.corners[j]];
  }
}

int LinkedSurface::link_after(int neighbour_in_ring, int target) {
  assert(is_index(neighbour_in_ring, half_edges_.size()) && is_index(target, degree_.size()));
  const int h = static_cast<int>(half_edges_.size()), next = half_edges_[neighbour_in_ring].next;
  half_edges_.push_back({target, -1, next, neighbour_in_ring});
  half_edges_[neighbour_in_ring].next = h;
  half_edges_[next].previous = h;
  return h;
}

void LinkedSurface::unlink(int half_edge, int origin) {
  const HalfEdge& h = half_edges_[half_edge];
  half_edges_[h.previous].next = h.next;
  half_edges_[h.next].previous = h.previous;
  ring_start_[origin] = h.next;
  assert(degree_[origin] > 0);
  --degree_[origin];
}

/// The hole that taking the vertex will leave. At each neighbour, the half-edge to the vertex lies between
/// that to the neighbour ahead and that to the one back.
void LinkedSurface::rim_of(int vertex) {
  hole_.corners.clear();
  hole_.ahead.clear();
  hole_.back.clear();
  int h = ring_start_[vertex];
  do {
    const HalfEdge& inward = half_edges_[half_edges_[h].twin];
    hole_.corners.push_back(half_edges_[h].target);
    hole_.ahead.push_back(inward.previous);
    hole_.back.push_back(inward.next);
    h = half_edges_[h].next;
  } while (h != ring_start_[vertex]);
  assert(static_cast<int>(hole_.corners.size()) == degree_[vertex]);
}

bool LinkedSurface::is_joined(int a, int b) const {
  assert(a != b);
  if (degree_[a] > degree_[b]) std::swap(a, b);
  bool found = false;
  for_neighbours(a, [&](int v) { found = found || v == b; });
  return found;
}

bool LinkedSurface::take(int vertex) {
  assert(degree(vertex) >= 3);
  rim_of(vertex);
  plan_chords([&](int i, int j) { return highest_apex(i, j); });
  for (const auto& [i, j] : hole_.chords) {
    if (is_joined(hole_.corners[i], hole_.corners[j])) return false;
  }
  int h = ring_start_[vertex];
  for (int corner : hole_.corners) {
    unlink(half_edges_[h].twin, corner);
    h = half_edges_[h].next;
  }
  link_chords();
  return true;
}

}  // namespace touchstone
