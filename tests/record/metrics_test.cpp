#include "touchstone/record/metrics.h"

#include <gtest/gtest.h>

#include "touchstone/stepping/step.h"

namespace touchstone {
namespace {

StepSettings small_step() {
  StepSettings settings;
  settings.h = 0.01;
  return settings;
}

template <int D>
World<D> two_bodies() {
  World<D> world;
  world.bodies.resize(2);
  world.gravity = -9.81 * Vec<D>::Unit(D - 1);
  for (int i = 0; i < 2; ++i) {
    world.bodies[i].mass = 1 + i;
    world.bodies[i].position = (3. * i + 1) * Vec<D>::Unit(0);
    world.bodies[i].velocity.setConstant(0.3 - i);
  }
  return world;
}

template <int D>
void expect_free_flight_is_kept_and_a_push_is_seen() {
  World<D> world = two_bodies<D>();
  Stepper<D> stepper(small_step());
  MomentumWatch<D> watch;
  for (int i = 0; i < 50; ++i) {
    world.bodies[1].force.setConstant(2);
    watch.before(world, 0.01);
    watch.after(world, stepper.step(world));
  }
  EXPECT_LT(watch.worst(), 1e-14);
  watch.before(world, 0.01);
  const StepReport<D> report = stepper.step(world);
  world.bodies[0].velocity[0] += 1e-6;  // as if somebody had cheated
  watch.after(world, report);
  EXPECT_GT(watch.worst(), 1e-9);
}

TEST(Metrics, MomentumOfFreeFlightIsKeptAndACheatIsSeen) {
  expect_free_flight_is_kept_and_a_push_is_seen<2>();
  expect_free_flight_is_kept_and_a_push_is_seen<3>();
}

TEST(Metrics, AJointToTheWorldLeavesMomentumUnanswered) {
  World<2> world = two_bodies<2>();
  Joint<2> joint;
  joint.kind = JointKind::revolute, joint.body_B = 0;
  joint.X_AJ.p = world.bodies[0].position;
  joint.axes.resize(1), joint.value.assign(1, 0);
  world.joints = {joint};
  Stepper<2> stepper(small_step());
  MomentumWatch<2> watch;
  watch.before(world, 0.01);
  watch.after(world, stepper.step(world));
  EXPECT_TRUE(std::isnan(watch.worst()));
}

TEST(Metrics, OnlyGrowthBeyondWorkIsGained) {
  EXPECT_EQ(energy_gained({.kinetic = 2, .potential = -1, .work = 0.25}), 0.75);
  EXPECT_EQ(energy_gained({.kinetic = 2, .potential = -1, .work = 1}), 0);
  EXPECT_EQ(energy_gained({.kinetic = -2, .potential = 1}), 0);
  EXPECT_EQ(energy_gained({.kinetic = 2, .potential = -1, .drive = -1}), 0) << "a motor gave it";
  EXPECT_EQ(energy_gained({.kinetic = 2, .potential = -1, .drive = 1}), 1) << "a damper gives nothing";
}

TEST(Metrics, TheHashTellsStatesApartByTheirLastBit) {
  World<3> world = two_bodies<3>();
  const std::uint64_t hash = state_hash(world);
  EXPECT_EQ(state_hash(World<3>(world)), hash);
  world.bodies[1].velocity[5] = std::nextafter(world.bodies[1].velocity[5], 9);
  EXPECT_NE(state_hash(world), hash);
  EXPECT_EQ(hash_text(0xabc).size(), 16u);
}

}  // namespace
}  // namespace touchstone
