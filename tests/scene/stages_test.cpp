// Stages of the user's own in place of Touchstone's, and the world after a step that one of them broke off.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <atomic>

#include "touchstone/scene/scene_builder.h"
#include "touchstone/scene/simulation.h"

namespace touchstone {
namespace {

/// Three boxes fall on a floor.
Simulation boxes(const std::string& model) {
  SceneBuilder build(2);
  build.set("step", 0.01).set("contact", {{"model", model}});
  build.add_body({{"name", "floor"}, {"shape", {{"half_space", {{"normal", {0, 1}}}}}}, {"fixed", true}});
  for (int i = 0; i < 3; ++i) {
    build.add_body({{"shape", {{"box", {1, 1}}}}, {"mass", 1}, {"position", {0.1 * i, 0.51 + 1.01 * i}}});
  }
  return Simulation(build.scene());
}

TEST(Stages, APairFinderOfTheUserMakesTheSameStepsForEveryModel) {
  for (const char* model : {"plane", "standard", "peg"}) {
    Simulation ours = boxes(model), theirs = boxes(model);
    int calls = 0;
    theirs.stepper<2>().set_pair_finder([&](std::span<const Box<2>> boxes) {
      ++calls;
      std::vector<std::pair<int, int>> pairs;
      for (int i = 0; i < static_cast<int>(boxes.size()); ++i) {
        for (int j = 0; j < i; ++j) {
          if (boxes[i].meets(boxes[j]))
            pairs.emplace_back(i, j), pairs.emplace_back(j, i);  // twice, unsorted
        }
      }
      return pairs;
    });
    ASSERT_TRUE(ours.run_until(0.3) && theirs.run_until(0.3));
    EXPECT_EQ(ours.summary().state_hash, theirs.summary().state_hash) << model;
    EXPECT_GT(calls, 20);
  }
}

TEST(Stages, APairFinderThatNamesPartsThatAreNotThereIsRefused) {
  Simulation sim = boxes("standard");
  sim.stepper<2>().set_pair_finder([](std::span<const Box<2>>) {
    return std::vector<std::pair<int, int>>{{0, 9}};
  });
  EXPECT_THROW(sim.step(), std::invalid_argument);
}

TEST(Stages, AFormulationOfTheUserIsAskedForEveryIsland) {
  Simulation ours = boxes("standard"), theirs = boxes("standard");
  std::atomic<int> calls = 0;
  theirs.stepper<2>().set_formulation([&](const StepEquations<2>& equations) {
    ++calls;
    return formulate(equations, Form::mixed);
  });
  ASSERT_TRUE(ours.run_until(0.3) && theirs.run_until(0.3));
  for (int i = 0; i < 4; ++i) {
    EXPECT_LT((ours.world<2>().bodies[i].position - theirs.world<2>().bodies[i].position).norm(), 1e-9);
  }
  EXPECT_GT(calls, 20);
}

TEST(Stages, AModelIsExchangedBetweenSteps) {
  Simulation sim = boxes("plane"), standard = boxes("standard");
  sim.stepper<2>().set_model(make_contact_model<2>("standard"));
  ASSERT_TRUE(sim.run_until(0.3) && standard.run_until(0.3));
  EXPECT_EQ(sim.summary().state_hash, standard.summary().state_hash);
  sim.stepper<2>().set_model("plane");
  ASSERT_TRUE(sim.run_until(0.4));
  EXPECT_TRUE(sim.report<2>().min_gap.has_value()) << "plane again, which measures gaps";
}

TEST(Stages, ForcesOfAStepThatWasBrokenOffAreForgotten) {
  SceneBuilder build(2);
  build.set("gravity", {0, 0}).set("step", 0.01);
  build.add_body({{"name", "probe"}, {"mass", 1}, {"inertia", 1}, {"force", {1, 0}}});
  Simulation sim(build.scene());
  bool once = true;
  sim.before_step([&](Simulation&) {
    if (std::exchange(once, false)) throw std::runtime_error("once");
  });
  EXPECT_THROW(sim.step(), std::runtime_error);
  ASSERT_TRUE(sim.step());
  EXPECT_NEAR(sim.world<2>().bodies[0].velocity[0], 0.01, 1e-15);
}

TEST(Stages, AFunctionMayAddFunctions) {
  Simulation sim = boxes("plane");
  int calls = 0;
  sim.on_step([&](Simulation& s) {
    if (calls == 0) s.on_step([&](Simulation&) { calls += 10; });
    ++calls;
  });
  ASSERT_TRUE(sim.step() && sim.step());
  EXPECT_EQ(calls, 22);
}

/// What the builder says about a piece.
template <class Action>
std::string refusal(const Action& action) {
  try {
    action();
  } catch (const BadScene& error) {
    return error.what();
  }
  return "taken";
}

TEST(SceneBuilder, SaysWhatIsWrongWithAPieceWhenItIsAdded) {
  SceneBuilder build(2);
  build.add_body({{"name", "crate"}, {"shape", {{"box", {1, 1}}}}, {"mass", 1}});
  EXPECT_EQ(refusal([&] {
              build.add_body({{"name", "b"}, {"shape", {{"bix", {1, 1}}}}});
            }),
            "body \"b\": shape: unknown shape \"bix\"; did you mean \"box\"?");
  EXPECT_NE(refusal([&] {
              build.add_joint({{"kind", "revolute"}, {"bodies", {"world", "crat"}}});
            }).find("did you mean \"crate\""),
            std::string::npos);
  EXPECT_NE(refusal([&] { build.set("gravty", 1); }).find("did you mean \"gravity\""), std::string::npos);
  EXPECT_NE(refusal([&] { build.add_surface({{"materials", {"wood", "ice"}}}); }), "taken");
  EXPECT_NE(refusal([] { SceneBuilder(4); }), "taken");
  EXPECT_EQ(build.value()["bodies"].size(), 1u) << "what was refused is not there";
  EXPECT_FALSE(build.value().contains("gravty"));
  EXPECT_EQ(build.scene("mine").name, "mine");
}

TEST(SceneBuilder, WhatOnlyTheWholeCanTellIsSaidByTheScene) {
  SceneBuilder build(2);
  for (const char* name : {"a", "b"})
    build.add_body({{"name", name}, {"shape", {{"box", {1, 1}}}}, {"mass", 1}});
  const std::string said = refusal([&] { build.scene(); });
  EXPECT_TRUE(said.starts_with("scene: bodies: bodies overlap at the start")) << said;
}

}  // namespace
}  // namespace touchstone
