#include "touchstone/run/force_watch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace touchstone {
namespace {

constexpr int kSteps = 200;
constexpr double kStep = 0.01;  // [s]

/// The step in which a joint whose force is this function of the step is called unstable; -1: in none.
int step_called_unstable(const std::function<double(int)>& force) {
  World<2> world;
  world.joints.emplace_back();
  world.joints[0].name = "hinge", world.joints[0].axes.resize(1);
  ForceWatch<2> watch;
  for (int i = 0; i < kSteps; ++i) {
    world.joints[0].axes[0].force = force(i);
    if (watch.watch(world) == "hinge") return i;
  }
  return -1;
}

/// What a controller k (goal - x) makes of a free mass of 1 kg whose position it reads at the start of each
/// step and whose motion under the force is exact: the force of step i, until the run ends.
std::function<double(int)> held_by_spring(double k) {
  return [k, x = 1e-8, v = 0.](int) mutable {
    const double f = -k * x;
    x += kStep * v + kStep * kStep * f / 2, v += kStep * f;
    return f;
  };
}

TEST(ForceWatch, NamesAControllerThatOvershootsInEveryStep) {
  const int step = step_called_unstable([](int i) { return (i % 2 ? -1 : 1) * 1e-3 * std::pow(1.5, i); });
  EXPECT_GT(step, 0);
  EXPECT_LE(step, 10);
}

TEST(ForceWatch, NamesASpringThatItsStepCannotFollow) {
  for (const double times : {1., 4., 16., 100.}) {  // of the stiffness at which a swing takes 2 pi steps
    const int step = step_called_unstable(held_by_spring(times / (kStep * kStep)));
    EXPECT_GT(step, 0) << times;
    EXPECT_LE(step, 60) << times;
  }
}

TEST(ForceWatch, LetsWhatAStepFollowsBe) {
  const auto swing = [](double steps) { return [=](int i) { return 3 * std::sin(2 * M_PI * i / steps); }; };
  for (const double steps : {7., 20., 100.}) EXPECT_EQ(step_called_unstable(swing(steps)), -1) << steps;
  EXPECT_EQ(step_called_unstable([](int) { return 5.; }), -1);
  EXPECT_EQ(step_called_unstable([](int i) { return i % 2 ? -0.9 : 1.; }), -1);  // it does not grow
  const auto sets_out = [](int i) { return i < 50 ? 1e-16 * (i % 2 ? 1 : -1) : i; };
  EXPECT_EQ(step_called_unstable(sets_out), -1);
  EXPECT_EQ(step_called_unstable([](int i) { return i == 50 ? -1000. : 1.; }), -1);  // something strikes
}

}  // namespace
}  // namespace touchstone
