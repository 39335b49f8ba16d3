// What a polytope shares with a ball: in the plane exactly, edge by edge; in space as the integral over the
// areas of slices.

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include "touchstone/record/pair_judge.h"

namespace touchstone {
namespace {

/// Points of a rule on either side of the middle of a piece, and how far they reach: the double exponential
/// rule, which forgives what happens at the ends of a piece. Good to 1e-12 of the ball.
constexpr int kRulePoints = 18;
constexpr double kRuleReach = 3.2;

double sector(const Vec<2>& a, const Vec<2>& b, double r) {
  return r * r / 2 * std::atan2(cross(a, b), a.dot(b));
}

/// The signed area of the disc about the origin within the triangle of the origin, a and b.
double disc_in_triangle(const Vec<2>& a, const Vec<2>& b, double r) {
  assert(r >= 0);
  const Vec<2> d = b - a;
  const double dd = d.squaredNorm();
  if (!(dd > 0)) return 0;
  const double middle = -a.dot(d) / dd;
  const double under_root = middle * middle - (a.squaredNorm() - r * r) / dd;
  if (under_root <= 0) return sector(a, b, r);
  const double root = std::sqrt(under_root);
  const double from = std::clamp(middle - root, 0.0, 1.0), to = std::clamp(middle + root, 0.0, 1.0);
  if (from >= to) return sector(a, b, r);
  const Vec<2> p = a + from * d, q = a + to * d;
  double area = cross(p, q) / 2;
  if (from > 0) area += sector(a, p, r);
  if (to < 1) area += sector(q, b, r);
  return area;
}

/// The convex polygon that a plane z = const cuts out, by its corners around it, relative to `centre`.
std::vector<Vec<2>> slice(const Polytope<3>& P, double z, const Vec<2>& centre) {
  std::vector<Vec<2>> corners;
  Vec<2> middle = Vec<2>::Zero();
  for (const Edge& e : P.edges()) {
    const Vec<3>&a = P.vertex(e.tail), &b = P.vertex(e.head);
    if ((a.z() < z) == (b.z() < z)) continue;
    const double t = (z - a.z()) / (b.z() - a.z());
    corners.push_back((a + t * (b - a)).head<2>() - centre);
    middle += corners.back();
  }
  if (corners.empty()) return corners;
  middle /= static_cast<double>(corners.size());
  const auto angle = [&](const Vec<2>& x) { return std::atan2(x.y() - middle.y(), x.x() - middle.x()); };
  std::sort(corners.begin(), corners.end(),
            [&](const Vec<2>& p, const Vec<2>& q) { return angle(p) < angle(q); });
  return corners;
}

double area_in_disc(const std::vector<Vec<2>>& corners, double r) {
  double area = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    area += disc_in_triangle(corners[i], corners[(i + 1) % corners.size()], r);
  }
  return std::max(0.0, area);
}

/// Volumes between heights within which the area of the slices is a smooth function.
struct SliceIntegral {
  const Polytope<3>& P;
  Vec<3> centre;
  double radius;

  double area_at(double height) const {
    const double wide = std::sqrt(std::max(0.0, radius * radius - height * height));
    return area_in_disc(slice(P, centre.z() + height, centre.head<2>()), wide);
  }

  double between(double low, double high) const {
    assert(low < high && std::max(std::abs(low), std::abs(high)) <= radius);
    const double step = kRuleReach / kRulePoints, half = (high - low) / 2;
    double sum = 0;
    for (int k = -kRulePoints; k <= kRulePoints; ++k) {
      const double u = std::numbers::pi / 2 * std::sinh(k * step);
      const double weight = std::numbers::pi / 2 * std::cosh(k * step) / (std::cosh(u) * std::cosh(u));
      sum += weight * area_at((low + high) / 2 + half * std::tanh(u));
    }
    return sum * step * half;
  }
};

/// Heights above the centre at which the slices change their kind, all within the ball: those of vertices,
/// those at which an edge pierces the ball, and those at which a facet begins or ends to cut the discs.
std::vector<double> kinks(const Polytope<3>& P, const Vec<3>& centre, double radius) {
  assert(radius > 0);
  std::vector<double> heights = {-radius, radius};
  for (const Vec<3>& v : P.vertices()) heights.push_back(v.z() - centre.z());
  for (const Edge& e : P.edges()) {
    const Vec<3> a = P.vertex(e.tail) - centre, d = P.vertex(e.head) - P.vertex(e.tail);
    const double middle = -a.dot(d) / d.squaredNorm();
    const double root = middle * middle - (a.squaredNorm() - radius * radius) / d.squaredNorm();
    if (root <= 0) continue;
    for (const double t : {middle - std::sqrt(root), middle + std::sqrt(root)}) {
      heights.push_back(a.z() + t * d.z());
    }
  }
  for (const Plane<3>& plane : P.facet_planes()) {
    const double away = -plane.height(centre), across = plane.normal.head<2>().norm();
    if (std::abs(away) >= radius) continue;
    const double root = across * std::sqrt(radius * radius - away * away);
    heights.insert(heights.end(), {away * plane.normal.z() - root, away * plane.normal.z() + root});
  }
  std::erase_if(heights, [&](double h) { return !(std::abs(h) <= radius); });
  std::sort(heights.begin(), heights.end());
  return heights;
}

}  // namespace

double judge_round_overlap(const Polytope<2>& P, const Vec<2>& centre, double radius) {
  double area = 0;
  for (int f = 0; f < P.facet_count(); ++f) {
    const auto ends = P.facet_vertices(f);
    area += disc_in_triangle(P.vertex(ends[0]) - centre, P.vertex(ends[1]) - centre, radius);
  }
  return std::max(0.0, area);
}

double judge_round_overlap(const Polytope<3>& P, const Vec<3>& centre, double radius) {
  const std::vector<double> heights = kinks(P, centre, radius);
  const SliceIntegral integral{P, centre, radius};
  double volume = 0;
  for (std::size_t i = 0; i + 1 < heights.size(); ++i) {
    if (heights[i] < heights[i + 1]) volume += integral.between(heights[i], heights[i + 1]);
  }
  return volume;
}

}  // namespace touchstone
