#pragma once
// The common part of two polytopes, found the slow way: the hull of all points that can be its corners. It
// cuts nothing, so it shares no code and no idea with geometry/clip.

#include <algorithm>
#include <optional>
#include <vector>

#include "touchstone/proximity/placed.h"

namespace touchstone::oracle {

/// A point this far outside [sizes of the larger body] still counts as inside.
inline constexpr double kInside = 1e-14;

template <int D>
bool holds(const Placed<D>& body, const Vec<D>& x, double slack) {
  const auto planes = body.polytope->facet_planes();
  const Vec<D> local = body.X_WB.to_local(x);
  return std::all_of(planes.begin(), planes.end(),
                     [&](const auto& plane) { return plane.height(local) <= slack; });
}

/// Vertices of A in B, and points where edges of A pass through facets of B; in the world.
template <int D>
void add_corners(std::vector<Vec<D>>& corners, const Placed<D>& A, const Placed<D>& B) {
  const double slack = kInside * pair_size(A, B);
  for (const Vec<D>& v : A.polytope->vertices()) {
    if (holds<D>(B, A.X_WB * v, slack)) corners.push_back(A.X_WB * v);
  }
  for (const Edge& edge : A.polytope->edges()) {
    const Vec<D> tail = A.X_WB * A.polytope->vertex(edge.tail), head = A.X_WB * A.polytope->vertex(edge.head);
    for (const Plane<D>& local : B.polytope->facet_planes()) {
      const Plane<D> plane = B.X_WB * local;
      const double from = plane.height(tail), to = plane.height(head);
      if (from * to >= 0) continue;
      const Vec<D> x = tail + from / (from - to) * (head - tail);
      if (holds<D>(B, x, slack)) corners.push_back(x);
    }
  }
}

/// Empty when the common part has no volume. Meant for pairs in general position.
template <int D>
std::optional<Polytope<D>> common_part(const Placed<D>& A, const Placed<D>& B) {
  std::vector<Vec<D>> corners;
  add_corners(corners, A, B);
  add_corners(corners, B, A);
  const auto before = [](const Vec<D>& x, const Vec<D>& y) {
    return std::lexicographical_compare(x.data(), x.data() + D, y.data(), y.data() + D);
  };
  std::sort(corners.begin(), corners.end(), before);
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  if (corners.size() < D + 1) return std::nullopt;
  try {
    return Polytope<D>::hull(corners);
  } catch (const BadShape&) {
    return std::nullopt;
  }
}

}  // namespace touchstone::oracle
