#include "touchstone/geometry/clip.h"

#include <algorithm>
#include <cassert>
#include <vector>

#include "touchstone/geometry/convex_cutter.h"
#include "touchstone/geometry/cutting_order.h"
#include "touchstone/geometry/moments.h"
#include "touchstone/math/checks.h"

namespace touchstone {
namespace {

/// One cutter per thread, so that its buffers serve all calls.
template <int D>
ConvexCutter<D>& shared_cutter() {
  thread_local ConvexCutter<D> cutter;
  return cutter;
}

/// The plane that cuts off most, judged at the centre. Taken first, it leaves little for the others, or
/// nothing when the body lies outside.
template <int D>
std::size_t deepest_plane(const Polytope<D>& P, std::span<const Plane<D>> planes) {
  const auto lower = [&](const Plane<D>& a, const Plane<D>& b) {
    return a.height(P.centre()) < b.height(P.centre());
  };
  return std::max_element(planes.begin(), planes.end(), lower) - planes.begin();
}

/// Cuts P with all planes. Planes beyond the ball around P are not worth a look at its corners.
template <int D>
void cut_all(ConvexCutter<D>& cutter, const Polytope<D>& P, std::span<const Plane<D>> planes,
             double tolerance) {
  assert(tolerance >= 0);
  assert(std::all_of(planes.begin(), planes.end(), [](const auto& plane) { return is_unit(plane.normal); }));
  cutter.clear();
  const std::size_t deepest = deepest_plane<D>(P, planes);
  const double reach = P.radius() + 2 * tolerance;
  if (!planes.empty() && planes[deepest].height(P.centre()) > reach) return;
  cutter.load(P);
  const auto cut = [&](std::size_t i) {
    if (planes[i].height(P.centre()) < -reach) return;
    cutter.cut(planes[i], P.facet_count() + static_cast<int>(i), tolerance);
  };
  if (!planes.empty()) cut(deepest);
  assert(planes.empty() || deepest < planes.size());
  const bool few = P.vertex_count() + planes.size() <= kFewCorners;  // not worth sorting, nor a list
  const auto order = few ? decltype(cutting_order<D>(planes)){} : cutting_order<D>(planes);
  for (std::size_t k = 0; k < planes.size() && !cutter.empty(); ++k) {
    const std::size_t i = few ? k : static_cast<std::size_t>(order[k]);
    if (i != deepest) cut(i);
  }
}

template <int D>
ConvexPieces<D> pieces_from(ConvexCutter<D>& cutter) {
  ConvexPieces<D> pieces;
  cutter.visit_facets([&](const FacetView<D>& facet) {
    pieces.facets.push_back({facet.plane, {facet.loop.begin(), facet.loop.end()}, facet.source});
    assert(facet.loop.size() >= static_cast<std::size_t>(D) && is_unit(facet.plane.normal));
  });
  return pieces;
}

template <int D>
void accumulate(SurfaceSum<D>& sum, const SurfaceSum<D>& facet) {
  sum.area += facet.area;
  sum.normal_area += facet.normal_area;
  sum.moment += facet.moment;
}

}  // namespace

template <int D>
ConvexPieces<D> pieces_of(const Polytope<D>& P) {
  ConvexPieces<D> pieces;
  for (int f = 0; f < P.facet_count(); ++f) {
    auto& facet = pieces.facets.emplace_back();
    facet.plane = P.plane(f);
    facet.source = f;
    for (int v : P.facet_vertices(f)) facet.loop.push_back(P.vertex(v));
  }
  return pieces;
}

template <int D>
void clip(ConvexPieces<D>& body, const Plane<D>& plane, int source, double tolerance) {
  assert(tolerance >= 0 && is_unit(plane.normal));
  const auto below = [&](const Vec<D>& x) { return plane.height(x) <= tolerance; };
  const bool uncut = std::all_of(body.facets.begin(), body.facets.end(), [&](const auto& facet) {
    return std::all_of(facet.loop.begin(), facet.loop.end(), below);
  });
  if (uncut) return;
  ConvexCutter<D>& cutter = shared_cutter<D>();
  cutter.load(body);
  cutter.cut(plane, source, tolerance);
  body = pieces_from(cutter);
}

template <int D>
ConvexPieces<D> clipped(const Polytope<D>& P, std::span<const Plane<D>> planes, double tolerance) {
  ConvexCutter<D>& cutter = shared_cutter<D>();
  cut_all<D>(cutter, P, planes, tolerance);
  return pieces_from(cutter);
}

template <int D>
ClippedSums<D> clipped_sums(const Polytope<D>& P, std::span<const Plane<D>> planes, double tolerance) {
  ConvexCutter<D>& cutter = shared_cutter<D>();
  cut_all<D>(cutter, P, planes, tolerance);
  ClippedSums<D> sums;
  Moments<D> moments;
  bool first = true;
  cutter.visit_facets([&](const FacetView<D>& facet) {
    assert(is_index(facet.source, P.facet_count() + planes.size()));
    if (first) sums.origin = facet.loop[0];
    first = false;
    SurfaceSum<D>& sum = facet.source >= P.facet_count() ? sums.cut : facet.flush ? sums.flush : sums.own;
    accumulate(sum, add_facet<D>(facet.loop, sums.origin, moments));
  });
  sums.mass = moments.properties(sums.origin);
  assert(sums.mass.volume >= 0 && is_self_adjoint(sums.mass.second_moment));
  sums.height_count = cutter.height_count();
  return sums;
}

template <int D>
MassProperties<D> find_mass_properties(const ConvexPieces<D>& body) {
  if (body.empty()) return {};
  Moments<D> moments;
  const Vec<D> origin = body.facets[0].loop[0];
  for (const auto& facet : body.facets) add_facet<D>(facet.loop, origin, moments);
  return moments.properties(origin);
}

template ConvexPieces<2> pieces_of(const Polytope<2>&);
template void clip(ConvexPieces<2>&, const Plane<2>&, int, double);
template ConvexPieces<2> clipped(const Polytope<2>&, std::span<const Plane<2>>, double);
template ClippedSums<2> clipped_sums(const Polytope<2>&, std::span<const Plane<2>>, double);
template MassProperties<2> find_mass_properties(const ConvexPieces<2>&);
template ConvexPieces<3> pieces_of(const Polytope<3>&);
template void clip(ConvexPieces<3>&, const Plane<3>&, int, double);
template ConvexPieces<3> clipped(const Polytope<3>&, std::span<const Plane<3>>, double);
template ClippedSums<3> clipped_sums(const Polytope<3>&, std::span<const Plane<3>>, double);
template MassProperties<3> find_mass_properties(const ConvexPieces<3>&);

}  // namespace touchstone
