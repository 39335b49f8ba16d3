// The grid of a study, and the numbers that it reads from recordings.

#include "touchstone/scene/study.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>

#include "support/temporary_folder.h"
#include "touchstone/record/recording.h"
#include "touchstone/scene/simulation.h"

namespace touchstone {
namespace {

class Study : public testing::Test {
 protected:
  StudyPlan plan_of(const std::string& text) const {
    const auto file = folder_.path() / "study.yaml";
    std::ofstream(file) << "study: 1\nscenes: slide\n" << text;
    return load_study(file);
  }
  TemporaryFolder folder_;
};

std::vector<std::string> overrides_of(const StudyPlan& plan) {
  std::vector<std::string> all;
  for (const StudyRun& run : plan.runs) {
    std::string words;
    for (const std::string& word : run.overrides) words += (words.empty() ? "" : " ") + word;
    all.push_back(words);
  }
  return all;
}

using Texts = std::vector<std::string>;

TEST_F(Study, SeedsAreCountedFromOneOrListed) {
  EXPECT_EQ(overrides_of(plan_of("seeds: 3\n")),
            (Texts{"generate.seed=1", "generate.seed=2", "generate.seed=3"}));
  EXPECT_EQ(overrides_of(plan_of("seeds: [7, 5]\n")), (Texts{"generate.seed=7", "generate.seed=5"}));
}

TEST_F(Study, ScaledValuesGrowWithTheStep) {
  EXPECT_EQ(overrides_of(plan_of("steps: [0.01, 0.02]\nscaled: {contact.margin: 3}\n")),
            (Texts{"step=0.01 contact.margin=0.03", "step=0.02 contact.margin=0.06"}));
}

TEST_F(Study, SamplesShowEveryValueOfEveryAxis) {
  const StudyPlan plan = plan_of("models: [plane, peg]\nsteps: [0.01, 0.02, 0.04]\nseeds: 4\n");
  ASSERT_EQ(plan.runs.size(), 24u);
  for (std::size_t axis = 0; axis < plan.axes.size(); ++axis) {
    std::vector<std::string> all, seen;
    for (const StudyRun& run : plan.runs) all.push_back(run.values[axis]);
    for (const std::size_t i : plan.samples) seen.push_back(plan.runs[i].values[axis]);
    for (const std::string& value : all)
      EXPECT_NE(std::find(seen.begin(), seen.end(), value), seen.end()) << plan.axes[axis] << " " << value;
  }
  EXPECT_LT(plan.samples.size(), 10u);
}

TEST_F(Study, EqualRunsAreRefused) {
  EXPECT_THROW(plan_of("steps: [0.001, 0.0010]\n"), BadScene);
  EXPECT_THROW(plan_of("seeds: [1, 1]\n"), BadScene);
}

TEST_F(Study, MeasuresAreTheFunctionsOfTheirNames) {
  const auto file = folder_.path() / "slide.h5";
  Simulation sim(load_scene("slide"));
  sim.record(file);
  for (int i = 0; i < 7; ++i) ASSERT_TRUE(sim.step());
  sim.close_recording();
  std::vector<double> x = RecordingReader(file).series("crate.x");
  ASSERT_EQ(x.size(), 8u);
  const auto value = [&](const std::string& text) { return evaluate(parse_measure(text), file); };
  EXPECT_EQ(value("first(crate.x)"), x.front());
  EXPECT_EQ(value("last(crate.x)"), x.back());
  EXPECT_NEAR(value("mean(crate.x)"), std::accumulate(x.begin(), x.end(), 0.0) / 8, 1e-14);
  std::sort(x.begin(), x.end());
  ASSERT_LT(x.front(), x.back());
  EXPECT_EQ(value("min(crate.x)"), x.front());
  EXPECT_EQ(value("max(crate.x)"), x.back());
  EXPECT_EQ(value("median(crate.x)"), (x[3] + x[4]) / 2);
  std::vector<double> kinetic = RecordingReader(file).series("kinetic");
  ASSERT_EQ(kinetic.size(), 7u);
  std::sort(kinetic.begin(), kinetic.end());
  EXPECT_EQ(value("median(kinetic)"), kinetic[3]);
}

TEST_F(Study, QuantitiesThatNoRunRecordsAreRefusedBeforeAnyRun) {
  const Scene flat = load_scene("slide"), solid = load_scene("box-stack");
  EXPECT_NO_THROW(check_quantity("crate.angle", flat));
  EXPECT_NO_THROW(check_quantity("box-1.z", solid));
  EXPECT_NO_THROW(check_quantity("overlap", flat));
  for (const char* wrong : {"crate.z", "cart.x", "overlp", "crate.", ".x", ""})
    EXPECT_THROW(check_quantity(wrong, flat), BadInput) << wrong;
  EXPECT_THROW(check_quantity("box-1.angle", solid), BadInput);
}

}  // namespace
}  // namespace touchstone
