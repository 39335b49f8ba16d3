// What a recording costs, in time and in space, on a scene of a hundred bodies.

#include <gtest/gtest.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "touchstone/scene/simulation.h"
#include "touchstone/store/array_file.h"

namespace touchstone {
namespace {

namespace fs = std::filesystem;

constexpr double kEnd = 2;  ///< [s] simulated
/// Pairs of runs, one behind the other, so that both meet the same load of the machine; their median counts.
constexpr int kPairs = 9;
/// `run` with a recording may take this many times as long as the steps alone.
constexpr double kMostTime = 1.1;

/// A hundred icosahedra that roll on a floor: steps are cheap, states and contacts change all the time.
Scene rolling() {
  std::string text =
      "touchstone: 1\ndimension: 3\nstep: 0.005\nbodies:\n"
      "  - {name: floor, shape: {box: [60, 60, 1]}, fixed: true, position: [0, 0, -0.5]}\n";
  for (int i = 0; i < 10; ++i) {
    text += "  - {name: row" + std::to_string(i) + ", shape: {icosahedron: 0.5}, mass: 1, position: [" +
            std::to_string(2 * i - 9) +
            ", -9, 1], angular_velocity: [0.3, 0.2, 1], repeat: {count: 10, shift: [0.1, 2, 0.05]}}\n";
  }
  return parse_scene(text, "rolling.yaml");
}

/// Ten stacks of ten boxes.
Scene stacks() {
  std::string text =
      "touchstone: 1\ndimension: 3\nstep: 0.01\nbodies:\n"
      "  - {name: floor, shape: {box: [40, 40, 1]}, fixed: true, position: [0, 0, -0.5]}\n";
  for (int i = 0; i < 10; ++i) {
    text += "  - {name: s" + std::to_string(i) + ", shape: {box: [1, 1, 1]}, mass: 1, position: [" +
            std::to_string(2 * i - 9) + ", 0, 0.5], repeat: {count: 10, shift: [0, 0, 1.001]}}\n";
  }
  return parse_scene(text, "stacks.yaml");
}

/// [s]
double seconds(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// What a run takes [s]: by the wall, and of the processor in all threads.
struct RunTime {
  double wall = 0, processor = 0;
};
RunTime time_of(const SimulationSettings& settings, const fs::path& file) {
  const Scene scene = stacks();
  fs::remove(file);  // a new file: taking the place of another costs the system time that is not ours
  const RunTime begin{seconds(CLOCK_MONOTONIC), seconds(CLOCK_PROCESS_CPUTIME_ID)};
  Simulation sim(scene, settings);
  if (!file.empty()) sim.record(file);
  EXPECT_TRUE(sim.run_until(kEnd));
  sim.close_recording();
  return {seconds(CLOCK_MONOTONIC) - begin.wall, seconds(CLOCK_PROCESS_CPUTIME_ID) - begin.processor};
}

struct Spread {
  double least, median, most;
};
Spread spread_of(std::vector<double> ratios) {
  std::sort(ratios.begin(), ratios.end());
  return {ratios.front(), ratios[ratios.size() / 2], ratios.back()};
}
void print(const char* what, const Spread& ratio) {
  std::printf(
      "exact gaps and recording, %s: %+.1f %% of the bare steps (median of %d pairs, %+.1f to %+.1f %%)\n",
      what, 100 * (ratio.median - 1), kPairs, 100 * (ratio.least - 1), 100 * (ratio.most - 1));
}

class RecordingOverhead : public testing::Test {
 protected:
  const fs::path file =
      fs::temp_directory_path() / ("touchstone-overhead-" + std::to_string(::getpid()) + ".h5");
  ~RecordingOverhead() override {
    std::error_code ignored;
    fs::remove(file, ignored);
  }
};

// A bound of time belongs to a calm machine: `ctest -R recording_overhead`, with the slow ones.
TEST_F(RecordingOverhead, DISABLED_InTimeIsATenthOfTheBareSteps) {
  SimulationSettings bare, run;
  bare.measure_every = 0;
  bare.threads = run.threads = 1;
  std::vector<double> wall, processor;
  for (int i = 0; i < kPairs; ++i) {
    const RunTime plain = time_of(bare, ""), recorded = time_of(run, file);
    wall.push_back(recorded.wall / plain.wall);
    processor.push_back(recorded.processor / plain.processor);
  }
  print("by the wall", spread_of(wall));
  print("processor time of all threads", spread_of(processor));
  EXPECT_LE(spread_of(wall).median, kMostTime);
}

/// The size of some arrays in the file, as a share of their size in memory.
double share_of(const ArrayFile& file, const std::vector<std::string>& names) {
  double numbers = 0, stored = 0;
  for (const std::string& name : names) {
    const ArraySize size = file.size(name);
    numbers += static_cast<double>(size.in_memory);
    stored += static_cast<double>(size.in_file);
  }
  return stored / numbers;
}

TEST_F(RecordingOverhead, InSpaceIsHardlyMoreThanTheNumbersThemselves) {
  Simulation sim(rolling());
  sim.record(file);
  ASSERT_TRUE(sim.run_until(kEnd));
  sim.close_recording();
  const ArrayFile recording = ArrayFile::open(file);
  const double states =
      share_of(recording, {"time", "position", "orientation", "velocity", "angular_velocity"});
  const double contacts =
      share_of(recording, {"contacts/offsets", "contacts/bodies", "contacts/features", "contacts/point",
                           "contacts/normal", "contacts/gap", "contacts/impulse", "contacts/kind"});
  std::printf("of their raw size: states %.3f, contacts %.3f\n", states, contacts);
  EXPECT_LE(states, 1.2);
  EXPECT_LE(contacts, 1.5);
}

}  // namespace
}  // namespace touchstone
