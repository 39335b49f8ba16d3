// A solid is the same, bit for bit, from whichever format of file it is read.

#include "touchstone/geometry/mesh_file.h"

#include <gtest/gtest.h>

#include "mesh_writers.h"
#include "polytope_check.h"
#include "touchstone/geometry/mass_properties.h"
#include "touchstone/geometry/shapes.h"
#include "touchstone/math/random.h"

namespace touchstone {
namespace {

struct Solid {
  std::string name;
  Polytope<3> solid;
  Mesh polygons, triangles;
};

Solid described(const std::string& name, const Polytope<3>& P) {
  return {name, P, {points_of(P), faces_of(P)}, {points_of(P), fans(faces_of(P), 1)}};
}

std::vector<Solid> solids() {
  Random random(1);
  const Mat<3> R = random.rotation_matrix<3>();
  auto turned = points_of(make_box<3>({1, 2, 3}));
  for (Vec<3>& x : turned) x = R * x;
  return {described("box", make_box<3>({2, 1, 0.5})), described("turned box", Polytope<3>::hull(turned)),
          described("icosahedron", make_icosahedron(1)), described("cylinder", make_cylinder(1, 2, 24)),
          described("cone", make_cone(1, 2, 7))};
}

// ---- the same solid from every format -------------------------------------------------------------------

TEST(MeshFile, EveryTextFormatGivesTheSolidBitForBit) {
  for (const auto& [name, solid, polygons, triangles] : solids()) {
    for (const Mesh& mesh : {polygons, triangles}) {
      EXPECT_TRUE(same_bits(solid, solid_of(as_obj(mesh), MeshFormat::obj))) << name;
      EXPECT_TRUE(same_bits(solid, solid_of(as_off(mesh), MeshFormat::off))) << name;
      EXPECT_TRUE(same_bits(solid, solid_of(as_poly(mesh), MeshFormat::poly))) << name;
      EXPECT_TRUE(same_bits(solid, solid_of(as_text_ply(mesh), MeshFormat::ply))) << name;
    }
    EXPECT_TRUE(same_bits(solid, solid_of(as_text_stl(triangles), MeshFormat::stl))) << name;
  }
}

TEST(MeshFile, BinaryPlyOfEitherByteOrderGivesTheSolidBitForBit) {
  for (const auto& [name, solid, polygons, triangles] : solids()) {
    for (std::endian order : {std::endian::little, std::endian::big}) {
      EXPECT_TRUE(same_bits(solid, solid_of(as_binary_ply(polygons, order), MeshFormat::ply))) << name;
      EXPECT_TRUE(same_bits(solid, solid_of(as_binary_ply(triangles, order), MeshFormat::ply))) << name;
    }
  }
}

TEST(MeshFile, BinaryStlGivesTheSolidToSinglePrecision) {
  constexpr double kSingle = 6e-8;
  for (const auto& [name, solid, polygons, triangles] : solids()) {
    for (const std::string head : {"binary", "solid but binary"}) {
      const auto P = solid_of(as_binary_stl(triangles, head), MeshFormat::stl);
      ASSERT_EQ(P.vertex_count(), solid.vertex_count()) << name;
      for (const Vec<3>& x : solid.vertices()) {
        double nearest = 1;
        for (const Vec<3>& y : P.vertices()) nearest = std::min(nearest, (x - y).norm());
        EXPECT_LE(nearest, kSingle * solid.size()) << name;
      }
      const double volume = find_mass_properties(solid).volume;
      EXPECT_NEAR(find_mass_properties(P).volume, volume, 10 * kSingle * volume) << name;
      expect_sound(P);
    }
  }
  const auto box = make_box<3>({2, 1, 0.5});  // halves are exact in single precision too
  EXPECT_TRUE(same_bits(box, solid_of(as_binary_stl(described("", box).triangles), MeshFormat::stl)));
}

// ---- what files look like in the wild -------------------------------------------------------------------

const Polytope<3> kCube = make_box<3>({2, 2, 2});

const std::string kObjCube =
    "\xEF\xBB\xBFmtllib cube.mtl\r\n"
    "v -1 -1 -1\r\nv -1 -1 1\r\nv -1 1 -1 1.0\r\nv -1 1 1 0.5 0.5 0.5\r\n"
    "v 1 -1 -1\r\n\tv +1 -1.0 1e0\r\nv 1 1 -1 # a comment\r\nv 1 1 \\\r\n 1\r\n"
    "usemtl red\r\nl 1 2\r\np 1\r\ng side\r\n"
    "f 1 2 4 3\r\nf 5 7 8 6\r\nf 1 5 6 2\r\n"
    "f -6/1/1 -5//2 \\\r\n -1/3 \\\r\n -2\r\nf 1 3 7 5\r\nf 2 6 8 4";

TEST(MeshFile, ObjTakesNegativeIndicesContinuedLinesAndUnknownKeywords) {
  EXPECT_TRUE(same_bits(kCube, solid_of(kObjCube, MeshFormat::obj)));
}

TEST(MeshFile, ObjFacesMayStandBeforeTheirVertices) {
  const std::string text = "f 1 2 3\nf 1 4 2\nf 2 4 3\nf 3 4 1\nv 0 0 0\nv 0 1 0\nv 1 0 0\nv 0 0 1\n";
  EXPECT_EQ(solid_of(text, MeshFormat::obj).vertex_count(), 4);
}

TEST(MeshFile, OffTakesCountsInItsHeadColoursAndNormals) {
  const std::string body =
      "-1 -1 -1 E\n-1 -1 1 E\n-1 1 -1 E\n-1 1 1 E\n1 -1 -1 E\n1 -1 1 E\n1 1 -1 E\n1 1 1 E\n"
      "4 0 1 3 2\n4 4 6 7 5 255 0 0\n# comment\n\n4 0 4 5 1 0.5 0.5 0.5 1\n4 2 3 7 6\n4 0 2 6 4\n4 1 5 7 3\n";
  const auto with = [&](const std::string& head, const std::string& extra) {
    std::string text = head + body;
    for (std::size_t at; (at = text.find('E')) != std::string::npos;) text.replace(at, 1, extra);
    return solid_of(text, MeshFormat::off);
  };
  EXPECT_TRUE(same_bits(kCube, with("OFF\n8 6 12\n", "")));
  EXPECT_TRUE(same_bits(kCube, with("OFF 8 6 12\n", "")));
  EXPECT_TRUE(same_bits(kCube, with("OFF 8 6\n", "")));
  EXPECT_TRUE(same_bits(kCube, with("# head\n\nCOFF # colours\n# counts\n8 6 0\n", "255 0 0 255")));
  EXPECT_TRUE(same_bits(kCube, with("NOFF\n8 6 0\n", "0 0 1")));
}

TEST(MeshFile, PolyTakesTheSimulatorsOwnSpellings) {
  const std::string corners[] = {"-1 -1 -1", "-1 -1 1", "-1 1 -1", "-1 1 1",
                                 "1 -1 -1",  "1 -1 1",  "1 1 -1",  "1 1 1"};
  std::string numbered = "# cube\n8\n", bare = "8 # vertices\n", bracketed = "8\n";
  for (int i = 0; i < 8; ++i) {
    numbered += std::to_string(i + 1) + "\t" + corners[i] + "\n";
    bare += corners[i] + " % x, y, z\n";
    bracketed += std::to_string(i + 1) + " [" + corners[i] + "]; // vertex\n";
  }
  const std::string faces = "\n6\n1 2 4 3\n5 7 8 6\n1 5 6 2\n3 4 8 7\n1 3 7 5\n2 6 8 4\n\n";
  const std::string faces_from_0 = "6\n0,1,3,2,\n4 6 7 5\n0 4 5 1\n2 3 7 6\n0 2 6 4\n1 5 7 3";
  for (const std::string& vertices : {numbered, bare, bracketed}) {
    EXPECT_TRUE(same_bits(kCube, solid_of(vertices + faces, MeshFormat::poly)));
    EXPECT_TRUE(same_bits(kCube, solid_of(vertices + faces_from_0, MeshFormat::poly)));
  }
}

TEST(MeshFile, StlTakesCapitalsAndNormalsThatAreNoNumbers) {
  Mesh mesh{points_of(kCube), fans(faces_of(kCube))};
  std::string text = as_text_stl(mesh);
  for (std::size_t at = 0; (at = text.find("normal 0 0 0", at)) != std::string::npos;)
    text.replace(at, 12, "NORMAL nan nan nan");
  for (std::size_t at = 0; (at = text.find("endloop", at)) != std::string::npos;)
    text.replace(at, 7, "ENDLOOP");
  EXPECT_TRUE(same_bits(kCube, solid_of(text, MeshFormat::stl)));
}

TEST(MeshFile, EqualPointsBecomeOneAndWhatCollapsesOrIsUnusedVanishes) {
  const std::string text =
      "v 0 0 0\nv 0 1 0\nv 1 0 0\nv 0 0 1\n"   // 1 to 4
      "v -0 0 0\nv 0 1 0\nv 9 9 9\nv 1 0 0\n"  // 5 is 1, 6 is 2, 7 is unused, 8 is 3
      "f 1 2 6 3\nf 5 4 2\nf 6 4 3\nf 8 4 1\n"
      "f 1 5 2\nf 2 6 2\n";  // two that collapse to edges
  const Mesh mesh = read_mesh(text, MeshFormat::obj, "file");
  EXPECT_EQ(mesh.points.size(), 4u);
  EXPECT_EQ(mesh.faces.size(), 4u);
  EXPECT_EQ(mesh.faces[0], (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(Polytope<3>::from_faces(mesh.points, mesh.faces).facet_count(), 4);
}

TEST(MeshFile, NumbersBelowTheSmallestAreZero) {
  const Mesh mesh =
      read_mesh("v 1e-400 0 0\nv 0 1 -2E-999\nv 1 0 0\nv 0 0 1\nf 1 2 3\n", MeshFormat::obj, "file");
  EXPECT_EQ(mesh.points[0], Vec<3>(0, 0, 0));
  EXPECT_EQ(mesh.points[1], Vec<3>(0, 1, 0));
}

}  // namespace
}  // namespace touchstone
