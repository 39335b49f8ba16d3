#include "touchstone/contact/shadow.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace touchstone {

template <int D>
void Shadow<D>::cast(const Placed<D>& P, const Vec<D>& n, double tolerance) {
  P_ = P.polytope, X_WB_ = P.X_WB;
  const Vec<D> n_B = X_WB_.R.transpose() * n;
  const double origin = n.dot(X_WB_.p);
  heights_.clear();
  for (const Vec<D>& x : P_->vertices()) heights_.push_back(origin + n_B.dot(x));
  const auto [lowest, highest] = std::minmax_element(heights_.begin(), heights_.end());
  lowest_ = *lowest, highest_ = *highest;
  facets_.clear();
  for (const Plane<D>& plane : P_->facet_planes()) {
    const double rise = plane.normal.dot(n_B);
    facets_.push_back({rise, tolerance * std::sqrt(std::max(0., 1 - rise * rise))});
  }
}

template <int D>
typename Shadow<D>::Cut Shadow<D>::cut(const Vec<D>& x) const {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  const Vec<D> x_B = X_WB_.to_local(x);
  Cut cut{true, -kFar, kFar};
  // The same planes moved outwards across n by the tolerance bound the shadow that counts.
  double low = -kFar, high = kFar;
  for (std::size_t f = 0; f < facets_.size(); ++f) {
    const auto [rise, slack] = facets_[f];
    const Plane<D>& plane = P_->plane(static_cast<int>(f));
    const double room = plane.offset - plane.normal.dot(x_B);
    if (rise > kVertical) {
      const double at = room / rise;
      if (at < cut.high) cut.high = at, cut.high_facet = static_cast<int>(f);
      high = std::min(high, (room + slack) / rise);
    } else if (rise < -kVertical) {
      const double at = room / rise;
      if (at > cut.low) cut.low = at, cut.low_facet = static_cast<int>(f);
      low = std::max(low, (room + slack) / rise);
    } else if (room < -slack) {
      cut.inside = false;
    }
  }
  cut.inside &= low <= high;
  return cut;
}

template <int D>
bool Shadow<D>::edge_faces(int e, double side) const {
  const Edge& edge = P_->edge(e);
  return side * facets_[edge.left].rise > kVertical ||
         (edge.right >= 0 && side * facets_[edge.right].rise > kVertical);
}

template <int D>
bool Shadow<D>::vertex_faces(int v, double side) const {
  const auto edges = P_->vertex_edges(v);
  return std::any_of(edges.begin(), edges.end(), [&](int e) { return edge_faces(e, side); });
}

template class Shadow<2>;
template class Shadow<3>;

}  // namespace touchstone
