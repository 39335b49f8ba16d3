#include "touchstone/geometry/adjacency.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "touchstone/geometry/loop_plane.h"
#include "touchstone/math/checks.h"

namespace touchstone {
namespace {

/// Half-edges by number: half-edge i leaves facet_vertices[i] along facet_edges[i].
struct Twins {
  std::vector<int> twin;    // the half-edge that runs the other way
  std::vector<int> before;  // the one before it in its loop
  std::vector<int> facet;
};

Twins find_twins(const std::vector<Loop>& loops, int vertex_count) {
  const HalfEdges half_edges(loops, vertex_count);
  Twins twins;
  for (int f = 0; f < static_cast<int>(loops.size()); ++f) {
    const Loop& loop = loops[f];
    const int first = static_cast<int>(twins.twin.size()), size = static_cast<int>(loop.size());
    for (int i = 0; i < size; ++i) {
      twins.twin.push_back(half_edges.find(loop[(i + 1) % size], loop[i]));
      twins.before.push_back(first + (i + size - 1) % size);
      twins.facet.push_back(f);
    }
  }
  return twins;
}

void fill_facets(PolytopeData<3>& data, const std::vector<Loop>& loops) {
  data.facet_begin.assign(1, 0);
  for (const Loop& loop : loops) {
    data.facet_planes.push_back(plane_of_loop(data.vertices, loop));
    data.facet_vertices.insert(data.facet_vertices.end(), loop.begin(), loop.end());
    data.facet_begin.push_back(static_cast<int>(data.facet_vertices.size()));
  }
}

void fill_edges(PolytopeData<3>& data, const Twins& twins) {
  const int n = static_cast<int>(data.facet_vertices.size());
  data.facet_edges.assign(n, -1);
  for (int i = 0; i < n; ++i) {
    if (data.facet_edges[i] >= 0) continue;
    const int j = twins.twin[i];
    assert(is_index(j, n));  // the surface is closed
    assert(twins.twin[j] == i);
    int tail = data.facet_vertices[i], head = data.facet_vertices[j];
    int left = twins.facet[i], right = twins.facet[j];
    if (tail > head) {
      std::swap(tail, head);
      std::swap(left, right);
    }
    data.facet_edges[i] = data.facet_edges[j] = static_cast<int>(data.edges.size());
    data.edges.push_back({tail, head, left, right});
  }
}

/// Neighbours of each vertex, counter-clockwise seen from outside: from a half-edge that leaves the vertex,
/// cross the facet on its left to that facet's half-edge which ends at the vertex; its twin is the next.
void fill_neighbours(PolytopeData<3>& data, const Twins& twins) {
  std::vector<int> first(data.vertices.size(), -1);
  for (int i = static_cast<int>(data.facet_vertices.size()) - 1; i >= 0; --i)
    first[data.facet_vertices[i]] = i;
  data.vertex_begin.assign(1, 0);
  for (int start : first) {
    assert(start >= 0);  // every vertex is a corner of some facet
    int i = start;
    do {
      data.vertex_edges.push_back(data.facet_edges[i]);
      data.vertex_neighbours.push_back(data.facet_vertices[twins.twin[i]]);
      i = twins.twin[twins.before[i]];
    } while (i != start);
    data.vertex_begin.push_back(static_cast<int>(data.vertex_edges.size()));
  }
}

}  // namespace

PolytopeData<3> join_facets(std::vector<Vec<3>> vertices, const std::vector<Loop>& loops) {
  PolytopeData<3> data;
  data.vertices = std::move(vertices);
  const Twins twins = find_twins(loops, static_cast<int>(data.vertices.size()));
  fill_facets(data, loops);
  fill_edges(data, twins);
  fill_neighbours(data, twins);
  assert(2 * data.edges.size() == data.facet_vertices.size());
  return data;
}

PolytopeData<2> join_corners(std::vector<Vec<2>> corners) {
  PolytopeData<2> data;
  data.vertices = std::move(corners);
  data.facet_begin.assign(1, 0);
  data.vertex_begin.assign(1, 0);
  const int n = static_cast<int>(data.vertices.size());
  assert(n >= 3);
  for (int i = 0; i < n; ++i) {
    const int j = (i + 1) % n, before = (i + n - 1) % n;
    const Vec<2>&a = data.vertices[i], &b = data.vertices[j];
    const Vec<2> normal = right_of(b - a).stableNormalized();
    assert(is_unit(normal));  // no corner is given twice
    data.facet_planes.push_back({normal, std::max(normal.dot(a), normal.dot(b))});
    data.edges.push_back({i, j, i, -1});
    data.facet_vertices.insert(data.facet_vertices.end(), {i, j});
    data.facet_edges.insert(data.facet_edges.end(), {i, i});
    data.facet_begin.push_back(2 * (i + 1));
    data.vertex_neighbours.insert(data.vertex_neighbours.end(), {j, before});
    data.vertex_edges.insert(data.vertex_edges.end(), {i, before});
    data.vertex_begin.push_back(2 * (i + 1));
  }
  return data;
}

}  // namespace touchstone
