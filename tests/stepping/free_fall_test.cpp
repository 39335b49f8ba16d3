// Bodies that nothing pushes move by the closed form of constant forces.

#include <gtest/gtest.h>

#include "support/dimensions.h"
#include "touchstone/stepping/build_world.h"
#include "touchstone/stepping/step.h"

namespace touchstone {
namespace {

constexpr double kGravity = 9.81;

template <class T>
class FreeFall : public testing::Test {};
TYPED_TEST_SUITE(FreeFall, support::Dimensions, support::DimensionNames);

/// A box far from everything, thrown upwards and spinning, and a floor below.
template <int D>
World<D> thrown_box() {
  World<D> world;
  world.gravity[D - 1] = -kGravity;
  const Vec<D> up = Vec<D>::Unit(D - 1), across = Vec<D>::Unit(0);
  add_body<D>(world, "floor", HalfSpace<D>{{up, 0}}, {.kind = BodyKind::fixed});
  Spin<D> spin;
  spin.setConstant(3);
  add_body<D>(world, "box", make_box<D>(Vec<D>::Constant(0.2)),
              {.mass = 2, .position = 30 * up, .velocity = 4 * up + across, .angular_velocity = spin});
  return world;
}

TYPED_TEST(FreeFall, ABodyIsWhereTheClosedFormSaysAtAnyStep) {
  constexpr int D = TypeParam::D;
  for (const char* model : {"plane", "manifold", "peg"}) {
    for (const double h : {0.2, 0.01, 0.003}) {
      World<D> world = thrown_box<D>();
      const Vec<D> start = world.bodies[1].position, v = linear<D>(world.bodies[1].velocity);
      const Vec<D> thrust = 1.5 * Vec<D>::Unit(0);
      Stepper<D> stepper({.h = h}, model);
      const double energy_at_start = energy(world).total();
      double work = 0;
      for (int i = 0; i < 2 / h; ++i) {
        const Vec<D> before = world.bodies[1].position;
        world.bodies[1].add_force(thrust, before);
        ASSERT_EQ(stepper.step(world).status, StepStatus::done);
        work += thrust.dot(world.bodies[1].position - before);
      }
      const double t = world.time;
      const Vec<D> a = world.gravity + thrust / 2;
      const Vec<D> fallen = start + t * v + 0.5 * t * t * a;
      EXPECT_LT((world.bodies[1].position - fallen).norm(), 1e-12) << model << " " << h;
      EXPECT_LT((linear<D>(world.bodies[1].velocity) - (v + t * a)).norm(), 1e-12) << model << " " << h;
      EXPECT_NEAR(energy(world).total() - work, energy_at_start, 1e-10) << model << " " << h;
    }
  }
}

/// g h t/2 too low, as the papers print the update.
TYPED_TEST(FreeFall, ThePrintedUpdateIsOfFirstOrder) {
  constexpr int D = TypeParam::D;
  World<D> world = thrown_box<D>();
  const double h = 0.01, start = world.bodies[1].position[D - 1];
  Stepper<D> stepper({.h = h, .free_flight = FreeFlight::printed}, "plane");
  for (int i = 0; i < 100; ++i) stepper.step(world);
  EXPECT_NEAR(world.bodies[1].position[D - 1], start + 4 - kGravity / 2 * (1 + h), 1e-10);
}

TYPED_TEST(FreeFall, EveryStepKeepsTheEnergyIdentity) {
  constexpr int D = TypeParam::D;
  World<D> world = thrown_box<D>();
  world.bodies[1].position[D - 1] = 0.5;
  Stepper<D> stepper({.h = 0.01}, "plane");
  int fell = 0, pushed = 0;
  for (int i = 0; i < 300; ++i) {
    const StepReport<D> report = stepper.step(world);
    ASSERT_EQ(report.status, StepStatus::done) << report.message;
    EXPECT_LE(std::abs(report.balance.error), 1e-12 * report.balance.scale) << "step " << i;
    const bool pushes =
        std::any_of(report.forces.begin(), report.forces.end(), [](const auto& f) { return f.normal > 0; });
    (pushes ? pushed : fell) += 1;
    if (!pushes && report.substeps == 1) {
      EXPECT_NEAR(report.balance.jump, 0, 1e-12);
    }
  }
  EXPECT_GT(fell, 50);
  EXPECT_GT(pushed, 50);
}

/// On the parabola it would end higher than by h v+, which its row allows.
TYPED_TEST(FreeFall, ABoxThrownAgainstACeilingDoesNotEnterIt) {
  constexpr int D = TypeParam::D;
  const Vec<D> up = Vec<D>::Unit(D - 1);
  int reached = 0;
  for (int k = 0; k < 40; ++k) {
    World<D> world;
    world.gravity[D - 1] = -kGravity;
    add_body<D>(world, "ceiling", HalfSpace<D>{{-up, -1}}, {.kind = BodyKind::fixed});
    add_body<D>(world, "box", make_box<D>(Vec<D>::Constant(0.2)),
                {.mass = 1, .velocity = (3.95 + 0.02 * k) * up});
    Stepper<D> stepper({.h = 0.02}, "plane");
    double highest = 0;
    for (int i = 0; i < 40; ++i) {
      ASSERT_EQ(stepper.step(world).status, StepStatus::done);
      highest = std::max(highest, world.bodies[1].position[D - 1] + 0.1);
    }
    EXPECT_LE(highest, 1 + 1e-9);
    reached += highest > 1 - 1e-6;
  }
  EXPECT_GT(reached, 5);
}

/// It is pushed, so it does not fall; what is left is the tolerance of the solver.
TYPED_TEST(FreeFall, ABodyAtRestStays) {
  constexpr int D = TypeParam::D;
  World<D> world;
  world.gravity[D - 1] = -kGravity;
  const Vec<D> up = Vec<D>::Unit(D - 1);
  add_body<D>(world, "floor", HalfSpace<D>{{up, 0}}, {.kind = BodyKind::fixed});
  add_body<D>(world, "box", make_box<D>(Vec<D>::Constant(1)),
              {.mass = 1, .position = Vec<D>::Ones() - 0.5 * up});
  Stepper<D> stepper({.h = 0.01}, "plane");
  for (int i = 0; i < 5; ++i) stepper.step(world);
  const Vec<D> rest = world.bodies[1].position;
  for (int i = 0; i < 1000; ++i) stepper.step(world);
  EXPECT_LT((world.bodies[1].position - rest).norm(), 1e-12);
}

}  // namespace
}  // namespace touchstone
