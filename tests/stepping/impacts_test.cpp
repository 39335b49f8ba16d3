// Bodies that strike within a step get one impulse, at its time.

#include <gtest/gtest.h>

#include <cmath>

#include "support/dimensions.h"
#include "support/orders.h"
#include "touchstone/math/random.h"
#include "touchstone/stepping/build_world.h"
#include "touchstone/stepping/step.h"

namespace touchstone {
namespace {

constexpr double kGravity = 9.81, kFriction = 0.3, kSide = 0.2, kMass = 1.3;

template <class T>
class ImpactsIn : public testing::Test {};
TYPED_TEST_SUITE(ImpactsIn, support::Dimensions, support::DimensionNames);

Mat<2> turned(const Spin<2>& turn) { return rotation(turn[0]); }
Mat<3> turned(const Spin<3>& turn) { return rotation(Vec<3>(turn.normalized()), turn.norm()); }

/// A box, its inertia that of a ball, in free flight.
template <int D>
struct Flight {
  Vec<D> centre, velocity;
  Spin<D> turn, spin;
  double inertia = kMass * kSide * kSide / 6;

  Vec<D> centre_at(double t) const {
    return centre + t * velocity - 0.5 * kGravity * t * t * Vec<D>::Unit(D - 1);
  }
  Vec<D> velocity_at(double t) const { return velocity - kGravity * t * Vec<D>::Unit(D - 1); }
  /// From the centre to the lowest corner.
  Vec<D> lever(double t) const {
    const Mat<D> R = spin.norm() > 0 ? Mat<D>(turned(Spin<D>(t * spin)) * turned(turn)) : turned(turn);
    Vec<D> lowest = Vec<D>::Zero();
    for (int corner = 0; corner < 1 << D; ++corner) {
      Vec<D> v;
      for (int d = 0; d < D; ++d) v[d] = (corner >> d & 1 ? 0.5 : -0.5) * kSide;
      if ((R * v)[D - 1] < lowest[D - 1]) lowest = R * v;
    }
    return lowest;
  }
  double time_of_strike() const {
    double early = 0, late = 1;
    for (int i = 0; i < 100; ++i) {
      const double t = 0.5 * (early + late);
      (centre_at(t)[D - 1] + lever(t)[D - 1] > 0 ? early : late) = t;
    }
    return early;
  }
};

template <int D>
Flight<D> flight() {
  Flight<D> f;
  f.centre = 0.3 * Vec<D>::Unit(D - 1);
  f.velocity = 3 * Vec<D>::Unit(0) - Vec<D>::Unit(D - 1) + 0.7 * Vec<D>::Unit(D - 2);
  f.turn = Spin<D>::Constant(0.35);
  f.spin = Spin<D>::Constant(-1.5);
  return f;
}

template <int D>
World<D> world_of(const Flight<D>& f) {
  World<D> world;
  world.gravity[D - 1] = -kGravity;
  set_surface(world, Surface{.friction = FrictionLaw::quadratic, .mu = kFriction});
  add_body<D>(world, "floor", HalfSpace<D>{{Vec<D>::Unit(D - 1), 0}}, {.kind = BodyKind::fixed});
  add_body<D>(world, "box", make_box<D>(Vec<D>::Constant(kSide)),
              {.mass = kMass,
               .inertia = f.inertia * SpinMat<D>::Identity(),
               .position = f.centre,
               .rotation = turned(f.turn),
               .velocity = f.velocity,
               .angular_velocity = f.spin});
  return world;
}

/// The twist after the strike of one corner that goes on sliding and does not bounce: an impulse p n with
/// friction mu p against the direction d in which the corner slides afterwards. Of all directions, that for
/// which this is true.
template <int D>
Twist<D> after_strike(const Flight<D>& f) {
  const double t = f.time_of_strike();
  const Vec<D> n = Vec<D>::Unit(D - 1), r = f.lever(t);
  const Twist<D> before = twist<D>(f.velocity_at(t), f.spin);
  const auto pushed = [&](const Vec<D>& impulse) {
    const Twist<D> w = point_wrench<D>(r, impulse);
    return twist<D>(linear<D>(w) / kMass, angular<D>(w) / f.inertia);
  };
  const auto after = [&](const Vec<D>& d) {
    const Twist<D> unit = pushed(n - kFriction * d);
    const double p = -point_velocity<D>(before, r)[D - 1] / point_velocity<D>(unit, r)[D - 1];
    return Twist<D>(before + p * unit);
  };
  Twist<D> best;
  double wrong = HUGE_VAL;
  constexpr int kDirections = 200'000;
  for (int k = 0; k < (D == 2 ? 2 : kDirections); ++k) {
    const double angle = D == 2 ? k * M_PI : k * 2 * M_PI / kDirections;
    Vec<D> d = std::cos(angle) * Vec<D>::Unit(0);
    if (D == 3) d[1] = std::sin(angle);
    const Twist<D> V = after(d);
    const Vec<D> slip = point_velocity<D>(V, r);
    const double error = (slip.normalized() - d).norm();
    if (error < wrong) wrong = error, best = V;
  }
  EXPECT_LT(wrong, 1e-4) << "the corner does not go on sliding";
  return best;
}

/// The twist at the end of the step in which the box strikes.
template <int D>
Twist<D> struck_in_steps(const Flight<D>& f, const StepSettings& settings) {
  World<D> world = world_of(f);
  Stepper<D> stepper(settings, "plane");
  StepReport<D> report;
  while (world.time + settings.h <= f.time_of_strike()) {
    report = stepper.step(world);
    EXPECT_EQ(report.located_impacts, 0);
  }
  report = stepper.step(world);
  EXPECT_EQ(report.status, StepStatus::done);
  EXPECT_FALSE(report.divided);
  EXPECT_EQ(report.located_impacts, settings.impacts == Impacts::located);
  EXPECT_EQ(report.merged_impacts, settings.impacts == Impacts::merged);
  return world.bodies[1].velocity;
}

/// Steps that meet the strike at any phase.
std::vector<double> steps() { return {0.0081, 0.0043, 0.0019, 0.00107, 0.00051, 0.00023}; }

TYPED_TEST(ImpactsIn, AStrikeThatSlidesConvergesToTheLawOfCoulombAtAnyPhase) {
  constexpr int D = TypeParam::D;
  const Flight<D> f = flight<D>();
  const Twist<D> truth = after_strike(f);
  support::Convergence found;
  for (const double h : steps()) {
    found.h.push_back(h);
    found.error.push_back((struck_in_steps<D>(f, {.h = h}) - truth).norm());
    EXPECT_LT(found.error.back(), 3 * kGravity / kSide * h) << h;
  }
  EXPECT_GT(found.order(), 0.9);
}

/// Merged, the strike leaves a share of the approach to the next step, whatever the step.
TYPED_TEST(ImpactsIn, MergedWithTheStepItDoesNot) {
  constexpr int D = TypeParam::D;
  const Flight<D> f = flight<D>();
  const Twist<D> truth = after_strike(f);
  double worst = 0;
  for (const double h : steps()) {
    worst = std::max(worst, (struck_in_steps<D>(f, {.h = h, .impacts = Impacts::merged}) - truth).norm());
  }
  EXPECT_GT(worst, 0.5);
}

/// A ball that flies to and fro between two walls, up to four times in a step: no motion of the whole step
/// bounces from both.
TEST(Impacts, OfABallBetweenTwoWallsKeepItsEnergyAtAnySpeed) {
  for (const double speed : {5., 15., 25., 60., 100.}) {
    World<3> world;
    set_surface(world, Surface{.bounce = 1});
    for (const double side : {-1., 1.}) {
      add_body<3>(world, side < 0 ? "left" : "right", make_box<3>({1, 1, 1}),
                  {.kind = BodyKind::fixed, .position = {0.65 * side, 0, 0}});
    }
    add_body<3>(world, "ball", Sphere<3>{0.1},
                {.mass = 1, .position = {0.013, 0, 0}, .velocity = {speed, 0, 0}});
    Stepper<3> stepper({.h = 0.005}, "plane");
    for (int i = 0; i < 60; ++i) {
      const StepReport<3> report = stepper.step(world);
      ASSERT_EQ(report.status, StepStatus::done) << report.message;
      EXPECT_EQ(report.dulled_impacts, 0) << speed;
      EXPECT_NEAR(linear<3>(world.bodies[2].velocity).norm(), speed, 1e-9 * speed);
    }
  }
}

/// A ball of 500 m/s, wherever within the step of 2.5 m it meets the ground.
TEST(Impacts, OfAFastBallAreLocatedFromAnyHeight) {
  constexpr double kSpeed = 500, kRadius = 0.2;
  for (int i = 1; i < 50; ++i) {
    const double gap = 0.05 * i;
    World<3> world;
    set_surface(world, Surface{.bounce = 1});
    add_body<3>(world, "ground", HalfSpace<3>{{Vec<3>::UnitZ(), 0}}, {.kind = BodyKind::fixed});
    add_body<3>(world, "ball", Sphere<3>{kRadius},
                {.mass = 1, .position = {0, 0, gap + kRadius}, .velocity = {0, 0, -kSpeed}});
    Stepper<3> stepper({.h = 0.005}, "plane");
    const StepReport<3> report = stepper.step(world);
    EXPECT_EQ(report.located_impacts, 1) << gap;
    EXPECT_NEAR(world.bodies[1].position.z(), kRadius + kSpeed * 0.005 - gap, 1e-9) << gap;
  }
}

/// A plate that turns fast strikes a ball: rows of the start would see them meet long before they do.
TEST(Impacts, TurningBodiesPushEachOtherWhereTheyTouch) {
  Random random(5);
  int located = 0;
  for (int k = 0; k < 20; ++k) {
    World<3> world;
    set_surface(world, Surface{.friction = FrictionLaw::quadratic, .mu = kFriction, .bounce = 0.5});
    add_body<3>(world, "plate", make_box<3>({0.4, 1.4, 1.3}),
                {.mass = 1, .angular_velocity = 12 * random.direction<3>()});
    const Vec<3> from = random.direction<3>();
    add_body<3>(world, "ball", Sphere<3>{0.5}, {.mass = 2, .position = 2 * from, .velocity = -8 * from});
    Stepper<3> stepper({.h = 0.02}, "plane");
    for (int i = 0; i < 15; ++i) {
      const StepReport<3> report = stepper.step(world);
      ASSERT_EQ(report.status, StepStatus::done) << report.message;
      if (report.located_impacts == 0) continue;
      ++located;
      double pushed = 0, farthest = 0;  // rows of a turning face have gaps of second order
      for (const ContactForce<3>& force : report.forces) {
        pushed += force.normal;
        if (force.normal > 0) farthest = std::max(farthest, report.set.contacts[force.contact].gap);
      }
      EXPECT_LT(farthest, 0.02) << "world " << k;
      EXPECT_GT(pushed, 0) << "world " << k;
    }
  }
  EXPECT_GT(located, 10);
}

}  // namespace
}  // namespace touchstone
