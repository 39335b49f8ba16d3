// Footprints of polygons: points and intervals of the contact line.

#include <algorithm>
#include <cassert>
#include <cmath>

#include "touchstone/proximity/footprint.h"
#include "touchstone/proximity/polytope_parts.h"

namespace touchstone {

PlaneAxes<2> plane_axes(const Vec<2>& n) { return right_of(n).transpose(); }

Footprint<2> make_footprint(const BodyAtPlane<2>& body, std::span<const int> touching, double,
                            std::pmr::memory_resource* memory) {
  assert(!touching.empty());
  const auto along = [&](int v, int w) { return body.project(v)[0] < body.project(w)[0]; };
  const auto [first, last] = std::minmax_element(touching.begin(), touching.end(), along);
  Footprint<2> F(memory);
  F.vertices = {*first};
  if (*last != *first) F.vertices.push_back(*last);
  for (int v : F.vertices) F.corners.push_back(body.project(v));
  if (F.size() == 1) {
    F.whole = {FeatureKind::vertex, *first};
    return F;
  }
  F.edges = {edge_between(body.P, *first, *last)};
  F.whole = {FeatureKind::edge, F.edges[0] >= 0 ? F.edges[0] : best_facing_facet(body, touching)};
  return F;
}

ScratchVector<Meeting<2>> meet(const Footprint<2>& A, const Footprint<2>& B, double tolerance) {
  assert(A.size() > 0 && B.size() > 0 && tolerance >= 0);
  ScratchVector<Meeting<2>> meetings(A.corners.get_allocator());
  const Vec<1>&a0 = A.corners.front(), &a1 = A.corners.back(), &b0 = B.corners.front(),
        &b1 = B.corners.back();
  const Vec<1> low = a0.cwiseMax(b0), high = a1.cwiseMin(b1);
  const double length = high[0] - low[0];
  if (length > tolerance) {
    meetings.push_back({low, low});
    meetings.push_back({high, high});
  } else if (length >= 0) {
    const Vec<1> middle = (low + high) / 2;
    meetings.push_back({middle, middle});
  } else {  // apart: the ends that face each other
    meetings.push_back(a0[0] > b1[0] ? Meeting<2>{a0, b1} : Meeting<2>{a1, b0});
  }
  return meetings;
}

Feature feature_at(const Footprint<2>& F, const Vec<1>& x, double tolerance) {
  for (int i = 0; i < F.size(); ++i) {
    if (std::abs(x[0] - F.corners[i][0]) <= tolerance) return {FeatureKind::vertex, F.vertices[i]};
  }
  return F.whole;
}

Feature feature_of_both(const Footprint<2>& F, const Vec<1>&, const Vec<1>&, double) { return F.whole; }

}  // namespace touchstone
