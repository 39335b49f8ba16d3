#include "touchstone/geometry/polytope.h"

#include <gtest/gtest.h>

#include <limits>

#include "polytope_check.h"
#include "touchstone/geometry/mass_properties.h"
#include "touchstone/geometry/shapes.h"
#include "touchstone/math/random.h"

namespace touchstone {
namespace {

using Faces = std::vector<std::vector<int>>;

template <int D>
void shuffle(std::vector<Vec<D>>& points, Random& random) {
  for (int i = static_cast<int>(points.size()) - 1; i > 0; --i)
    std::swap(points[i], points[random.index(i + 1)]);
}

template <int D>
std::vector<Vec<D>> turned(std::vector<Vec<D>> points, const Mat<D>& R) {
  for (Vec<D>& x : points) x = R * x;
  return points;
}

/// Adds points that lie on the edges and on the facets of P, up to round-off.
void add_points_on_surface(const Polytope<3>& P, int per_feature, Random& random,
                           std::vector<Vec<3>>& points) {
  for (const Edge& e : P.edges()) {
    for (int i = 0; i < per_feature; ++i) {
      points.push_back(P.vertex(e.tail) + random.uniform(0.1, 0.9) * (P.vertex(e.head) - P.vertex(e.tail)));
    }
  }
  for (int f = 0; f < P.facet_count(); ++f) {
    const auto loop = P.facet_vertices(f);
    for (int i = 0; i < per_feature; ++i) {
      Vec<3> x = Vec<3>::Zero();
      double sum = 0;
      for (int v : loop) {
        const double weight = random.uniform(0.1, 1);
        x += weight * P.vertex(v);
        sum += weight;
      }
      points.push_back(x / sum);
    }
  }
}

std::vector<Polytope<3>> some_solids() {
  return {make_box<3>({2, 1, 0.5}),    make_tetrahedron(1),        make_octahedron(1),
          make_dodecahedron(1),        make_icosahedron(1),        make_cylinder(1, 2, 17),
          make_cone(1, 2, 12),         make_random_hull<3>(40, 3), make_tessellated_sphere(300, 1),
          make_cylinder(1, 0.01, 1000)};
}

template <int D>
std::string message_of(const std::vector<Vec<D>>& points) {
  try {
    Polytope<D>::hull(points);
  } catch (const BadShape& trouble) {
    return trouble.what();
  }
  return "taken";
}

template <int D>
std::string message_of(const std::vector<Vec<D>>& points, const Faces& faces) {
  try {
    Polytope<D>::from_faces(points, faces);
  } catch (const BadShape& trouble) {
    return trouble.what();
  }
  return "taken";
}

#define EXPECT_SAYS(message, part) EXPECT_NE((message).find(part), std::string::npos) << (message)

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

// ---- hard points ----------------------------------------------------------------------------------------

TEST(Polytope, SliversAndNeedlesOfAspectTenThousandAreSound) {
  Random random(5);
  for (int i = 0; i < 40; ++i) {
    for (const Vec<3>& sides : {Vec<3>(1, 1, 1e-4), Vec<3>(1, 1e-4, 1e-4)}) {
      const auto box = Polytope<3>::hull(turned(points_of(make_box<3>(sides)), random.rotation_matrix<3>()));
      EXPECT_EQ(box.facet_count(), 6);
      expect_sound(box);
      const auto hull = scaled<3>(make_random_hull<3>(30, random.bits()), sides);
      expect_sound(Polytope<3>::hull(turned(points_of(hull), random.rotation_matrix<3>())));
    }
    const auto thin = scaled<2>(make_random_hull<2>(20, random.bits()), Vec<2>(1, 1e-4));
    expect_sound(Polytope<2>::hull(turned(points_of(thin), random.rotation_matrix<2>())));
  }
}

TEST(Polytope, ScaleDoesNotMatter) {
  Random random(6);
  for (double scale : {1e-50, 1e-3, 1e-1, 1e1, 1e3, 1e50}) {
    for (const auto& original : some_solids()) {
      auto points = turned(points_of(original), random.rotation_matrix<3>());
      for (Vec<3>& x : points) x *= scale;
      const auto P = Polytope<3>::hull(points);
      EXPECT_EQ(P.facet_count(), original.facet_count());
      EXPECT_NEAR(P.size() / scale, original.size(), 1e-14 * original.size());
      expect_sound(P);
    }
  }
}

TEST(Polytope, ABoxFarFromTheOriginKeepsItsSixFaces) {
  Random random(7);
  for (double distance : {1e2, 1e4, 1e6}) {
    for (int i = 0; i < 20; ++i) {
      auto points = turned(points_of(make_box<3>({1, 2, 3})), random.rotation_matrix<3>());
      const Vec<3> offset = distance * random.direction<3>();
      for (Vec<3>& x : points) x += offset;
      const auto P = Polytope<3>::hull(points);
      EXPECT_EQ(P.facet_count(), 6);
      expect_sound(P);
    }
  }
}

/// Points near the faces, edges and corners of a box, off by 1e-17 to 1e-8 of its size.
TEST(Polytope, PointsNearAnyFeatureByAnyAmountGiveASoundPolytope) {
  Random random(8);
  int merged = 0, kept = 0;
  double worst = 0;
  for (int i = 0; i < 600; ++i) {
    const auto box =
        Polytope<3>::hull(turned(points_of(make_box<3>({2, 2, 2})), random.rotation_matrix<3>()));
    auto points = points_of(box);
    add_points_on_surface(box, 3, random, points);
    for (int k = 0; k < 8; ++k) points.push_back(box.vertex(k));
    const double amount = random.log_uniform(1e-17, 1e-8);
    for (std::size_t k = 8; k < points.size(); ++k) points[k] += amount * random.direction<3>();
    std::vector<Vec<3>> distinct;
    for (const Vec<3>& x : points) {
      if (std::find(distinct.begin(), distinct.end(), x) == distinct.end()) distinct.push_back(x);
    }
    const auto P = Polytope<3>::hull(distinct);
    expect_sound(P);
    ++(P.facet_count() == 6 ? merged : kept);
    for (const Plane<3>& plane : P.facet_planes()) {
      for (const Vec<3>& x : points) worst = std::max(worst, plane.height(x) / P.size());
    }
    ASSERT_LE(worst, 3 * kFlatness) << "amount " << amount;
  }
  EXPECT_GT(merged, 100);
  EXPECT_GT(kept, 100);
}

TEST(Polytope, ManyPointsOnTheSurfaceOfATurnedBoxLeaveItsCorners) {
  Random random(9);
  const auto box = Polytope<3>::hull(turned(points_of(make_box<3>({1, 1, 1})), random.rotation_matrix<3>()));
  auto points = points_of(box);
  add_points_on_surface(box, 1000, random, points);
  EXPECT_TRUE(same_bits(box, Polytope<3>::hull(points)));
}

TEST(Polytope, AlmostFlatCapsAreSound) {
  Random random(10);
  for (int i = 0; i < 100; ++i) {
    const double bulge = random.log_uniform(1e-17, 1e-9);
    std::vector<Vec<3>> points{{0, 0, -1}};
    for (int k = 0; k < 60; ++k) {
      const Vec<2> x = std::sqrt(random.unit()) * random.direction<2>();
      points.emplace_back(x.x(), x.y(), -bulge * x.squaredNorm());
    }
    expect_sound(Polytope<3>::hull(turned(points, random.rotation_matrix<3>())));
  }
}

TEST(Polytope, OneHundredThousandVerticesAreBuiltInSeconds) {
  const auto sphere = make_tessellated_sphere(100000, 1);
  EXPECT_EQ(sphere.vertex_count(), 100000);
  EXPECT_EQ(sphere.vertex_count() + sphere.facet_count(), sphere.edge_count() + 2);
  EXPECT_EQ(make_cylinder(1, 2, 20000).facet_count(), 20002);
  EXPECT_EQ(make_cone(1, 2, 20000).facet_count(), 20001);
}

/// On a grid of small integers all determinants are exact, so that every plane through three points can be
/// tried. Many points share planes and lines.
TEST(Polytope, HullsOfGridPointsAreThoseFoundByTryingAllPlanes) {
  using Int3 = Eigen::Matrix<long long, 3, 1>;
  Random random(11);
  int solids = 0, flat = 0, with_polygons = 0;
  for (int trial = 0; trial < 600; ++trial) {
    const int width = 2 + random.index(4), wanted = trial % 4 == 0 ? 4 : 4 + random.index(30);
    std::vector<Int3> grid;
    std::vector<Vec<3>> points;
    for (int i = 0; i < wanted; ++i) {
      const Int3 x(random.index(width), random.index(width), random.index(width));
      if (std::find(grid.begin(), grid.end(), x) != grid.end()) continue;
      grid.push_back(x);
      points.push_back(x.cast<double>());
    }
    if (points.size() < 4) continue;
    std::vector<std::array<long long, 4>> planes;  // outward normal in lowest terms, and offset
    const int n = static_cast<int>(grid.size());
    for (int a = 0; a < n; ++a) {
      for (int b = a + 1; b < n; ++b) {
        for (int c = b + 1; c < n; ++c) {
          Int3 normal = (grid[b] - grid[a]).cross(grid[c] - grid[a]);
          if (normal.isZero()) continue;
          normal /= std::gcd(std::gcd(normal[0], normal[1]), normal[2]);
          long long low = 0, high = 0;
          for (const Int3& x : grid) {
            low = std::min(low, normal.dot(x - grid[a]));
            high = std::max(high, normal.dot(x - grid[a]));
          }
          if (low < 0 && high > 0) continue;
          if (high > 0) normal = -normal;
          planes.push_back({normal[0], normal[1], normal[2], normal.dot(grid[a])});
          if (low == 0 && high == 0)
            planes.push_back({-normal[0], -normal[1], -normal[2], -normal.dot(grid[a])});
        }
      }
    }
    std::sort(planes.begin(), planes.end());
    planes.erase(std::unique(planes.begin(), planes.end()), planes.end());
    if (planes.size() < 4) {
      EXPECT_SAYS(message_of<3>(points), "flat");
      ++flat;
      continue;
    }
    ++solids;
    const auto P = Polytope<3>::hull(points);
    expect_sound(P);
    ASSERT_EQ(P.facet_count(), static_cast<int>(planes.size()));
    for (const auto& [x, y, z, offset] : planes) {
      const Vec<3> normal(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z));
      const auto same = [&](const Plane<3>& plane) {
        return (plane.normal - normal.normalized()).norm() < 1e-14 &&
               std::abs(plane.offset - static_cast<double>(offset) / normal.norm()) < 1e-13;
      };
      EXPECT_EQ(std::count_if(P.facet_planes().begin(), P.facet_planes().end(), same), 1);
    }
    with_polygons += P.edge_count() * 2 > P.facet_count() * 3;
  }
  EXPECT_GT(solids, 200);
  EXPECT_GT(flat, 5);
  EXPECT_GT(with_polygons, 100);
}

// ---- what is refused ------------------------------------------------------------------------------------

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Polytope, RefusesTooFewPoints) {
  EXPECT_SAYS(message_of<3>({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), "at least 4 points, not 3");
  EXPECT_SAYS(message_of<3>({}), "at least 4 points, not 0");
  EXPECT_SAYS(message_of<2>({{0, 0}, {1, 0}}), "at least 3 points, not 2");
}

TEST(Polytope, RefusesWhatIsNotANumberOrInfiniteOrHuge) {
  EXPECT_SAYS(message_of<3>({{0, 0, 0}, {1, 0, 0}, {0, kNan, 0}, {0, 0, 1}}),
              "point 2 (0, nan, 0) is not a number");
  EXPECT_SAYS(message_of<3>({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, -kInfinity}}),
              "point 3 (0, 0, -inf) is infinite");
  EXPECT_SAYS(message_of<2>({{0, 0}, {1, kInfinity}, {0, 1}}), "point 1");
  EXPECT_SAYS(message_of<2>({{0, 0}, {1e61, 0}, {0, 1}}), "point 1 (1e+61, 0) is too large");
  EXPECT_SAYS(message_of<2>({{0, 0}, {1e-70, 0}, {0, 1e-70}}), "too close together");
  EXPECT_SAYS(message_of<3>({{0, 0, 0}, {5e-324, 0, 0}, {0, 5e-324, 0}, {0, 0, 5e-324}}),
              "too close together");
}

TEST(Polytope, RefusesEqualPoints) {
  EXPECT_SAYS(message_of<3>({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}}),
              "points 1 and 4 are the same: (1, 0, 0)");
  EXPECT_SAYS(message_of<2>({{0, 0}, {1, 0}, {0, 1}, {-0.0, 0}}), "points 0 and 3 are the same");
}

TEST(Polytope, RefusesFlatPointsWhateverTheRotation) {
  Random random(12);
  EXPECT_SAYS(message_of<3>({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}), "flat");
  EXPECT_SAYS(message_of<3>({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}), "flat");
  EXPECT_SAYS(message_of<2>({{0, 0}, {1, 1}, {3, 3}}), "flat");
  for (int i = 0; i < 200; ++i) {
    const double thickness = random.log_uniform(1e-17, 1e-13);
    std::vector<Vec<3>> points;
    for (int k = 0; k < 20; ++k) {
      points.emplace_back(random.uniform(-1, 1), random.uniform(-1, 1), thickness * random.uniform(-1, 1));
    }
    EXPECT_SAYS(message_of<3>(turned(points, random.rotation_matrix<3>())), "flat");
    std::vector<Vec<2>> corners;
    for (int k = 0; k < 20; ++k)
      corners.emplace_back(random.uniform(-1, 1), thickness * random.uniform(-1, 1));
    EXPECT_SAYS(message_of<2>(turned(corners, random.rotation_matrix<2>())), "flat");
  }
}

/// An L of two unit squares and the corner between them, drawn out along z.
struct LShape {
  std::vector<Vec<3>> points;
  Faces faces;
  LShape() {
    const std::vector<Vec<2>> corners{{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    for (double z : {0.0, 1.0}) {
      for (const Vec<2>& c : corners) points.emplace_back(c.x(), c.y(), z);
    }
    faces = {{5, 4, 3, 2, 1, 0}, {6, 7, 8, 9, 10, 11}};
    for (int i = 0; i < 6; ++i) faces.push_back({i, (i + 1) % 6, (i + 1) % 6 + 6, i + 6});
  }
};

TEST(Polytope, RefusesAnLShape) {
  const LShape L;
  EXPECT_SAYS(message_of<3>(L.points, L.faces), "not convex");
  EXPECT_SAYS(message_of<3>(L.points, fans(L.faces, 3)), "not convex");
  EXPECT_SAYS(message_of<2>({{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}, {{0, 1, 2, 3, 4, 5}}),
              "not convex");
}

TEST(Polytope, RefusesDentsAsSmallAsAThousandthAndTellsTheirDepth) {
  const auto P = make_box<3>({1, 1, 1});
  for (double depth : {0.3, 0.01, 0.001, 0.0001}) {
    auto points = points_of(P);
    points.emplace_back(0, 0, 0.5 - depth);
    Faces faces;
    for (const auto& loop : faces_of(P)) {
      if (P.vertex(loop[0]).z() + P.vertex(loop[1]).z() + P.vertex(loop[2]).z() < 1.4) {
        faces.push_back(loop);
        continue;
      }
      for (int i = 0; i < 4; ++i) faces.push_back({loop[i], loop[(i + 1) % 4], 8});
    }
    ASSERT_EQ(faces.size(), 9u);
    const std::string message = message_of<3>(points, faces);
    EXPECT_SAYS(message, "not convex: point 8");
    EXPECT_SAYS(message, depth == 0.001 ? "0.001 below" : "below its hull");
  }
}

TEST(Polytope, RefusesAValleyBetweenCornersOfTheHull) {
  // A box whose top is folded the wrong way: its four corners rise alternately.
  std::vector<Vec<3>> points{{0, 0, 0}, {1, 0, 0},   {1, 1, 0}, {0, 1, 0},
                             {0, 0, 1}, {1, 0, 1.2}, {1, 1, 1}, {0, 1, 1.2}};
  const Faces sides{{3, 2, 1, 0}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
  Faces valley = sides, ridge = sides;
  valley.insert(valley.end(), {{4, 5, 6}, {4, 6, 7}});
  ridge.insert(ridge.end(), {{4, 5, 7}, {5, 6, 7}});
  EXPECT_SAYS(message_of<3>(points, valley),
              "not convex: the edge from point 4 (0, 0, 1) to point 6 (1, 1, 1) lies 0.2");
  EXPECT_EQ(message_of<3>(points, ridge), "taken");
}

TEST(Polytope, RefusesOpenInsideOutAndTornSurfaces) {
  const auto P = make_box<3>({1, 1, 1});
  const auto points = points_of(P);
  const Faces good = faces_of(P);

  Faces faces = good;
  faces.pop_back();
  EXPECT_SAYS(message_of<3>(points, faces), "open: the edge from point");

  faces = good;
  for (auto& loop : faces) std::reverse(loop.begin(), loop.end());
  EXPECT_SAYS(message_of<3>(points, faces), "inside out");
  EXPECT_SAYS(message_of<2>({{0, 0}, {1, 0}, {0, 1}}, {{0, 2, 1}}), "inside out");

  faces = good;
  std::reverse(faces[2].begin(), faces[2].end());
  EXPECT_SAYS(message_of<3>(points, faces), "evenly oriented");

  faces = good;
  faces.push_back(faces[0]);
  EXPECT_SAYS(message_of<3>(points, faces), "belongs to two faces");
}

TEST(Polytope, RefusesASheetBesidesTheSurface) {
  // Two triangles back to back, within a cube: closed and evenly oriented, but not the surface of a solid.
  const auto P = make_box<3>({1, 1, 1});
  Faces faces = faces_of(P);
  faces.push_back({0, 3, 6});
  faces.push_back({6, 3, 0});
  EXPECT_SAYS(message_of<3>(points_of(P), faces), "not convex");
}

TEST(Polytope, RefusesFacesThatAreNone) {
  const auto P = make_box<3>({1, 1, 1});
  const auto points = points_of(P);
  Faces faces = faces_of(P);
  EXPECT_SAYS(message_of<3>(points, {}), "no faces");
  faces[3] = {0, 1};
  EXPECT_SAYS(message_of<3>(points, faces), "face 3 has fewer than three corners");
  faces[3] = {0, 1, 8};
  EXPECT_SAYS(message_of<3>(points, faces), "face 3 names point 8 of 8");
  faces[3] = {0, -1, 2};
  EXPECT_SAYS(message_of<3>(points, faces), "face 3 names point -1 of 8");
  faces[3] = {0, 1, 2, 1};
  EXPECT_SAYS(message_of<3>(points, faces), "face 3 names point 1 twice");
  EXPECT_SAYS(message_of<2>({{0, 0}, {1, 0}, {0, 1}}, {{0, 1, 2}, {0, 1, 2}}), "one loop, not 2");
}

TEST(Polytope, TakesWarpedFacesAsFarAsTheirDigitsGoAndNoFurther) {
  const auto P = make_dodecahedron(1);
  for (double digits : {1e3, 1e4, 1e6}) {
    auto points = points_of(P);
    for (Vec<3>& x : points) x = x.unaryExpr([&](double c) { return std::round(c * digits) / digits; });
    const auto Q = Polytope<3>::from_faces(points, faces_of(P));
    EXPECT_NEAR(find_mass_properties(Q).volume, find_mass_properties(P).volume, 10 / digits);
  }
  auto points = points_of(make_box<3>({1, 1, 1}));
  points[7] += Vec<3>(0.1, 0.1, 0.1);
  EXPECT_SAYS(message_of<3>(points, faces_of(make_box<3>({1, 1, 1}))), "is not flat");
}

}  // namespace
}  // namespace touchstone
