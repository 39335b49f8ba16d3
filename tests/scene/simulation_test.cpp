#include "touchstone/scene/simulation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "support/temporary_folder.h"
#include "touchstone/math/random.h"
#include "touchstone/record/recording_check.h"

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

std::string list_of(const Vec<3>& x) {
  char text[120];
  std::snprintf(text, sizeof text, "[%.17g, %.17g, %.17g]", x[0], x[1], x[2]);
  return text;
}

/// A crate that is sent off. In the plane, its velocity is the first two numbers and its spin the first.
struct Launch {
  int dimension;
  std::string_view model;
  Vec<3> velocity, spin;  ///< [m/s], [rad/s]

  /// Alone, or on the ground; in the plane beside a stone, which would make too many contacts in space.
  std::string scene(bool alone) const {
    std::string text = "dimension: " + std::to_string(dimension) + "\nstep: 0.01\ngravity: " + place(0, -10) +
                       "\ncontact: {model: " + std::string(model) + "}\nbodies:\n";
    if (!alone)
      text += "  - {name: floor, shape: {box: " + box(9, 1) + "}, fixed: true, position: " + place(0, -0.5) +
              "}\n";
    if (!alone && dimension == 2)
      text +=
          "  - {name: stone, shape: {box: " + box(1, 1) + "}, mass: 1, position: " + place(2, 0.5) + "}\n";
    return text + "  - {name: crate, shape: {box: " + box(1, 2) + "}, mass: 1, position: " + place(0, 1) +
           ", velocity: " + numbers(velocity) +
           ", angular_velocity: " + (dimension == 2 ? std::to_string(spin[0]) : list_of(spin)) + "}\n";
  }

 private:
  std::string numbers(const Vec<3>& x) const {
    const std::string all = list_of(x);
    return dimension == 3 ? all : all.substr(0, all.rfind(',')) + "]";
  }
  std::string place(double x, double y) const { return numbers({x, y, 0}); }
  std::string box(double x, double y) const { return numbers({x, y, 1}); }
};

template <class Function>
void for_each_model(const Function& function) {
  for (const int dimension : {2, 3}) {
    for (const auto& model : contact_models()) {
      SCOPED_TRACE(std::string(model.name) + " in dimension " + std::to_string(dimension));
      function(dimension, model.name);
    }
  }
}

StepStatus status_of(const Simulation& sim) {
  return sim.scene().dimension == 2 ? sim.report<2>().status : sim.report<3>().status;
}

/// Steps until one is refused, which leaves the world as it was; the answer is how many were made.
int step_until_refused(Simulation& sim, int most) {
  for (int made = 0; made < most; ++made) {
    const std::string before = sim.summary().state_hash;
    if (sim.step()) continue;
    EXPECT_EQ(sim.summary().state_hash, before);
    EXPECT_FALSE(sim.summary().message.empty());
    return made;
  }
  return most;
}

TEST(Simulation, ABodyThatLeavesTheWorldIsRefusedByNameInEveryModel) {
  for_each_model([](int dimension, std::string_view model) {
    Simulation sim = simulate(Launch{dimension, model, {6e59, 1e59, 1e59}, {0, 0, 0}}.scene(true));
    EXPECT_EQ(step_until_refused(sim, 500), dimension == 2 ? 164 : 162);
    EXPECT_EQ(status_of(sim), StepStatus::bad_state);
    EXPECT_EQ(sim.summary().message,
              "bad state: body \"crate\" leaves the world: a step takes it beyond 1e+60 m");
  });
}

TEST(Simulation, ABodyThatTurnsTooFastIsRefusedByNameInEveryModel) {
  for_each_model([](int dimension, std::string_view model) {
    for (const double spin : {2e5, 1e20, 1e59}) {
      Simulation sim = simulate(Launch{dimension, model, {0, 10, 0}, {spin, 0.1 * spin, 0}}.scene(false));
      EXPECT_EQ(step_until_refused(sim, 5), 0) << spin;
      EXPECT_EQ(status_of(sim), StepStatus::bad_state) << spin;
      EXPECT_EQ(sim.summary().message,
                "bad state: body \"crate\" turns too fast to be followed: in a step by more than 1024 rad");
    }
  });
}

/// What only the equations of the step find, and what only a script says.
TEST(Simulation, ABodyThatLeavesTheWorldByAForceOrAScriptIsRefusedToo) {
  for (const auto& model : contact_models()) {
    const std::string head = "dimension: 2\nstep: 0.01\ncontact: {model: " + std::string(model.name) +
                             "}\nbodies:\n  - {name: probe, shape: {box: [1, 1]}, position: [0, 2], ";
    constexpr std::pair<const char*, const char*> kCases[] = {
        {"mass: 1e-50, force: [1e59, 0]", "leaves the world"},
        {"mass: 1e-50, torque: 1e59", "turns too fast"},
        {"script: {velocity: [0, 1e60]}", "leaves the world"}};
    for (const auto& [motion, reason] : kCases) {
      Simulation sim = simulate(head + motion + "}\n");
      EXPECT_LT(step_until_refused(sim, 200), 200) << model.name << ", " << motion;
      EXPECT_NE(sim.summary().message.find(std::string("\"probe\" ") + reason), std::string::npos)
          << model.name << ": " << sim.summary().message;
    }
  }
}

/// Slow or fast, into the ground, into the stone or away: no launch ends in an exception, or not at all.
TEST(Simulation, ABodyOfAnySpeedIsMovedOrRefused) {
  Random random(7);
  int moved = 0, refused = 0;
  for_each_model([&](int dimension, std::string_view model) {
    for (int i = 0; i < 6; ++i) {
      const double speed = std::pow(10, random.uniform(0, 60)), spin = std::pow(10, random.uniform(-3, 5));
      Simulation sim = simulate(
          Launch{dimension, model, speed * random.direction<3>(), spin * random.direction<3>()}.scene(false));
      const int made = step_until_refused(sim, 2);
      moved += made > 0, refused += made < 2;
    }
  });
  EXPECT_GT(moved, 20);
  EXPECT_GT(refused, 20);
}

TEST(Simulation, GapsCanBeMeasuredSeldomOrNever) {
  Simulation often = simulate(kSlide), never = simulate(kSlide, {.measure_every = 0});
  ASSERT_TRUE(often.run_until(0.2));
  ASSERT_TRUE(never.run_until(0.2));
  EXPECT_TRUE(std::isinf(never.summary().min_gap));
  EXPECT_EQ(often.summary().state_hash, never.summary().state_hash);
}

}  // namespace
}  // namespace touchstone
