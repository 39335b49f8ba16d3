// From points or faces to a Polytope: checks, hull, merging of coplanar faces, adjacency.

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numeric>

#include "touchstone/geometry/adjacency.h"
#include "touchstone/geometry/coplanar.h"
#include "touchstone/geometry/hull.h"
#include "touchstone/geometry/loop_plane.h"
#include "touchstone/geometry/mass_properties.h"
#include "touchstone/geometry/point_order.h"
#include "touchstone/geometry/point_text.h"
#include "touchstone/geometry/polytope.h"
#include "touchstone/geometry/sound.h"
#include "touchstone/geometry/support_hierarchy.h"
#include "touchstone/geometry/surface_check.h"
#include "touchstone/math/checks.h"
#include "touchstone/math/pose_check.h"
#include "touchstone/math/tolerance.h"

namespace touchstone {
namespace {

/// [m] The smallest size that is taken: below, fifth powers of lengths underflow.
constexpr double kSmallestSize = 1e-60;
/// Smallest ratio of volume to surface, in extents, that is taken for a solid. The width w of a convex body
/// of volume V and surface A lies between 2 V/A and 11 V/A [Steinhagen 1921], so a refused body is thinner
/// than 1.1e-11 of its extent.
constexpr double kFlattest = 1e-12;
/// How often facets that do not fit are taken apart before all of them are.
constexpr int kRepairs = 64;

// ---- points ---------------------------------------------------------------------------------------------

template <int D>
const char* trouble_with(const Vec<D>& x) {
  if (x.hasNaN()) return "is not a number";
  if (!x.allFinite()) return "is infinite";
  return x.cwiseAbs().maxCoeff() > kLargestCoordinate ? "is too large (limit 1e60)" : nullptr;
}

template <int D>
double extent(std::span<const Vec<D>> points) {
  assert(!points.empty());
  Vec<D> low = points[0], high = points[0];
  for (const Vec<D>& x : points) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  return (high - low).norm();
}

/// The chosen points sorted by their coordinates, or a message that says why they make no polytope.
template <int D>
std::vector<Vec<D>> checked_points(std::span<const Vec<D>> points, std::vector<int> chosen) {
  if (chosen.size() < D + 1) {
    throw BadShape("a " + std::to_string(D) + "D solid needs at least " + std::to_string(D + 1) +
                   " points, not " + std::to_string(chosen.size()));
  }
  for (int i : chosen) {
    assert(is_index(i, points.size()));
    const char* trouble = trouble_with<D>(points[i]);
    if (trouble) throw BadShape("point " + std::to_string(i) + " " + text_of<D>(points[i]) + " " + trouble);
  }
  std::sort(chosen.begin(), chosen.end(), [&](int a, int b) {
    return points[a] == points[b] ? a < b : lexicographic<D>(points[a], points[b]);
  });
  const auto twice =
      std::adjacent_find(chosen.begin(), chosen.end(), [&](int a, int b) { return points[a] == points[b]; });
  if (twice != chosen.end()) {
    throw BadShape("points " + std::to_string(twice[0]) + " and " + std::to_string(twice[1]) +
                   " are the same: " + text_of<D>(points[*twice]));
  }
  std::vector<Vec<D>> sorted;
  for (int i : chosen)
    sorted.push_back(points[i] + Vec<D>::Zero());  // -0 becomes +0: equal numbers, equal bits
  if (extent<D>(sorted) < kSmallestSize) throw BadShape("the points are too close together (limit 1e-60)");
  assert(std::is_sorted(sorted.begin(), sorted.end(), lexicographic<D>));
  return sorted;
}

/// How far [m] from a plane points may be given and still lie on it. Bodies far from the origin are known no
/// better than the round-off of their coordinates.
template <int D>
double flatness(std::span<const Vec<D>> points) {
  double reach = extent<D>(points);
  for (const Vec<D>& x : points) reach = std::max(reach, x.norm());
  assert(reach > 0);
  return kFlatness * reach;
}

// ---- polyhedra ------------------------------------------------------------------------------------------

/// Takes out one of each two points that an edge of the hull joins and that are one up to round-off.
/// `source` is shortened alike. False when there were none.
bool erase_twins(std::vector<Vec<3>>& points, std::vector<int>& source, const TriangleSurface& surface,
                 double tolerance) {
  assert(source.size() == points.size() && tolerance >= 0);
  std::vector<bool> erased(points.size(), false);
  bool any = false;
  for (const auto& corners : surface.corners) {
    for (int i = 0; i < 3; ++i) {
      const int a = corners[i], b = corners[(i + 1) % 3];
      if (a > b || erased[a] || erased[b] || (points[a] - points[b]).norm() > tolerance) continue;
      erased[b] = any = true;
    }
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (erased[i]) continue;
    points[kept] = points[i];
    source[kept++] = source[i];
  }
  points.resize(kept);
  source.resize(kept);
  return any;
}

/// Facets in the one order of this solid: each loop begins at its smallest vertex and the loops are sorted.
void canonicalise(std::vector<FacetGroups::Facet>& facets) {
  for (auto& [loop, group] : facets)
    std::rotate(loop.begin(), std::min_element(loop.begin(), loop.end()), loop.end());
  std::sort(facets.begin(), facets.end(), [](const auto& a, const auto& b) { return a.loop < b.loop; });
}

/// The loops of facets over the vertices that they use; vertices keep their order.
struct Compacted {
  std::vector<Loop> loops;
  std::vector<int> vertices;  // old numbers
};

Compacted compacted(const std::vector<FacetGroups::Facet>& facets, std::size_t point_count) {
  std::vector<int> number(point_count, -1);
  for (const auto& facet : facets) {
    for (int v : facet.loop) number[v] = 0;
  }
  Compacted result;
  for (std::size_t v = 0; v < point_count; ++v) {
    if (number[v] < 0) continue;
    number[v] = static_cast<int>(result.vertices.size());
    result.vertices.push_back(static_cast<int>(v));
  }
  for (const auto& facet : facets) {
    result.loops.push_back(facet.loop);
    for (int& v : result.loops.back()) v = number[v];
  }
  return result;
}

/// The groups whose facets, without the points that were dropped from straight edges, are torn from others.
std::vector<int> torn_groups(const std::vector<FacetGroups::Facet>& facets, const std::vector<Loop>& loops,
                             int vertex_count) {
  assert(facets.size() == loops.size());
  std::vector<int> torn;
  const HalfEdges half_edges(loops, vertex_count);
  const auto repeated = half_edges.repeated(), unpaired = half_edges.unpaired();
  const auto holds = [](const Loop& loop, const std::array<int, 2>& edge) {
    const auto it = std::find(loop.begin(), loop.end(), edge[0]);
    return it != loop.end() && (it + 1 == loop.end() ? loop[0] : it[1]) == edge[1];
  };
  for (std::size_t f = 0; f < loops.size(); ++f) {
    if (loops[f].size() < 3 || (repeated && holds(loops[f], *repeated)) ||
        (unpaired && holds(loops[f], *unpaired))) {
      torn.push_back(facets[f].group);
    }
  }
  return torn;
}

/// Whether some vertex rises by more than the tolerance above a facet's plane, found by climbing from the
/// facet. Steps of round-off do not count: they would lead to and fro on the facet itself.
bool cuts_off(const PolytopeData<3>& data, int f, double tolerance) {
  assert(is_index(f, data.facet_planes.size()) && tolerance >= 0);
  const double noise = tolerance / 32;
  const Plane<3>& plane = data.facet_planes[f];
  const auto degree = [&](int v) { return data.vertex_begin[v + 1] - data.vertex_begin[v]; };
  int best = *std::min_element(data.facet_vertices.begin() + data.facet_begin[f],
                               data.facet_vertices.begin() + data.facet_begin[f + 1],
                               [&](int v, int w) { return degree(v) < degree(w); });
  double height = plane.height(data.vertices[best]);
  for (bool climbed = true; climbed && height <= tolerance;) {
    climbed = false;
    const int from = best;
    for (int i = data.vertex_begin[from]; i < data.vertex_begin[from + 1]; ++i) {
      const int v = data.vertex_neighbours[i];
      const double h = plane.height(data.vertices[v]);
      if (h <= height + noise) continue;
      height = h;
      best = v;
      climbed = true;
    }
  }
  return height > tolerance;
}

/// Whether a facet of several triangles has a corner that does not clearly turn to the left.
bool is_bent(const PolytopeData<3>& data, int f) {
  constexpr double kStraight = 1e-15;  // [rad] a few round-offs
  const std::span<const int> loop(data.facet_vertices.data() + data.facet_begin[f],
                                  data.facet_vertices.data() + data.facet_begin[f + 1]);
  assert(loop.size() >= 3);
  if (loop.size() == 3) return false;
  Vec<3> side = data.vertices[loop[0]] - data.vertices[loop.back()];
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vec<3> next = data.vertices[loop[(i + 1) % loop.size()]] - data.vertices[loop[i]];
    if (side.cross(next).dot(data.facet_planes[f].normal) <= kStraight * side.norm() * next.norm())
      return true;
    side = next;
  }
  return false;
}

/// The groups whose facets are not convex: bulges of the size of the tolerance can be cut up in many ways,
/// some with borders that zigzag, and the dropping of points tilts planes so that they cut off other
/// vertices.
std::vector<int> misshapen_groups(const std::vector<FacetGroups::Facet>& facets, const PolytopeData<3>& data,
                                  double tolerance) {
  assert(facets.size() == data.facet_planes.size());
  std::vector<int> misshapen;
  for (int f = 0; f < static_cast<int>(facets.size()); ++f) {
    if (is_bent(data, f) || cuts_off(data, f, tolerance)) misshapen.push_back(facets[f].group);
  }
  return misshapen;
}

/// The polyhedron of scaled points; vertices are numbers of points.
struct Built {
  PolytopeData<3> data;
  std::vector<int> vertices;
};

/// Facets that do not fit together once their flat edges are straight are taken apart again: the triangles of
/// the exact hull always fit.
Built fit_facets(std::span<const Vec<3>> points, FacetGroups groups, double tolerance) {
  for (int repair = 0;; ++repair) {
    auto facets = groups.facets();
    if (facets.size() < 4) throw BadShape("the points are flat: they span no volume");
    canonicalise(facets);
    Compacted compact = compacted(facets, points.size());
    std::vector<int> unfit = torn_groups(facets, compact.loops, static_cast<int>(compact.vertices.size()));
    Built built;
    if (unfit.empty()) {
      std::vector<Vec<3>> vertices;
      for (int v : compact.vertices) vertices.push_back(points[v]);
      built = {join_facets(std::move(vertices), compact.loops), std::move(compact.vertices)};
      unfit = misshapen_groups(facets, built.data, 2 * tolerance);
    }
    if (unfit.empty() || repair > kRepairs) return built;
    if (repair == kRepairs || !groups.dissolve(unfit)) {
      groups.dissolve_all();
      repair = kRepairs;
    }
  }
}

PolytopeData<3> build(const std::vector<Vec<3>>& points) {
  auto [scaled, exponent] = scale_to_one<3>(points);
  const double tolerance = flatness<3>(scaled);
  std::vector<int> source(points.size());
  std::iota(source.begin(), source.end(), 0);
  TriangleSurface surface = hull_surface(scaled);
  while (erase_twins(scaled, source, surface, tolerance)) surface = hull_surface(scaled);

  auto [data, vertices] = fit_facets(scaled, FacetGroups(scaled, std::move(surface), tolerance), tolerance);
  assert(vertices.size() == data.vertices.size() && source.size() == scaled.size());
  for (std::size_t v = 0; v < vertices.size(); ++v) data.vertices[v] = points[source[vertices[v]]];
  for (Plane<3>& plane : data.facet_planes) plane.offset = std::ldexp(plane.offset, exponent);
  return data;
}

// ---- polygons -------------------------------------------------------------------------------------------

PolytopeData<2> build(const std::vector<Vec<2>>& points) {
  const std::vector<Vec<2>> scaled = scale_to_one<2>(points).points;
  Loop loop = straightened(scaled, hull_corners(scaled), flatness<2>(scaled));
  if (loop.size() < 3) throw BadShape("the points are flat: they lie on one line");
  std::rotate(loop.begin(), std::min_element(loop.begin(), loop.end()), loop.end());
  std::vector<Vec<2>> corners;
  for (int v : loop) corners.push_back(points[v]);
  return join_corners(std::move(corners));
}

// ---- both -----------------------------------------------------------------------------------------------

double surface_area(const Polytope<3>& P) {
  double area = 0;
  for (int f = 0; f < P.facet_count(); ++f) area += area_vector(P.vertices(), P.facet_vertices(f)).norm();
  return area;
}

double surface_area(const Polytope<2>& P) {
  double length = 0;
  for (const Edge& edge : P.edges()) length += (P.vertex(edge.head) - P.vertex(edge.tail)).norm();
  return length;
}

}  // namespace

template <int D>
Polytope<D> Polytope<D>::hull(std::span<const Vec<D>> points) {
  std::vector<int> all(points.size());
  std::iota(all.begin(), all.end(), 0);
  return Polytope(build(checked_points<D>(points, std::move(all))));
}

template <int D>
Polytope<D> Polytope<D>::from_faces(std::span<const Vec<D>> points,
                                    const std::vector<std::vector<int>>& faces) {
  check_loops<D>(faces, static_cast<int>(points.size()));
  std::vector<int> used;
  for (const Loop& loop : faces) used.insert(used.end(), loop.begin(), loop.end());
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  Polytope P(build(checked_points<D>(points, std::move(used))));
  check_surface<D>(points, faces, P);
  return P;
}

template <int D>
Polytope<D>::Polytope(PolytopeData<D> data) : data_(std::move(data)) {
  assert(is_sound(data_));
  const MassProperties<D> mass = find_mass_properties(*this);
  if (!(mass.volume > kFlattest * extent<D>(data_.vertices) * surface_area(*this))) {
    throw BadShape("the points are flat: their thickness is below 1.1e-11 of their size");
  }
  centre_ = mass.centre;
  for (const Vec<D>& x : data_.vertices) radius_ = std::max(radius_, (x - centre_).norm());
  inner_radius_ = radius_;
  for (const Plane<D>& plane : data_.facet_planes) {
    inner_radius_ = std::min(inner_radius_, -plane.height(centre_));
  }
  assert(radius_ > 0 && inner_radius_ > 0 && centre_.allFinite());
  hierarchy_ = build_support_hierarchy<D>(data_);
}

template class Polytope<2>;
template class Polytope<3>;

}  // namespace touchstone
