// Motion between located events meets the closed forms of [Checked 6], B1 to B13, at one tolerance.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "touchstone/stepping/build_world.h"
#include "touchstone/stepping/events/event_run.h"

namespace touchstone {
namespace {

constexpr double kTolerance = 1e-10, kMet = 1e-9;
constexpr double kRight = std::numbers::pi / 2;

Surface rough(double mu, double bounce = 0) {
  Surface surface;
  surface.friction = mu > 0 ? FrictionLaw::quadratic : FrictionLaw::none;
  surface.mu = mu, surface.bounce = bounce;
  return surface;
}

template <int D>
World<D> floor_world(double mu, double bounce = 0) {
  World<D> world;
  world.gravity[D - 1] = -9.81;
  set_surface(world, rough(mu, bounce));
  add_body<D>(world, "floor", HalfSpace<D>{{Vec<D>::Unit(D - 1), 0}}, {.kind = BodyKind::fixed});
  return world;
}

SpinMat<2> moment_of(double J) { return SpinMat<2>(J); }

/// Times of the events of a kind.
template <int D>
std::vector<double> times_of(const EventRun<D>& run, EventKind kind) {
  std::vector<double> times;
  for (const StepEvent& event : run.events()) {
    if (event.kind == kind) times.push_back(event.time);
  }
  return times;
}

/// B1: a block on a slope of 20 degrees in the frame of the slope; its way down after a time.
double way_down(double mu, double uphill, double time) {
  World<2> world = floor_world<2>(mu);
  const double a = std::numbers::pi / 9;
  world.gravity = {9.81 * std::sin(a), -9.81 * std::cos(a)};
  const int block = add_body<2>(world, "block", make_box<2>({1, 0.5}),
                                {.mass = 1, .position = {0, 0.25}, .velocity = {-uphill, 0}});
  EventRun<2> run(world, {kTolerance});
  EXPECT_TRUE(run.advance(time)) << run.message();
  run.put(world);
  return world.bodies[block].position.x();
}

TEST(ClosedForms, ABlockSlidesSticksAndTurnsBackOnASlope) {
  EXPECT_NEAR(way_down(0.2, 0, 1), 0.755770342021429, kMet);
  EXPECT_NEAR(way_down(0.2, 2, 0.3846971676816827), -0.3846971676816827, kMet);
  EXPECT_NEAR(way_down(0.2, 2, 1.098148858881372), 0, kMet);
  EXPECT_NEAR(way_down(0.5, 2, 1), -0.2511171602610271, kMet);
  EXPECT_NEAR(way_down(0.5, 0, 1), 0, 1e-14);
}

TEST(ClosedForms, ATallBlockTipsOnASteepSlope) {
  World<2> world = floor_world<2>(100);
  world.gravity = {9.81 * 0.5, -9.81 * std::sqrt(0.75)};
  const int block = add_body<2>(world, "block", make_box<2>({0.4, 1}), {.mass = 1, .position = {0, 0.5}});
  EventRun<2> run(world, {kTolerance});
  ASSERT_TRUE(run.advance(0.4876439746724395)) << run.message();
  run.put(world);
  EXPECT_NEAR(world.bodies[block].attitude.angle, -0.3, kMet);
}

TEST(ClosedForms, ABallThatSlidesBeginsToRoll) {
  for (const auto& [spin, time, way] : {std::array{0., 0.582495995340032, 0.9985645634400549},
                                        std::array{12., 2.329983981360128, 1.99712912688011}}) {
    World<2> world = floor_world<2>(0.1);
    const int ball = add_body<2>(world, "ball", Sphere<2>{0.5},
                                 {.mass = 1,
                                  .inertia = moment_of(0.1),
                                  .position = {0, 0.5},
                                  .velocity = {2, 0},
                                  .angular_velocity = Spin<2>(spin)});
    EventRun<2> run(world, {kTolerance});
    ASSERT_TRUE(run.advance(time + 0.1)) << run.message();
    run.put(world);
    EXPECT_NEAR(world.bodies[ball].position.x(), way + 0.1 * world.bodies[ball].velocity[0], kMet);
    ASSERT_EQ(times_of(run, EventKind::stop).size(), 1u);
    EXPECT_NEAR(times_of(run, EventKind::stop)[0], time, kMet);
  }
}

TEST(ClosedForms, ABallBouncesAndComesToRest) {
  World<2> world = floor_world<2>(0, 0.8);
  const int ball = add_body<2>(world, "ball", Sphere<2>{0.5}, {.mass = 1, .position = {0, 1.5}});
  EventRun<2> run(world, {kTolerance});
  ASSERT_TRUE(run.advance(5)) << run.message();
  run.put(world);
  const std::vector<double> strikes = times_of(run, EventKind::impact),
                            rests = times_of(run, EventKind::rest);
  ASSERT_GT(strikes.size(), 3u);
  EXPECT_NEAR(strikes[0], 0.4515236409857309, 1e-13);
  EXPECT_NEAR(strikes[1], 1.1739614665629, 1e-12);
  EXPECT_NEAR(strikes[2], 1.751911727024636, 1e-12);
  ASSERT_EQ(rests.size(), 1u);
  EXPECT_NEAR(rests[0], 4.063712768871578, 1e-7);
  EXPECT_NEAR(world.bodies[ball].position.y(), 0.5, 1e-13);
}

/// A rod of length 1 that leans by an angle from upright; a billionth of it is its width.
int add_rod(World<2>& world, double lean, double x) {
  const std::vector<Vec<2>> corners = {{0, -0.5}, {1e-9, 0}, {0, 0.5}, {-1e-9, 0}};
  return add_body<2>(world, "rod", Polytope<2>::hull(corners),
                     {.mass = 1,
                      .inertia = moment_of(1. / 12),
                      .com = Vec<2>(0, 0),
                      .position = {x, 0.5 * std::cos(lean)},
                      .rotation = rotation(lean)});
}

TEST(ClosedForms, ARodFallsOnAFrictionlessFloor) {
  World<2> world = floor_world<2>(0);
  const int rod = add_rod(world, 0.1, 0);
  EventRun<2> run(world, {kTolerance});
  ASSERT_TRUE(run.advance(0.4648646647800207)) << run.message();
  run.put(world);
  EXPECT_NEAR(world.bodies[rod].attitude.angle, 1, kMet);
  EXPECT_NEAR(world.bodies[rod].velocity[2], 4.139211995464064, 1e-7);
  ASSERT_TRUE(run.advance(0.5859)) << run.message();
  run.put(world);
  EXPECT_LT(world.bodies[rod].attitude.angle, kRight);
}

TEST(ClosedForms, ALadderLeavesTheWallAndLands) {
  World<2> world = floor_world<2>(0);
  add_body<2>(world, "wall", HalfSpace<2>{{Vec<2>::UnitX(), 0}}, {.kind = BodyKind::fixed});
  const int ladder = add_rod(world, 0.1, 0.5 * std::sin(0.1));
  EventRun<2> run(world, {kTolerance});
  ASSERT_TRUE(run.advance(0.9189)) << run.message();
  const std::vector<double> releases = times_of(run, EventKind::release);
  ASSERT_EQ(releases.size(), 1u);
  EXPECT_NEAR(releases[0], 0.7406523041942489, kMet);
  run.put(world);
  // The centre moves on evenly once it is free of the wall.
  EXPECT_NEAR(world.bodies[ladder].velocity[0], 1.03621672366427, kMet);
}

TEST(ClosedForms, ABlockRocksOnItsCorners) {
  World<2> world = floor_world<2>(100);
  const Mat<2> R = rotation(0.1);
  add_body<2>(world, "block", make_box<2>({0.5, 2}),
              {.mass = 1, .position = -(R * Vec<2>(-0.25, -1)), .rotation = R});
  EventRun<2> run(world, {kTolerance});
  ASSERT_TRUE(run.advance(2.4)) << run.message();
  const std::vector<double> strikes = times_of(run, EventKind::impact);
  const double expected[] = {0.4185486604621036, 1.124033190294284, 1.733445711733421, 2.267647207090573};
  ASSERT_EQ(strikes.size(), 4u);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(strikes[i], expected[i], kMet);
}

TEST(ClosedForms, AFreeBodyTumbles) {
  World<3> world;
  const int body = add_body<3>(
      world, "body", make_box<3>({1, 1, 1}),
      {.mass = 1, .inertia = Mat<3>(Vec<3>(1, 2, 3).asDiagonal()), .angular_velocity = {0.01, 1, 0.01}});
  world.gravity.setZero();
  EventRun<3> run(world, {kTolerance});
  ASSERT_TRUE(run.advance(10)) << run.message();
  run.put(world);
  const Vec<3> spin = world.bodies[body].X_WC().R.transpose() * angular<3>(world.bodies[body].velocity);
  EXPECT_LT((spin - Vec<3>(-0.874573437891094, 0.484996187341033, 0.505001220547913)).norm(), kMet);
}

TEST(ClosedForms, ADoublePendulumSwings) {
  World<2> world;
  world.gravity = {0, -9.81};
  const auto rod = [&](const char* name, double x) {
    return add_body<2>(world, name, make_box<2>({1, 0.1}),
                       {.mass = 1, .inertia = moment_of(1. / 12), .position = {x, 0}});
  };
  const int a = rod("a", 0.5), b = rod("b", 1.5);
  add_joint<2>(world, "upper", JointKind::revolute, {.bodies = {kWorld, a}, .position = {0, 0}});
  add_joint<2>(world, "lower", JointKind::revolute, {.bodies = {a, b}, .position = {1, 0}});
  EventRun<2> run(world, {kTolerance});
  const auto angle = [&](int i) { return world.bodies[i].attitude.angle + kRight; };
  ASSERT_TRUE(run.advance(1)) << run.message();
  run.put(world);
  EXPECT_NEAR(angle(a), -1.20771623819064, kMet);
  EXPECT_NEAR(angle(b), -0.814391023091296, kMet);
  ASSERT_TRUE(run.advance(2)) << run.message();
  run.put(world);
  EXPECT_NEAR(angle(a), -0.082758306820573, kMet);
  EXPECT_NEAR(angle(b), 0.407362074911911, kMet);
}

TEST(ClosedForms, ACubeStrikesWithAVertex) {
  for (const auto& [mu, spin] : {std::pair{0., Vec<3>(-1.243008407674338, -0.04185455152656109, 3)},
                                 {100., Vec<3>(-0.8698820435522037, 1.011768162728185, 2.809744692922727)}}) {
    World<3> world = floor_world<3>(mu);
    world.gravity.setZero();
    const Mat<3> R = (Eigen::AngleAxisd(0.3, Vec<3>::UnitZ()) * Eigen::AngleAxisd(0.5, Vec<3>::UnitY()) *
                      Eigen::AngleAxisd(0.4, Vec<3>::UnitX()))
                         .toRotationMatrix();
    const double lowest = 0.5 * R.row(2).cwiseAbs().sum();
    const int cube = add_body<3>(world, "cube", make_box<3>({1, 1, 1}),
                                 {.mass = 1,
                                  .position = {0, 0, lowest},
                                  .rotation = R,
                                  .velocity = {0.5, 0, -2},
                                  .angular_velocity = {1, 2, 3}});
    EventRun<3> run(world, {kTolerance});
    ASSERT_TRUE(run.advance(0)) << run.message();
    run.put(world);
    EXPECT_LT((angular<3>(world.bodies[cube].velocity) - spin).norm(), 1e-13);
  }
}

/// A ball flies past the corner of a square so that their distance falls to its radius: it touches the corner
/// when
/// |(x, y) + v t - corner| = radius, and leaves by the mirror law of a frictionless wall across the corner.
TEST(ClosedForms, ABallIsThrownBackByACornerAndByAnEdge) {
  World<2> world;
  set_surface(world, rough(0, 1));
  add_body<2>(world, "square", make_box<2>({2, 2}), {.kind = BodyKind::fixed});
  add_body<2>(world, "ball", Sphere<2>{0.5}, {.mass = 1, .position = {3, 1.3}, .velocity = {-2, 0}});
  EventRun<2> run(world, {kTolerance});
  ASSERT_TRUE(run.advance(2)) << run.message();
  run.put(world);
  const std::vector<double> strikes = times_of(run, EventKind::impact);
  ASSERT_EQ(strikes.size(), 1u);
  EXPECT_NEAR(strikes[0], (2 - 0.4) / 2, 1e-12);  // 0.4, 0.3, 0.5: from the corner (1, 1) to the centre
  EXPECT_NEAR(world.bodies[1].velocity[0], -2 + 2 * 2 * 0.8 * 0.8, 1e-12);
  EXPECT_NEAR(world.bodies[1].velocity[1], 2 * 2 * 0.8 * 0.6, 1e-12);
}

TEST(ClosedForms, ABallRollsAroundACornerUntilItLeavesIt) {
  // Without friction the ball slides off a corner at the angle b from upright where the corner has no load
  // left: from rest at the angle a, cos b = 2/3 cos a, as every point mass on a round hill.
  World<3> world;
  world.gravity = {0, 0, -9.81};
  set_surface(world, rough(0));
  add_body<3>(world, "edge", make_box<3>({2, 2, 2}), {.kind = BodyKind::fixed, .position = {-1, 0, -1}});
  const double r = 0.5, a = 0.05;
  add_body<3>(world, "ball", Sphere<3>{r}, {.mass = 1, .position = {r * std::sin(a), 0, r * std::cos(a)}});
  EventRun<3> run(world, {kTolerance});
  ASSERT_TRUE(run.advance(1.5)) << run.message();
  const std::vector<double> releases = times_of(run, EventKind::release);
  ASSERT_EQ(releases.size(), 1u);
  World<3> at = world;
  EventRun<3> again(world, {kTolerance});
  ASSERT_TRUE(again.advance(releases[0]));
  again.put(at);
  EXPECT_NEAR(at.bodies[1].position[2] / r, 2. / 3 * std::cos(a), kMet);
}

}  // namespace
}  // namespace touchstone
