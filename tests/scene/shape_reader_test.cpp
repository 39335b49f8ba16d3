#include "touchstone/scene/shape_reader.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <fstream>
#include <numbers>

#include "touchstone/geometry/mass_properties.h"

namespace touchstone {
namespace {

using nlohmann::json;
constexpr double kPi = std::numbers::pi;

template <int D>
Shape<D> shape_from(const std::string& text) {
  return read_shape<D>(json::parse(text), "a", "/nowhere");
}

template <int D>
Polytope<D> polytope_from(const std::string& text) {
  return std::get<Polytope<D>>(shape_from<D>(text));
}

/// The message with which a shape is refused.
template <int D>
std::string refusal(const std::string& text) {
  try {
    shape_from<D>(text);
  } catch (const BadInput& error) {
    return error.what();
  }
  return "it was accepted";
}

template <int D>
std::string pose_refusal(const std::string& text) {
  try {
    read_pose<D>(json::parse(text), "pose_a");
  } catch (const BadInput& error) {
    return error.what();
  }
  return "it was accepted";
}

template <int D>
void expect_same(const Polytope<D>& P, const Polytope<D>& Q) {
  ASSERT_EQ(P.vertex_count(), Q.vertex_count());
  for (int v = 0; v < P.vertex_count(); ++v) EXPECT_EQ(P.vertex(v), Q.vertex(v));
}

TEST(ShapeReader, EachNameMakesTheShapeThatTheCodeMakes) {
  expect_same(polytope_from<3>(R"({"box": [1, 2, 3]})"), make_box<3>({1, 2, 3}));
  expect_same(polytope_from<2>(R"({"box": [1, 2]})"), make_box<2>({1, 2}));
  expect_same(polytope_from<2>(R"({"regular_polygon": {"corners": 7, "radius": 2}})"),
              make_regular_polygon(7, 2));
  expect_same(polytope_from<3>(R"({"tetrahedron": 2})"), make_tetrahedron(2));
  expect_same(polytope_from<3>(R"({"cube": {"radius": 2}})"), make_cube(2));
  expect_same(polytope_from<3>(R"({"cube": {"side": 2}})"), make_box<3>({2, 2, 2}));
  expect_same(polytope_from<3>(R"({"octahedron": {"radius": 2}})"), make_octahedron(2));
  expect_same(polytope_from<3>(R"({"dodecahedron": 2})"), make_dodecahedron(2));
  expect_same(polytope_from<3>(R"({"icosahedron": 2})"), make_icosahedron(2));
  expect_same(polytope_from<3>(R"({"cylinder": {"radius": 1, "height": 3, "corners": 5}})"),
              make_cylinder(1, 3, 5));
  expect_same(polytope_from<3>(R"({"cone": {"radius": 1, "height": 3, "corners": 5.0}})"),
              make_cone(1, 3, 5));
  expect_same(polytope_from<3>(R"({"prism": {"base": {"box": [1, 2]}, "height": 3}})"),
              make_box<3>({1, 2, 3}));
  expect_same(polytope_from<3>(R"({"tessellated_sphere": {"vertices": 30, "radius": 2}})"),
              make_tessellated_sphere(30, 2));
  expect_same(polytope_from<3>(R"({"random_hull": {"vertices": 9, "seed": 4}})"), make_random_hull<3>(9, 4));
  expect_same(polytope_from<2>(R"({"random_hull": {"vertices": 9, "seed": 4}})"), make_random_hull<2>(9, 4));
  expect_same(polytope_from<2>(R"({"points": [[0, 0], [1, 0], [0, 1], [0.1, 0.1]]})"),
              Polytope<2>::hull(std::vector<Vec<2>>{{0, 0}, {1, 0}, {0, 1}}));
}

TEST(ShapeReader, RoundAndEndlessShapesAreReadInBothDimensions) {
  EXPECT_EQ(std::get<Sphere<3>>(shape_from<3>(R"({"sphere": 0.5})")).radius, 0.5);
  EXPECT_EQ(std::get<Sphere<2>>(shape_from<2>(R"({"sphere": {"radius": 2}})")).radius, 2);
  const auto ground =
      std::get<HalfSpace<3>>(shape_from<3>(R"({"half_space": {"normal": [0, 0, 2], "offset": 3}})"));
  EXPECT_EQ(ground.plane.normal, Vec<3>(0, 0, 1));
  EXPECT_EQ(ground.plane.offset, 1.5) << "2 z = 3";
  EXPECT_EQ(std::get<HalfSpace<2>>(shape_from<2>(R"({"half_space": {"normal": [0, 1]}})")).plane.offset, 0);
}

TEST(ShapeReader, EveryExampleOfTheTableIsAcceptedInTheDimensionsItNames) {
  int tried = 0;
  for (const ShapeEntry& entry : shape_entries()) {
    const json value = json::parse(entry.example);
    EXPECT_EQ(value.begin().key(), entry.name);
    EXPECT_TRUE(entry.in_2d || entry.in_3d) << entry.name;
    EXPECT_FALSE(entry.meaning.empty()) << entry.name;
    if (entry.name == "mesh") continue;  // needs a file; the command's test has one
    const int D = dimension_of_shape(value).value_or(3);
    EXPECT_NO_THROW(D == 2 ? (void)read_shape<2>(value, "a", ".") : (void)read_shape<3>(value, "a", "."));
    if (entry.short_form.empty()) continue;
    EXPECT_EQ(shape_of_word(entry.short_form, "a"), value) << "the short form says the same";
    ++tried;
  }
  EXPECT_GE(tried, 13);
}

TEST(ShapeReader, AMeshIsFoundBesideTheFileThatNamesIt) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "touchstone_shape_reader";
  std::filesystem::create_directories(folder / "parts");
  std::ofstream(folder / "parts" / "wedge.obj")
      << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  for (const char* text : {R"("parts/wedge.obj")", R"({"mesh": "parts/wedge.obj"})"}) {
    const auto shape = read_shape<3>(json::parse(text), "a", folder);
    EXPECT_NEAR(find_mass_properties(std::get<Polytope<3>>(shape)).volume, 1.0 / 6, 1e-16);
  }
  EXPECT_THROW(read_shape<3>("wedge.obj", "a", folder), BadInput);
  EXPECT_THROW(read_shape<3>("parts", "a", folder), BadInput);
  EXPECT_THROW(read_shape<2>("parts/wedge.obj", "a", folder), BadInput);
  std::filesystem::remove_all(folder);
}

TEST(ShapeReader, TheDimensionIsToldByWhatHasCoordinates) {
  const auto told = [](const char* text) { return dimension_of_shape(json::parse(text)); };
  EXPECT_EQ(told(R"({"box": [1, 2]})"), 2);
  EXPECT_EQ(told(R"({"box": [1, 2, 3]})"), 3);
  EXPECT_EQ(told(R"({"points": [[1, 2], [3, 4]]})"), 2);
  EXPECT_EQ(told(R"({"half_space": {"normal": [0, 1]}})"), 2);
  EXPECT_EQ(told(R"({"regular_polygon": {}})"), 2);
  EXPECT_EQ(told(R"({"cube": 1})"), 3);
  EXPECT_EQ(told(R"("part.obj")"), 3);
  EXPECT_EQ(told(R"({"sphere": 1})"), std::nullopt);
  EXPECT_EQ(told(R"({"random_hull": {"vertices": 9, "seed": 4}})"), std::nullopt);
  for (const char* nonsense : {"null", "[]", "{}", "3", R"({"box": 3})", R"({"points": []})",
                               R"({"points": [7]})", R"({"half_space": 1})", R"({"a": 1, "b": 2})"}) {
    EXPECT_EQ(told(nonsense), std::nullopt) << nonsense;
  }
}

struct Refused {
  const char* text;
  const char* part;  ///< of the message
};

TEST(ShapeReader, AFaultyShapeIsRefusedNamingTheFieldAndWhatWasExpected) {
  const Refused cases[] = {
      {R"({"bxo": [1, 2, 3]})", R"(a: unknown shape "bxo"; did you mean "box"?)"},
      {R"({"Half-Space": {}})", R"(did you mean "half_space"?)"},
      {R"({"zzzzzz": 1})", "valid: mesh, points, box"},
      {R"({"box": [1, 2, 3], "sphere": 1})", "a: expected one shape, got 2"},
      {R"({})", "a: expected a mesh path or an object"},
      {"null", "got null"},
      {"true", "got true"},
      {"[1, 2, 3]", "got a list of 3"},
      {R"("cube")", R"(a cube is written {"cube")"},
      {R"({"box": [1, 2]})", "a.box: expected a list of 3 side lengths, got a list of 2"},
      {R"({"box": 2})", "a.box: expected a list of 3 side lengths, got 2"},
      {R"({"box": [1, "2", 3]})", R"(a.box[1]: expected a number, got the text "2")"},
      {R"({"box": [1, -2, 3]})", "a.box[1]: expected a positive length, got -2"},
      {R"({"box": [1, 0, 3]})", "a.box[1]: expected a positive length, got 0"},
      {R"({"box": [1, 1e61, 3]})", "a.box[1]: expected a number of at most 1e60"},
      {R"({"sphere": {"raduis": 1}})", R"(a.sphere: unknown key "raduis"; did you mean "radius"?)"},
      {R"({"sphere": {}})", R"(a.sphere: the key "radius" is missing (a positive length))"},
      {R"({"sphere": -1})", "a.sphere: expected a positive length, got -1"},
      {R"({"sphere": "1"})", "a.sphere: expected an object with the keys radius"},
      {R"({"cube": {"radius": 1, "side": 1}})", "a.cube: expected either"},
      {R"({"cube": {}})", "a.cube: expected either"},
      {R"({"cylinder": {"radius": 1, "height": 1, "corners": 2}})",
       "a.cylinder.corners: expected a whole number from 3"},
      {R"({"cylinder": {"radius": 1, "height": 1, "corners": 4.5}})", "got 4.5"},
      {R"({"cylinder": {"radius": 1, "height": 1, "corners": 1e9}})", "to 1000000, got"},
      {R"({"cylinder": {"radius": 1, "height": 1}})", R"(the key "corners" is missing)"},
      {R"({"prism": {"base": {"box": [1, 2, 3]}, "height": 1}})", "a.prism.base.box: expected a list of 2"},
      {R"({"prism": {"base": {"sphere": 1}, "height": 1}})", "a.prism.base: expected a polygon"},
      {R"({"prism": {"base": {"cube": 1}, "height": 1}})",
       "a.prism.base.cube: there is no such shape in 2D, only in 3D"},
      {R"({"random_hull": {"vertices": 9, "seed": -1}})",
       "a.random_hull.seed: expected a whole number from 0 on, got -1"},
      {R"({"random_hull": {"vertices": 3, "seed": 1}})", "from 4 to"},
      {R"({"half_space": {"normal": [0, 0, 0]}})", "a.half_space.normal: expected a direction, got zero"},
      {R"({"half_space": {"normal": [1e-60, 0, 0], "offset": 1e60}})", "a.half_space.offset: expected"},
      {R"({"sphere": 1e-61})", "a.sphere: expected a length of at least 1e-60"},
      {R"({"half_space": {"offset": 1}})", R"(the key "normal" is missing)"},
      {R"({"points": 3})", "a.points: expected a list of points, got 3"},
      {R"({"points": [[0, 0, 0], [1, 0, 0], [0, 1]]})",
       "a.points[2]: expected a list of 3 coordinates, got a list of 2"},
      {R"({"points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, null]]})",
       "a.points[3][2]: expected a number, got null"},
      {R"({"points": [[0, 0, 0], [1, 0, 0]]})", "a.points: "},
      {R"({"points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]})", "a.points: "},
      {R"({"points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 1]]})", "a.points: "},
      {R"({"regular_polygon": {"corners": 5, "radius": 1}})", "only in 2D"},
      {R"("missing.obj")", "missing.obj"},
      {R"("part.step")", "part.step"},
      {R"({"mesh": 3})", "a.mesh: expected the path of a mesh file, got 3"},
  };
  for (const auto& [text, part] : cases) {
    const std::string message = refusal<3>(text);
    EXPECT_NE(message.find(part), std::string::npos) << text << "\n  was refused with: " << message;
  }
}

TEST(ShapeReader, NumbersThatAreNoneAreRefused) {
  const json value = {{"box", {1, std::numeric_limits<double>::quiet_NaN(), 1}}};
  EXPECT_THROW(read_shape<3>(value, "a", "."), BadInput);
  const json endless = {{"sphere", std::numeric_limits<double>::infinity()}};
  EXPECT_THROW(read_shape<3>(endless, "a", "."), BadInput);
}

TEST(PoseReader, ThreeWaysToSayOneRotationAgree) {
  // A third of a turn about the diagonal carries x to y, y to z, z to x.
  const Mat<3> cyclic = (Mat<3>() << 0, 0, 1, 1, 0, 0, 0, 1, 0).finished();
  const json poses[] = {{{"quaternion", {1, 1, 1, 1}}},
                        {{"quaternion", {1e-200, 1e-200, 1e-200, 1e-200}}},
                        {{"axis_angle", {5, 5, 5, 2 * kPi / 3}}},
                        {{"euler", {kPi / 2, 0, kPi / 2}}}};
  for (const json& pose : poses) {
    EXPECT_LT((read_pose<3>(pose, "pose").R - cyclic).norm(), 1e-15) << pose;
  }
}

TEST(PoseReader, WhatIsNotSaidIsZero) {
  EXPECT_EQ(read_pose<3>(json::object(), "pose").R, Mat<3>::Identity());
  EXPECT_EQ(read_pose<2>({{"position", {1, 2}}}, "pose").p, Vec<2>(1, 2));
  const Pose<2> turned = read_pose<2>({{"angle", kPi / 2}}, "pose");
  EXPECT_NEAR((turned * Vec<2>(1, 0) - Vec<2>(0, 1)).norm(), 0, 1e-16);
}

TEST(PoseReader, AFaultyPoseIsRefusedNamingTheFieldAndWhatWasExpected) {
  const Refused in_space[] = {
      {R"({"positoin": [0, 0, 0]})", R"(pose_a: unknown key "positoin"; did you mean "position"?)"},
      {R"({"position": [0, 0]})", "pose_a.position: expected a list of 3 coordinates"},
      {R"({"position": [0, 0, "x"]})", "pose_a.position[2]: expected a number"},
      {R"({"position": 3})", "pose_a.position: expected a list of 3 coordinates, got 3"},
      {R"({"quaternion": [0, 0, 0, 0]})", "pose_a.quaternion: expected a quaternion, got zero"},
      {R"({"quaternion": [1, 0, 0]})", "pose_a.quaternion: expected a list of 4 numbers (w, x, y, z)"},
      {R"({"axis_angle": [0, 0, 0, 1]})", "expected an axis, got zero"},
      {R"({"quaternion": [1, 0, 0, 0], "euler": [0, 0, 0]})", "got both"},
      {R"({"angle": 1})", R"(unknown key "angle")"},
      {"[0, 0, 0]", "pose_a: expected an object with the keys position, quaternion"},
  };
  for (const auto& [text, part] : in_space) {
    const std::string message = pose_refusal<3>(text);
    EXPECT_NE(message.find(part), std::string::npos) << text << "\n  was refused with: " << message;
  }
  EXPECT_NE(pose_refusal<2>(R"({"angle": [1]})").find("pose_a.angle: expected a number"), std::string::npos);
  EXPECT_NE(pose_refusal<2>(R"({"quaternion": [1, 0, 0, 0]})").find("unknown key"), std::string::npos);
}

TEST(ShapeWords, AWordIsJsonOrAShortFormOrAPath) {
  EXPECT_EQ(shape_of_word(R"({"cube": 1})", "a"), json({{"cube", 1}}));
  EXPECT_EQ(shape_of_word("box:2,3", "a"), json({{"box", {2.0, 3.0}}}));
  EXPECT_EQ(shape_of_word("half_space:0,1,-2", "a"),
            json({{"half_space", {{"normal", {0.0, 1.0}}, {"offset", -2.0}}}}));
  EXPECT_EQ(shape_of_word("parts/gear.obj", "a"), json("parts/gear.obj"));
  EXPECT_EQ(shape_of_word("mesh:gear.obj", "a"), json("gear.obj"));
  for (const char* word : {"bocks:2", "cube", "cube:", "cube:x", "box:2,,2", "cylinder:1,2", "half_space:1,2",
                           "points:1", "prism", "{", "", "spher"}) {
    EXPECT_THROW(shape_of_word(word, "a"), BadInput) << word;
  }
}

TEST(ShapeReader, AShortFormOfTheCommandLineIsToldHowItIsWrittenHere) {
  EXPECT_EQ(refusal<3>(R"("box:2,2,2")"),
            R"(a: "box:2,2,2" is the short form of the command line; here, write {"box":[2.0,2.0,2.0]})");
  EXPECT_EQ(refusal<3>(R"("box:2,x")"),
            R"(a: "box:2,x" is the short form of the command line; here, write {"box": [2, 2, 2]})");
}

}  // namespace
}  // namespace touchstone
