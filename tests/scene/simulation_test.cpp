#include "touchstone/scene/simulation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/temporary_folder.h"
#include "touchstone/math/random.h"
#include "touchstone/proximity/contact_data.h"
#include "touchstone/record/recording_check.h"
#include "touchstone/scene/gap_watch.h"

namespace touchstone {
namespace {

Simulation simulate(const std::string& lines, const SimulationSettings& settings = {}) {
  return Simulation(parse_scene("touchstone: 1\n" + lines, "test.yaml"), settings);
}

const char* const kSlide =
    "dimension: 2\n"
    "step: 0.01\n"
    "contact: {friction: 0.1}\n"
    "bodies:\n"
    "  - {name: floor, shape: {half_space: {normal: [0, 1]}}, fixed: true}\n"
    "  - {name: crate, shape: {box: [1, 1]}, mass: 1, position: [0, 0.5], velocity: [2, 0]}\n";

TEST(Simulation, ACrateIsBrakedByFrictionAndNothingElseHappens) {
  Simulation sim = simulate(kSlide);
  int calls = 0;
  sim.on_step([&](auto& s) {
    ++calls;
    EXPECT_EQ(s.template report<2>().status, StepStatus::done);
  });
  ASSERT_TRUE(sim.run_until(1.0));
  const RunSummary summary = sim.summary();
  EXPECT_EQ(summary.steps, 100);
  EXPECT_EQ(calls, 100);
  EXPECT_NEAR(sim.time(), 1, 1e-12);
  EXPECT_NEAR(sim.world<2>().bodies[1].velocity[0], 2 - 0.981, 1e-12);
  EXPECT_NEAR(summary.min_gap, 0, 1e-13);
  EXPECT_EQ(summary.failed_steps, 0);
  EXPECT_EQ(summary.energy_gained, 0);
  EXPECT_LT(summary.momentum_error, 1e-14);
  EXPECT_EQ(summary.min_gap_bodies[1], "crate");
  EXPECT_GT(summary.contacts, 0);
}

TEST(Simulation, TheSameSceneEndsInTheSameBitsForAnyNumberOfThreads) {
  std::vector<std::string> hashes;
  for (const int threads : {1, 1, 2, 4}) {
    Scene scene = load_scene("rain");
    scene.settings.threads = threads;
    Simulation sim(std::move(scene));
    ASSERT_TRUE(sim.run_until(1.2));
    hashes.push_back(sim.summary().state_hash);
  }
  for (const std::string& hash : hashes) EXPECT_EQ(hash, hashes[0]);
}

TEST(Simulation, ForcesOfTheSceneAndOfTheUserActInEveryStep) {
  Simulation sim = simulate(
      "dimension: 3\n"
      "gravity: [0, 0, 0]\n"
      "step: 0.01\n"
      "bodies: [{name: probe, mass: 2, inertia: [1, 1, 1], force: [4, 0, 0], torque: [0, 0, 3]}]\n");
  sim.before_step([](Simulation& s) { s.world<3>().bodies[0].force[1] += 2; });
  ASSERT_TRUE(sim.run_until(1));
  const Twist<3>& V = sim.world<3>().bodies[0].velocity;
  EXPECT_NEAR(V[0], 2, 1e-12);
  EXPECT_NEAR(V[1], 1, 1e-12);
  EXPECT_NEAR(V[5], 3, 1e-12);
  EXPECT_EQ(sim.summary().energy_gained, 0) << "it was all work";
  EXPECT_LT(sim.summary().momentum_error, 1e-14);
}

TEST(Simulation, AConstantJointForceActsInEveryStep) {
  Simulation sim = simulate(
      "dimension: 2\n"
      "gravity: [0, 0]\n"
      "step: 0.01\n"
      "bodies: [{name: slider, mass: 2, inertia: 1}]\n"
      "joints: [{kind: prismatic, bodies: [world, slider], axis: [1, 0], force: 4}]\n");
  ASSERT_TRUE(sim.run_until(0.5));
  EXPECT_NEAR(sim.world<2>().bodies[0].velocity[0], 1, 1e-12);
}

TEST(Simulation, AControllerBringsAJointToItsTarget) {
  Simulation sim = simulate(
      "dimension: 2\n"
      "step: 0.002\n"
      "gravity: [0, 0]\n"
      "bodies: [{name: arm, shape: {box: [1, 0.1]}, mass: 1, position: [0.5, 0]}]\n"
      "joints: [{name: shoulder, kind: revolute, bodies: [world, arm], position: [0, 0]}]\n"
      "controllers: [{joint: shoulder, target: [[0, 0], [1, 0.8]], kp: 100, kd: 12}]\n");
  ASSERT_TRUE(sim.run_until(3));
  EXPECT_NEAR(sim.world<2>().joints[0].value[0], 0.8, 1e-3);
}

TEST(Simulation, BodiesAppearAtTheirTimeWithTheirJoints) {
  Simulation sim = simulate(
      "dimension: 2\n"
      "step: 0.01\n"
      "bodies:\n"
      "  - {name: bob, shape: {sphere: 0.1}, mass: 1, position: [1, 0], appear: 0.25}\n"
      "  - {name: base, shape: {box: [1, 1]}, mass: 1, position: [5, 0]}\n"
      "joints: [{name: string, kind: revolute, bodies: [world, bob], position: [0, 0]}]\n");
  ASSERT_TRUE(sim.run_until(0.25));
  EXPECT_EQ(sim.world<2>().bodies.size(), 1u);
  ASSERT_TRUE(sim.run_until(0.3));
  ASSERT_EQ(sim.world<2>().bodies.size(), 2u);
  EXPECT_EQ(sim.world<2>().bodies[1].name, "bob");
  EXPECT_EQ(sim.world<2>().joints.size(), 1u);
  EXPECT_LT(sim.world<2>().bodies[1].position.y(), 0);
  EXPECT_NEAR(sim.world<2>().bodies[1].position.norm(), 1, 1e-3);
}

TEST(Simulation, ABodyThatAppearsInsideOfAnotherEndsTheRun) {
  Simulation sim = simulate(
      "dimension: 2\n"
      "step: 0.01\n"
      "gravity: [0, 0]\n"
      "bodies:\n"
      "  - {name: rock, shape: {box: [1, 1]}, mass: 1}\n"
      "  - {name: ghost, shape: {box: [1, 1]}, mass: 1, position: [0.5, 0], appear: 0.095}\n");
  const TemporaryFolder folder;
  sim.record(folder.path() / "ghost.h5");
  EXPECT_FALSE(sim.run_until(1));
  EXPECT_EQ(sim.summary().failed_steps, 1);
  EXPECT_EQ(sim.summary().message, "body \"ghost\" appears where \"rock\" is");
  EXPECT_NEAR(sim.time(), 0.1, 1e-12);
  EXPECT_EQ(sim.world<2>().bodies.size(), 1u) << "a step that fails changes nothing";
  EXPECT_FALSE(sim.step()) << "nor is it forgotten";
  sim.close_recording();
  const Certificate certificate = check_recording(RecordingReader(folder.path() / "ghost.h5"));
  EXPECT_GT(certificate.min_gap, 0) << "who did not enter overlaps nobody";
}

TEST(Simulation, AStepThatFailsLeavesTheWorldAndSaysWhy) {
  Simulation sim = simulate(kSlide);
  ASSERT_TRUE(sim.run_until(0.1));
  const std::string hash = sim.summary().state_hash;
  sim.before_step([](Simulation& s) { s.world<2>().bodies[1].force[0] = std::nan(""); });
  EXPECT_FALSE(sim.run_until(1));
  EXPECT_EQ(sim.summary().state_hash, hash);
  EXPECT_EQ(sim.summary().failed_steps, 1);
  EXPECT_NE(sim.summary().message.find("crate"), std::string::npos);
}

TEST(Simulation, GapsCanBeMeasuredSeldomOrNever) {
  Simulation often = simulate(kSlide), never = simulate(kSlide, {.measure_every = 0});
  ASSERT_TRUE(often.run_until(0.2));
  ASSERT_TRUE(never.run_until(0.2));
  EXPECT_TRUE(std::isinf(never.summary().min_gap));
  EXPECT_EQ(often.summary().state_hash, never.summary().state_hash);
}

/// What a step says of its end against a watch that looks at the poses alone, over a run. Counted: steps
/// whose gaps needed no other look.
template <int D>
int compare_ends(const char* scene, double end) {
  Simulation sim(load_scene(scene));
  GapWatch<D> watch;
  int told = 0;
  sim.on_step([&](Simulation& s) {
    const auto& ends = s.report<D>().ends;
    const Closeness seen = watch.measure(s.world<D>());
    ASSERT_TRUE(ends.has_value());
    told += ends->lowest <= ends->clearance;
    EXPECT_NEAR(s.measures().min_gap, seen.min_gap, 1e-13 * (1 + std::abs(seen.min_gap))) << s.time();
    EXPECT_NEAR(s.measures().overlap, seen.overlap, 1e-13) << s.time();
  });
  EXPECT_TRUE(sim.run_until(end));
  return told;
}

TEST(GapWatch, WhatAStepTellsOfItsEndIsWhatAFreshLookFinds) {
  EXPECT_GT(compare_ends<2>("rain", 1.5), 20);
  EXPECT_GT(compare_ends<3>("box-stack", 0.5), 20);
}

TEST(GapWatch, AStepTellsNothingOfItsEndWhereSomethingMovesTheBodiesAfterwards) {
  Simulation sim = simulate(kSlide);
  sim.stepper<2>().after_step([](World<2>& world) { world.bodies[1].position[1] -= 0.25; });
  ASSERT_TRUE(sim.step());
  EXPECT_FALSE(sim.report<2>().ends.has_value());
  EXPECT_NEAR(sim.measures().min_gap, -0.25, 1e-12);
}

TEST(GapWatch, AStepTellsNothingOfItsEndWhereAUserFindsThePairs) {
  Simulation sim = simulate(kSlide);
  sim.stepper<2>().set_pair_finder(
      [](std::span<const Box<2>>) { return std::vector<std::pair<int, int>>(); });
  ASSERT_TRUE(sim.run_until(0.1));
  EXPECT_FALSE(sim.report<2>().ends.has_value());
  EXPECT_LT(sim.measures().min_gap, -0.01);
}

/// The watch against every pair of parts, as bodies wander, near and far.
TEST(GapWatch, TheLeastGapIsThatOfEveryPair) {
  Random random(11);
  Scene scene = load_scene("rain");
  World<2> world = std::get<SceneContent<2>>(scene.content).world;
  GapWatch<2> watch;
  int apart = 0, overlapping = 0;
  for (int frame = 0; frame < 60; ++frame) {
    const double spread = frame % 3 == 0 ? 100 : 2;
    for (Body<2>& body : world.bodies) {
      if (body.is_dynamic()) body.position = spread * Vec<2>(random.uniform(-1, 1), random.uniform(0, 1));
    }
    const Closeness found = watch.measure(world);
    double least = std::numeric_limits<double>::infinity(), overlap = 0;
    const CollisionFilter<2> filter(world);
    for (int i = 0; i < static_cast<int>(world.shapes.size()); ++i) {
      for (int j = i + 1; j < static_cast<int>(world.shapes.size()); ++j) {
        if (!filter.allows(i, j)) continue;
        const auto placed = [&](int k) {
          const ContactShape<2>& part = world.shapes[k];
          return PlacedShape<2>{part.shape.get(), world.bodies[part.body].X_WC() * part.X_CS};
        };
        const ContactData<2> data = find_contact_data<2>(placed(i), placed(j));
        least = std::min(least, data.gap.gap);
        overlap += data.overlap;
      }
    }
    EXPECT_NEAR(found.min_gap, least, 1e-13 * (1 + std::abs(least)));
    EXPECT_NEAR(found.overlap, overlap, 1e-13);
    apart += least > 0, overlapping += least < 0;
  }
  EXPECT_GT(apart, 5);
  EXPECT_GT(overlapping, 5);
}

}  // namespace
}  // namespace touchstone
