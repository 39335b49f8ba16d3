#include "touchstone/geometry/polytope.h"

#include <gtest/gtest.h>

#include "polytope_check.h"
#include "polytope_input.h"

namespace touchstone {
namespace {

// ---- structure ------------------------------------------------------------------------------------------

TEST(Polytope, ACubeHasEightVerticesTwelveEdgesSixFaces) {
  const auto P = make_box<3>({2, 2, 2});
  EXPECT_EQ(P.vertex_count(), 8);
  EXPECT_EQ(P.edge_count(), 12);
  EXPECT_EQ(P.facet_count(), 6);
  for (int f = 0; f < 6; ++f) EXPECT_EQ(P.facet_vertices(f).size(), 4u);
  EXPECT_DOUBLE_EQ(P.size(), 2 * std::sqrt(3.0));
}

TEST(Polytope, EveryEdgeStandsInBothFacetsAndNeighboursTurnCounterClockwise) {
  for (const auto& P : some_solids()) expect_sound(P);
  expect_sound(make_random_hull<3>(2000, 5));
}

TEST(Polytope, APolygonsEdgesAreItsFacets) {
  for (int n : {3, 4, 5, 17, 1000}) {
    const auto P = make_regular_polygon(n, 2);
    EXPECT_EQ(P.vertex_count(), n);
    expect_sound(P);
  }
  expect_sound(make_random_hull<2>(100, 4));
  expect_sound(make_box<2>({1e-4, 1}));
}

TEST(Polytope, VerticesAreSortedByTheirCoordinates) {
  for (const auto& P : some_solids()) {
    for (int v = 1; v < P.vertex_count(); ++v) {
      const Vec<3>&a = P.vertex(v - 1), &b = P.vertex(v);
      EXPECT_TRUE(std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3));
    }
  }
}

// ---- the same solid, the same bits ----------------------------------------------------------------------

TEST(Polytope, TheOrderOfPointsDoesNotMatter) {
  Random random(1);
  for (const auto& P : some_solids()) {
    auto points = points_of(P);
    for (int i = 0; i < 3; ++i) {
      shuffle(points, random);
      EXPECT_TRUE(same_bits(P, Polytope<3>::hull(points)));
    }
  }
  const auto polygon = make_random_hull<2>(50, 3);
  auto corners = points_of(polygon);
  shuffle(corners, random);
  EXPECT_TRUE(same_bits(polygon, Polytope<2>::hull(corners)));
}

TEST(Polytope, PointsOnEdgesAndFacesVanishWhateverTheRotation) {
  Random random(2);
  int solids = 0;
  for (const auto& original : some_solids()) {
    if (original.vertex_count() > 200) continue;
    for (int i = 0; i < 10; ++i, ++solids) {
      const auto P = Polytope<3>::hull(turned(points_of(original), random.rotation_matrix<3>()));
      ASSERT_EQ(P.facet_count(), original.facet_count());
      auto points = points_of(P);
      add_points_on_surface(P, 4, random, points);
      for (int k = 0; k < 50; ++k)
        points.push_back(0.5 * random.unit() * P.vertex(random.index(P.vertex_count())));
      shuffle(points, random);
      EXPECT_TRUE(same_bits(P, Polytope<3>::hull(points)));
    }
  }
  EXPECT_GE(solids, 80);
}

TEST(Polytope, PointsOnAPolygonsEdgesVanishWhateverTheRotation) {
  Random random(3);
  for (int i = 0; i < 300; ++i) {
    const int n = 3 + random.index(20);
    const auto P =
        Polytope<2>::hull(turned(points_of(make_regular_polygon(n, 1)), random.rotation_matrix<2>()));
    auto points = points_of(P);
    for (const Edge& e : P.edges()) {
      for (int k = 0; k < 10; ++k) {
        points.push_back(P.vertex(e.tail) +
                         random.uniform(0.02, 0.98) * (P.vertex(e.head) - P.vertex(e.tail)));
      }
    }
    shuffle(points, random);
    EXPECT_TRUE(same_bits(P, Polytope<2>::hull(points)));
  }
}

TEST(Polytope, ABoxIsTheHullOfItsCornersAndTheMeshOfItsTriangles) {
  Random random(4);
  for (int i = 0; i < 50; ++i) {
    const auto box = make_box<3>({random.uniform(0.1, 3), random.uniform(0.1, 3), random.uniform(0.1, 3)});
    const auto P = Polytope<3>::hull(turned(points_of(box), random.rotation_matrix<3>()));
    const auto points = points_of(P);
    EXPECT_EQ(P.facet_count(), 6);
    EXPECT_TRUE(same_bits(P, Polytope<3>::from_faces(points, faces_of(P))));
    EXPECT_TRUE(same_bits(P, Polytope<3>::from_faces(points, fans(faces_of(P), i))));
  }
}

TEST(Polytope, ASurfaceOfManySmallTrianglesIsTheSolidItBounds) {
  const auto P = make_dodecahedron(1);
  auto points = points_of(P);
  Faces faces;  // each pentagon as a fan around its middle
  for (const auto& loop : faces_of(P)) {
    Vec<3> middle = Vec<3>::Zero();
    for (int v : loop) middle += P.vertex(v) / static_cast<double>(loop.size());
    points.push_back(middle);
    for (std::size_t i = 0; i < loop.size(); ++i) {
      faces.push_back({loop[i], loop[(i + 1) % loop.size()], static_cast<int>(points.size()) - 1});
    }
  }
  EXPECT_TRUE(same_bits(P, Polytope<3>::from_faces(points, faces)));
}

TEST(Polytope, PointsOfASurfaceThatNoFaceUsesDoNotCount) {
  const auto P = make_box<3>({1, 1, 1});
  auto points = points_of(P);
  points.emplace_back(100, 0, 0);
  points.push_back(points[0]);
  EXPECT_TRUE(same_bits(P, Polytope<3>::from_faces(points, faces_of(P))));
}

TEST(Polytope, MinusZeroIsZero) {
  std::vector<Vec<3>> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const auto P = Polytope<3>::hull(points);
  for (Vec<3>& x : points) {
    for (double& c : x) c = c == 0 ? -0.0 : c;
  }
  EXPECT_TRUE(same_bits(P, Polytope<3>::hull(points)));
}

}  // namespace
}  // namespace touchstone
