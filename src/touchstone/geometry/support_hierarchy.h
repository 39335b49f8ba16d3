#pragma once
// The search behind find_extremal: from any direction to the furthest vertex of a polytope.
// Small polytopes are scanned; large polygons are searched by bisection, large polyhedra by the hierarchy of
// Dobkin and Kirkpatrick. Private to geometry/.

#include <algorithm>
#include <memory>
#include <vector>

#include "touchstone/geometry/polytope.h"
#include "touchstone/geometry/vertex_blocks.h"
#include "touchstone/math/tolerance.h"

namespace touchstone {

/// Heights nearer than this [largest coordinate of a vertex, times the sum of the direction's] may be out of
/// order: facets are flat to kFlatness sizes, and a height has a few round-offs.
inline constexpr double kLevel = 8 * kFlatness;

/// kLevel times the largest coordinate [m].
template <int D>
double level_of(const PolytopeData<D>& data) {
  double largest = 0;
  for (const Vec<D>& x : data.vertices) largest = std::max(largest, x.cwiseAbs().maxCoeff());
  return kLevel * largest;
}

/// A convex polygon, counter-clockwise from its leftmost corner: along the lower border, left to right, the
/// heights in any downward direction rise and then fall, and likewise along the upper border.
template <>
struct SupportHierarchy<2> {
  VertexBlocks<2> blocks;  ///< all corners, if they are few
  double level = 0;        ///< see level_of
  bool scanned = true;     ///< the corners are few: `find` looks at all of them
  int rightmost = 0;       ///< the corner that ends the lower border (the upper one of two)

  /// The furthest corner; exact if scanned, else to round-off.
  int find(const PolytopeData<2>& data, const Vec<2>& direction) const;
};

/// Vertices are taken away, a set of mutually unjoined ones of low degree at a time, until few are left.
/// If u is furthest among the vertices that are left at some time and another one lies further among those
/// before, then that one is unique and was joined to u: above u's height lie only vertices that were taken
/// together, no two of them joined, and the part that a plane cuts off a convex body is connected. So it
/// suffices to look, from coarse to fine, at the vertices that were joined to u when they were taken.
///
/// Numbers are ranks here: the rank of a vertex is lower the longer it stayed, so that the crowded coarse
/// levels lie together in memory. A list needs no levels: an item that lies further goes on in its own list,
/// which holds only items that were taken before it.
template <>
struct SupportHierarchy<3> {
  VertexBlocks<3> blocks;        ///< the coarsest vertices; all vertices if they are few
  double level = 0;              ///< see level_of
  bool scanned = true;           ///< the vertices are few: `find` looks at all of them
  std::vector<int> vertex;       ///< vertex[rank]
  std::vector<Vec<3>> position;  ///< position[rank]
  /// taken[begin[r] .. begin[r+1]): the ranks taken while joined to r, coarse to fine
  std::vector<int> begin, taken;

  /// The furthest vertex; exact if scanned, else to round-off.
  int find(const PolytopeData<3>& data, const Vec<3>& direction) const;
};

template <int D>
std::shared_ptr<const SupportHierarchy<D>> build_support_hierarchy(const PolytopeData<D>& data);
template <>
std::shared_ptr<const SupportHierarchy<2>> build_support_hierarchy(const PolytopeData<2>& data);
template <>
std::shared_ptr<const SupportHierarchy<3>> build_support_hierarchy(const PolytopeData<3>& data);

}  // namespace touchstone
