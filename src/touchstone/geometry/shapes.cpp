#include "touchstone/geometry/shapes.h"

#include <cassert>
#include <cmath>
#include <initializer_list>
#include <numbers>

#include "touchstone/math/checks.h"
#include "touchstone/math/random.h"

namespace touchstone {
namespace {

void require(bool holds, const char* message) {
  if (!holds) throw BadShape(message);
}

/// `needs`: "a polygon needs", say.
void require_vertices(int n, int least, const std::string& needs) {
  if (n >= least && n <= kMostVertices) return;
  throw BadShape(needs + " " + std::to_string(least) + " to " + std::to_string(kMostVertices) +
                 " vertices, not " + std::to_string(n));
}

bool is_length(double x) { return x > 0 && std::isfinite(x); }

/// Corner i of n on the unit circle, exact where sine and cosine are: quarter turns give no 6e-17.
Vec<2> circle_point(int i, int n) {
  assert(n >= 3 && is_index(i, n));
  const int quarters = (4 * i) / n;
  const double rest = 2 * std::numbers::pi * (i - quarters * n / 4.0) / n;
  const Vec<2> x(std::cos(rest), std::sin(rest));
  switch (quarters % 4) {
    case 0:
      return x;
    case 1:
      return {-x.y(), x.x()};
    case 2:
      return -x;
    default:
      return {x.y(), -x.x()};
  }
}

/// The hull of the given corners, each scaled to the radius.
Polytope<3> on_sphere(const std::vector<Vec<3>>& corners, double radius) {
  require(is_length(radius), "the radius must be a positive length");
  std::vector<Vec<3>> points;
  for (const Vec<3>& x : corners) points.push_back(radius * x.normalized());
  return Polytope<3>::hull(points);
}

/// The three cyclic permutations of (0, +-a, +-b).
void add_cyclic(std::vector<Vec<3>>& corners, double a, double b) {
  for (double y : {-a, a}) {
    for (double z : {-b, b}) corners.insert(corners.end(), {{0, y, z}, {y, z, 0}, {z, 0, y}});
  }
}

std::vector<Vec<3>> cube_corners() {
  std::vector<Vec<3>> corners;
  for (double x : {-1.0, 1.0}) {
    for (double y : {-1.0, 1.0}) corners.insert(corners.end(), {{x, y, -1}, {x, y, 1}});
  }
  return corners;
}

}  // namespace

template <int D>
Polytope<D> make_box(const Vec<D>& sides) {
  for (double side : sides) require(is_length(side), "the sides of a box must be positive lengths");
  std::vector<Vec<D>> corners;
  for (int bits = 0; bits < (1 << D); ++bits) {
    Vec<D> x;
    for (int k = 0; k < D; ++k) x[k] = (bits >> k & 1 ? 0.5 : -0.5) * sides[k];
    corners.push_back(x);
  }
  return Polytope<D>::hull(corners);
}

Polytope<2> make_regular_polygon(int corners, double radius) {
  require_vertices(corners, 3, "a polygon needs");
  require(is_length(radius), "the radius must be a positive length");
  std::vector<Vec<2>> points;
  for (int i = 0; i < corners; ++i) points.push_back(radius * circle_point(i, corners));
  return Polytope<2>::hull(points);
}

Polytope<3> make_tetrahedron(double radius) {
  return on_sphere({{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}, radius);
}

Polytope<3> make_cube(double radius) { return on_sphere(cube_corners(), radius); }

Polytope<3> make_octahedron(double radius) {
  return on_sphere({{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}, radius);
}

Polytope<3> make_dodecahedron(double radius) {
  std::vector<Vec<3>> corners = cube_corners();
  add_cyclic(corners, 1 / std::numbers::phi, std::numbers::phi);
  return on_sphere(corners, radius);
}

Polytope<3> make_icosahedron(double radius) {
  std::vector<Vec<3>> corners;
  add_cyclic(corners, 1, std::numbers::phi);
  return on_sphere(corners, radius);
}

Polytope<3> make_cylinder(double radius, double height, int corners) {
  return make_prism(make_regular_polygon(corners, radius), height);
}

Polytope<3> make_cone(double radius, double height, int corners) {
  require(is_length(height), "the height must be a positive length");
  const Polytope<2> base = make_regular_polygon(corners, radius);
  std::vector<Vec<3>> points{{0, 0, height / 2}};
  for (const Vec<2>& x : base.vertices()) points.emplace_back(x.x(), x.y(), -height / 2);
  return Polytope<3>::hull(points);
}

Polytope<3> make_prism(const Polytope<2>& base, double height) {
  require(is_length(height), "the height must be a positive length");
  std::vector<Vec<3>> points;
  for (const Vec<2>& x : base.vertices()) {
    for (double z : {-height / 2, height / 2}) points.emplace_back(x.x(), x.y(), z);
  }
  return Polytope<3>::hull(points);
}

Polytope<3> make_tessellated_sphere(int vertices, double radius) {
  require_vertices(vertices, 4, "a tessellated sphere needs");
  require(is_length(radius), "the radius must be a positive length");
  // Fibonacci spiral: equal areas along z, the golden angle around it.
  const double golden_angle = 2 * std::numbers::pi * (1 - 1 / std::numbers::phi);
  std::vector<Vec<3>> points;
  for (int i = 0; i < vertices; ++i) {
    const double z = 1 - (2.0 * i + 1) / vertices;
    const double r = std::sqrt(1 - z * z);
    points.push_back(radius * Vec<3>(r * std::cos(golden_angle * i), r * std::sin(golden_angle * i), z));
  }
  return Polytope<3>::hull(points);
}

template <int D>
Polytope<D> make_random_hull(int vertices, std::uint64_t seed) {
  require_vertices(vertices, D + 1, "a random hull needs");
  Random random(seed);
  std::vector<Vec<D>> points;
  for (int i = 0; i < vertices; ++i) points.push_back(random.direction<D>());
  return Polytope<D>::hull(points);
}

template <int D>
Polytope<D> scaled(const Polytope<D>& P, const Vec<D>& factors) {
  for (double factor : factors) require(is_length(factor), "factors must be positive");
  std::vector<Vec<D>> points;
  for (const Vec<D>& x : P.vertices()) points.push_back(factors.cwiseProduct(x));
  return Polytope<D>::hull(points);
}

template Polytope<2> make_box(const Vec<2>&);
template Polytope<3> make_box(const Vec<3>&);
template Polytope<2> make_random_hull<2>(int, std::uint64_t);
template Polytope<3> make_random_hull<3>(int, std::uint64_t);
template Polytope<2> scaled(const Polytope<2>&, const Vec<2>&);
template Polytope<3> scaled(const Polytope<3>&, const Vec<3>&);

}  // namespace touchstone
