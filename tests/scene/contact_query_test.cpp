#include "touchstone/scene/contact_query.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <map>
#include <numbers>

#include "touchstone/geometry/mass_properties.h"
#include "touchstone/math/random.h"
#include "touchstone/proximity/contact_data.h"

namespace touchstone {
namespace {

using nlohmann::json;

json answer(const std::string& query) {
  ContactQueries queries(".");
  return json::parse(queries.answer_line(query, "test:1").text);
}

TEST(ContactQuery, ACubeOnACubeTouchesInAFace) {
  const json x =
      answer(R"({"a": {"box": [2, 2, 2]}, "b": {"box": [4, 4, 2]}, "pose_a": {"position": [0, 0, 2]}})");
  EXPECT_EQ(x["status"], "touching");
  EXPECT_EQ(x["gap"], 0);
  EXPECT_EQ(x["normal"], json({0, 0, 1}));
  EXPECT_EQ(x["features"]["a"]["kind"], "face");
  EXPECT_EQ(x["features"]["b"]["kind"], "face");
  EXPECT_EQ(x["features"]["a"]["normal"], json({0, 0, -1}));
  EXPECT_EQ(x["manifold"].size(), 4u);
  for (const json& point : x["manifold"]) EXPECT_EQ(point[2], 1);
  EXPECT_EQ(x["overlap"], 0);
}

/// A vertex on the base of a cone, within 3e-15 m: once called disjoint, by up to half a metre.
TEST(ContactQuery, KissesThatOnceWereMissedTouchInBothOrders) {
  std::ifstream file(TOUCHSTONE_SOURCE_DIR "/tests/corpus/batch/kisses.jsonl");
  int lines = 0;
  for (std::string line; std::getline(file, line); ++lines) {
    json query = json::parse(line);
    for (int order : {0, 1}) {
      const json x = answer(query.dump());
      EXPECT_EQ(x["status"], "touching") << "line " << lines + 1 << " order " << order;
      EXPECT_LE(std::abs(x["gap"].get<double>()), 1e-14) << "line " << lines + 1 << " order " << order;
      std::swap(query["a"], query["b"]);
      std::swap(query["pose_a"], query["pose_b"]);
    }
  }
  EXPECT_EQ(lines, 27);
}

/// Equal bounds are equal numbers, not the truth: this gap is 1.00000008e-09 m.
TEST(ContactQuery, SaysHowMuchOfAGapMayBeRoundOff) {
  const json x = answer(
      R"({"a": {"box": [2, 2, 2]}, "b": {"box": [2, 2, 2]}, "pose_b": {"position": [0.3, 0.2, 2.000000001], "quaternion": [1, 1, 0, 0]}})");
  const double round_off = x["round_off"].get<double>();
  EXPECT_LE(std::abs(x["gap"].get<double>() - 1.00000008e-09), round_off);
  EXPECT_GT(round_off, 4e-16);
  EXPECT_LT(round_off, 1e-13);
}

TEST(ContactQuery, TwoSquaresThatOverlapShareTheirCommonArea) {
  const json x =
      answer(R"({"a": {"box": [2, 2]}, "b": {"box": [2, 2]}, "pose_b": {"position": [1.5, 0.5]}})");
  EXPECT_EQ(x["status"], "overlapping");
  EXPECT_NEAR(x["gap"].get<double>(), -0.5, 1e-15);
  EXPECT_EQ(x["normal"], json({-1, 0}));
  EXPECT_NEAR(x["overlap"].get<double>(), 0.5 * 1.5, 1e-15);
}

TEST(ContactQuery, AHullABoxAndAnotherOrderOfKeysGiveTheSameAnswer) {
  const std::string rest = R"("b": {"sphere": 1}, "pose_b": {"position": [2.5, 0.25, 0]}})";
  const std::string corners =
      R"([[1,1,1],[1,1,-1],[1,-1,1],[1,-1,-1],[-1,1,1],[-1,1,-1],[-1,-1,1],[-1,-1,-1],[0,0,0]])";
  EXPECT_EQ(answer(R"({"a": {"box": [2, 2, 2]}, )" + rest),
            answer(R"({"a": {"points": )" + corners + "}, " + rest));
}

TEST(ContactQuery, ShapesThatAreAtHomeInBothDimensionsFollowTheRest) {
  EXPECT_EQ(answer(R"({"a": {"sphere": 1}, "b": {"sphere": 1}})")["normal"].size(), 3u);
  EXPECT_EQ(answer(R"({"a": {"sphere": 1}, "b": {"box": [1, 1]}})")["normal"].size(), 2u);
  EXPECT_EQ(answer(R"({"a": {"sphere": 1}, "b": {"sphere": 1}, "pose_a": {"angle": 1}})")["normal"].size(),
            2u);
  EXPECT_EQ(answer(R"({"a": {"sphere": 1}, "b": {"sphere": 1}, "dimension": 2})")["normal"].size(), 2u);
}

TEST(ContactQuery, FaultyQueriesAreAnsweredByTheirError) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "test:1: column 1: not JSON"},
      {"nonsense", "not JSON"},
      {"[]", "query: expected an object with the keys a, b"},
      {"{}", R"(query: the key "a" is missing (a shape))"},
      {R"({"a": {"cube": 1}})", R"(the key "b" is missing)"},
      {R"({"a": {"cube": 1}, "b": {"cube": 1}, "pose_c": {}})",
       R"(unknown key "pose_c"; did you mean "pose_a"?)"},
      {R"({"a": {"cube": 1}, "b": {"box": [1, 1]}})", "b: is 2D, but a is 3D"},
      {R"({"a": {"cube": 1}, "b": {"cube": 1}, "pose_a": {"angle": 1}})", "pose_a: is 2D, but a is 3D"},
      {R"({"a": {"cube": 1}, "b": {"cube": 1}, "dimension": 4})", "dimension: expected 2 or 3, got 4"},
      {R"({"a": {"cube": 1}, "b": {"cube": 1}, "pose_b": 7})", "pose_b: expected an object"},
      {R"({"a": {"half_space": {"normal": [0, 0, 1]}}, "b": {"half_space": {"normal": [0, 0, 1]}}})",
       "half-spaces"},
  };
  ContactQueries queries(".");
  for (const auto& [line, part] : cases) {
    const QueryAnswer x = queries.answer_line(line, "test:1");
    EXPECT_EQ(x.outcome, QueryOutcome::bad_input) << line;
    const std::string error = json::parse(x.text)["error"];
    EXPECT_NE(error.find(part), std::string::npos) << line << "\n  was answered with: " << error;
    EXPECT_TRUE(error.starts_with("test:1: "));
  }
}

TEST(ContactQuery, AShapeThatIsRememberedGivesTheSameAnswerAsANewOne) {
  ContactQueries queries(".");
  const std::string line = R"({"a": {"random_hull": {"vertices": 30, "seed": 1}}, "b": {"cube": 1}})";
  const std::string first = queries.answer_line(line, "").text;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(queries.answer_line(line, "").text, first);
}

// ---- spheres and half-spaces
// --------------------------------------------------------------------------------

template <int D>
ContactData<D> data_of(const Shape<D>& A, const Pose<D>& X_WA, const Shape<D>& B, const Pose<D>& X_WB) {
  return find_contact_data<D>({&A, X_WA}, {&B, X_WB});
}

/// A half-space acts on bodies above it as a huge block does, to the round-off of the block.
TEST(ContactData, AHalfSpaceActsAsAHugeBlock) {
  Random random(11);
  std::map<std::size_t, int> corners;
  const Shape<3> ground = HalfSpace<3>{};
  const Shape<3> block = make_box<3>({64, 64, 64});
  const Pose<3> X_block{Mat<3>::Identity(), {0, 0, -32}};
  for (int i = 0; i < 60; ++i) {
    const Shape<3> body = make_box<3>({1, 1.5, 2});
    const Mat<3> tilt = i % 3 == 0 ? Mat<3>(Mat<3>::Identity()) : rotation(Vec<3>::UnitX(), 0.3);
    const Pose<3> X{i % 3 == 2 ? random.rotation_matrix<3>() : tilt, {0.1, 0.2, random.uniform(0.5, 2)}};
    const auto on_ground = data_of<3>(body, X, ground, {}), on_block = data_of<3>(body, X, block, X_block);
    EXPECT_NEAR(on_ground.gap.gap, on_block.gap.gap, 1e-13);
    EXPECT_NEAR(on_ground.overlap, on_block.overlap, 1e-12);
    EXPECT_EQ(on_ground.features.a, on_block.features.a);
    ASSERT_EQ(on_ground.manifold.size(), on_block.manifold.size());
    double area = 0;  // both are counter-clockwise about the normal
    const Vec<3>& origin = on_ground.manifold[0].position;
    for (std::size_t k = 1; k + 1 < on_ground.manifold.size(); ++k) {
      const Vec<3> u = on_ground.manifold[k].position - origin,
                   v = on_ground.manifold[k + 1].position - origin;
      area += u.cross(v).dot(on_ground.gap.normal);
    }
    EXPECT_GE(area, 0);
    ++corners[on_ground.manifold.size()];
    const auto swapped = data_of<3>(ground, {}, body, X);
    EXPECT_EQ(swapped.features.b, on_ground.features.a);
    EXPECT_EQ(swapped.gap.gap, on_ground.gap.gap);
    EXPECT_EQ(swapped.overlap, on_ground.overlap);
  }
  for (std::size_t count : {1, 2, 4}) EXPECT_GE(corners[count], 10) << "never met " << count << " corners";
}

TEST(ContactData, ASphereTouchesTheSmallestFeatureThatHoldsThePoint) {
  const Shape<3> ball = Sphere<3>{0.5}, cube = make_box<3>({2, 2, 2});
  const std::pair<Vec<3>, FeatureKind> cases[] = {{{0, 0.2, 1.6}, FeatureKind::face},
                                                  {{0.3, 1.7, 1.6}, FeatureKind::edge},
                                                  {{1.7, 1.6, 1.5}, FeatureKind::vertex},
                                                  {{0, 0.1, 0.8}, FeatureKind::face}};
  for (const auto& [centre, kind] : cases) {
    const auto x = data_of<3>(ball, {Mat<3>::Identity(), centre}, cube, {});
    EXPECT_EQ(x.features.b.kind, kind) << centre.transpose();
    ASSERT_EQ(x.manifold.size(), 1u);
    EXPECT_EQ(data_of<3>(cube, {}, ball, {Mat<3>::Identity(), centre}).features.a, x.features.b);
  }
}

TEST(ContactData, RoundBodiesShareCapsAndLenses) {
  const double pi = std::numbers::pi;
  const Shape<3> ball = Sphere<3>{1}, ground = HalfSpace<3>{};
  const Pose<3> centre_in_plane, up{Mat<3>::Identity(), {0, 0, 1}};
  EXPECT_NEAR(data_of<3>(ball, centre_in_plane, ground, {}).overlap, 2 * pi / 3, 1e-15);
  EXPECT_NEAR(data_of<3>(ball, up, ball, {}).overlap, 5 * pi / 12, 1e-15);
  EXPECT_NEAR(data_of<3>(ball, {}, make_box<3>({4, 4, 4}), {Mat<3>::Identity(), {0, 0, -2}}).overlap,
              2 * pi / 3, 1e-14);
  const Shape<2> disc = Sphere<2>{1}, line = HalfSpace<2>{};
  EXPECT_NEAR(data_of<2>(disc, {}, line, {}).overlap, pi / 2, 1e-15);
  EXPECT_EQ(data_of<2>(disc, {Mat<2>::Identity(), {0, 3}}, line, {}).overlap, 0);
  EXPECT_EQ(data_of<2>(disc, {Mat<2>::Identity(), {0, 3}}, line, {}).manifold[0].position, Vec<2>(0, 1));
}

}  // namespace
}  // namespace touchstone
