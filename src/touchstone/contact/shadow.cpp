#include "touchstone/contact/shadow.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "touchstone/math/checks.h"

namespace touchstone {

template <int D>
void Shadow<D>::cast(const Placed<D>& P, const Vec<D>& n, double tolerance) {
  assert(P.polytope && is_unit(n) && tolerance >= 0);
  P_ = P.polytope, X_WB_ = P.X_WB;
  const Vec<D> n_B = X_WB_.R.transpose() * n;
  const double origin = n.dot(X_WB_.p);
  heights_.clear();
  for (const Vec<D>& x : P_->vertices()) heights_.push_back(origin + n_B.dot(x));
  const auto [lowest, highest] = std::minmax_element(heights_.begin(), heights_.end());
  lowest_ = *lowest, highest_ = *highest;
  rises_.clear(), upper_.clear(), lower_.clear(), walls_.clear();
  for (const Plane<D>& plane : P_->facet_planes()) {
    const double rise = plane.normal.dot(n_B), slack = tolerance * std::sqrt(std::max(0., 1 - rise * rise));
    if (std::abs(rise) > kVertical) {
      const double run = 1 / rise;
      (rise > 0 ? upper_ : lower_)
          .push_back({run * plane.normal, run * plane.offset, run * slack, static_cast<int>(rises_.size())});
    } else {
      walls_.push_back({plane, slack});
    }
    rises_.push_back(rise);
  }
}

/// The same planes moved outwards across n by the tolerance bound the shadow that counts.
template <int D>
typename Shadow<D>::Cut Shadow<D>::cut(const Vec<D>& x) const {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  assert(P_ && static_cast<int>(upper_.size() + lower_.size() + walls_.size()) == P_->facet_count());
  const Vec<D> x_B = X_WB_.to_local(x);
  Cut cut{true, -kFar, kFar};
  double low = -kFar, high = kFar;
  for (const Sheet& sheet : upper_) {
    const double at = sheet.at_origin - sheet.slope.dot(x_B);
    if (at < cut.high) cut.high = at, cut.high_facet = sheet.facet;
    high = std::min(high, at + sheet.slack);
  }
  for (const Sheet& sheet : lower_) {
    const double at = sheet.at_origin - sheet.slope.dot(x_B);
    if (at > cut.low) cut.low = at, cut.low_facet = sheet.facet;
    low = std::max(low, at + sheet.slack);
    if (low > high) return {};
  }
  for (const Wall& wall : walls_)
    if (wall.plane.normal.dot(x_B) - wall.plane.offset > wall.slack) return {};
  return cut;
}

template <int D>
bool Shadow<D>::edge_faces(int e, double side) const {
  const Edge& edge = P_->edge(e);
  return side * rises_[edge.left] > kVertical || (edge.right >= 0 && side * rises_[edge.right] > kVertical);
}

template <int D>
bool Shadow<D>::vertex_faces(int v, double side) const {
  const auto edges = P_->vertex_edges(v);
  return std::any_of(edges.begin(), edges.end(), [&](int e) { return edge_faces(e, side); });
}

template class Shadow<2>;
template class Shadow<3>;

}  // namespace touchstone
