// [Thesis 5.2.3, figure 5.10; PEG 3.3] Polygons are poured into a container. The overlap that is left is that
// of rotation, orders of magnitude below what a corrective model leaves.

#include <cmath>
#include <cstdlib>

#include "support/peg_run.h"

namespace touchstone::support {
namespace {

struct Pouring {
  double median = 0, largest = 0;  ///< [m^2] total overlap
  double fastest = 0;              ///< [m/s]
  ChoiceTally tally;
};

struct PouringSettings {
  double duration = 5;  ///< [s]
  Surface surface;
};

Pouring pour(std::uint64_t seed, double h, const char* model, const PouringSettings& settings = {}) {
  PolygonBox box = polygon_box(seed);
  box.world.surfaces = SurfaceTable(1, settings.surface);
  Stepper<2> stepper(peg_settings(h, std::min(10 * h, .15)), model);
  Pouring result;
  std::vector<double> overlaps;
  for (long i = 0; i < std::lround(settings.duration / h); ++i) {
    let_in(box);
    const StepReport<2> report = stepper.step(box.world);
    EXPECT_EQ(report.status, StepStatus::done) << report.message << ", step " << i << ", seed " << seed;
    if (report.status != StepStatus::done) break;
    result.tally.add(report);
    overlaps.push_back(total_overlap(box.world));
    for (const Body<2>& body : box.world.bodies)
      result.fastest = std::max(result.fastest, body.velocity.head<2>().norm());
  }
  result.largest = *std::max_element(overlaps.begin(), overlaps.end());
  std::nth_element(overlaps.begin(), overlaps.begin() + overlaps.size() / 2, overlaps.end());
  result.median = overlaps[overlaps.size() / 2];
  return result;
}

/// The sets of the default run, or as many as the environment says: TOUCHSTONE_SETS=10.
int sets() {
  const char* told = std::getenv("TOUCHSTONE_SETS");
  return told ? std::atoi(told) : 3;
}

/// Medians of the study, of three other sets of polygons; times ten for the spread between sets.
void expect_poured(double h, double median, double largest) {
  long flips = 0, guards = 0;
  for (int seed = 1; seed <= sets(); ++seed) {
    const Pouring peg = pour(seed, h, "peg"), corrective = pour(seed, h, "corrective-overlap");
    EXPECT_LE(peg.median, corrective.median / 100) << "seed " << seed;
    EXPECT_LE(peg.median, median) << "seed " << seed;
    EXPECT_LE(peg.largest, largest) << "seed " << seed;
    EXPECT_LE(peg.fastest, seed <= 3 ? 6 : 6.2) << "seed " << seed;
    EXPECT_EQ(peg.tally.relaxed, 0) << "seed " << seed;
    EXPECT_EQ(peg.tally.illegal, 0) << "seed " << seed;
    EXPECT_LT(peg.tally.worst_balance, 1e-11) << "seed " << seed;
    flips += peg.tally.flips, guards += peg.tally.guards;
    std::printf(
        "seed %d h %g: median %.1e m^2, largest %.1e (corrective %.1e, %.1e), %.2f m/s, solves %.1f a "
        "step, at most %d, backtracks %ld, flips %ld\n",
        seed, h, peg.median, peg.largest, corrective.median, corrective.largest, peg.fastest,
        static_cast<double>(peg.tally.solves) / static_cast<double>(peg.tally.steps), peg.tally.most_solves,
        peg.tally.backtracks, peg.tally.flips);
  }
  EXPECT_GT(flips, 10);
  EXPECT_GT(guards, 1000);
}

TEST(PolygonBox, LeavesAHundredthOfTheCorrectiveOverlapAtFiveMilliseconds) {
  expect_poured(.005, 2e-7, 1e-3);
}
TEST(PolygonBox, LeavesAHundredthOfTheCorrectiveOverlapAtTenMilliseconds) { expect_poured(.01, 2e-6, 3e-3); }
TEST(PolygonBox, LeavesAHundredthOfTheCorrectiveOverlapAtTwentyMilliseconds) {
  expect_poured(.02, 2e-5, 1e-2);
}

TEST(PolygonBox, VerticesAloneDoNotKeepPolygonsApart) {
  double worst = 0;
  for (int seed = 1; seed <= 3; ++seed) worst = std::max(worst, pour(seed, .01, "lnc").median);
  EXPECT_GT(worst, 1e-4) << "lnc";
}

TEST(PolygonBox, WithFrictionEveryStepIsChosenAndSolved) {
  PouringSettings rough{.duration = 2, .surface = {}};
  rough.surface.friction = FrictionLaw::linear, rough.surface.mu = .3;
  const Pouring peg = pour(1, .01, "peg", rough);
  EXPECT_EQ(peg.tally.relaxed, 0);
  EXPECT_LE(peg.fastest, 6);
  EXPECT_LE(peg.median, 1e-5);
  EXPECT_LT(peg.tally.worst_balance, 1e-9);
  EXPECT_GT(peg.tally.guards, 20);
}

}  // namespace
}  // namespace touchstone::support
