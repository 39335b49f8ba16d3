// Every scene that comes with the program is one that runs.

#include <gtest/gtest.h>

#include <cstdlib>

#include "touchstone/scene/simulation.h"

namespace touchstone {
namespace {

constexpr int kSteps = 20;

TEST(NamedScenes, AllStartAndSayWhatTheyShow) {
  setenv("TOUCHSTONE_SCENES", (std::string(TOUCHSTONE_SOURCE_DIR) + "/scenes").c_str(), 1);
  const std::vector<NamedScene> scenes = named_scenes();
  EXPECT_GT(scenes.size(), 40u);
  for (const NamedScene& scene : scenes) {
    EXPECT_FALSE(scene.about.empty()) << scene.name;
    Simulation simulation(load_scene(scene.name));
    for (int i = 0; i < kSteps; ++i)
      ASSERT_TRUE(simulation.step()) << scene.name << ": " << simulation.summary().message;
  }
}

}  // namespace
}  // namespace touchstone
