// Islands so large that their matrices are kept in factors: the physics must not change with the road that
// the solution takes.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/memory.h"
#include "support/worlds.h"
#include "touchstone/record/metrics.h"
#include "touchstone/solve/solver.h"

namespace touchstone::support {
namespace {

constexpr double kG = 9.81;  // [m/s^2]
constexpr double kMu = 0.2;
constexpr double kIncline = 20 * std::numbers::pi / 180;
constexpr double kStep = 0.01;       // [s]
constexpr double kRoundOff = 1e-12;  // [m/s], [m] of sums of a hundred steps
/// With eight directions a contact has ten unknowns; up to 80 the matrix is kept entry by entry.
constexpr int kContactsInEntries = 8;

const Vec<2> kUp{std::cos(kIncline), std::sin(kIncline)};
const Vec<2> kNormal{-std::sin(kIncline), std::cos(kIncline)};

/// Flat boxes, one on the other, on a plane that rises towards +x: too flat to topple.
World<3> stack_on_incline(int boxes) {
  constexpr double kHeight = 0.2;  // [m]
  World<3> world;
  set_surface(world, friction(FrictionLaw::linear, kMu));
  world.gravity = lifted<3>({0, -kG});
  for (int i = 0; i < boxes; ++i) {
    const int box = add_box<3>(world, Vec<3>(1, kHeight, 1));
    place(world.bodies[box], (i + 0.5) * kHeight * kNormal, kIncline);
  }
  add_half_space<3>(world, kNormal);
  return world;
}

TEST(LargeIsland, AStackOnASlopeSlidesDownAsOneBody) {
  constexpr int kBoxes = 4;
  World<3> world = stack_on_incline(kBoxes);
  const World<3> before = world;
  run<3>(world, with_step(kStep), 1, [&](const World<3>& now, const StepReport<3>& report) {
    EXPECT_GT(report.set.contacts.size(), kContactsInEntries);
    const double speed = kG * (std::sin(kIncline) - kMu * std::cos(kIncline)) * now.time;
    for (int i = 0; i < kBoxes; ++i) {
      const Vec<6> expected = twist<3>(lifted<3>(-speed * kUp), Vec<3>::Zero());
      EXPECT_LE((now.bodies[i].velocity - expected).norm(), kRoundOff) << "box " << i << " at " << now.time;
    }
    return !testing::Test::HasFailure();
  });
  const Vec<3> way = world.bodies[0].position - before.bodies[0].position;
  EXPECT_GT(way.norm(), 0.7);
  for (int i = 1; i < kBoxes; ++i)
    EXPECT_LE((world.bodies[i].position - before.bodies[i].position - way).norm(), kRoundOff);
}

/// Three hundred metres up a double knows positions to 1e-13 m, and corners of a box that differ by that
/// would contradict each other by more than the solver's tolerance.
TEST(LargeIsland, ATallStackStandsStillWithoutEffort) {
  constexpr int kBoxes = 300;
  World<3> world;
  set_surface(world, friction(FrictionLaw::none));
  world.gravity = lifted<3>({0, -kG});
  for (int i = 0; i < kBoxes; ++i)
    place(world.bodies[add_box<3>(world, Vec<3>::Constant(1.1))], {0, 1.1 * (i + 0.5)}, 0);
  add_half_space<3>(world, {0, 1});
  int iterations = 0;
  run<3>(world, with_step(kStep), 10 * kStep, [&](const World<3>& now, const StepReport<3>& report) {
    iterations += report.iterations;
    for (const Body<3>& body : now.bodies) EXPECT_LE(body.velocity.norm(), 1e-9);
    return !testing::Test::HasFailure();
  });
  EXPECT_LE(iterations, 60) << "in ten steps";
}

/// Boxes that slide over each other, down the slope and up: what rubs is plain, and so velocities are unique.
World<3> sheared_stack() {
  World<3> world = stack_on_incline(4);
  const double speeds[] = {-0.5, 0.4, -0.3, 0.6};  // [m/s] up the slope
  for (int i = 0; i < 4; ++i) set_velocity(world.bodies[i], speeds[i] * kUp, 0);
  return world;
}

TEST(LargeIsland, StepsInFactorsAreThoseOfTheEntries) {
  for (const std::string solver : {"lemke", "interior-point"}) {
    World<3> world = sheared_stack();
    StepSettings settings = with_step(kStep);
    Stepper<3> in_factors(settings);
    settings.solver = solver;
    for (int i = 0; i < 30; ++i) {
      World<3> other = world;
      const StepReport<3> report = in_factors.step(world);
      ASSERT_EQ(report.status, StepStatus::done) << report.message;
      ASSERT_GT(report.set.contacts.size(), kContactsInEntries);
      ASSERT_EQ(Stepper<3>(settings).step(other).status, StepStatus::done) << solver;
      for (std::size_t b = 0; b < world.bodies.size(); ++b)
        ASSERT_LE((world.bodies[b].velocity - other.bodies[b].velocity).norm(), kRoundOff)
            << solver << ", step " << i << ", body " << b;
    }
  }
}

/// A wall of boxes without friction, each on two others, that falls apart.
World<3> wall() {
  World<3> world;
  set_surface(world, friction(FrictionLaw::none));
  world.gravity = lifted<3>({0, -kG});
  for (int row = 0; row < 6; ++row)
    for (int i = 0; i < 8 - row % 2; ++i) {
      const int box = add_box<3>(world, Vec<3>(1, 0.5, 1));
      place(world.bodies[box], {1.01 * (i + 0.5 * (row % 2)), 0.25 + 0.5 * row}, 0);
      set_velocity(world.bodies[box], {0.1 * i - 0.3, 0}, 0);
    }
  add_half_space<3>(world, {0, 1});
  return world;
}

TEST(LargeIsland, IsSolvedToTheSameBitsWhateverMemoryHeldBefore) {
  int in_factors = 0;
  const auto state_after_steps = [&](unsigned char byte) {
    World<3> world = wall();
    StepSettings settings = with_step(kStep);
    settings.threads = 1;
    Stepper<3> stepper(settings);
    stepper.set_solver([&](const Problem& problem, const SolveSettings& how) {
      const Lcp* lcp = std::get_if<Lcp>(&problem);
      in_factors += lcp && lcp->M.gram();
      leave_in_memory(byte);
      return solve(problem, "auto", how);
    });
    for (int i = 0; i < 20; ++i) EXPECT_EQ(stepper.step(world).status, StepStatus::done);
    return state_hash(world);
  };
  EXPECT_EQ(state_after_steps(0), state_after_steps(0xff)) << "zeros, or numbers that are none";
  EXPECT_GE(in_factors, 40) << "at least one solve of each step";
}

}  // namespace
}  // namespace touchstone::support
