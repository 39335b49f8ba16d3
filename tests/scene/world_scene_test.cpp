// Worlds made in code run as scenes do: measured, recorded, checked and resumed.

#include <gtest/gtest.h>

#include <cmath>

#include "support/temporary_folder.h"
#include "touchstone/record/recording_check.h"
#include "touchstone/scene/simulation.h"
#include "touchstone/stepping/build_world.h"
#include "touchstone/store/array_file.h"

namespace touchstone {
namespace {

StepSettings step_of(double h) {
  StepSettings settings;
  settings.h = h;
  return settings;
}

World<2> crate_and_ball() {
  World<2> world;
  world.gravity = {0, -9.81};
  set_surface(world, {.friction = FrictionLaw::linear, .mu = 0.3});
  add_body(world, "floor", HalfSpace<2>{{Vec<2>::UnitY(), 0}}, {.kind = BodyKind::fixed});
  add_body(world, "crate", make_box<2>({1, 1}), {.mass = 2, .position = {0, 0.6}, .velocity = {1, 0}});
  add_body(world, "ball", Sphere<2>{0.5}, {.density = 1, .position = {3, 1}});
  return world;
}

std::string refusal(const World<2>& world) {
  try {
    scene_of_world(world, step_of(0.01));
  } catch (const BadScene& error) {
    return error.what();
  }
  return "taken";
}

TEST(WorldScene, AWorldOfCodeMakesTheStepsOfTheSceneThatSaysTheSame) {
  Simulation made(crate_and_ball(), step_of(0.01));
  Simulation read(
      parse_scene("touchstone: 1\ndimension: 2\nstep: 0.01\ncontact: {friction: 0.3}\nbodies:\n"
                  "  - {name: floor, shape: {half_space: {normal: [0, 1]}}, fixed: true}\n"
                  "  - {name: crate, shape: {box: [1, 1]}, mass: 2, position: [0, 0.6], velocity: [1, 0]}\n"
                  "  - {name: ball, shape: {sphere: 0.5}, density: 1, position: [3, 1]}\n",
                  "test.yaml"));
  ASSERT_TRUE(made.run_until(0.5));
  ASSERT_TRUE(read.run_until(0.5));
  for (const char* name : {"crate", "ball"}) {
    const auto at = [&](Simulation& sim) {
      return sim.world<2>().bodies[sim.world<2>().find_body(name)].position;
    };
    EXPECT_NEAR((at(made) - at(read)).norm(), 0, 1e-12) << name;
  }
  EXPECT_GT(made.summary().min_gap, -1e-9);
}

TEST(WorldScene, ItsRecordingIsCertifiedAndResumed) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "world.h5";
  {
    Simulation sim(crate_and_ball(), step_of(0.01));
    sim.record(file);
    ASSERT_TRUE(sim.run_until(0.5));
    sim.close_recording();
  }
  const Certificate certificate = check_recording(RecordingReader(file));
  EXPECT_EQ(certificate.frames, 51);
  EXPECT_GT(certificate.min_gap, -1e-9);
  EXPECT_THROW(Simulation::resume(file), BadInput) << "the file does not hold the world";
  Simulation resumed = Simulation::resume_with(scene_of_world(crate_and_ball(), step_of(0.01)), file);
  ASSERT_TRUE(resumed.run_until(1));
  Simulation whole(crate_and_ball(), step_of(0.01));
  ASSERT_TRUE(whole.run_until(1));
  EXPECT_EQ(resumed.summary().state_hash, whole.summary().state_hash);
}

/// Two blocks on an incline between the angles of the two coefficients: one rests, one was pushed upwards and
/// comes to rest, one was pushed downwards.
World<3> blocks_on_an_incline() {
  World<3> world;
  const double slope = std::atan(0.45);
  world.gravity = 9.81 * Vec<3>(std::sin(slope), 0, -std::cos(slope));
  set_surface(world, {.friction = FrictionLaw::static_kinetic, .mu = 0.6, .kinetic = 0.3});
  add_body(world, "floor", HalfSpace<3>{{Vec<3>::UnitZ(), 0}}, {.kind = BodyKind::fixed});
  for (const double speed : {0., -3., 0.2})
    add_body(world, "block " + std::to_string(world.bodies.size()), make_box<3>({0.2, 0.2, 0.02}),
             {.mass = 1,
              .position = {0, static_cast<double>(world.bodies.size()), 0.01},
              .velocity = {speed, 0, 0}});
  return world;
}

TEST(WorldScene, WhatStuckIsPartOfTheRecordingAndOfStates) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "world.h5";
  const auto scene = [] { return scene_of_world(blocks_on_an_incline(), step_of(0.005)); };
  Simulation whole(scene(), {});
  ASSERT_TRUE(whole.run_until(1));
  {
    Simulation sim(scene(), {});
    sim.record(file);
    ASSERT_TRUE(sim.run_until(0.6));
  }
  EXPECT_EQ(RecordingReader(file).last_checkpoint<3>().sticking, (BodyPairs{{0, 1}, {0, 2}}));
  Simulation resumed = Simulation::resume_with(scene(), file);
  ASSERT_TRUE(resumed.run_until(1));
  EXPECT_EQ(resumed.summary().state_hash, whole.summary().state_hash);
  EXPECT_EQ(resumed.world<3>().sticking, whole.world<3>().sticking);

  Simulation first(scene(), {}), second(scene(), {});
  ASSERT_TRUE(first.run_until(0.1));
  const SimulationState state = first.state();
  first.set_state(state), second.set_state(state);
  EXPECT_EQ(second.world<3>().sticking, (BodyPairs{{0, 1}}));
  ASSERT_TRUE(first.run_until(1) && second.run_until(1));
  EXPECT_EQ(first.summary().state_hash, second.summary().state_hash);
}

/// A beam on two discs with friction, and a block beside them: a flag for each contact, where it is asked
/// for.
TEST(WorldScene, ARecordingTellsWhoseForcesAreOpen) {
  const TemporaryFolder folder;
  World<2> world;
  world.gravity = {0, -9.81};
  set_surface(world, {.friction = FrictionLaw::linear, .mu = 0.5});
  add_body(world, "beam", make_box<2>({3, 0.2}), {.mass = 1, .position = {0, 0.1}});
  for (const double x : {-1., 1., 5.})
    add_body(world, "disc at " + std::to_string(x), Sphere<2>{0.1},
             {.kind = BodyKind::fixed, .position = {x, -0.1}});
  add_body(world, "ball", Sphere<2>{0.1}, {.mass = 1, .position = {5, 0.1}});
  for (const bool asked : {true, false}) {
    StepSettings settings = step_of(0.01);
    settings.determinacy = asked;
    const std::filesystem::path file = folder.path() / (asked ? "asked.h5" : "not asked.h5");
    Simulation sim(world, settings);
    sim.record(file);
    ASSERT_TRUE(sim.run_until(0.1));
    sim.close_recording();
    const ArrayFile arrays = ArrayFile::open(file);
    ASSERT_EQ(arrays.has("contacts/undetermined"), asked);
    if (!asked) continue;
    const auto flags = arrays.read<std::int32_t>("contacts/undetermined");
    const auto bodies = arrays.read<std::int32_t>("contacts/bodies");
    ASSERT_EQ(2 * flags.size(), bodies.size());
    ASSERT_EQ(flags.size(), 30U);
    for (std::size_t i = 0; i < flags.size(); ++i)
      EXPECT_EQ(flags[i], bodies[2 * i] == 0 || bodies[2 * i + 1] == 0) << i;
    EXPECT_EQ(sim.summary().undetermined_pairs, 2);
  }
}

TEST(WorldScene, WhatOnlyTheWholeCanTellIsRefused) {
  World<2> world = crate_and_ball();
  EXPECT_EQ(refusal(world), "taken");
  world.bodies[2].position = {0.5, 0.6};
  EXPECT_NE(refusal(world).find("bodies overlap at the start: \"crate\" and \"ball\""), std::string::npos);
  EXPECT_NO_THROW(scene_of_world(world, step_of(0.01), true)) << "overlaps are allowed";
  world = crate_and_ball();
  add_joint(world, "hinge", JointKind::revolute, {.bodies = {1, 2}, .position = {1, 1}});
  world.bodies[2].position.x() += 0.1;
  EXPECT_NE(refusal(world).find("joint \"hinge\": the joint is open"), std::string::npos);
  world = crate_and_ball();
  world.bodies[2].name = "crate";
  EXPECT_EQ(refusal(world), "world: there are two of the name \"crate\"");
  world = crate_and_ball();
  world.shapes[0].body = 7;
  EXPECT_NE(refusal(world), "taken");
}

}  // namespace
}  // namespace touchstone
