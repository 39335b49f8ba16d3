#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include "touchstone/geometry/mass_properties.h"
#include "touchstone/record/pair_judge.h"

namespace touchstone {
namespace {

constexpr double kPi = std::numbers::pi;

/// The ends of the part of the segment from a to b that lies below all planes.
template <int D>
void add_common(const Vec<D>& a, const Vec<D>& b, std::span<const Plane<D>> planes,
                std::vector<Vec<D>>& points) {
  double from = 0, to = 1;
  for (const Plane<D>& plane : planes) {
    const double at_a = plane.height(a), at_b = plane.height(b), fall = at_a - at_b;
    if (at_a > 0 && at_b > 0) return;
    if (at_a > 0) from = std::max(from, at_a / fall);
    if (at_b > 0) to = std::min(to, at_a / fall);
  }
  if (from > to) return;
  points.push_back(a + from * (b - a));
  points.push_back(a + to * (b - a));
}

/// Points closer than this times their extent are one: edges meet in corners, each with its own round-off.
constexpr double kSamePoint = 1e-13;

template <int D>
void merge_equal(std::vector<Vec<D>>& points) {
  double extent = 0;
  for (const Vec<D>& x : points) extent = std::max(extent, (x - points[0]).norm());
  const double same = kSamePoint * extent;
  std::sort(points.begin(), points.end(), [](const Vec<D>& a, const Vec<D>& b) { return a.x() < b.x(); });
  std::vector<Vec<D>> kept;
  for (const Vec<D>& x : points) {
    bool fresh = true;
    for (std::size_t i = kept.size(); fresh && i-- > 0 && x.x() - kept[i].x() <= same;) {
      fresh = (x - kept[i]).norm() > same;
    }
    if (fresh) kept.push_back(x);
  }
  points = std::move(kept);
}

/// Flat bodies share nothing.
template <int D>
double volume_of_hull(std::vector<Vec<D>> points) {
  if (points.empty()) return 0;
  merge_equal<D>(points);
  if (points.size() <= D) return 0;
  try {
    return find_mass_properties(Polytope<D>::hull(points)).volume;
  } catch (const BadShape&) {
    return 0;
  }
}

/// The common part is the hull of the parts of each body's edges inside the other body.
template <int D>
double overlap_of(const Polytope<D>& P, const Polytope<D>& Q, const Pose<D>& X_PQ) {
  std::vector<Plane<D>> planes_of_Q;
  for (const Plane<D>& plane : Q.facet_planes()) planes_of_Q.push_back(X_PQ * plane);
  std::vector<Vec<D>> points;
  for (const Edge& e : P.edges()) {
    add_common<D>(P.vertex(e.tail), P.vertex(e.head), planes_of_Q, points);
  }
  for (const Edge& e : Q.edges()) {
    add_common<D>(X_PQ * Q.vertex(e.tail), X_PQ * Q.vertex(e.head), P.facet_planes(), points);
  }
  return volume_of_hull<D>(std::move(points));
}

template <int D>
double overlap_of(const Polytope<D>& P, const HalfSpace<D>& half, const Pose<D>& X_PH) {
  const Plane<D> plane = X_PH * half.plane;
  std::vector<Vec<D>> points;
  for (const Edge& e : P.edges()) {
    add_common<D>(P.vertex(e.tail), P.vertex(e.head), std::span(&plane, 1), points);
  }
  return volume_of_hull<D>(std::move(points));
}

template <int D>
double overlap_of(const Polytope<D>& P, const Sphere<D>& ball, const Pose<D>& X_PB) {
  return judge_round_overlap(P, X_PB.p, ball.radius);
}

/// The part of a disc (ball) beyond a plane at the distance x from its centre, -r <= x <= r.
/// By half of its angle, which is well known also where the part is small.
double cap(const Sphere<2>& disc, double x) {
  assert(std::abs(x) <= disc.radius);
  const double r = disc.radius, half = 2 * std::asin(std::sqrt((r - x) / (2 * r)));
  return r * r * (half - std::sin(half) * std::cos(half));
}
double cap(const Sphere<3>& ball, double x) {
  assert(std::abs(x) <= ball.radius);
  const double h = ball.radius - x;
  return kPi * h * h * (3 * ball.radius - h) / 3;
}

template <int D>
double overlap_of(const Sphere<D>& ball, const HalfSpace<D>& half, const Pose<D>& X_BH) {
  const double height = (X_BH * half.plane).height(Vec<D>::Zero());
  return cap(ball, std::clamp(height, -ball.radius, ball.radius));
}

/// Two caps, on either side of the plane in which the surfaces meet.
template <int D>
double overlap_of(const Sphere<D>& a, const Sphere<D>& b, const Pose<D>& X_AB) {
  const double d = X_AB.p.norm(), r = a.radius, s = b.radius;
  if (d >= r + s) return 0;
  if (d <= std::abs(r - s)) return cap(r < s ? a : b, -std::min(r, s));
  const double x = (d * d + r * r - s * s) / (2 * d);
  return cap(a, std::clamp(x, -r, r)) + cap(b, std::clamp(d - x, -s, s));
}

template <int D>
double overlap_of(const HalfSpace<D>&, const HalfSpace<D>&, const Pose<D>&) {
  return 0;
}

template <int D, class First, class Second>
double overlap_of_any(const First& a, const Second& b, const Pose<D>& X_AB) {
  if constexpr (requires { overlap_of<D>(a, b, X_AB); }) {
    return overlap_of<D>(a, b, X_AB);
  } else {
    return overlap_of<D>(b, a, X_AB.inverse());
  }
}

}  // namespace

template <int D>
double judge_overlap(const Shape<D>& A, const Shape<D>& B, const Pose<D>& X_AB) {
  return std::visit([&](const auto& a, const auto& b) { return overlap_of_any<D>(a, b, X_AB); }, A, B);
}

template double judge_overlap(const Shape<2>&, const Shape<2>&, const Pose<2>&);
template double judge_overlap(const Shape<3>&, const Shape<3>&, const Pose<3>&);

}  // namespace touchstone
