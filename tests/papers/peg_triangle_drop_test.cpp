// [Thesis 5.2.1, figure 5.6; PEG 3.1] A triangle falls on the side of a larger one, slides down, is caught by
// its corner and turns off: for every step size the same motion, to first order.

#include <cmath>

#include "oracles/event_driven.h"
#include "support/peg_run.h"

namespace touchstone::support {
namespace {

constexpr double kDuration = 1.5;      // [s]
constexpr double kTruthStep = 1e-4;    // [s] of the thesis's ground truth
constexpr double kMarginPerStep = 10;  // epsilon = 10 h [m/s]
constexpr int kStepSizes = 16;         // h = .001, .002, ... .016

using Path = std::vector<Vec<3>>;

Path path_of(const char* model, double h, ChoiceTally* tally = nullptr) {
  World<2> world = triangle_drop();
  Path path = {triangle_state(world)};
  const ChoiceTally made =
      run_steps(world, peg_settings(h, kMarginPerStep * h), model, std::floor(kDuration / h + 1e-9) * h,
                [&](const World<2>& w) { path.push_back(triangle_state(w)); });
  if (tally) *tally = made;
  return path;
}

/// Of a path with steps of k milliseconds from one with steps of kTruthStep.
Vec<3> deviation(const Path& path, const Path& truth, int k) {
  const int stride = static_cast<int>(std::lround(k * 1e-3 / kTruthStep));
  Vec<3> worst = Vec<3>::Zero();
  for (std::size_t i = 0; i < path.size() && i * stride < truth.size(); ++i) {
    worst = worst.cwiseMax((path[i] - truth[i * stride]).cwiseAbs());
  }
  return worst;
}

const Path& peg_truth() {
  static const Path path = path_of("peg", kTruthStep);
  return path;
}

/// At every step of kTruthStep.
const oracles::EventDrivenResult& event_truth() {
  static const oracles::EventDrivenResult result = [] {
    const World<2> world = triangle_drop();
    const auto corners = [&](int shape) {
      oracles::Corners loop;
      for (const Vec<2>& x : std::get<Polytope<2>>(*world.shapes[shape].shape).vertices()) {
        loop.push_back(world.shapes[shape].X_CS * x);
      }
      const auto angle = [](const Vec<2>& x) { return std::atan2(x.y(), x.x()); };
      std::sort(loop.begin(), loop.end(),
                [&](const Vec<2>& x, const Vec<2>& y) { return angle(x) < angle(y); });
      return loop;
    };
    oracles::EventDrivenProblem problem{corners(1),    corners(0), 1, .6495, 9.81, triangle_state(world),
                                        Vec<3>::Zero()};
    std::vector<double> times;
    for (int i = 0; i <= std::lround(kDuration / kTruthStep); ++i) times.push_back(i * kTruthStep);
    return oracles::run_events(problem, times, 1e-5);
  }();
  return result;
}

TEST(TriangleDrop, EventsHappenWhenTheStudySays) {
  const auto& truth = event_truth();
  const double times[] = {.845768, 1.287167, 1.322135, 1.323235, 1.390190, 1.490681};
  ASSERT_EQ(truth.events.size(), std::size(times));
  for (std::size_t i = 0; i < std::size(times); ++i) EXPECT_NEAR(truth.events[i].time, times[i], 1e-5);
  EXPECT_NEAR(truth.events[0].speed, -4.14849, 1e-5);
  EXPECT_LT((truth.q.back() - Vec<3>(3.726979, -2.234137, 1.038937)).cwiseAbs().maxCoeff(), 2e-6);
}

TEST(TriangleDrop, PegWithShortStepsFollowsTheEvents) {
  const Path& peg = peg_truth();
  EXPECT_LT((peg.back() - Vec<3>(3.727286, -2.234700, 1.038931)).cwiseAbs().maxCoeff(), 1e-6);
  Vec<3> worst = Vec<3>::Zero();
  for (std::size_t i = 0; i < peg.size(); ++i)
    worst = worst.cwiseMax((peg[i] - event_truth().q[i]).cwiseAbs());
  EXPECT_LT(worst[0], 3.2e-4);
  EXPECT_LT(worst[1], 5.9e-4);
  EXPECT_LT(worst[2], 2.0e-4);
}

TEST(TriangleDrop, PegIsOfFirstOrderForAllSixteenStepSizes) {
  int guarded = 0;
  for (int k = 1; k <= kStepSizes; ++k) {
    const double h = 1e-3 * k;
    ChoiceTally tally;
    const Path path = path_of("peg", h, &tally);
    const Vec<3> off = deviation(path, peg_truth(), k), off_events = deviation(path, event_truth().q, k);
    EXPECT_LE(off[0], 3.1 * h) << "x, h = " << h;
    EXPECT_LE(off[1], 6 * h) << "y, h = " << h;
    EXPECT_LE(off[2], 2 * h) << "angle, h = " << h;
    EXPECT_LE(off_events[0], 3.1 * h + 3.1e-4) << "x by events, h = " << h;
    EXPECT_LE(off_events[1], 6 * h + 5.8e-4) << "y by events, h = " << h;
    EXPECT_LE(off_events[2], 2 * h + 1.9e-4) << "angle by events, h = " << h;
    EXPECT_EQ(tally.relaxed + tally.backtracks + tally.illegal, 0) << "h = " << h;
    guarded += tally.guards > 0;
  }
  EXPECT_EQ(guarded, kStepSizes) << "a choice was made in every run";
}

TEST(TriangleDrop, WithoutDualCornersLncIsPeg) {
  for (int k : {1, 8, 16}) {
    const Path lnc = path_of("lnc", 1e-3 * k), peg = path_of("peg", 1e-3 * k);
    EXPECT_LT((lnc.back() - peg.back()).norm(), 1e-12) << k << " ms";
  }
}

TEST(TriangleDrop, TheStandardModelIsTrappedAtTheApexOrTurnsTheWrongWay) {
  // Filtered by applicability and feasibility it is not trapped but turns over the wrong way [PEG 3.1].
  for (int k : {2, 8, 16}) {
    const Vec<3> off = deviation(path_of("standard", 1e-3 * k), peg_truth(), k);
    EXPECT_GT(off[2], 1) << k << " ms";
  }
  // Unfiltered its steps cannot be made, or it hangs.
  for (int k : {2, 8, 16}) {
    World<2> world = triangle_drop();
    Stepper<2> stepper(peg_settings(1e-3 * k, kMarginPerStep * 1e-3 * k), "standard-all");
    int failed = 0;
    for (int i = 0; i < 1500 / k; ++i) failed += stepper.step(world).status != StepStatus::done;
    const bool trapped = triangle_state(world).y() > 2;
    EXPECT_TRUE(failed > 0 || trapped) << k << " ms";
  }
}

TEST(TriangleDrop, TheCorrectiveModelDependsOnTheStep) {
  double worst = 0;
  for (int k : {1, 2, 8, 10}) {
    worst = std::max(worst, deviation(path_of("corrective", 1e-3 * k), peg_truth(), k).maxCoeff());
  }
  EXPECT_GT(worst, 0.5);
}

}  // namespace
}  // namespace touchstone::support
