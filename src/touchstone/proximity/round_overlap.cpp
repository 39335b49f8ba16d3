// A body that is cut out of a polytope P by a ball with its centre at the origin is the signed sum, over the
// facets of P, of the cones from the origin to the facet, each cut off at the ball. Within the plane of a
// facet at distance h, the ball is a disc of radius r about the foot F of the origin, r^2 = R^2 - h^2, and
// the facet is the signed sum of the triangles F p q over its edges. An edge is split where it crosses the
// disc:
//
// clang-format off
//      q                    inside piece:   the cone over the triangle F p q, volume h/3 |F p q|
//      |\                   outside piece:  the cone over the sector of the disc between p and q,
//    ..|.\.                                 h/3 (r^2 phi/2), and a part of the ball itself: R^3/3 times
//   :  |  \:                                the solid angle that the triangle has beyond the sector
//  :   F---p:
// clang-format on
//
// Long double, because the cones are larger than the body by (R/size)^2 when the ball is large.

#include "touchstone/proximity/round_overlap.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numbers>

namespace touchstone {
namespace {

using Real = long double;
using Real2 = Eigen::Matrix<Real, 2, 1>;
using Real3 = Eigen::Matrix<Real, 3, 1>;

/// Below this angle [rad], x - sin x is summed as a series: ten terms reach round-off.
constexpr double kSmallAngle = 1.0;

Real cross(const Real2& a, const Real2& b) { return a.x() * b.y() - a.y() * b.x(); }

/// Signed angle from p to q, seen from the origin.
Real angle_between(const Real2& p, const Real2& q) { return std::atan2(cross(p, q), p.dot(q)); }

/// x - sin x without cancellation.
double minus_sine(double x) {
  assert(x >= 0);
  if (x > kSmallAngle) return x - std::sin(x);
  double term = x * x * x / 6, sum = 0;
  for (int k = 4; std::abs(term) > 0 && k < 24; k += 2) {
    sum += term;
    term *= -x * x / (k * (k + 1));
  }
  return sum;
}

/// A piece of the segment a b that lies on one side of a circle about the origin.
struct Piece {
  Real2 p, q;
  bool inside;
};

/// Splits a segment where it crosses the circle; pieces may be empty.
std::array<Piece, 3> split_at_circle(const Real2& a, const Real2& b, Real radius) {
  assert(radius >= 0);
  const Real2 e = b - a;
  const Real length_squared = e.squaredNorm(), c = cross(a, e);
  const Real half_squared = radius * radius / length_squared - (c / length_squared) * (c / length_squared);
  if (!(half_squared > 0)) return {Piece{a, b, false}, Piece{b, b, true}, Piece{b, b, false}};
  const Real middle = -a.dot(e) / length_squared, half = std::sqrt(half_squared);
  const Real from = std::clamp<Real>(middle - half, 0, 1), to = std::clamp<Real>(middle + half, 0, 1);
  const Real2 x = a + from * e, y = a + to * e;
  return {Piece{a, x, false}, Piece{x, y, true}, Piece{y, b, false}};
}

/// The solid angle at the origin of the triangle F p q in a plane at the height h > 0 (van Oosterom and
/// Strackee's formula, with h divided out, so that it holds for h = 0 too, where it is the angle p F q).
Real solid_angle(const Real2& p, const Real2& q, Real h) {
  const Real P = std::hypot(p.norm(), h), Q = std::hypot(q.norm(), h);
  return 2 * std::atan2(cross(p, q), P * Q + h * (P + Q) + p.dot(q) + h * h);
}

/// The cone over one edge of a facet, cut off at the ball; h >= 0 [m^3].
Real cone_volume(const Real2& a, const Real2& b, Real h, Real R) {
  assert(h >= 0 && R > 0);
  const Real r_squared = std::max<Real>((R - h) * (R + h), 0);
  Real volume = 0;
  for (const Piece& piece : split_at_circle(a, b, std::sqrt(r_squared))) {
    const auto& [p, q, inside] = piece;
    if (inside) {
      volume += h * cross(p, q) / 6;
    } else if (h < R) {
      const Real phi = angle_between(p, q);
      volume += h * r_squared * phi / 6 + R * R * R / 3 * (solid_angle(p, q, h) - phi * (1 - h / R));
    } else {
      volume += R * R * R / 3 * solid_angle(p, q, h);
    }
  }
  return volume;
}

}  // namespace

template <>
double ball_volume<2>(double radius) {
  return std::numbers::pi * radius * radius;
}

template <>
double ball_volume<3>(double radius) {
  return 4 * std::numbers::pi / 3 * radius * radius * radius;
}

template <>
double cap_volume<2>(double radius, double height) {
  assert(radius > 0);
  // Half of the angle at the centre from the half chord, which keeps its digits when the cap is thin.
  const double angle = 4 * std::asin(std::sqrt(std::clamp(height / (2 * radius), 0.0, 1.0)));
  return radius * radius / 2 * minus_sine(angle);
}

template <>
double cap_volume<3>(double radius, double height) {
  assert(radius > 0);
  const double h = std::clamp(height, 0.0, 2 * radius);
  return std::numbers::pi * h * h * (3 * radius - h) / 3;
}

template <int D>
double lens_volume(double radius_1, double radius_2, double distance) {
  assert(radius_1 > 0 && radius_2 > 0 && distance >= 0);
  const double depth = radius_1 + radius_2 - distance;
  if (depth <= 0) return 0;
  if (distance <= std::abs(radius_1 - radius_2)) return ball_volume<D>(std::min(radius_1, radius_2));
  // Heights of the two caps from r1^2 - x^2 = r2^2 - (d - x)^2, factored so that thin lenses keep their
  // digits.
  const double height_1 = depth * (radius_2 + distance - radius_1) / (2 * distance);
  const double height_2 = depth * (radius_1 + distance - radius_2) / (2 * distance);
  return cap_volume<D>(radius_1, height_1) + cap_volume<D>(radius_2, height_2);
}

template <>
double ball_polytope_volume<2>(const Polytope<2>& P, const Vec<2>& centre, double radius) {
  assert(radius > 0);
  const Real R = radius;
  Real area = 0;
  for (const Edge& edge : P.edges()) {
    const Real2 a = (P.vertex(edge.tail) - centre).cast<Real>(),
                b = (P.vertex(edge.head) - centre).cast<Real>();
    for (const auto& [p, q, inside] : split_at_circle(a, b, R)) {
      area += inside ? cross(p, q) / 2 : R * R * angle_between(p, q) / 2;
    }
  }
  return std::clamp(static_cast<double>(area), 0.0, ball_volume<2>(radius));
}

template <>
double ball_polytope_volume<3>(const Polytope<3>& P, const Vec<3>& centre, double radius) {
  assert(radius > 0);
  Real volume = 0;
  const Real3 c = centre.cast<Real>();
  for (int f = 0; f < P.facet_count(); ++f) {
    const Real3 n = P.plane(f).normal.cast<Real>();
    const Real3 u = any_perpendicular(P.plane(f).normal).cast<Real>(), v = n.cross(u);
    const auto loop = P.facet_vertices(f);
    const Real h = n.dot(P.vertex(loop[0]).cast<Real>() - c);  // > 0: the centre is below the facet
    const auto in_plane = [&](int vertex) {
      const Real3 x = P.vertex(vertex).cast<Real>() - c;
      return Real2(u.dot(x), v.dot(x));
    };
    Real cone = 0;
    for (std::size_t i = 0; i < loop.size(); ++i) {
      cone += cone_volume(in_plane(loop[i]), in_plane(loop[(i + 1) % loop.size()]), std::abs(h), radius);
    }
    volume += h > 0 ? cone : -cone;
  }
  return std::clamp(static_cast<double>(volume), 0.0, ball_volume<3>(radius));
}

template double lens_volume<2>(double, double, double);
template double lens_volume<3>(double, double, double);

}  // namespace touchstone
