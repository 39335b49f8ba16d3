// Bodies at rest stay to the bit, and what is pushed ever so little moves.

#include <gtest/gtest.h>

#include <cmath>

#include "../support/random_worlds.h"
#include "touchstone/stepping/step.h"

namespace touchstone {
namespace {

Mat<2> some_turn(const World<2>&) { return rotation(0.4); }
Mat<3> some_turn(const World<3>&) { return rotation(Vec<3>(1, 2, 3).normalized(), 0.4); }

/// Boxes of different sizes on a fixed one, all in a frame that is turned and moved.
template <int D>
World<D> turned_stack(int boxes) {
  World<D> world;
  const Mat<D> R = some_turn(world);
  const Vec<D> up = R * Vec<D>::Unit(D - 1), origin = Vec<D>::Constant(0.7);
  world.gravity = -9.81 * up;
  double height = 0;
  for (int i = 0; i <= boxes; ++i) {
    const double size = i == 0 ? 4 : 1 - 0.1 * i;
    const std::string name = "box" + std::to_string(i);
    const Pose<D> X{R, origin + (height + 0.5 * size) * up};
    const BodyKind kind = i == 0 ? BodyKind::fixed : BodyKind::dynamic;
    const int b = add_body<D>(world, name, make_box<D>(Vec<D>::Constant(size)), X, kind);
    world.bodies[b].velocity.setZero();
    height += size + 1e-4;
  }
  return world;
}

template <int D>
void expect_stays(World<D> world, FrictionLaw law) {
  world.surfaces = SurfaceTable(1, {.friction = law, .mu = 0.5});
  Stepper<D> stepper(StepSettings{.h = 0.005});
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(stepper.step(world).status, StepStatus::done);
  const std::vector<Body<D>> before = world.bodies;
  for (int i = 0; i < 2000; ++i) ASSERT_EQ(stepper.step(world).status, StepStatus::done);
  for (std::size_t b = 0; b < before.size(); ++b) {
    EXPECT_EQ(world.bodies[b].position, before[b].position) << before[b].name;
    EXPECT_EQ(world.bodies[b].attitude.matrix(), before[b].attitude.matrix()) << before[b].name;
    EXPECT_EQ(world.bodies[b].velocity, before[b].velocity) << before[b].name;
  }
}

/// With pyramids of friction in space the solver leaves more than round-off.
TEST(Rest, StacksStayToTheBit) {
  for (const FrictionLaw law : {FrictionLaw::none, FrictionLaw::linear, FrictionLaw::quadratic}) {
    expect_stays(turned_stack<2>(4), law);
    if (law != FrictionLaw::linear) expect_stays(turned_stack<3>(4), law);
  }
}

/// No speed is too low: sideways nothing cancels.
TEST(Rest, AWeakPushMovesABoxOnIce) {
  World<3> world = turned_stack<3>(1);
  const Vec<3> sideways = world.bodies[1].attitude.matrix() * Vec<3>::UnitX();
  Stepper<3> stepper(StepSettings{.h = 0.005});
  for (int i = 0; i < 1000; ++i) stepper.step(world);
  const double start = sideways.dot(world.bodies[1].position), force = 1e-9;
  for (int i = 0; i < 2000; ++i) {
    world.bodies[1].force = twist<3>(force * sideways, Vec<3>::Zero());
    ASSERT_EQ(stepper.step(world).status, StepStatus::done);
  }
  const double way = 0.5 * force / world.bodies[1].mass * 100;
  EXPECT_NEAR(sideways.dot(world.bodies[1].position) - start, way, 0.01 * way);
}

}  // namespace
}  // namespace touchstone
