#include "reference.h"

#include <algorithm>
#include <limits>

#include "touchstone/geometry/minkowski.h"

namespace touchstone::bench {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double distance_to_segment(const Vec<3>& x, const Vec<3>& p, const Vec<3>& q) {
  const Vec<3> along = q - p;
  const double t = std::clamp((x - p).dot(along) / along.squaredNorm(), 0.0, 1.0);
  return (p + t * along - x).norm();
}

/// Whether x, dropped onto the plane of the facet, lands inside its polygon.
bool lands_on(const Vec<3>& x, const Polytope<3>& P, int f) {
  const auto loop = P.facet_vertices(f);
  const Vec<3>& normal = P.plane(f).normal;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vec<3>& p = P.vertex(loop[i]);
    const Vec<3>& q = P.vertex(loop[(i + 1) % loop.size()]);
    if (normal.dot((q - p).cross(x - p)) < 0) return false;
  }
  return true;
}

double distance_from_outside(const Vec<3>& x, const Polytope<3>& P) {
  double least = kInfinity;
  for (const Edge& e : P.edges())
    least = std::min(least, distance_to_segment(x, P.vertex(e.tail), P.vertex(e.head)));
  for (int f = 0; f < P.facet_count(); ++f) {
    const double height = P.plane(f).height(x);
    if (height >= 0 && height < least && lands_on(x, P, f)) least = height;
  }
  return least;
}

}  // namespace

Difference::Difference(const Polytope<3>& A, const Polytope<3>& B, const Mat<3>& R_AB)
    : polytope_(minkowski_difference(A, B, Pose<3>{R_AB, Vec<3>::Zero()})) {}

double Difference::gap(const Vec<3>& p_AB) const {
  double height = -kInfinity;
  for (const Plane<3>& plane : polytope_.facet_planes()) height = std::max(height, plane.height(p_AB));
  return height <= 0 ? height : distance_from_outside(p_AB, polytope_);
}

double Difference::kissing_distance(const Vec<3>& direction) const {
  double least = kInfinity;
  for (const Plane<3>& plane : polytope_.facet_planes()) {
    const double slope = plane.normal.dot(direction);
    if (slope > 0) least = std::min(least, plane.offset / slope);
  }
  return least;
}

double reference_gap(const Query& q) {
  const Pose<3> X_AB = relative_pose(q.X_WA, q.X_WB);
  return Difference(*q.A, *q.B, X_AB.R).gap(X_AB.p);
}

double separation_along(const Query& q, const Vec<3>& normal) {
  const Pose<3> X_AB = relative_pose(q.X_WA, q.X_WB);
  const Vec<3> n = q.X_WA.R.transpose() * normal;
  const Vec<3> n_B = X_AB.R.transpose() * n;
  double low = kInfinity, high = -kInfinity;
  for (const Vec<3>& a : q.A->vertices()) low = std::min(low, n.dot(a));
  for (const Vec<3>& b : q.B->vertices()) high = std::max(high, n_B.dot(b));
  return low - high - n.dot(X_AB.p);
}

}  // namespace touchstone::bench
