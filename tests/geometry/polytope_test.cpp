#include "touchstone/geometry/polytope.h"

#include <gtest/gtest.h>

#include "touchstone/geometry/mass_properties.h"
#include "touchstone/geometry/shapes.h"

namespace touchstone {
namespace {

TEST(Polytope, ACubeHasEightVerticesTwelveEdgesSixFaces) {
  const auto P = make_box<3>({2, 2, 2});
  EXPECT_EQ(P.vertex_count(), 8);
  EXPECT_EQ(P.edge_count(), 12);
  EXPECT_EQ(P.facet_count(), 6);
  for (int f = 0; f < 6; ++f) EXPECT_EQ(P.facet_vertices(f).size(), 4u);
  EXPECT_DOUBLE_EQ(P.size(), 2 * std::sqrt(3.0));
}

TEST(Polytope, Counts) {
  EXPECT_EQ(make_dodecahedron(1).facet_count(), 12);
  EXPECT_EQ(make_icosahedron(1).facet_count(), 20);
  EXPECT_EQ(make_cylinder(1, 2, 1000).facet_count(), 1002);
  EXPECT_EQ(make_tessellated_sphere(200, 1).vertex_count(), 200);
  EXPECT_EQ(make_random_hull<3>(50, 7).vertex_count(), 50);
}

}  // namespace
}  // namespace touchstone
