// The other experiments of the thesis's chapter 5 in the plane, with the numbers of [PEG 3.2, 3.4-3.6].

#include <cmath>

#include "support/peg_run.h"

namespace touchstone::support {
namespace {

// ---- 5.2.2 stack of boxes
// ------------------------------------------------------------------------------------

TEST(BoxStack, PegStandsExactlyForFourThousandSteps) {
  World<2> world = box_stack();
  const World<2> start = world;
  constexpr double kStep = .005;
  long last_motion = 0;
  const ChoiceTally tally =
      run_steps(world, peg_settings(kStep, .07), "peg", 4000 * kStep, [&](const World<2>& w) {
        for (const Body<2>& body : w.bodies) {
          if (body.velocity.norm() > 1e-6) last_motion = w.steps;
        }
      });
  EXPECT_EQ(tally.steps, 4000);
  EXPECT_LE(last_motion, 136) << "at rest from here on";
  for (int i = 0; i < 10; ++i) {
    const Body<2>& body = world.bodies[i];
    EXPECT_NEAR(body.position.y(), .5 + i, 1e-13);
    EXPECT_NEAR(body.position.x(), start.bodies[i].position.x(), 5e-12);
    EXPECT_LT(std::abs(body.attitude.angle), 1e-14);
    EXPECT_LT(body.velocity.norm(), 5e-13);
  }
  EXPECT_EQ(tally.flips + tally.backtracks + tally.relaxed + tally.illegal, 0);
  EXPECT_GT(tally.guards, 0) << "corners were near corners";
}

TEST(BoxStack, TheCorrectiveModelDestroysItAndTheStandardOneCannotSolveIt) {
  World<2> corrective = box_stack();
  Stepper<2> pusher(peg_settings(.005, .07), "corrective");
  for (int i = 0; i < 600; ++i) pusher.step(corrective);
  double off = 0;
  for (int i = 0; i < 10; ++i) off = std::max(off, std::abs(corrective.bodies[i].position.y() - .5 - i));
  EXPECT_GT(off, .1);
  World<2> standard = box_stack();
  const World<2> start = standard;
  Stepper<2> holder(peg_settings(.005, .07), "standard-all");
  int failed = 0;
  for (int i = 0; i < 200; ++i) failed += holder.step(standard).status != StepStatus::done;
  double pushed = 0;
  for (int i = 0; i < 10; ++i)
    pushed = std::max(pushed, std::abs(standard.bodies[i].position.x() - start.bodies[i].position.x()));
  EXPECT_TRUE(failed > 0 || pushed > .01) << failed << " steps failed, pushed aside by " << pushed;
}

// ---- 5.3 rotation error
// --------------------------------------------------------------------------------------

TEST(RotationError, IsTheAreaOfTheClosedForm) {
  const double steps[] = {.01, .1, .2, .3, .4, .5}, printed[] = {.000025, .0025, .01, .0223, .0395, .0612};
  for (int i = 0; i < 6; ++i) {
    World<2> world = turning_blocks();
    const ChoiceTally tally = run_steps(world, peg_settings(steps[i], 2 * steps[i]), "peg", steps[i]);
    const double area = total_overlap(world);
    EXPECT_NEAR(area, .5 * (1 - std::cos(steps[i])), 1e-13) << "D L (1 - cos h)";
    EXPECT_NEAR(area, printed[i], 6e-5) << "to the digits of the thesis";
    EXPECT_EQ(tally.steps, 1);
  }
}

// ---- 5.4 momentum
// --------------------------------------------------------------------------------------------

TEST(MomentumRow, IsHandedOnAndNothingIsLost) {
  World<2> world = row_of_squares();
  const double plateaus[] = {2, 1.2, 1.090909, 1.045296, .817439};
  std::vector<std::pair<double, int>> speeds = {{2, 0}};  // of the first square, and how many steps it had it
  double worst = 0;
  run_steps(world, peg_settings(.01, 0), "peg", 3, [&](const World<2>& w) {
    worst = std::max(worst, std::abs(momentum(w).linear.x() - 3));
    const double speed = w.bodies[0].velocity[0];
    if (std::abs(speed - speeds.back().first) > 1e-9) speeds.push_back({speed, 0});
    ++speeds.back().second;
  });
  EXPECT_LT(worst, 4e-15);
  std::erase_if(speeds, [](const auto& entry) { return entry.second < 3; });  // within an impact
  ASSERT_EQ(speeds.size(), std::size(plateaus));
  for (std::size_t i = 0; i < speeds.size(); ++i) EXPECT_NEAR(speeds[i].first, plateaus[i], 5e-7);
}

// ---- slide-off
// -----------------------------------------------------------------------------------------------

Vec<3> slid_off(double h, ChoiceRule rule, ChoiceTally& tally) {
  StepSettings settings = peg_settings(h, std::min(10 * h, .15));
  settings.choice.rule = rule;
  World<2> world = slide_off<2>();
  tally = run_steps(world, settings, "peg", 1);
  return {world.bodies[1].position.x(), world.bodies[1].position.y(), world.bodies[1].attitude.angle};
}

TEST(SlideOff, ABoxTipsOffTheTableAtEveryStepSize) {
  const Vec<3> truth(.83709, -.07357, -.73728);
  for (double h : {.002, .005, .01, .02}) {
    for (ChoiceRule rule : {ChoiceRule::toi2, ChoiceRule::free}) {
      ChoiceTally tally;
      const Vec<3> end = slid_off(h, rule, tally);
      EXPECT_NEAR(end[0], .8371, 1e-4) << "h = " << h;
      EXPECT_LT((end - truth).cwiseAbs().maxCoeff(), .15 * h) << "h = " << h;
      EXPECT_EQ(tally.relaxed + tally.backtracks + tally.illegal, 0);
    }
  }
}

TEST(SlideOff, RulesWithoutSlopStubTheBoxOnTheCorner) {
  for (double h : {.002, .005, .01, .02}) {
    for (ChoiceRule rule : {ChoiceRule::toi, ChoiceRule::start}) {
      ChoiceTally tally;
      EXPECT_LT(slid_off(h, rule, tally)[0], .6) << "h = " << h;
    }
  }
}

}  // namespace
}  // namespace touchstone::support
