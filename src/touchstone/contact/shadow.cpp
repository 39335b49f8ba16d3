#include "touchstone/contact/shadow.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace touchstone {

template <int D>
Shadow<D>::Shadow(const Placed<D>& P, const Vec<D>& n, double tolerance)
    : P_(*P.polytope), n_(n), tolerance_(tolerance) {
  vertices_.reserve(P_.vertex_count()), heights_.reserve(P_.vertex_count());
  rise_.reserve(P_.facet_count()), facets_.reserve(P_.facet_count());
  for (const Vec<D>& x : P_.vertices()) {
    vertices_.push_back(P.X_WB * x);
    heights_.push_back(n.dot(vertices_.back()));
  }
  lowest_ = *std::min_element(heights_.begin(), heights_.end());
  highest_ = *std::max_element(heights_.begin(), heights_.end());
  for (const Plane<D>& plane : P_.facet_planes()) {
    const Vec<D> N = P.X_WB.R * plane.normal;
    const double rise = N.dot(n);
    rise_.push_back(rise);
    facets_.push_back({N, plane.offset + N.dot(P.X_WB.p), (N - rise * n).norm()});
  }
}

template <int D>
typename Shadow<D>::Cut Shadow<D>::cut(const Vec<D>& x) const {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  Cut cut{true, -kFar, kFar};
  // The same planes moved outwards across n by the tolerance bound the shadow that counts.
  double low = -kFar, high = kFar;
  for (std::size_t f = 0; f < facets_.size(); ++f) {
    const Facet& facet = facets_[f];
    const double room = facet.offset - facet.N.dot(x), slack = tolerance_ * facet.tilt;
    if (rise_[f] > kVertical) {
      const double at = room / rise_[f];
      if (at < cut.high) cut.high = at, cut.high_facet = static_cast<int>(f);
      high = std::min(high, (room + slack) / rise_[f]);
    } else if (rise_[f] < -kVertical) {
      const double at = room / rise_[f];
      if (at > cut.low) cut.low = at, cut.low_facet = static_cast<int>(f);
      low = std::max(low, (room + slack) / rise_[f]);
    } else if (room < -slack) {
      cut.inside = false;
    }
  }
  cut.inside &= low <= high;
  return cut;
}

template <int D>
bool Shadow<D>::edge_faces(int e, double side) const {
  const Edge& edge = P_.edge(e);
  return side * rise_[edge.left] > kVertical || (edge.right >= 0 && side * rise_[edge.right] > kVertical);
}

template <int D>
bool Shadow<D>::vertex_faces(int v, double side) const {
  const auto edges = P_.vertex_edges(v);
  return std::any_of(edges.begin(), edges.end(), [&](int e) { return edge_faces(e, side); });
}

template class Shadow<2>;
template class Shadow<3>;

}  // namespace touchstone
