// The energy identity [PEG 7] and the balance of momentum, in every step of a thousand random worlds.

#include <gtest/gtest.h>

#include "../support/random_worlds.h"
#include "touchstone/stepping/step.h"

namespace touchstone {
namespace {

struct Tally {
  int steps = 0, unsolved = 0, with_force = 0, sliding = 0, bounced = 0, jointed = 0;
  double worst = 0;
  std::string where;
  std::string message;
};

struct Variant {
  const char* name;
  RandomWorldSettings world;
  const char* formulation = "stewart-trinkle";
};

std::vector<Variant> variants(int dimension) {
  std::vector<Variant> all = {
      {"frictionless", {}},
      {"pyramid", {.friction = FrictionLaw::linear}},
      {"no-slip", {.friction = FrictionLaw::no_slip}},
      {"viscous", {.friction = FrictionLaw::viscous}},
      {"joints", {.joints = true}},
      {"joints and pyramid", {.joints = true, .friction = FrictionLaw::linear}},
      {"newton", {.friction = FrictionLaw::linear, .bounce = 0.6}},
      {"poisson", {.friction = FrictionLaw::linear, .bounce = 0.6, .restitution = Restitution::poisson}},
      {"scripted", {.friction = FrictionLaw::linear, .scripted = true}},
      {"anitescu-potra", {.friction = FrictionLaw::linear}, "anitescu-potra"},
      {"mixed", {.joints = true, .friction = FrictionLaw::linear}, "stewart-trinkle-mixed"}};
  if (dimension == 3) all.push_back({"round cone", {.friction = FrictionLaw::quadratic}});
  if (dimension == 3)
    all.push_back({"round cone and joints", {.joints = true, .friction = FrictionLaw::quadratic}});
  return all;
}

template <int D>
void count(const StepReport<D>& report, const World<D>& world, Tally& tally) {
  ++tally.steps;
  bool pressed = false;
  for (const ContactForce<D>& force : report.forces) pressed |= force.normal > 0;
  tally.with_force += pressed;
  tally.sliding += report.balance.friction > 0;
  tally.bounced += report.balance.contact < 0;
  tally.jointed += !world.joints.empty();
}

template <int D>
void run_world(const Variant& variant, std::uint64_t seed, Tally& tally) {
  World<D> world = random_world<D>(seed, variant.world);
  StepSettings settings;
  settings.h = Random(seed + 1).log_uniform(0.002, 0.02);
  choose_formulation(variant.formulation, settings.formulation);
  Stepper<D> stepper(settings, "manifold");
  for (int i = 0; i < 60; ++i) {
    const StepReport<D> report = stepper.step(world);
    if (report.status != StepStatus::done) {
      ++tally.unsolved;
      tally.message += report.message + " (" + variant.name + ", seed " + std::to_string(seed) + ", step " +
                       std::to_string(i) + ")\n";
      return;
    }
    count(report, world, tally);
    const double error = std::abs(report.balance.error) / report.balance.scale;
    if (error <= tally.worst) continue;
    tally.worst = error;
    tally.where =
        std::string(variant.name) + ", seed " + std::to_string(seed) + ", step " + std::to_string(i);
  }
}

template <int D>
void run_all(int worlds) {
  Tally tally;
  const auto all = variants(D);
  for (int i = 0; i < worlds; ++i) run_world<D>(all[i % all.size()], 1000 + i, tally);
  std::printf(
      "%dD: %d steps, %d with force, %d sliding, %d with contact gain, worst error %.2g of the energies "
      "(%s)\n",
      D, tally.steps, tally.with_force, tally.sliding, tally.bounced, tally.worst, tally.where.c_str());
  EXPECT_EQ(tally.unsolved, 0) << tally.message;
  EXPECT_LE(tally.worst, 1e-12) << tally.where;
  EXPECT_GT(tally.with_force, tally.steps / 10);
  EXPECT_GT(tally.sliding, tally.steps / 20);
  EXPECT_GT(tally.bounced, 20);
  EXPECT_GT(tally.jointed, 20);
}

TEST(Energy, EveryStepOfFiveHundredRandomWorldsInThePlaneAccountsForItsEnergy) { run_all<2>(500); }
TEST(Energy, EveryStepOfFiveHundredRandomWorldsInSpaceAccountsForItsEnergy) { run_all<3>(500); }

template <int D>
void expect_momentum_kept(FrictionLaw law, bool joints) {
  int touched = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    World<D> world = random_world<D>(seed, {.floor = false, .joints = joints, .friction = law});
    Stepper<D> stepper({.h = 0.01}, "manifold");
    const Momentum<D> before = momentum(world);
    double size = 0;
    for (const Body<D>& body : world.bodies) size += body.mass * (1 + linear<D>(body.velocity).norm());
    for (int i = 0; i < 60; ++i) {
      const StepReport<D> report = stepper.step(world);
      ASSERT_EQ(report.status, StepStatus::done) << report.message << " seed " << seed;
      for (const ContactForce<D>& force : report.forces) touched += force.normal > 0;
      const Momentum<D> now = momentum(world);
      EXPECT_LT((now.linear - before.linear).norm(), 1e-12 * size) << "seed " << seed << " step " << i;
      EXPECT_LT((now.angular - before.angular).norm(), 1e-12 * size * 3) << "seed " << seed << " step " << i;
    }
  }
  EXPECT_GT(touched, 40);
}

TEST(Momentum, BodiesThatStrikeEachOtherWithFrictionKeepItInThePlane) {
  expect_momentum_kept<2>(FrictionLaw::linear, false);
}
TEST(Momentum, BodiesThatStrikeEachOtherWithFrictionKeepItInSpace) {
  expect_momentum_kept<3>(FrictionLaw::linear, false);
}
TEST(Momentum, RoundConesKeepIt) { expect_momentum_kept<3>(FrictionLaw::quadratic, false); }
TEST(Momentum, JointsDampersAndMotorsKeepItInThePlane) { expect_momentum_kept<2>(FrictionLaw::linear, true); }
TEST(Momentum, JointsDampersAndMotorsKeepItInSpace) { expect_momentum_kept<3>(FrictionLaw::none, true); }

}  // namespace
}  // namespace touchstone
