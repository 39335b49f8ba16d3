// The staggered stack of ten without friction: it stands exactly, however its boxes are given and whatever
// the step. (Bullet, ODE, MuJoCo and DART do not pass: docs/notes/benchmarks-peers.md.)

#include <gtest/gtest.h>

#include "touchstone/scene/simulation.h"

namespace touchstone {
namespace {

constexpr double kDrift = 1e-9;  ///< [m]

/// How far a box ended from where it should stand: straight below its start, upon the others.
double worst_drift(Simulation& simulation) {
  const auto& start = std::get<RunContent<3>>(simulation.scene().content).world.bodies;
  const auto& end = simulation.world<3>().bodies;
  double worst = 0;
  for (std::size_t i = 0; i < end.size(); ++i) {
    Vec<3> truth = start[i].position;
    truth.z() = 0.5 + static_cast<double>(i);
    worst = std::max(worst, (end[i].position - truth).norm());
    worst = std::max(worst, (end[i].attitude.matrix() - Mat<3>::Identity()).norm());
  }
  return worst;
}

using GivenAndStep = std::tuple<const char*, double>;
class StaggeredStack : public testing::TestWithParam<GivenAndStep> {};

TEST_P(StaggeredStack, OfTenBoxesStandsWithoutDrift) {
  const auto& [given, h] = GetParam();
  Simulation simulation(load_scene(
      std::string(TOUCHSTONE_SOURCE_DIR) + "/scenes/stack-10-boxes.yaml",
      {"contact.model=plane", std::string("generate.given=") + given, "step=" + std::to_string(h)}));
  ASSERT_TRUE(simulation.run_until(5)) << simulation.summary().message;
  EXPECT_LT(worst_drift(simulation), kDrift);
  EXPECT_GE(simulation.summary().min_gap, -1e-9);
  EXPECT_LE(simulation.summary().energy_gained, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Plane, StaggeredStack,
                         testing::Combine(testing::Values("box", "hull", "mesh"),
                                          testing::Values(0.001, 0.005, 0.01, 0.016)));

}  // namespace
}  // namespace touchstone
