#include "touchstone/geometry/shapes.h"

#include <gtest/gtest.h>

#include <limits>
#include <numbers>

#include "polytope_check.h"
#include "touchstone/geometry/mass_properties.h"

namespace touchstone {
namespace {

constexpr double kPi = std::numbers::pi, kPhi = std::numbers::phi;

template <int D>
double volume(const Polytope<D>& P) {
  return find_mass_properties(P).volume;
}

void expect_counts(const Polytope<3>& P, int vertices, int edges, int facets) {
  EXPECT_EQ(P.vertex_count(), vertices);
  EXPECT_EQ(P.edge_count(), edges);
  EXPECT_EQ(P.facet_count(), facets);
  expect_sound(P);
}

/// With every vertex, -vertex: the same numbers with opposite signs, to the last bit.
template <int D>
void expect_centrally_symmetric(const Polytope<D>& P) {
  for (const Vec<D>& x : P.vertices()) {
    const auto opposite = [&](const Vec<D>& y) { return y == Vec<D>(-x); };
    EXPECT_EQ(std::count_if(P.vertices().begin(), P.vertices().end(), opposite), 1);
  }
}

void expect_regular(const Polytope<3>& P, double radius, double side) {
  for (const Vec<3>& x : P.vertices()) EXPECT_NEAR(x.norm(), radius, 1e-15 * radius);
  for (const Edge& e : P.edges())
    EXPECT_NEAR((P.vertex(e.head) - P.vertex(e.tail)).norm(), side, 2e-15 * radius);
  for (int f = 1; f < P.facet_count(); ++f) {
    EXPECT_EQ(P.facet_vertices(f).size(), P.facet_vertices(0).size());
    EXPECT_NEAR(P.plane(f).offset, P.plane(0).offset, 1e-15 * radius);
  }
  EXPECT_LE(P.centre().norm(), 1e-15 * radius);
}

TEST(Shapes, ABoxHasItsSidesAndItsVolume) {
  const auto P = make_box<3>({1, 2, 3});
  expect_counts(P, 8, 12, 6);
  expect_centrally_symmetric(P);
  EXPECT_EQ(volume(P), 6);
  EXPECT_EQ(P.vertex(0), Vec<3>(-0.5, -1, -1.5));
  const auto Q = make_box<2>({4, 0.5});
  expect_sound(Q);
  expect_centrally_symmetric(Q);
  EXPECT_EQ(volume(Q), 2);
}

TEST(Shapes, ARegularPolygonHasItsFirstCornerOnTheXAxis) {
  for (int n : {3, 4, 5, 6, 7, 8, 12, 100, 997, 1000}) {
    const auto P = make_regular_polygon(n, 2);
    ASSERT_EQ(P.vertex_count(), n);
    expect_sound(P);
    EXPECT_EQ(std::count(P.vertices().begin(), P.vertices().end(), Vec<2>(2, 0)), 1);
    for (const Vec<2>& x : P.vertices()) EXPECT_NEAR(x.norm(), 2, 1e-15);
    EXPECT_NEAR(volume(P), 2 * n * std::sin(2 * kPi / n), 1e-13);
    if (n % 4 == 0) {
      expect_centrally_symmetric(P);
      EXPECT_EQ(std::count(P.vertices().begin(), P.vertices().end(), Vec<2>(0, 2)), 1);
    }
  }
}

TEST(Shapes, ThePlatonicSolidsAreRegular) {
  for (double r : {1.0, 0.001, 250.0}) {
    const double cube = r * r * r;
    expect_counts(make_tetrahedron(r), 4, 6, 4);
    expect_regular(make_tetrahedron(r), r, r * std::sqrt(8.0 / 3));
    EXPECT_NEAR(volume(make_tetrahedron(r)), cube * 8 / (9 * std::sqrt(3.0)), 1e-14 * cube);

    expect_counts(make_cube(r), 8, 12, 6);
    expect_regular(make_cube(r), r, r * 2 / std::sqrt(3.0));
    EXPECT_NEAR(volume(make_cube(r)), cube * 8 / (3 * std::sqrt(3.0)), 1e-14 * cube);

    expect_counts(make_octahedron(r), 6, 12, 8);
    expect_regular(make_octahedron(r), r, r * std::sqrt(2.0));
    EXPECT_NEAR(volume(make_octahedron(r)), cube * 4 / 3, 1e-14 * cube);

    const double side = 2 * r / (std::sqrt(3.0) * kPhi);
    expect_counts(make_dodecahedron(r), 20, 30, 12);
    expect_regular(make_dodecahedron(r), r, side);
    EXPECT_NEAR(volume(make_dodecahedron(r)), (15 + 7 * std::sqrt(5.0)) / 4 * side * side * side,
                1e-14 * cube);

    const double ico = 2 * r / std::sqrt(kPhi * std::sqrt(5.0));
    expect_counts(make_icosahedron(r), 12, 30, 20);
    expect_regular(make_icosahedron(r), r, ico);
    EXPECT_NEAR(volume(make_icosahedron(r)), 5 * (3 + std::sqrt(5.0)) / 12 * ico * ico * ico, 1e-14 * cube);
  }
  for (const auto& P : {make_cube(1), make_octahedron(1), make_dodecahedron(1), make_icosahedron(1)}) {
    expect_centrally_symmetric(P);
  }
}

TEST(Shapes, ACylinderIsAPrismOverAPolygon) {
  for (int n : {3, 4, 12, 100, 1000}) {
    const auto P = make_cylinder(0.5, 3, n);
    expect_counts(P, 2 * n, 3 * n, n + 2);
    EXPECT_NEAR(volume(P), 0.125 * n * std::sin(2 * kPi / n) * 3, 1e-14);
    EXPECT_LE(P.centre().norm(), 1e-14);
    EXPECT_TRUE(same_bits(P, make_prism(make_regular_polygon(n, 0.5), 3)));
    if (n % 4 == 0) expect_centrally_symmetric(P);
  }
}

TEST(Shapes, AConeHasItsTipAboveTheOriginByHalfItsHeight) {
  for (int n : {3, 4, 12, 1000}) {
    const auto P = make_cone(0.5, 3, n);
    expect_counts(P, n + 1, 2 * n, n + 1);
    EXPECT_NEAR(volume(P), 0.125 * n * std::sin(2 * kPi / n), 1e-14);
    EXPECT_EQ(std::count(P.vertices().begin(), P.vertices().end(), Vec<3>(0, 0, 1.5)), 1);
    EXPECT_NEAR(P.centre().z(), -1.5 + 3.0 / 4, 1e-15);
  }
}

TEST(Shapes, APrismOverASquareIsABox) {
  EXPECT_TRUE(same_bits(make_prism(make_box<2>({1, 2}), 3), make_box<3>({1, 2, 3})));
}

TEST(Shapes, ATessellatedSphereHasAllItsVerticesAndNearlyItsVolume) {
  for (int n : {4, 5, 20, 200, 5000}) {
    const auto P = make_tessellated_sphere(n, 2);
    EXPECT_EQ(P.vertex_count(), n);
    expect_sound(P);
    for (const Vec<3>& x : P.vertices()) EXPECT_NEAR(x.norm(), 2, 1e-15);
    const double ball = 4.0 / 3 * kPi * 8;
    EXPECT_LT(volume(P), ball);
    if (n >= 20) {
      EXPECT_GT(volume(P), ball * (1 - 12.0 / n));
    }
  }
}

TEST(Shapes, ARandomHullHasAllItsVerticesAndIsTheSameForTheSameSeed) {
  for (int n : {4, 10, 50, 1000}) {
    const auto P = make_random_hull<3>(n, 7);
    EXPECT_EQ(P.vertex_count(), n);
    expect_sound(P);
    EXPECT_TRUE(same_bits(P, make_random_hull<3>(n, 7)));
    EXPECT_FALSE(same_bits(P, make_random_hull<3>(n, 8)));
    const auto Q = make_random_hull<2>(n, 7);
    EXPECT_EQ(Q.vertex_count(), n);
    expect_sound(Q);
  }
}

TEST(Shapes, ScalingMultipliesTheVolume) {
  const auto P = make_icosahedron(1);
  const auto Q = scaled<3>(P, {2, 3, 0.5});
  EXPECT_EQ(Q.facet_count(), 20);
  EXPECT_NEAR(volume(Q), 3 * volume(P), 1e-14);
  EXPECT_TRUE(same_bits(scaled<3>(make_box<3>({1, 1, 1}), {1, 2, 3}), make_box<3>({1, 2, 3})));
  EXPECT_TRUE(same_bits(scaled<2>(make_box<2>({1, 1}), {1, 2}), make_box<2>({1, 2})));
}

TEST(Shapes, AShapeWithoutSizeIsRefused) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (double bad : {0.0, -1.0, kNan, kInfinity}) {
    EXPECT_THROW(make_box<3>({1, bad, 1}), BadShape);
    EXPECT_THROW(make_box<2>({bad, 1}), BadShape);
    EXPECT_THROW(make_regular_polygon(5, bad), BadShape);
    EXPECT_THROW(make_tetrahedron(bad), BadShape);
    EXPECT_THROW(make_cube(bad), BadShape);
    EXPECT_THROW(make_octahedron(bad), BadShape);
    EXPECT_THROW(make_dodecahedron(bad), BadShape);
    EXPECT_THROW(make_icosahedron(bad), BadShape);
    EXPECT_THROW(make_cylinder(bad, 1, 8), BadShape);
    EXPECT_THROW(make_cylinder(1, bad, 8), BadShape);
    EXPECT_THROW(make_cone(bad, 1, 8), BadShape);
    EXPECT_THROW(make_cone(1, bad, 8), BadShape);
    EXPECT_THROW(make_prism(make_box<2>({1, 1}), bad), BadShape);
    EXPECT_THROW(make_tessellated_sphere(10, bad), BadShape);
    EXPECT_THROW(scaled<3>(make_cube(1), {1, 1, bad}), BadShape);
  }
  EXPECT_THROW(make_regular_polygon(2, 1), BadShape);
  EXPECT_THROW(make_cylinder(1, 1, 2), BadShape);
  EXPECT_THROW(make_cone(1, 1, -5), BadShape);
  EXPECT_THROW(make_tessellated_sphere(3, 1), BadShape);
  EXPECT_THROW(make_random_hull<3>(3, 1), BadShape);
  EXPECT_THROW(make_random_hull<2>(2, 1), BadShape);
}

TEST(Shapes, MoreVerticesThanAMachineHoldsAreRefusedAtOnce) {
  for (int many : {kMostVertices + 1, std::numeric_limits<int>::max()}) {
    EXPECT_THROW(make_regular_polygon(many, 1), BadShape);
    EXPECT_THROW(make_cylinder(1, 1, many), BadShape);
    EXPECT_THROW(make_cone(1, 1, many), BadShape);
    EXPECT_THROW(make_tessellated_sphere(many, 1), BadShape);
    EXPECT_THROW(make_random_hull<2>(many, 1), BadShape);
    EXPECT_THROW(make_random_hull<3>(many, 1), BadShape);
  }
  try {
    make_tessellated_sphere(3, 1);
  } catch (const BadShape& trouble) {
    EXPECT_STREQ(trouble.what(), "a tessellated sphere needs 4 to 1000000 vertices, not 3");
  }
}

}  // namespace
}  // namespace touchstone
