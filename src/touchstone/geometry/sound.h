#pragma once
// Whether the flat arrays of a polytope fit together, for asserts. Private to geometry/.

#include <algorithm>

#include "touchstone/geometry/polytope.h"
#include "touchstone/math/checks.h"

namespace touchstone {

/// A list of lists: begins at 0, never goes back, ends at the last item.
inline bool is_list_of_lists(const std::vector<int>& begin, std::size_t lists, std::size_t items) {
  return begin.size() == lists + 1 && begin.front() == 0 && std::is_sorted(begin.begin(), begin.end()) &&
         begin.back() == static_cast<int>(items);
}

inline bool are_indices(const std::vector<int>& items, std::size_t count) {
  return std::all_of(items.begin(), items.end(), [&](int i) { return is_index(i, count); });
}

/// Sizes and ranges of all arrays, unit normals, and Euler's formula: V - E + F = 2, in the plane V = E.
template <int D>
bool is_sound(const PolytopeData<D>& data) {
  const std::size_t V = data.vertices.size(), E = data.edges.size(), F = data.facet_planes.size();
  const auto is_edge = [&](const Edge& e) {
    return is_index(e.tail, V) && is_index(e.head, V) && is_index(e.left, F) &&
           (D == 2 ? e.right == -1 : e.tail < e.head && is_index(e.right, F));
  };
  return (D == 2 ? V == E && E == F : V + F == E + 2) &&
         data.facet_edges.size() == data.facet_vertices.size() &&
         data.vertex_edges.size() == data.vertex_neighbours.size() &&
         is_list_of_lists(data.facet_begin, F, data.facet_vertices.size()) &&
         is_list_of_lists(data.vertex_begin, V, data.vertex_neighbours.size()) &&
         are_indices(data.facet_vertices, V) && are_indices(data.facet_edges, E) &&
         are_indices(data.vertex_neighbours, V) && are_indices(data.vertex_edges, E) &&
         std::all_of(data.edges.begin(), data.edges.end(), is_edge) &&
         std::all_of(data.facet_planes.begin(), data.facet_planes.end(),
                     [](const Plane<D>& plane) { return is_unit(plane.normal); });
}

}  // namespace touchstone
