#include "touchstone/scene/generators.h"

#include <gtest/gtest.h>

#include "touchstone/scene/scene.h"

namespace touchstone {
namespace {

template <int D>
RunContent<D> content_of(const std::string& generate) {
  const Scene scene = parse_scene(
      "touchstone: 1\ndimension: " + std::to_string(D) + "\ngenerate: " + generate + "\n", "test.yaml");
  return std::get<RunContent<D>>(scene.content);
}

template <int D>
std::vector<Vec<D>> corners(const RunContent<D>& content) {
  std::vector<Vec<D>> all;
  for (const ContactShape<D>& part : content.world.shapes) {
    const auto vertices = std::get<Polytope<D>>(*part.shape).vertices();
    all.insert(all.end(), vertices.begin(), vertices.end());
  }
  return all;
}

TEST(Generators, TheSameSeedGivesTheSameBodiesAndAnotherOneOthers) {
  const auto first = content_of<2>("{kind: polygons-in-box, seed: 4}");
  EXPECT_EQ(corners(first), corners(content_of<2>("{kind: polygons-in-box, seed: 4}")));
  EXPECT_NE(corners(first), corners(content_of<2>("{kind: polygons-in-box, seed: 5}")));
}

TEST(Generators, TwentyPolygonsFallIntoTheBoxOneEveryQuarterOfASecond) {
  const auto content = content_of<2>("{kind: polygons-in-box, seed: 1}");
  ASSERT_EQ(content.world.bodies.size(), 23u);
  EXPECT_EQ(content.appear.back(), 4.75);
  for (std::size_t i = 3; i < 23; ++i) {
    const auto& polygon = std::get<Polytope<2>>(*content.world.shapes[i].shape);
    for (const Vec<2>& v : polygon.vertices()) EXPECT_LE(v.cwiseAbs().maxCoeff(), 0.25);
    EXPECT_GT(content.world.bodies[i].mass, 0.1);
    EXPECT_LT(content.world.bodies[i].mass, 10 * 0.25);
  }
}

TEST(Generators, ABoxIsTheSameBodyHoweverItIsGiven) {
  const std::string folder = std::string(TOUCHSTONE_SOURCE_DIR) + "/scenes/";
  std::vector<std::vector<Vec<3>>> seen;
  for (const char* way : {"box", "hull", "mesh"}) {
    const Scene scene = load_scene(folder + "stack-10-boxes.yaml", {std::string("generate.given=") + way});
    const auto& content = std::get<RunContent<3>>(scene.content);
    seen.push_back(corners(content));
    for (const Body<3>& body : content.world.bodies) seen.back().push_back(body.position);
  }
  EXPECT_EQ(seen[0], seen[1]);
  EXPECT_EQ(seen[0], seen[2]);
}

TEST(Generators, AThousandDropsStartApart) {
  for (int seed = 0; seed < 1000; ++seed) {
    const std::string generate = "{kind: drop, count: 3, seed: " + std::to_string(seed) + "}";
    if (seed % 2 == 0) {
      EXPECT_EQ(content_of<2>(generate).world.bodies.size(), 3u);
    } else {
      EXPECT_EQ(content_of<3>(generate).world.bodies.size(), 3u);
    }
  }
}

TEST(Generators, PolygonsAppearAtOneHeightOrEachHigherThanTheLast) {
  const auto level = content_of<2>("{kind: polygons-in-box, seed: 2}");
  const auto rising = content_of<2>("{kind: polygons-in-box, seed: 2, rise: 0.03}");
  const int first = level.world.find_body("polygon-1"), last = level.world.find_body("polygon-20");
  const auto higher = [&](int body) {
    return rising.world.bodies[body].position.y() - level.world.bodies[body].position.y();
  };
  EXPECT_EQ(higher(first), 0);
  EXPECT_NEAR(higher(last), 19 * 0.03, 1e-12);
}

TEST(Generators, TheGripperHoldsNothingAtTheStartAndItsPolygonLiesOnTheFloor) {
  for (int seed = 1; seed <= 10; ++seed) {
    const auto content = content_of<2>("{kind: gripper, seed: " + std::to_string(seed) + "}");
    EXPECT_EQ(content.world.joints.size(), 4u);
    EXPECT_EQ(content.controllers.size(), 4u);
    const int object = content.world.find_body("object");
    ASSERT_GE(object, 0);
    const auto& polygon = std::get<Polytope<2>>(*content.world.shapes[object].shape);
    int on_floor = 0;
    for (const Vec<2>& v : polygon.vertices()) on_floor += v.y() < 1e-14;
    EXPECT_EQ(on_floor, 2) << seed;
  }
}

TEST(Generators, AMistakeIsNamedWithItsLine) {
  const auto refusal = [](const std::string& generate) -> std::string {
    try {
      content_of<2>(generate);
    } catch (const BadScene& error) {
      return error.what();
    }
    return "it was taken";
  };
  EXPECT_NE(refusal("{kind: stak}").find("test.yaml:3: generate.kind"), std::string::npos);
  EXPECT_NE(refusal("{kind: stak}").find("did you mean \"stack\""), std::string::npos);
  EXPECT_NE(refusal("{kind: stack, cont: 3}").find("did you mean \"count\""), std::string::npos);
  EXPECT_NE(refusal("{kind: polyhedra-in-box}").find("dimension: 3 only"), std::string::npos);
  EXPECT_NE(refusal("{kind: stack, count: 0}").find("a whole number from 1"), std::string::npos);
}

}  // namespace
}  // namespace touchstone
