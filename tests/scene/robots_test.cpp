// Robots from URDF files: what is taken, what is told, what is refused and where.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "support/temporary_folder.h"
#include "touchstone/scene/simulation.h"

namespace touchstone {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }

std::string link(const std::string& name, const std::string& more = "") {
  return "<link name=\"" + name +
         "\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" "
         "izz=\"1\"/></inertial>" +
         more + "</link>\n";
}
std::string joint(const std::string& name, const std::string& parent, const std::string& child,
                  const std::string& type, const std::string& limits = "") {
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent link=\"" + parent +
         "\"/><child link=\"" + child +
         "\"/><origin xyz=\"0.5 0 0\" rpy=\"0.3 0.2 0.1\"/><axis xyz=\"0 0.6 0.8\"/>" + limits + "</joint>\n";
}
std::string limit(const std::string& lower, const std::string& upper) {
  return "<limit lower=\"" + lower + "\" upper=\"" + upper + "\" effort=\"1\" velocity=\"1\"/>";
}

class Robots : public testing::Test {
 protected:
  Scene load(const std::string& inside) {
    write(folder_ / "r.urdf",
          "<?xml version=\"1.0\"?>\n<!-- a: b: c -->\n<robot name=\"r\">\n" + inside + "</robot>\n");
    return load_scene((folder_ / "r.urdf").string());
  }
  Scene load_by_scene(const std::string& inside, const std::string& robot) {
    load_quietly(inside);
    write(folder_ / "s.yaml", "touchstone: 1\ndimension: 3\nrobots:\n  - {urdf: r.urdf" + robot + "}\n");
    return load_scene((folder_ / "s.yaml").string());
  }
  void load_quietly(const std::string& inside) {
    write(folder_ / "r.urdf", "<robot name=\"r\">\n" + inside + "</robot>\n");
  }
  /// The refusal, without the folder.
  template <class Action>
  std::string refusal(const Action& action) {
    try {
      action();
    } catch (const BadScene& error) {
      std::string said = error.what();
      const std::string before = folder_.path().string() + "/";
      for (std::size_t at; (at = said.find(before)) != said.npos;) said.erase(at, before.size());
      return said;
    }
    return "it was taken";
  }
  std::string refusal_of(const std::string& inside) {
    return refusal([&] { load(inside); });
  }

  TemporaryFolder folder_;
};

// ---- limits ----------------------------------------------------------------------------------------------

TEST_F(Robots, AJointStartsWithinItsLimitsAndAWarningNamesIt) {
  struct Case {
    const char *type, *lower, *upper;
    double start;
  };
  for (const Case& c : {Case{"revolute", "0.5", "1.5", 0.5}, Case{"revolute", "-2", "-0.25", -0.25},
                        Case{"prismatic", "0.1", "0.3", 0.1}, Case{"revolute", "-4", "-3.5", -3.5},
                        Case{"revolute", "3.5", "9", 3.5}}) {
    const Scene scene = load(link("a") + link("b") + joint("j", "a", "b", c.type, limit(c.lower, c.upper)));
    ASSERT_EQ(scene.warnings.size(), 1u);
    EXPECT_NE(scene.warnings[0].find("joint \"j\""), std::string::npos) << scene.warnings[0];
    EXPECT_NE(scene.warnings[0].find(std::string(c.lower) + " to " + c.upper), std::string::npos)
        << scene.warnings[0];
    const World<3> world = make_world<3>(scene);
    EXPECT_NEAR(world.joints.at(0).value.at(0), c.start, 1e-12) << c.type;
    Simulation sim(scene);
    ASSERT_TRUE(sim.step());
    EXPECT_LT(sim.summary().energy_gained, 1e-9) << "it is not shot";
  }
  EXPECT_TRUE(
      load(link("a") + link("b") + joint("j", "a", "b", "revolute", limit("0", "1"))).warnings.empty());
  EXPECT_TRUE(load(link("a") + link("b") + joint("j", "a", "b", "continuous")).warnings.empty());
}

TEST_F(Robots, AValueThatTheSceneGivesMustKeepTheLimits) {
  const std::string inside = link("a") + link("b") + joint("j", "a", "b", "revolute", limit("0.5", "1.5"));
  const std::string said = refusal([&] { load_by_scene(inside, ", joints: {j: 2}"); });
  EXPECT_EQ(said, "s.yaml:4: robots[0].joints.j: 2 is outside of the limits of the joint, 0.5 to 1.5");
  const Scene scene = load_by_scene(inside, ", joints: {j: 1.25}");
  EXPECT_TRUE(scene.warnings.empty());
  EXPECT_NEAR(make_world<3>(scene).joints.at(0).value.at(0), 1.25, 1e-12);
}

// ---- masses ----------------------------------------------------------------------------------------------

TEST_F(Robots, LinksThatAreFixedTogetherAtAnyAngleAreOneBody) {
  const Scene scene = load_scene(TOUCHSTONE_SOURCE_DIR "/tests/corpus/urdf/merge-inertia.urdf");
  const Body<3>& body = make_world<3>(scene).bodies.at(1);
  EXPECT_NEAR(body.mass, 3, 1e-15);
  EXPECT_EQ(body.inertia, body.inertia.transpose()) << "to the bit";
  for (const char* turned : {"0.3 2.1 1.7", "-2.9 0.4 0.01", "1e-9 3 -3", "1.5707963 0 3.1415927"}) {
    std::string fixed = joint("f", "b", "c", "fixed");
    fixed.replace(fixed.find("0.3 0.2 0.1"), 11, turned);
    EXPECT_EQ(refusal_of(link("a") + link("b") + link("c") + joint("j", "a", "b", "continuous") + fixed),
              "it was taken")
        << turned;
  }
}

TEST_F(Robots, AnInertiaThatNoBodyHasIsRefusedByFileLineAndLink) {
  std::string bad = link("b");
  bad.replace(bad.find("izz=\"1\""), 7, "izz=\"9\"");
  EXPECT_EQ(refusal_of(link("a") + bad + joint("j", "a", "b", "continuous")).substr(0, 47),
            "r.urdf:5: link \"b\": inertia: no body has such a");
  bad.replace(bad.find("mass value=\"1\""), 14, "mass value=\"0\"");
  EXPECT_EQ(refusal_of(link("a") + bad + joint("j", "a", "b", "continuous")),
            "r.urdf:5: link \"b\": it moves, and needs an inertial with a mass above zero");
}

// ---- messages --------------------------------------------------------------------------------------------

TEST_F(Robots, AFaultIsToldWithFileLineAndName) {
  const std::string two = link("a") + link("b");
  EXPECT_EQ(refusal_of(two + joint("j", "a", "b", "floating")),
            "r.urdf:6: joint \"j\": expected fixed, revolute, continuous or prismatic");
  EXPECT_EQ(refusal_of(two + joint("j", "a", "b", "revolute", limit("-1", "1") + "<mimic joint=\"k\"/>")),
            "r.urdf:6: joint \"j\": mimics another; that is not known here");
  const std::string lost = refusal_of(two + joint("j", "a", "nobody", "continuous"));
  EXPECT_EQ(lost.substr(0, 21), "r.urdf:6: is no URDF ") << lost;
  EXPECT_NE(lost.find("nobody"), std::string::npos) << lost;
  const std::string mesh =
      "<collision><geometry><mesh filename=\"package://r/no.stl\"/></geometry></collision>";
  EXPECT_EQ(refusal_of(link("a") + link("b", mesh) + joint("j", "a", "b", "continuous")),
            "r.urdf:5: link \"b\": there is no mesh \"package://r/no.stl\"");
  const std::string box = "<collision><geometry><box size=\"1 0 1\"/></geometry></collision>";
  EXPECT_EQ(refusal_of(link("a") + link("b", box) + joint("j", "a", "b", "continuous")).substr(0, 28),
            "r.urdf:5: link \"b\": parts[0]");
  EXPECT_EQ(refusal_of("<link name=\"a\">"), "r.urdf:4: not XML: expected </link>, got </robot>");
  const std::string by_scene = refusal([&] { load_by_scene(two + joint("j", "a", "b", "floating"), ""); });
  EXPECT_EQ(by_scene.substr(0, 57), "s.yaml:4: robots[0].urdf: r.urdf:4: joint \"j\": expected f")
      << by_scene;
}

TEST_F(Robots, OtherFormatsAreNamed) {
  const auto says = [&](const std::string& text) {
    write(folder_ / "m.xml", text);
    return refusal([&] { load_scene((folder_ / "m.xml").string()); });
  };
  EXPECT_EQ(says("<!-- a: b -->\n<mujoco model=\"x\">\n<worldbody/></mujoco>"),
            "m.xml:2: is MJCF, MuJoCo's format, which is not read yet; give a URDF");
  EXPECT_EQ(says("<sdf version=\"1.6\"></sdf>"),
            "m.xml:1: is SDF, Gazebo's format, which is not read; give a URDF");
  EXPECT_EQ(says("<html></html>"), "m.xml:1: is no URDF: expected <robot>, got <html>");
}

TEST(RobotsOfOthers, MjcfIsNamedAndUrdfIsTakenOrRefusedWithItsLine) {
  const char* chosen = std::getenv("TOUCHSTONE_DATA");
  const fs::path data = chosen ? fs::path(chosen) : fs::path(TOUCHSTONE_SOURCE_DIR) / "../shared/data";
  if (!fs::is_directory(data / "robots")) GTEST_SKIP() << "no folder " << data / "robots";
  int taken = 0, named = 0;
  for (const auto& entry : fs::recursive_directory_iterator(data / "robots")) {
    const std::string ending = entry.path().extension().string();
    if (ending != ".urdf" && ending != ".xml") continue;
    try {
      load_scene(entry.path().string());
      ++taken;
    } catch (const BadScene& error) {
      const std::string said = error.what();
      EXPECT_EQ(said.find(entry.path().string() + ":"), 0u) << said;
      EXPECT_EQ(said.find("YAML"), said.npos) << said;
      named += said.find("MJCF") != said.npos;
    }
  }
  EXPECT_GT(taken, 0);
  EXPECT_GT(named, 5);
}

// ---- the world -------------------------------------------------------------------------------------------

TEST_F(Robots, ALinkNamedWorldIsTheWorld) {
  const World<3> alone =
      make_world<3>(load_scene(TOUCHSTONE_SOURCE_DIR "/tests/corpus/urdf/world-link.urdf"));
  ASSERT_EQ(alone.bodies.size(), 1u);
  EXPECT_EQ(alone.joints.at(0).body_A, -1);
  // What is fixed to the world stands still, where its joint says; the robot is placed with its world.
  const std::string inside = "<link name=\"world\"/>\n" + link("base") + link("arm") +
                             joint("f", "world", "base", "fixed") + joint("j", "base", "arm", "continuous");
  const World<3> world = make_world<3>(load_by_scene(inside, ", position: [0, 0, 2]"));
  ASSERT_EQ(world.bodies.size(), 2u);
  EXPECT_EQ(world.bodies[0].kind, BodyKind::fixed);
  EXPECT_LT((world.bodies[0].X_WB().p - Vec<3>(0.5, 0, 2)).norm(), 1e-15);
  const std::string same = "<link name=\"base\"/>\n" + link("arm") + joint("j", "base", "arm", "continuous");
  const World<3> other = make_world<3>(load(same));
  EXPECT_EQ(other.bodies.size(), world.bodies.size());
  EXPECT_EQ(refusal([&] { load_by_scene(inside, ", base: free"); }),
            "s.yaml:4: robots[0].base: the root link is the world, which is not free");
}

TEST_F(Robots, TheWorldsOwnShapesAreABodyThatStandsStill) {
  const std::string floor =
      "<link name=\"world\"><collision><geometry><box size=\"9 9 1\"/></geometry></collision></link>\n";
  const World<3> world = make_world<3>(load(floor + link("b") + joint("j", "world", "b", "continuous")));
  ASSERT_EQ(world.bodies.size(), 2u);
  EXPECT_EQ(world.bodies[0].name, "r/world");
  EXPECT_EQ(world.bodies[0].kind, BodyKind::fixed);
}

// ---- meshes ----------------------------------------------------------------------------------------------

/// A cube of side 1 with a notch: its upper side lacks a pyramid of height `depth`.
std::string notched_cube(double depth) {
  return "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nv 0.5 0.5 " +
         std::to_string(1 - depth) +
         "\nf 1 4 3 2\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\nf 5 6 9\nf 6 7 9\nf 7 8 9\nf 8 5 9\n";
}

TEST_F(Robots, OneWarningTellsWhichMeshesBecameHullsAndWhatThatAdds) {
  const auto mesh = [](const std::string& name, const std::string& scale) {
    return "<collision><geometry><mesh filename=\"" + name + "\" scale=\"" + scale +
           "\"/></geometry></collision>";
  };
  write(folder_ / "notched.obj", notched_cube(0.6));
  write(folder_ / "whole.obj", notched_cube(0));
  write(folder_ / "open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 3 1 4\n");
  const std::string tail = joint("j", "a", "b", "continuous");
  const Scene dented =
      load(link("a") + link("b", mesh("notched.obj", "1 1 2") + mesh("open.obj", "1 1 1")) + tail);
  ASSERT_EQ(dented.warnings.size(), 1u) << "for all meshes of a robot";
  EXPECT_NE(dented.warnings[0].find("\"notched.obj\" by 0.4 m^3 of 2 m^3"), std::string::npos)
      << dented.warnings[0];
  EXPECT_NE(dented.warnings[0].find("\"open.obj\" to 0.1667 m^3 (its surface is not closed)"),
            std::string::npos)
      << dented.warnings[0];
  EXPECT_TRUE(load(link("a") + link("b", mesh("whole.obj", "1 -1 1")) + tail).warnings.empty());
}

// ---- strangers -------------------------------------------------------------------------------------------

std::string repeated(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

TEST_F(Robots, NestingAndLengthAreBounded) {
  constexpr int kMany = 200'000;
  EXPECT_EQ(refusal_of(repeated("<a>", kMany) + repeated("</a>", kMany)),
            "r.urdf:4: nested deeper than 64 levels");
  EXPECT_EQ(refusal_of(repeated("<a>", kMany)), "r.urdf:4: nested deeper than 64 levels");
  EXPECT_EQ(refusal_of(repeated("<!-- <a> -->", kMany) + "<link name=\"a\"/>"), "it was taken");
  std::string chain = link("l0");
  for (int i = 1; i < 1000; ++i) {
    const std::string name = "l" + std::to_string(i);
    chain +=
        link(name) + joint("j" + name, "l" + std::to_string(i - 1), name, i % 2 ? "fixed" : "continuous");
  }
  EXPECT_EQ(refusal_of(chain), "it was taken") << "a long chain needs no stack";
  EXPECT_EQ(refusal_of(chain + link("more") + link("most")), "r.urdf:3: has more than 1000 links");
}

}  // namespace
}  // namespace touchstone
