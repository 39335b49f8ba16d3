// Thin walls and fast bodies, with the model `plane`: compact bodies do not pass, at any step.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "touchstone/scene/simulation.h"

namespace touchstone {
namespace {

namespace fs = std::filesystem;

const std::vector<double> kSteps = {0.0005, 0.001, 0.002, 0.004, 0.005, 0.008,
                                    0.01,   0.016, 0.02,  0.025, 0.05,  0.1};
constexpr double kGapTolerance = 1e-9;  ///< [m] what the model promises

Simulation plane_run(const std::string& scene, std::vector<std::string> overrides, double h) {
  overrides.push_back("step=" + std::to_string(h));
  overrides.push_back("contact.model=plane");
  return Simulation(load_scene(scene, overrides));
}

/// The largest x of any vertex of the last body.
template <int D>
double front(Simulation& simulation) {
  const World<D>& world = simulation.world<D>();
  const ContactShape<D>& part = world.shapes.back();
  const Pose<D> X = world.bodies[part.body].X_WC() * part.X_CS;
  double x = -std::numeric_limits<double>::infinity();
  for (const Vec<D>& v : std::get<Polytope<D>>(*part.shape).vertices()) x = std::max(x, (X * v).x());
  return x;
}

const std::string kFolder = std::string(TOUCHSTONE_SOURCE_DIR) + "/scenes/";

TEST(Tunneling, ACubeAtAThousandMetresPerSecondStopsAtAThinWallWithEveryStep) {
  for (const double h : kSteps) {
    Simulation simulation = plane_run(kFolder + "tunneling.yaml", {}, h);
    EXPECT_TRUE(simulation.run_until(0.1)) << "h = " << h << ": " << simulation.summary().message;
    EXPECT_LE(front<3>(simulation), kGapTolerance) << "h = " << h;
    EXPECT_GE(simulation.summary().min_gap, -kGapTolerance) << "h = " << h;
    EXPECT_LE(simulation.summary().energy_gained, 1e-12 * simulation.summary().energy_scale) << "h = " << h;
  }
}

TEST(Tunneling, ASheetOfATenthOfAMillimetreStopsIt) {
  for (const double h : kSteps) {
    Simulation simulation =
        plane_run(kFolder + "tunneling.yaml",
                  {"bodies.wall.shape.box=[0.0001, 10, 10]", "bodies.wall.position=[0.00005, 0, 0]"}, h);
    EXPECT_TRUE(simulation.run_until(0.1)) << "h = " << h << ": " << simulation.summary().message;
    EXPECT_LE(front<3>(simulation), kGapTolerance) << "h = " << h;
  }
}

TEST(Tunneling, ASpinningCubeStopsToo) {
  for (const double h : kSteps) {
    Simulation simulation = plane_run(
        kFolder + "tunneling.yaml",
        {"bodies.cube.angular_velocity=[3, 10, 20]", "bodies.cube.velocity=[20, 0, 0]", "duration=0.5"}, h);
    EXPECT_TRUE(simulation.run_until(0.5)) << "h = " << h << ": " << simulation.summary().message;
    EXPECT_GE(simulation.summary().min_gap, -kGapTolerance) << "h = " << h;
    EXPECT_LE(front<3>(simulation), kGapTolerance) << "h = " << h;
  }
}

TEST(Tunneling, WhatFliesPastTheWallIsNotTouched) {
  for (const double h : kSteps) {
    Simulation simulation = plane_run(kFolder + "tunneling.yaml", {"bodies.cube.position=[-5, 5.9, 0]"}, h);
    EXPECT_TRUE(simulation.run_until(0.1)) << "h = " << h;
    const Body<3>& cube = simulation.world<3>().bodies.back();
    EXPECT_NEAR(cube.position.x(), -5 + 1000 * simulation.time(), 1e-9) << "h = " << h;
    EXPECT_EQ(cube.velocity, (Twist<3>() << 1000, 0, 0, 0, 0, 0).finished()) << "h = " << h;
  }
}

constexpr const char* kBullet =
    "touchstone: 1\ndimension: 2\ngravity: [0, 0]\nduration: 0.1\nbodies:\n"
    "  - {name: wall, shape: {box: [0.001, 40]}, fixed: true, position: [0.0005, 0]}\n"
    "  - {name: bullet, shape: {regular_polygon: {corners: 5, radius: 0.05}}, density: 1, position: [-1, "
    "0.3],\n"
    "     velocity: [300, 20], angular_velocity: 50}\n";

TEST(Tunneling, InThePlaneASpinningPentagonStopsAtAMillimetre) {
  for (const double h : kSteps) {
    SceneSource source{kBullet, "bullet.yaml", "", {"step=" + std::to_string(h), "contact.model=plane"}};
    Simulation simulation(parse_scene(source));
    EXPECT_TRUE(simulation.run_until(0.1)) << "h = " << h << ": " << simulation.summary().message;
    EXPECT_LE(front<2>(simulation), kGapTolerance) << "h = " << h;
    EXPECT_GE(simulation.summary().min_gap, -kGapTolerance) << "h = " << h;
  }
}

TEST(Tunneling, TheFixtureOfRigidIpcItself) {
  const char* chosen = std::getenv("TOUCHSTONE_DATA");
  const fs::path data = chosen ? fs::path(chosen) : fs::path(TOUCHSTONE_SOURCE_DIR) / "../shared/data";
  const fs::path file = data / "rigid-ipc/fixtures/3D/unit-tests/tunneling.json";
  if (!fs::exists(file)) GTEST_SKIP() << "no file " << file;
  for (const double h : kSteps) {
    Simulation simulation = plane_run(file.string(), {}, h);
    EXPECT_TRUE(simulation.run_until(0.2)) << "h = " << h << ": " << simulation.summary().message;
    EXPECT_LE(front<3>(simulation), kGapTolerance) << "h = " << h;
    EXPECT_GE(simulation.summary().min_gap, -kGapTolerance) << "h = " << h;
  }
}

}  // namespace
}  // namespace touchstone
