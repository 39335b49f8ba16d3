// Limits and motors of joints in motion to an accuracy: closed forms of pendulums and sliders between stops.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "touchstone/stepping/build_world.h"
#include "touchstone/stepping/events/event_run.h"
#include "touchstone/stepping/step.h"

namespace touchstone {
namespace {

constexpr double kTolerance = 1e-11, kMet = 1e-9, kGravity = 9.81;

template <int D>
std::vector<double> times_of(const EventRun<D>& run, EventKind kind) {
  std::vector<double> times;
  for (const StepEvent& event : run.events()) {
    if (event.kind == kind) times.push_back(event.time);
  }
  return times;
}

template <int D>
Spin<D> spin_about_out_of_plane(double rate);
template <>
Spin<2> spin_about_out_of_plane<2>(double rate) {
  return Spin<2>(rate);
}
template <>
Spin<3> spin_about_out_of_plane<3>(double rate) {
  return {0, 0, rate};
}

/// A bar of length 1 that hangs from a hinge in its end at the origin; gravity is along -y, the hinge turns
/// about z. Angle 0: it points along x.
template <int D>
World<D> pendulum(const JointAxis& axis, double rate = 0) {
  World<D> world;
  world.gravity[1] = -kGravity;
  Vec<D> size = Vec<D>::Constant(0.1), middle = Vec<D>::Zero();
  size[0] = 1, middle[0] = 0.5;
  Vec<D> velocity = Vec<D>::Zero();
  velocity[1] = 0.5 * rate;
  add_body<D>(world, "bar", make_box<D>(size),
              {.mass = 1,
               .position = middle,
               .velocity = velocity,
               .angular_velocity = spin_about_out_of_plane<D>(rate)});
  JointSpec<D> spec;
  spec.bodies = {kWorld, 0};
  if constexpr (D == 3) spec.axis = Vec<D>::Unit(2);
  spec.axes = {axis};
  add_joint<D>(world, "hinge", JointKind::revolute, spec);
  return world;
}

/// [kg m^2] about the hinge of pendulum().
constexpr double kMoment = (1 + 0.01) / 12 + 0.25;

/// [s] in which the bar falls from rest at the angle 0 to the angle -fall: dt = d(angle)/rate, with
/// u = sqrt(sin angle) where the rate vanishes; by Simpson's rule.
double time_of_fall(double fall) {
  const double c = std::sqrt(2 * 0.5 * kGravity / kMoment);  // rate = c sqrt(sin angle)
  const int n = 20000;
  const double end = std::sqrt(fall);
  const auto f = [&](double s) {  // angle = s^2, d(angle) = 2 s ds
    return s == 0 ? 2 / c : 2 * s / (c * std::sqrt(std::sin(s * s)));
  };
  double sum = f(0) + f(end);
  for (int i = 1; i < n; ++i) sum += (i % 2 ? 4 : 2) * f(end * i / n);
  return sum * end / n / 3;
}

template <int D>
void expect_rest_at_limit() {
  const double limit = 0.7;
  World<D> world = pendulum<D>({.lower = -limit});
  EventRun<D> run(world, {kTolerance});
  ASSERT_TRUE(run.advance(3)) << run.message();
  const auto reached = times_of(run, EventKind::limit);
  ASSERT_EQ(reached.size(), 1u);
  EXPECT_NEAR(reached[0], time_of_fall(limit), kMet);
  run.put(world);
  EXPECT_NEAR(world.bodies[0].position[0], 0.5 * std::cos(limit), 1e-12);
  EXPECT_NEAR(world.bodies[0].position[1], -0.5 * std::sin(limit), 1e-12);
  EXPECT_LT(world.bodies[0].velocity.norm(), 1e-12);
  EXPECT_EQ(run.events().front().joint, 0);
  EXPECT_EQ(run.events().front().body_A, -1);
}

TEST(JointLimits, APendulumFallsToItsLimitAndRestsThere) {
  expect_rest_at_limit<2>();
  expect_rest_at_limit<3>();
}

/// After a bounce with restitution e the bar rises until g/2 (sin limit - sin angle) = e^2 g/2 sin limit.
template <int D>
void expect_bounce(double e) {
  const double limit = 0.7;
  World<D> world = pendulum<D>({.lower = -limit, .bounce = e});
  EventRun<D> run(world, {kTolerance});
  const double t = time_of_fall(limit);
  ASSERT_TRUE(run.advance(t + 1e-9)) << run.message();
  run.put(world);
  const double rate = std::sqrt(kGravity * std::sin(limit) / kMoment);
  EXPECT_NEAR(angular<D>(world.bodies[0].velocity).norm(), e * rate, 1e-7);
  double highest = -1;
  for (int i = 1; i < 400; ++i) {
    ASSERT_TRUE(run.advance(t + i * 2e-3)) << run.message();
    run.put(world);
    const double y = world.bodies[0].position[1];
    EXPECT_GT(y, -0.5 * std::sin(limit) - 1e-12);
    if (times_of(run, EventKind::limit).size() == 1) highest = std::max(highest, y);
  }
  EXPECT_NEAR(highest, -0.5 * std::sin(limit) * (1 - e * e), 1e-5);
}

TEST(JointLimits, APendulumBouncesFromItsLimitAfterNewton) {
  expect_bounce<2>(0.8);
  expect_bounce<3>(0.8);
}

/// A body on a way along x between two stops, without gravity, its centre offset from the joint's line.
template <int D>
World<D> slider(const JointAxis& axis, double speed) {
  World<D> world;
  world.gravity.setZero();
  add_body<D>(world, "sledge", make_box<D>(Vec<D>::Constant(0.2)),
              {.mass = 2, .position = Vec<D>::Unit(1), .velocity = speed * Vec<D>::Unit(0)});
  JointSpec<D> spec;
  spec.bodies = {kWorld, 0};
  spec.axis = Vec<D>::Unit(0);
  spec.axes = {axis};
  add_joint<D>(world, "way", JointKind::prismatic, spec);
  return world;
}

template <int D>
void expect_to_and_fro() {
  World<D> world = slider<D>({.lower = -0.5, .upper = 1, .bounce = 1}, 3);
  EventRun<D> run(world, {kTolerance});
  ASSERT_TRUE(run.advance(10)) << run.message();
  std::vector<double> reached = times_of(run, EventKind::limit);
  while (!reached.empty() && reached.back() > 10) reached.pop_back();  // the run looks ahead
  ASSERT_EQ(reached.size(), 20u);  // the first after 1 m, then one each 1.5 m, 30 m in all
  for (std::size_t i = 0; i < reached.size(); ++i) EXPECT_NEAR(reached[i], (1 + 1.5 * i) / 3, 1e-11);
  run.put(world);
  EXPECT_NEAR(std::abs(world.bodies[0].velocity[0]), 3, 1e-11);
  EXPECT_NEAR(world.bodies[0].position[1], 1, 1e-12);
}

TEST(JointLimits, ASledgeGoesToAndFroBetweenTwoStops) {
  expect_to_and_fro<2>();
  expect_to_and_fro<3>();
}

TEST(JointLimits, AFastSwingPastALimitThatIsTouchedForAnInstantIsNotMissed) {
  // A sledge thrown against gravity along its way turns 1e-9 m behind, or before, its upper stop.
  for (const double beyond : {1e-9, -1e-9}) {
    World<2> world = slider<2>({.upper = 0.5}, 0);
    world.gravity = {-kGravity, 0};
    world.bodies[0].velocity[0] = std::sqrt(2 * kGravity * (0.5 + beyond));
    EventRun<2> run(world, {kTolerance});
    ASSERT_TRUE(run.advance(0.9)) << run.message();
    EXPECT_EQ(times_of(run, EventKind::limit).size(), beyond > 0 ? 1u : 0u) << beyond;
  }
}

TEST(JointLimits, ALimitIsCountedOverFullTurns) {
  const double turns = 5 * 2 * std::numbers::pi;
  for (const double rate : {20., -20.}) {
    World<2> world = pendulum<2>({.lower = -turns, .upper = turns}, rate);
    world.gravity.setZero();
    EventRun<2> run(world, {kTolerance});
    ASSERT_TRUE(run.advance(3)) << run.message();
    const auto reached = times_of(run, EventKind::limit);
    ASSERT_EQ(reached.size(), 1u);
    EXPECT_NEAR(reached[0], turns / 20, kMet);
  }
}

TEST(JointLimits, ALimitAndAContactThatAreReachedAtOnceBothStop) {
  // The sledge falls on a floor and comes to its stop in the same instant; either alone would let it go on.
  World<2> world = slider<2>({.upper = 0.5}, 0);
  world.gravity = {-kGravity, 0};
  world.bodies[0].velocity[0] = 0;
  world.joints[0].axes[0] = {.lower = -0.5};
  add_body<2>(world, "wall", HalfSpace<2>{{Vec<2>::UnitX(), -0.6}}, {.kind = BodyKind::fixed});
  EventRun<2> run(world, {kTolerance});
  ASSERT_TRUE(run.advance(1)) << run.message();
  ASSERT_EQ(times_of(run, EventKind::limit).size(), 1u);
  EXPECT_NEAR(times_of(run, EventKind::limit)[0], std::sqrt(2 * 0.5 / kGravity), 1e-11);
  run.put(world);
  EXPECT_NEAR(world.bodies[0].position[0], -0.5, 1e-12);
  EXPECT_LT(world.bodies[0].velocity.norm(), 1e-12);
}

TEST(JointLimits, AForceThatPullsAwayReleasesALimit) {
  // A servo pulls a bar that rests on its limit against gravity: none before its torque exceeds the weight's.
  World<2> world = pendulum<2>({.lower = 0});
  World<2> free = world;
  EventRun<2> rests(world, {kTolerance});
  ASSERT_TRUE(rests.advance(1));
  rests.put(world);
  EXPECT_LT(world.bodies[0].velocity.norm(), 1e-12);
  free.joints[0].axes[0].force = 0.5 * kGravity + 0.1;  // [N m] a little more than the weight has
  EventRun<2> rises(free, {kTolerance});
  ASSERT_TRUE(rises.advance(0.1));
  rises.put(free);
  EXPECT_NEAR(free.bodies[0].attitude.angle, 0.5 * 0.1 / kMoment * 0.01, 1e-5);
}

TEST(JointLimits, EnergyIsThatOfTheSwingWhereLimitsBounceFully) {
  World<3> world = pendulum<3>({.lower = -2.5, .upper = 0.3, .bounce = 1}, 1);
  const auto energy_of = [](const World<3>& w) { return energy(w).kinetic + energy(w).potential; };
  const double before = energy_of(world);
  EventRun<3> run(world, {kTolerance});
  for (int i = 1; i <= 20; ++i) {
    ASSERT_TRUE(run.advance(0.25 * i)) << run.message();
    run.put(world);
    EXPECT_NEAR(energy_of(world), before, 1e-8);
  }
  EXPECT_GT(times_of(run, EventKind::limit).size(), 3u);
}

TEST(JointLimits, FixedStepsRefuseLimitsThatBounce) {
  World<2> world = pendulum<2>({.lower = -1, .bounce = 0.5});
  const StepReport<2> report = Stepper<2>({.h = 0.01}).step(world);
  EXPECT_EQ(report.status, StepStatus::bad_state);
  EXPECT_NE(report.message.find("hinge"), std::string::npos) << report.message;
}

TEST(JointMotors, AMotorWithoutLimitHoldsItsRateFromTheStart) {
  for (const double rate : {2., -30.}) {
    World<3> world = pendulum<3>({.motor = true, .motor_rate = rate});
    EventRun<3> run(world, {kTolerance});
    ASSERT_TRUE(run.advance(1.3)) << run.message();
    run.put(world);
    EXPECT_NEAR(world.bodies[0].position[0], 0.5 * std::cos(1.3 * rate), kMet);
    EXPECT_NEAR(world.bodies[0].position[1], 0.5 * std::sin(1.3 * rate), kMet);
  }
}

TEST(JointMotors, AMotorOfLimitedForceSpeedsUpThenHolds) {
  // F/m until the rate, then even: x = a t^2/2 to t = v/a, then v.
  World<2> world = slider<2>({.motor = true, .motor_rate = 1.5, .motor_force = 6}, 0);
  EventRun<2> run(world, {kTolerance});
  ASSERT_TRUE(run.advance(2)) << run.message();
  run.put(world);
  const double a = 6. / 2, t = 1.5 / a;
  ASSERT_EQ(times_of(run, EventKind::stop).size(), 1u);
  EXPECT_NEAR(times_of(run, EventKind::stop)[0], t, 1e-11);
  EXPECT_NEAR(world.bodies[0].position[0], 0.5 * a * t * t + 1.5 * (2 - t), 1e-11);
  EXPECT_NEAR(world.bodies[0].velocity[0], 1.5, 1e-12);
}

TEST(JointMotors, AMotorGivesWayWhereTheWeightIsTooLarge) {
  // It turns the bar down evenly from upright at the rate w, and can hold the torque M only until
  // m g/2 sin(angle from upright) = M.
  const double w = 0.5, M = 3;
  World<2> world = pendulum<2>({.motor = true, .motor_rate = -w, .motor_force = M});
  world.bodies[0].position = {0, 0.5};
  world.bodies[0].attitude.angle = std::numbers::pi / 2;
  world.bodies[0].velocity = twist<2>(Vec<2>(0.5 * w, 0), Spin<2>(-w));
  measure_joint(world.joints[0], world.bodies);
  EventRun<2> run(world, {kTolerance});
  ASSERT_TRUE(run.advance(2)) << run.message();
  const auto gives_way = times_of(run, EventKind::slip);
  ASSERT_EQ(gives_way.size(), 1u);
  EXPECT_NEAR(gives_way[0], std::asin(M / (0.5 * kGravity)) / w, kMet);
}

}  // namespace
}  // namespace touchstone
