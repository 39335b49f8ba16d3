// Mesh files that are refused: each message names the place and what was expected there.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "mesh_writers.h"
#include "polytope_check.h"
#include "touchstone/geometry/mesh_file.h"
#include "touchstone/geometry/shapes.h"

namespace touchstone {
namespace {

const Polytope<3> kCube = make_box<3>({2, 2, 2});

struct Fault {
  MeshFormat format;
  std::string bytes;
  std::string message;  // a piece of it
};

std::string ply_file(const std::string& head, const std::string& body) {
  return "ply\n" + head + "end_header\n" + body;
}

const std::string kPlyXyz = "element vertex 1\nproperty float x\nproperty float y\nproperty float z\n";
const std::string kPlyFace = "element face 1\nproperty list uchar int vertex_indices\n";

std::string truncated_stl() {
  std::string bytes = as_binary_stl({points_of(kCube), fans(faces_of(kCube))});
  return bytes.substr(0, bytes.size() - 1);
}

std::string stl_with_nan() {
  std::string bytes = as_binary_stl({points_of(kCube), fans(faces_of(kCube))});
  bytes.replace(84 + 50 + 12 + 4, 4, "\xff\xff\xff\xff");
  return bytes;
}

std::string truncated_ply() {
  const std::string bytes = as_binary_ply({points_of(kCube), faces_of(kCube)}, std::endian::little);
  return bytes.substr(0, bytes.size() - 30);
}

const std::vector<Fault>& faults() {
  using enum MeshFormat;
  static const std::string le = "format binary_little_endian 1.0\n", text = "format ascii 1.0\n";
  static const std::vector<Fault> list{
      // any
      {obj, "", "f: the file is empty"},
      {obj, "hello\n", "f: expected vertices, found none"},
      {obj, "v 0 0 0\n", "f: expected faces, found none"},
      {obj, std::string("\0\0\0", 3), "expected vertices"},
      // OBJ
      {obj, "v 0 0 0\nv 1 0\n", "f:2: vertex 2 z: expected a number, but the line ends here"},
      {obj, "v 0 0 0\nv 1 x 0\n", "f:2: vertex 2 y: expected a number, not \"x\""},
      {obj, "v 0 nan 0\n", "f:1: vertex 1 y: expected a finite number, not \"nan\""},
      {obj, "v 0 inf 0\n", "f:1: vertex 1 y: expected a finite number, not \"inf\""},
      {obj, "v 0 1e999 0\n", "f:1: vertex 1 y: expected a number below 1e308, not \"1e999\""},
      {obj, "v 1,5 0 0\n", "expected a number, not \"1,5\""},
      {obj, "v 0 0 0\n\nf 1 2\n", "f:3: face 1: expected at least three corners, not 2"},
      {obj, "v 0 0 0\nf 1 1 2\n", "f:2: face 1: expected an index of one of the 1 vertices, not 2"},
      {obj, "v 0 0 0\nf 1 0 1\n", "f:2: face 1: expected an index from 1, or back from -1 to -1, not \"0\""},
      {obj, "v 0 0 0\nf 1 -2 1\n", "f:2: face 1: expected an index from 1"},
      {obj, "v 0 0 0\nf 1/1 a/2 1\n",
       "f:2: face 1: expected a corner such as 7, 7/1, 7//3 or 7/1/3, not \"a/2\""},
      {obj, "v 0 0 0\nf 1 99999999999 1\n", "f:2: face 1: expected a corner"},
      {obj, "v 0 0 0\nf 1 2147483647 1\n",
       "f:2: face 1: expected an index of one of the 1 vertices, not 2147483647"},
      // STL
      {stl, "sol", "f:byte 0: header: expected \"solid\" or the 84 bytes of a binary header, not 3"},
      {stl, "solid x\nendsolid\n", "expected vertices, found none"},
      {stl, "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0\n", "f:4: facet 1 z: expected a number"},
      {stl, "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nendloop\n",
       "f:5: facet 1: expected \"vertex\", not \"endloop\""},
      {stl, "solid x\nfacet normal 0 0 1\nouter loop\n",
       "f:3: facet 1: expected \"vertex\", but the file ends here"},
      {stl, "solid x\nvertex 0 0 0\n",
       "f:2: facet 1: expected \"facet\", \"solid\" or \"endsolid\", not \"vertex\""},
      {stl, truncated_stl(),
       "f:byte 80: number of triangles: expected a file of 84 + 50 n bytes for n = 12 triangles, not of 683"},
      {stl, std::string(80, 'x') + "\xff\xff\xff\xff",
       "expected a file of 84 + 50 n bytes for n = 4294967295"},
      {stl, stl_with_nan(), "f:byte 150: triangle 2: expected a finite number"},
      // PLY
      {ply, "plyx\n", "f:1: header: expected \"ply\", not \"plyx\""},
      {ply, "ply\nformat ascii 1.0\n", "f:2: header: expected \"end_header\", but the file ends here"},
      {ply, "ply\nformat utf8 1.0\n",
       "f:2: format: expected ascii, binary_little_endian or binary_big_endian, not \"utf8\""},
      {ply, ply_file(kPlyXyz + kPlyFace, ""), "expected a line \"format ...\""},
      {ply, "ply\nformat ascii 1.0\nelement vertex -3\n",
       "f:3: element vertex: expected an integer from 0 to 2147483647, not \"-3\""},
      {ply, "ply\nformat ascii 1.0\nproperty float x\n", "f:3: property: expected an element before it"},
      {ply, "ply\nelement vertex 1\nproperty quad x\n", "f:3: property: expected a type (char, "},
      {ply, "ply\nelement vertex 1\nproperty list float int x\n", "f:3: property: expected an integer type"},
      {ply, "ply\nelement vertex 1\nproperty float\n",
       "f:3: property: expected a name, but the line ends here"},
      {ply, "ply\nwhat\n",
       "f:2: header: expected format, element, property, comment or end_header, not \"what\""},
      {ply, ply_file(text + kPlyFace, ""), "header: expected one element vertex"},
      {ply, ply_file(text + kPlyXyz, ""), "header: expected one element face"},
      {ply, ply_file(text + kPlyXyz + kPlyXyz + kPlyFace, ""), "header: expected one element vertex"},
      {ply, ply_file(text + "element vertex 1\nproperty float x\nproperty float y\n" + kPlyFace, ""),
       "element vertex: expected one property z"},
      {ply, ply_file(text + kPlyXyz + "element face 1\nproperty int vertex_indices\n", ""),
       "element face: expected one property list ... vertex_indices"},
      {ply, ply_file(text + kPlyXyz + kPlyFace, "0 0\n"),
       "f:10: vertex 0 z: expected a number, but the line ends here"},
      {ply, ply_file(text + kPlyXyz + kPlyFace, "0 0 0 0\n"),
       "f:10: vertex 0: expected the end of the line, not \"0\""},
      {ply, ply_file(text + kPlyXyz + kPlyFace, "0 0 nan\n"), "f:10: vertex 0 z: expected a finite number"},
      {ply, ply_file(text + kPlyXyz + kPlyFace, "0 0 0\n"),
       "f:10: face 0: expected a row of values, but the file ends here"},
      {ply, ply_file(text + kPlyXyz + kPlyFace, "0 0 0\n3 0 0\n"),
       "f:11: face 0 vertex_indices: expected a list size"},
      {ply, ply_file(text + kPlyXyz + kPlyFace, "0 0 0\n3 0 0 1\n"),
       "f:11: face 0 vertex_indices: expected indices from 0 to 0"},
      {ply, ply_file(text + kPlyXyz + kPlyFace, "0 0 0\n2 0 0\n"),
       "f:11: face 0 vertex_indices: expected at least three corners, not 2"},
      {ply, ply_file(text + kPlyXyz + kPlyFace, "0 0 0\n-3 0 0\n"), "expected a list size"},
      {ply,
       ply_file(le + "element vertex 2000000000\nproperty float x\nproperty float y\nproperty float z\n" +
                    kPlyFace,
                "abc"),
       "vertex: expected 2000000000 rows of at least 12 bytes, but the file ends after 3"},
      {ply, ply_file(le + kPlyXyz + kPlyFace, std::string(12, '\0') + "\xff"),
       "face 0 vertex_indices: expected a list size that the values left over allow (0)"},
      {ply, ply_file(le + kPlyXyz + kPlyFace, std::string(11, '\xff') + "\x7f\3"),
       "expected a finite number"},
      {ply, truncated_ply(), ":byte "},
      // OFF
      {off, "OOF\n", "f:1: header: expected \"OFF\", not \"OOF\""},
      {off, "4OFF\n1 1 1\n", "f:1: header: expected vertices of three dimensions, not \"4OFF\""},
      {off, "OFF BINARY\n", "f:1: header: expected the text form of OFF, not \"BINARY\""},
      {off, "OFF\n",
       "f:1: counts: expected the numbers of vertices, faces and edges, but the file ends here"},
      {off, "OFF\n3\n", "f:2: number of faces: expected an integer, but the line ends here"},
      {off, "OFF\n2000000000 1 0\n0 0 0\n",
       "f:3: vertex 1: expected one of 2000000000 vertices, but the file ends here"},
      {off, "OFF\n1 1 0\n0 0 0\n2 0 0\n", "f:4: face 0 size: expected an integer from 3 to"},
      {off, "OFF\n1 1 0\n0 0 0\n4 0 0 0\n", "f:4: face 0: expected 4 corners, not 3"},
      {off, "OFF\n1 1 0\n0 0 0\n3 0 0 1\n", "f:4: face 0: expected an integer from 0 to 0, not \"1\""},
      {off, "OFF\n1 1 0\n0 0 0\n3 0 0 0\n3 0 0 0\n",
       "f:5: end of the file: expected nothing behind the last face"},
      // .poly
      {poly, "# nothing\n",
       "f:1: number of vertices: expected the number of vertices, but the file ends here"},
      {poly, "8 6\n", "f:1: number of vertices: expected one integer on its line, not 2 words"},
      {poly, "1.5\n", "f:1: number of vertices: expected an integer, not \"1.5\""},
      {poly, "2\n1 0 0 0\n3 0 0 1\n", "f:3: vertex 2 number: expected an integer from 1 to 2, not \"3\""},
      {poly, "1\n1 0 0 0 0\n", "f:2: vertex 1: expected \"i x y z\" or \"x y z\", not 5 words"},
      {poly, "1\n1 0 0 (2/3)^0.5\n", "f:2: vertex 1 z: expected a number, not \"(2/3)^0.5\""},
      {poly, "1\n1 0 0 0\n1\n1 1\n", "f:4: face 1: expected at least three corners, not 2"},
      {poly, "1\n1 0 0 0\n1\n1 1 2\n", "f:4: face 1: expected an integer from 0 to 1, not \"2\""},
      {poly, "1\n1 0 0 0\n1\n0 0 1\n",
       "f:4: face 1: expected corners from 0 to 0, as vertex 0 is named, not 1"},
      {poly, "1\n1 0 0 0\n2\n1 1 1\n", "f:4: face 2: expected one of 2 faces, but the file ends here"},
  };
  return list;
}

TEST(MeshFile, EveryFaultIsNamedWithItsPlace) {
  EXPECT_GE(faults().size(), 25u);
  for (const auto& [format, bytes, piece] : faults()) {
    try {
      read_mesh(bytes, format, "f");
      ADD_FAILURE() << "taken: " << piece;
    } catch (const BadMeshFile& trouble) {
      EXPECT_NE(std::string(trouble.what()).find(piece), std::string::npos)
          << trouble.what() << "\n  lacks " << piece;
    }
  }
}

TEST(MeshFile, AFileCutAnywhereIsRefusedOrStillWhole) {
  const Mesh cube{points_of(kCube), fans(faces_of(kCube))};
  const std::vector<std::pair<MeshFormat, std::string>> files{
      {MeshFormat::obj, as_obj(cube)},        {MeshFormat::stl, as_text_stl(cube)},
      {MeshFormat::stl, as_binary_stl(cube)}, {MeshFormat::ply, as_text_ply(cube)},
      {MeshFormat::off, as_off(cube)},        {MeshFormat::ply, as_binary_ply(cube, std::endian::big)},
      {MeshFormat::poly, as_poly(cube)}};
  int refused = 0, taken = 0;
  for (const auto& [format, bytes] : files) {
    for (std::size_t size = 0; size <= bytes.size(); ++size) {
      try {
        solid_of(bytes.substr(0, size), format);
        ++taken;
      } catch (const BadMeshFile&) {
        ++refused;
      } catch (const BadShape&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 1000);
  EXPECT_GE(taken, static_cast<int>(files.size()));
  EXPECT_LT(taken, 100);  // only the last line or element may be missed
}

// ---- files ----------------------------------------------------------------------------------------------

class MeshFiles : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }
  std::string message_of(const std::filesystem::path& file) const {
    try {
      load_polytope(file);
    } catch (const BadMeshFile& trouble) {
      return trouble.what();
    }
    return "taken";
  }
  std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) /
      (std::string("touchstone_mesh_") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(MeshFiles, LoadByTheirEndings) {
  const Mesh cube{points_of(kCube), fans(faces_of(kCube))};
  EXPECT_TRUE(same_bits(kCube, load_polytope(write("cube.obj", as_obj(cube)))));
  EXPECT_TRUE(same_bits(kCube, load_polytope(write("cube.STL", as_binary_stl(cube)))));
  EXPECT_TRUE(same_bits(kCube, load_polytope(write("cube.Ply", as_text_ply(cube)))));
  EXPECT_TRUE(same_bits(kCube, load_polytope(write("cube.off", as_off(cube)))));
  EXPECT_TRUE(same_bits(kCube, load_polytope(write("cube.poly", as_poly(cube)))));
  EXPECT_EQ(mesh_format_of("a/b.c/cube.stl"), MeshFormat::stl);
}

TEST_F(MeshFiles, ThatAreNoneGiveAMessage) {
  const auto says = [&](const std::filesystem::path& file, const std::string& piece) {
    EXPECT_NE(message_of(file).find(piece), std::string::npos) << message_of(file);
  };
  says(folder_ / "cube.xyz",
       "cube.xyz: expected a mesh file with one of the endings .obj, .stl, .ply, .off, .poly");
  says(folder_ / "cube", "expected a mesh file");
  says(folder_ / "missing.obj", "missing.obj: there is no such file");
  std::filesystem::create_directory(folder_ / "folder.obj");
  says(folder_ / "folder.obj", "folder.obj: expected a file, not a folder");
  says(write("empty.stl", ""), "empty.stl: the file is empty");
  says("/dev/null/x.obj", "there is no such file");
  std::filesystem::create_symlink("/dev/zero", folder_ / "endless.obj");
  says(folder_ / "endless.obj", "expected a regular file");
  const auto huge = write("huge.obj", "v 0 0 0\n");
  std::filesystem::resize_file(huge, (std::uintmax_t(1) << 30) + 1);  // a hole: takes no room
  says(huge, "expected a file of at most 1 GiB");
}

TEST_F(MeshFiles, OfABinarySolidTellTheSizeThatTheyShouldHave) {
  const std::string whole = as_binary_stl({points_of(kCube), fans(faces_of(kCube))}, "solid that lies");
  std::string miscounted = whole;
  ++miscounted[80];
  const auto wants = [&](const std::string& bytes, int triangles) {
    const std::string expected = "a file of 84 + 50 n bytes for n = " + std::to_string(triangles) +
                                 " triangles, not of " + std::to_string(bytes.size());
    EXPECT_NE(message_of(write("broken.stl", bytes)).find(expected), std::string::npos)
        << message_of(write("broken.stl", bytes));
  };
  wants(whole.substr(0, whole.size() - 20), 12);
  wants(whole + "extra", 12);
  wants(miscounted, 13);
}

TEST_F(MeshFiles, OfASolidThatIsRefusedAreNamed) {
  Mesh cube{points_of(kCube), faces_of(kCube)};
  cube.faces.pop_back();
  EXPECT_NE(
      message_of(write("open.obj", as_obj(cube))).find("open.obj: the surface is open: the edge from point"),
      std::string::npos);
  EXPECT_NE(message_of(write("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 4 3\nf 3 4 2 1\n"))
                .find("flat"),
            std::string::npos);
}

}  // namespace
}  // namespace touchstone
