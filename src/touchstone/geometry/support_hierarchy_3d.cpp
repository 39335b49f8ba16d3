#include <algorithm>
#include <cassert>
#include <numeric>

#include "touchstone/geometry/linked_surface.h"
#include "touchstone/geometry/support_hierarchy.h"
#include "touchstone/math/checks.h"

namespace touchstone {
namespace {

/// Polyhedra with more vertices get a hierarchy: from here on it is faster than looking at all of them
/// (bench/extremal_bench).
constexpr int kMostScanned = 160;
/// At most this many vertices are left at the top, to be scanned.
constexpr std::size_t kCoarsest = 64;
/// Vertices of a higher degree stay for a coarser level. The mean degree on a triangulated sphere is below 6
/// and none is below 3, so that more than half of the vertices have at most this one, and since taking one
/// keeps at most as many others, every level takes at least one in 18 (in practice one in four).
constexpr int kHighestDegree = 8;

struct Taking {
  std::vector<int> order;  ///< all vertices; the longer one stayed, the earlier
  std::size_t coarsest;    ///< number of vertices that were never taken
};

/// Takes, level by level, vertices no two of which are joined.
Taking take_vertices(LinkedSurface& surface, int vertex_count) {
  std::vector<int> left(vertex_count), stay, taken, kept_at_level(vertex_count, -1);
  std::iota(left.begin(), left.end(), 0);
  for (int level = 0; left.size() > kCoarsest; ++level) {
    stay.clear();
    for (int v : left) {
      if (kept_at_level[v] == level || surface.degree(v) > kHighestDegree || !surface.take(v)) {
        stay.push_back(v);
        continue;
      }
      taken.push_back(v);
      surface.for_neighbours(v, [&](int u) { kept_at_level[u] = level; });
    }
    if (stay.size() == left.size()) break;
    left.swap(stay);
  }
  Taking result{left, left.size()};
  result.order.insert(result.order.end(), taken.rbegin(), taken.rend());
  assert(result.order.size() == static_cast<std::size_t>(vertex_count));
  return result;
}

/// For each rank the ranks that were taken while joined to it. Counting, then filling by rising rank, sorts
/// every list from coarse to fine.
void fill_lists(SupportHierarchy<3>& hierarchy, const LinkedSurface& surface, std::size_t coarsest) {
  const std::size_t n = hierarchy.vertex.size();
  assert(coarsest <= n && hierarchy.position.size() == n);
  std::vector<int> rank(n);
  for (std::size_t r = 0; r < n; ++r) rank[hierarchy.vertex[r]] = static_cast<int>(r);
  hierarchy.begin.assign(n + 1, 0);
  for (std::size_t r = coarsest; r < n; ++r) {
    surface.for_neighbours(hierarchy.vertex[r], [&](int u) { ++hierarchy.begin[rank[u] + 1]; });
  }
  std::partial_sum(hierarchy.begin.begin(), hierarchy.begin.end(), hierarchy.begin.begin());
  hierarchy.taken.resize(hierarchy.begin.back());
  std::vector<int> end(hierarchy.begin.begin(), hierarchy.begin.end() - 1);
  for (std::size_t r = coarsest; r < n; ++r) {
    surface.for_neighbours(hierarchy.vertex[r],
                           [&](int u) { hierarchy.taken[end[rank[u]]++] = static_cast<int>(r); });
  }
}

}  // namespace

int SupportHierarchy<3>::find(const PolytopeData<3>&, const Vec<3>& direction) const {
  int rank = blocks.furthest(direction);
  if (scanned) return rank;
  assert(is_index(rank, vertex.size()));
  double height = direction.dot(position[rank]);
  for (int i = begin[rank]; i < begin[rank + 1];) {
    assert(taken[i] > rank);  // what was taken before it
    const double h = direction.dot(position[taken[i]]);
    if (h > height) {
      height = h;
      rank = taken[i];
      i = begin[rank];
    } else {
      ++i;
    }
  }
  return vertex[rank];
}

template <>
std::shared_ptr<const SupportHierarchy<3>> build_support_hierarchy(const PolytopeData<3>& data) {
  const auto hierarchy = std::make_shared<SupportHierarchy<3>>();
  hierarchy->level = level_of(data);
  hierarchy->scanned = data.vertices.size() <= kMostScanned;
  if (hierarchy->scanned) {
    hierarchy->blocks = VertexBlocks<3>(data.vertices);
    return hierarchy;
  }
  LinkedSurface surface(data);
  Taking taking = take_vertices(surface, static_cast<int>(data.vertices.size()));
  hierarchy->vertex = std::move(taking.order);
  for (int v : hierarchy->vertex) hierarchy->position.push_back(data.vertices[v]);
  hierarchy->blocks = VertexBlocks<3>(std::span(hierarchy->position).first(taking.coarsest));
  fill_lists(*hierarchy, surface, taking.coarsest);
  return hierarchy;
}

}  // namespace touchstone
