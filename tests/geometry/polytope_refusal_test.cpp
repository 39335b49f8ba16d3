// Input that is no convex solid is refused, and the message names the fault.

#include <gtest/gtest.h>

#include <limits>

#include "polytope_check.h"
#include "polytope_input.h"
#include "touchstone/geometry/mass_properties.h"

namespace touchstone {
namespace {

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
  EXPECT_SAYS(message_of<3>(points, faces),
              "runs the same way in two faces (one of them is turned round or doubled)");
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

/// A cube of 2 m whose top is four triangles around a centre that lies `depth` too low [m].
struct DentedCube {
  std::vector<Vec<3>> points;
  Faces faces;
  explicit DentedCube(double depth) : points(points_of(make_box<3>({2, 2, 2}))) {
    const int centre = static_cast<int>(points.size());
    points.push_back({0, 0, 1 - depth});
    for (const auto& loop : faces_of(make_box<3>({2, 2, 2}))) {
      const bool top = std::all_of(loop.begin(), loop.end(), [&](int v) { return points[v].z() == 1; });
      if (!top) faces.push_back(loop);
      for (std::size_t i = 0; top && i < loop.size(); ++i) {
        faces.push_back({loop[i], loop[(i + 1) % loop.size()], centre});
      }
    }
  }
  std::string message() const { return message_of<3>(points, faces); }
};

TEST(Polytope, TakesADentOfRoundedDigitsForNoneAndRefusesADeeperOne) {
  // The allowance is 1e-5 sizes, 3.5e-5 m here: what files of six digits leave.
  EXPECT_EQ(DentedCube(2e-5).message(), "taken");
  EXPECT_SAYS(DentedCube(5e-5).message(), "not convex: point 8 (0, 0, 0.99995) lies 5e-05");
  EXPECT_SAYS(DentedCube(2e-2).message(), "not convex: point 8 (0, 0, 0.98) lies 0.02");
}

TEST(Polytope, AWarpedFaceDoesNotExcuseADentElsewhere) {
  // A corner at the bottom is moved by 3 cm, so that two of its faces are warped. The dent is in the top.
  DentedCube flat(0), dented(2e-2);
  for (DentedCube* cube : {&flat, &dented}) {
    for (Vec<3>& x : cube->points) {
      if (x == Vec<3>(-1, -1, -1)) x.x() = -1.03;
    }
  }
  EXPECT_EQ(flat.message(), "taken");
  EXPECT_SAYS(dented.message(), "not convex: point 8 (0, 0, 0.98) lies 0.02");
}

}  // namespace
}  // namespace touchstone
