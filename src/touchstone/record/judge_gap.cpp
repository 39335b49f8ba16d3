#include <algorithm>
#include <cassert>
#include <limits>

#include "touchstone/math/checks.h"
#include "touchstone/record/pair_judge.h"

namespace touchstone {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// How far B lies beyond A along n: no more than their gap, whatever n is, and equal to it for the best n.
template <int D>
double separation(const SeenPolytope<D>& A, const SeenPolytope<D>& B, const Vec<D>& n) {
  return lowest<D>(B.vertices, n) - highest<D>(A.vertices, n);
}

template <int D>
void try_axis(const SeenPolytope<D>& A, const SeenPolytope<D>& B, const Vec<D>& n, double& best,
              Vec<D>& axis) {
  assert(is_unit(n));
  const double s = separation<D>(A, B, n);
  if (s > best) best = s, axis = n;
}

/// The separating-axis theorem: two polytopes that overlap come free along the normal of a facet or across
/// two edges, and by no shorter way.
template <int D>
double gap_of(const Polytope<D>& P, const Polytope<D>& Q, const Pose<D>& X_PQ, double enough, Vec<D>& axis) {
  assert(axis.isZero(0) || is_unit(axis));
  const SeenPolytope<D> A(P, {}), B(Q, X_PQ);
  double best = -kInfinity;
  if (!axis.isZero(0)) try_axis<D>(A, B, axis, best, axis);
  if (best >= enough) return best;
  for (const Vec<D>& n : A.normals) try_axis<D>(A, B, n, best, axis);
  for (const Vec<D>& n : B.normals) try_axis<D>(A, B, -n, best, axis);
  if (best < enough) try_edge_axes<D>(A, B, best, axis);
  if (best >= enough || best <= 0) return best;
  return distance_apart<D>(A, B, axis, best);
}

template <int D>
double gap_of(const Polytope<D>& P, const Sphere<D>& ball, const Pose<D>& X_PB, double, Vec<D>&) {
  return distance_of_point<D>(SeenPolytope<D>(P, {}), X_PB.p) - ball.radius;
}
template <int D>
double gap_of(const Polytope<D>& P, const HalfSpace<D>& half, const Pose<D>& X_PH, double, Vec<D>&) {
  const Plane<D> plane = X_PH * half.plane;
  double least = kInfinity;
  for (const Vec<D>& v : P.vertices()) least = std::min(least, plane.height(v));
  return least;
}
template <int D>
double gap_of(const Sphere<D>& a, const Sphere<D>& b, const Pose<D>& X_AB, double, Vec<D>&) {
  return X_AB.p.norm() - a.radius - b.radius;
}
template <int D>
double gap_of(const Sphere<D>& ball, const HalfSpace<D>& half, const Pose<D>& X_BH, double, Vec<D>&) {
  return (X_BH * half.plane).height(Vec<D>::Zero()) - ball.radius;
}
/// Two half-spaces belong to bodies that do not move: nobody asks.
template <int D>
double gap_of(const HalfSpace<D>&, const HalfSpace<D>&, const Pose<D>&, double, Vec<D>&) {
  return kInfinity;
}
/// The remaining pairs are those above the other way round.
template <int D, class First, class Second>
double gap_of_any(const First& a, const Second& b, const Pose<D>& X_AB, double enough, Vec<D>& axis) {
  if constexpr (requires { gap_of<D>(a, b, X_AB, enough, axis); }) {
    return gap_of<D>(a, b, X_AB, enough, axis);
  } else {
    return gap_of<D>(b, a, X_AB.inverse(), enough, axis);
  }
}

}  // namespace

template <int D>
SeenPolytope<D>::SeenPolytope(const Polytope<D>& P, const Pose<D>& X) : polytope(&P) {
  for (const Vec<D>& v : P.vertices()) vertices.push_back(X * v);
  for (const Plane<D>& plane : P.facet_planes()) normals.push_back(X.R * plane.normal);
}

template <int D>
double lowest(const std::vector<Vec<D>>& points, const Vec<D>& n) {
  assert(!points.empty());
  double least = kInfinity;
  for (const Vec<D>& x : points) least = std::min(least, n.dot(x));
  return least;
}

template <int D>
double highest(const std::vector<Vec<D>>& points, const Vec<D>& n) {
  assert(!points.empty());
  double most = -kInfinity;
  for (const Vec<D>& x : points) most = std::max(most, n.dot(x));
  return most;
}

template <int D>
double judge_gap(const Shape<D>& A, const Shape<D>& B, const Pose<D>& X_AB, double enough, Vec<D>& axis) {
  return std::visit([&](const auto& a, const auto& b) { return gap_of_any<D>(a, b, X_AB, enough, axis); }, A,
                    B);
}

#define TOUCHSTONE_INSTANTIATE(D)                                        \
  template struct SeenPolytope<D>;                                       \
  template double lowest<D>(const std::vector<Vec<D>>&, const Vec<D>&);  \
  template double highest<D>(const std::vector<Vec<D>>&, const Vec<D>&); \
  template double judge_gap(const Shape<D>&, const Shape<D>&, const Pose<D>&, double, Vec<D>&);
TOUCHSTONE_INSTANTIATE(2)
TOUCHSTONE_INSTANTIATE(3)
#undef TOUCHSTONE_INSTANTIATE

}  // namespace touchstone
