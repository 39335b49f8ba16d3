// Scenes of other programs.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <numbers>

#include "support/temporary_folder.h"
#include "touchstone/scene/scene.h"

namespace touchstone {
namespace {

namespace fs = std::filesystem;

constexpr double kDegree = std::numbers::pi / 180;

fs::path data_folder() {
  const char* chosen = std::getenv("TOUCHSTONE_DATA");
  return chosen ? fs::path(chosen) : fs::path(TOUCHSTONE_SOURCE_DIR) / "../shared/data";
}

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

constexpr const char* kTetrahedron =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
constexpr const char* kSheet = "v -5 0 5\nv 5 0 5\nv -5 0 -5\nv 5 0 -5\nf 2 3 1\nf 2 4 3\n";
/// A tetrahedron with a dent: its fifth point lies inside.
constexpr const char* kDented =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0.2 0.2 0.2\n"
    "f 1 3 2\nf 1 2 4\nf 3 1 4\nf 2 3 5\nf 3 4 5\nf 4 2 5\n";

/// A rigid-ipc fixture of these bodies beside its meshes.
class RigidIpc : public testing::Test {
 protected:
  void SetUp() override {
    write(folder_ / "meshes/tet.obj", kTetrahedron);
    write(folder_ / "meshes/sheet.obj", kSheet);
    write(folder_ / "meshes/dented.obj", kDented);
  }
  Scene load(const std::string& bodies, const std::string& more = "") {
    const fs::path file = folder_ / "fixtures/3D/test.json";
    write(file, "{\"timestep\": 0.02, \"max_time\": 4, \"rigid_body_problem\": {\"gravity\": [0, -9.8, 0], " +
                    more + "\"rigid_bodies\": [" + bodies + "]}}");
    return load_scene(file.string());
  }
  std::string refusal_of(const std::string& bodies) {
    try {
      load(bodies);
    } catch (const BadScene& error) {
      return error.what();
    }
    return "it was taken";
  }

  TemporaryFolder folder_;
};

TEST_F(RigidIpc, AMeshIsScaledTurnedAndPlacedByItsOrigin) {
  const Scene scene =
      load(R"({"mesh": "tet.obj", "position": [1, 2, 3], "rotation": [0, 0, 90], "scale": [2, 1, 1],)"
           R"( "linear_velocity": [1, 0, 0], "angular_velocity": [0, 180, 0]})",
           R"("coefficient_friction": 0.25, "coefficient_restitution": -1, )");
  EXPECT_EQ(scene.dimension, 3);
  EXPECT_EQ(scene.settings.h, 0.02);
  EXPECT_EQ(scene.duration, 4);
  const World<3> world = make_world<3>(scene);
  const Body<3>& body = world.bodies.at(0);
  EXPECT_EQ(body.name, "tet-1");
  EXPECT_NEAR(body.mass, 1000.0 / 3, 1e-10) << "twice a sixth of a cubic metre of water";
  EXPECT_LT((body.position - (Vec<3>(1, 2, 3) + Vec<3>(-0.25, 0.5, 0.25))).norm(), 1e-14);
  EXPECT_LT((angular<3>(body.velocity) - Vec<3>(0, 180 * kDegree, 0)).norm(), 1e-14);
  EXPECT_EQ(linear<3>(body.velocity), Vec<3>(1, 0, 0));
  EXPECT_EQ(world.gravity, Vec<3>(0, -9.8, 0));
  EXPECT_EQ(world.surfaces.of(0, 0).mu, 0.25);
  EXPECT_EQ(world.surfaces.of(0, 0).bounce, 0);
}

TEST_F(RigidIpc, DimensionsOverrideTheScale) {
  const World<3> world =
      make_world<3>(load(R"({"mesh": "tet.obj", "scale": 7, "dimensions": [0.5, 1, 2], "density": 6})"));
  EXPECT_NEAR(world.bodies.at(0).mass, 1, 1e-14);
}

TEST_F(RigidIpc, ASheetIsSolidOnTheSideWhereNothingMoves) {
  for (const int side : {-1, 1}) {
    const World<3> world = make_world<3>(
        load(R"({"mesh": "sheet.obj", "type": "static"}, {"mesh": "tet.obj", "position": [0, )" +
             std::to_string(side * 2) + ", 0]}"));
    EXPECT_EQ(world.bodies.at(0).kind, BodyKind::fixed);
    const auto& slab = std::get<Polytope<3>>(*world.shapes.at(0).shape);
    double low = 1, high = -1;
    for (const Vec<3>& v : slab.vertices()) low = std::min(low, v.y()), high = std::max(high, v.y());
    EXPECT_EQ(side > 0 ? high : low, 0) << "the surface that others touch stays where it is";
    EXPECT_LT(high - low, 0.1);
    EXPECT_GT(high - low, 1e-3);
  }
}

TEST_F(RigidIpc, ABodyThatMayOnlyTurnAboutOneAxisHangsOnAHinge) {
  const Scene scene = load(
      R"({"mesh": "tet.obj", "is_dof_fixed": [true, true, true, true, false, true], "angular_velocity": [0, 45, 0]})");
  const auto& world = std::get<RunContent<3>>(scene.content).world;
  ASSERT_EQ(world.joints.size(), 1u);
  EXPECT_EQ(world.joints[0].body_B, 0);
}

TEST_F(RigidIpc, BodiesOfOneGroupNeverTouchAndDisabledOnesAreLeftOut) {
  const World<3> world = make_world<3>(load(
      R"({"mesh": "tet.obj", "group_id": 1}, {"mesh": "tet.obj", "group_id": 1},)"
      R"( {"mesh": "tet.obj", "enabled": false}, {"mesh": "tet.obj", "position": [3, 0, 0], "group_id": 2})"));
  EXPECT_EQ(world.bodies.size(), 3u);
  EXPECT_EQ(world.excluded, (std::vector<std::pair<int, int>>{{0, 1}}));
}

TEST_F(RigidIpc, WhatHasNoCounterpartIsNamedInOneMessage) {
  const std::string dented = refusal_of(R"({"mesh": "dented.obj"})");
  EXPECT_NE(dented.find("test.json"), std::string::npos) << dented;
  EXPECT_NE(dented.find("\"dented.obj\" is not a convex solid"), std::string::npos) << dented;
  EXPECT_NE(refusal_of(R"({"mesh": "none.obj"})").find("there is no mesh \"none.obj\""), std::string::npos);
  EXPECT_NE(refusal_of(R"({"mesh": "sheet.obj"})").find("must be fixed"), std::string::npos);
  EXPECT_NE(refusal_of(R"({"mesh": "tet.obj", "is_dof_fixed": [true, false, false, false, false, false]})")
                .find("all but one rotation"),
            std::string::npos);
  EXPECT_NE(refusal_of(R"({"mesh": "tet.obj", "densty": 3})").find("did you mean \"density\""),
            std::string::npos);
}

TEST(RigidIpcInThePlane, PolygonsArePartsAndLinesAreThinBoxes) {
  const World<2> world = make_world<2>(parse_scene(
      R"({"rigid_body_problem": {"gravity": [0, -1], "rigid_bodies": [
          {"vertices": [[-10, 0], [10, 0]], "edges": [[0, 1]], "is_dof_fixed": [true, true, true]},
          {"vertices": [[0, 0], [1, 0], [1, 1], [0, 1]], "edges": [[0, 1], [1, 2], [2, 3], [3, 0]],
           "position": [0, 1], "rotation": [90], "density": 2},
          {"polygons": [[[0, 0], [1, 0], [1, 1]], [[3, 0], [2, 0], [2, 1]]], "vertices": [[0, 0]],
           "position": [2, 1], "type": "static"}]}})",
      "test.json"));
  ASSERT_EQ(world.bodies.size(), 3u);
  ASSERT_EQ(world.shapes.size(), 4u);
  EXPECT_NEAR(world.bodies[1].mass, 2, 1e-15);
  EXPECT_NEAR(world.bodies[1].attitude.angle, 90 * kDegree, 1e-15);
  double high = -1;
  for (const Vec<2>& v : std::get<Polytope<2>>(*world.shapes[0].shape).vertices())
    high = std::max(high, v.y());
  EXPECT_EQ(high, 0);
}

TEST(RigidIpcInThePlane, OpenAndBentPolygonsAreRefused) {
  const auto refusal = [](const std::string& body) -> std::string {
    try {
      parse_scene("{\"rigid_body_problem\": {\"rigid_bodies\": [" + body + "]}}", "test.json");
    } catch (const BadScene& error) {
      return error.what();
    }
    return "it was taken";
  };
  EXPECT_NE(refusal(R"({"vertices": [[0, 0], [1, 2], [-1, 2]], "edges": [[0, 1], [0, 2]]})").find("closed"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"vertices": [[0, 0], [2, 0], [0.5, 0.5], [0, 2]],)"
                    R"( "edges": [[0, 1], [1, 2], [2, 3], [3, 0]]})")
                .find("not convex"),
            std::string::npos);
}

// ---- the data that came with the task --------------------------------------------------------------------

class SharedScenes : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::is_directory(data_folder())) GTEST_SKIP() << "no folder " << data_folder();
  }
};

TEST_F(SharedScenes, OfHullsKeepTheirMassesPosesAndTimes) {
  const Scene scene = load_scene((data_folder() / "scenes/pour10.json").string());
  const auto& content = std::get<RunContent<3>>(scene.content);
  ASSERT_EQ(content.world.bodies.size(), 15u);
  EXPECT_EQ(scene.duration, 5);
  EXPECT_NEAR(content.appear.back(), 4.5, 1e-12);
  const Body<3>& last = content.world.bodies.back();
  EXPECT_NEAR(last.mass, 18.5959, 1e-4);
  EXPECT_NEAR(last.inertia(0, 0), 0.1956, 1e-4);
  EXPECT_EQ(last.inertia(0, 1), 0);
  EXPECT_EQ(last.com, Vec<3>::Zero());
  EXPECT_EQ(linear<3>(last.velocity), Vec<3>(-0.5, 0, 0));
  for (const char* name : {"stack", "pour100", "prism"}) {
    EXPECT_NO_THROW(load_scene((data_folder() / "scenes" / (std::string(name) + ".json")).string())) << name;
  }
}

TEST_F(SharedScenes, OfRigidIpcAreReadOrRefusedForAReason) {
  std::map<std::string, std::string> refused;
  int taken = 0;
  for (const auto& entry : fs::recursive_directory_iterator(data_folder() / "rigid-ipc/fixtures")) {
    if (entry.path().extension() != ".json") continue;
    try {
      load_scene(entry.path().string());
      ++taken;
    } catch (const BadScene& error) {
      refused[entry.path().stem().string()] = error.what();
    }
  }
  EXPECT_EQ(taken, 28);
  ASSERT_EQ(refused.size(), 3u);
  EXPECT_NE(refused["dzhanibekov"].find("\"wing-nut.obj\" is not a convex solid"), std::string::npos);
  EXPECT_NE(refused["vee"].find("do not bound one convex polygon"), std::string::npos);
  EXPECT_NE(refused["parallel-edges"].find("without thickness must be fixed"), std::string::npos);
}

}  // namespace
}  // namespace touchstone
