// Scenes whose converged answers are known, the gaps on the way judged by code that the conductor does not
// use, and what an accurate motion says of itself.

#include <gtest/gtest.h>

#include "touchstone/proximity/gap.h"
#include "touchstone/stepping/build_world.h"
#include "touchstone/stepping/events/event_run.h"
#include "touchstone/stepping/step.h"

namespace touchstone {
namespace {

/// The die of [TrueRigidity 5], as its code throws it with glibc's random numbers; y is up.
World<3> thrown_die() {
  World<3> world;
  world.gravity = {0, -9.81, 0};
  Surface rough;
  rough.friction = FrictionLaw::quadratic, rough.mu = 1;
  set_surface(world, rough);
  add_body<3>(world, "floor", HalfSpace<3>{{Vec<3>::UnitY(), -5e-6}}, {.kind = BodyKind::fixed});
  const Eigen::Quaterniond q(-0.268313219646968, 0.485961557379617, 0.670301463326308, -0.492488912742678);
  add_body<3>(world, "die", make_box<3>({1, 1, 1}),
              {.mass = 1,
               .position = {0.680375434309419, 1.788765853638186, 0.566198447517212},
               .rotation = q.normalized().toRotationMatrix(),
               .velocity = {-0.452058962756795, 2.57741849523849, -2.70431054416313},
               .angular_velocity = {5.36459189623808, -4.44450578393624, 1.07939911590861}});
  return world;
}

World<2> falling_triangle() {
  World<2> world;
  world.gravity = {0, -9.81};
  const std::vector<Vec<2>> large = {
      {0, 2.829016319029167}, {-2.45, -1.4145081595145833}, {2.45, -1.4145081595145833}};
  const std::vector<Vec<2>> small = {
      {0, 1.4145081595145833}, {-1.225, -0.7072540797572917}, {1.225, -0.7072540797572917}};
  add_body<2>(world, "large", Polytope<2>::hull(large), {.kind = BodyKind::fixed});
  add_body<2>(world, "small", Polytope<2>::hull(small),
              {.mass = 1,
               .inertia = SpinMat<2>(0.6495),
               .position = {1.0650718583, 7.2655423292},
               .rotation = rotation(0.2)});
  return world;
}

template <int D>
double gap_of_last_two(const World<D>& world) {
  const auto at = [&](std::size_t s) {
    const ContactShape<D>& part = world.shapes[s];
    return PlacedShape<D>{part.shape.get(), world.bodies[part.body].X_WC() * part.X_CS};
  };
  return find_gap<D>(at(world.shapes.size() - 1), at(world.shapes.size() - 2)).gap;
}

TEST(EventScenes, TheDieComesToRestAfterThirtySixImpactsOrMoreInFewSteps) {
  World<3> world = thrown_die();
  EventRun<3> run(world, {1e-10});
  ASSERT_TRUE(run.advance(1.8)) << run.message();
  run.put(world);
  EXPECT_LT((world.bodies[1].position - Vec<3>(0.61239968, 0.499995, -2.19957778)).norm(), 2e-8);
  EXPECT_LE(run.steps(), 120);
  EXPECT_TRUE(run.branches().empty());
  EXPECT_LT(world.bodies[1].velocity.norm(), 1e-12);
}

TEST(EventScenes, NeitherTheDieNorTheTriangleOverlapsAtAnyTime) {
  World<3> die = thrown_die();
  EventRun<3> run(die, {1e-10});
  double least = 1;
  for (int i = 0; i <= 3000; ++i) {
    ASSERT_TRUE(run.advance(i * 6e-4)) << run.message();
    run.put(die);
    least = std::min(least, gap_of_last_two(die));
  }
  EXPECT_GT(least, -1e-11);
  World<2> triangle = falling_triangle();
  EventRun<2> fall(triangle, {1e-10});
  for (int i = 0; i <= 3000; ++i) {
    ASSERT_TRUE(fall.advance(i * 5e-4)) << fall.message();
    fall.put(triangle);
    least = std::min(least, gap_of_last_two(triangle));
  }
  EXPECT_GT(least, -1e-11);
}

TEST(EventScenes, ATriangleFallsBesideTheApexOfAnother) {
  World<2> world = falling_triangle();
  EventRun<2> run(world, {1e-10});
  ASSERT_TRUE(run.advance(1.5)) << run.message();
  run.put(world);
  EXPECT_LT((world.bodies[1].position - Vec<2>(3.72697917, -2.23413731)).norm(), 2e-8);
  EXPECT_NEAR(world.bodies[1].attitude.angle, 1.03893729, 1e-8);
}

/// A tower of boxes at rest, rough or not.
World<2> tower(int boxes, double mu) {
  World<2> world;
  world.gravity = {0, -9.81};
  Surface surface;
  surface.friction = mu > 0 ? FrictionLaw::quadratic : FrictionLaw::none, surface.mu = mu;
  set_surface(world, surface);
  add_body<2>(world, "floor", HalfSpace<2>{{Vec<2>::UnitY(), 0}}, {.kind = BodyKind::fixed});
  for (int i = 0; i < boxes; ++i) {
    add_body<2>(world, "box" + std::to_string(i), make_box<2>({1, 1}), {.mass = 1, .position = {0, i + 0.5}});
  }
  return world;
}

/// The study of events asks for 1e-9 m.
TEST(EventScenes, ATowerRestsForEverInFewSteps) {
  for (const double mu : {0., 0.5}) {
    const World<2> start = tower(10, mu);
    World<2> world = start;
    EventRun<2> run(world, {1e-10});
    ASSERT_TRUE(run.advance(5)) << run.message();
    run.put(world);
    EXPECT_LE(run.steps(), 30) << mu;
    for (const StepEvent& event : run.events())
      ADD_FAILURE() << text_of(event.kind) << " at " << event.time << " s, mu " << mu;
    for (std::size_t b = 0; b < world.bodies.size(); ++b) {
      EXPECT_LT((world.bodies[b].position - start.bodies[b].position).norm(), 1e-10) << b;
    }
  }
}

TEST(AccurateMotion, StatesAnErrorThatItKeeps) {
  for (const double accuracy : {1e-5, 1e-7, 1e-9}) {
    World<2> world = falling_triangle();
    Stepper<2> stepper({.h = 0.05, .accuracy = accuracy});
    StepReport<2> report;
    for (int i = 0; i < 30; ++i) report = stepper.step(world);
    ASSERT_EQ(report.status, StepStatus::done) << report.message;
    ASSERT_TRUE(report.accuracy.has_value());
    const double error = (world.bodies[1].position - Vec<2>(3.7269791715, -2.2341373129)).norm();
    EXPECT_LE(report.accuracy->estimated, accuracy);
    EXPECT_LE(error, report.accuracy->estimated + 2e-9);  // the digits of the known answer
    EXPECT_NEAR(report.accuracy->trusted_until, 1.5, 1e-12);
  }
}

TEST(AccurateMotion, DoesNotDependOnWhenItIsAskedNorOnCopies) {
  World<2> seldom = falling_triangle(), often = seldom;
  Stepper<2> one({.h = 0.3, .accuracy = 1e-8}), many({.h = 0.1, .accuracy = 1e-8});
  for (int i = 0; i < 4; ++i) ASSERT_EQ(one.step(seldom).status, StepStatus::done);
  World<2> copy;
  Stepper<2> other({.h = 0.1, .accuracy = 1e-8});
  for (int i = 0; i < 12; ++i) {
    if (i == 6) copy = often, other = many;
    ASSERT_EQ(many.step(often).status, StepStatus::done);
    if (i < 6) continue;
    ASSERT_EQ(other.step(copy).status, StepStatus::done);
  }
  EXPECT_EQ(often.bodies[1].position, copy.bodies[1].position);
  EXPECT_LT((often.bodies[1].position - seldom.bodies[1].position).norm(), 1e-13);  // 12 x 0.1 is not 4 x 0.3
}

TEST(AccurateMotion, TellsOfABranchPoint) {
  World<2> world;  // one square falls on another, corner on corner: to which side, nothing says
  world.gravity = {0, -9.81};
  const Mat<2> R = rotation(std::atan(1.));
  add_body<2>(world, "low", make_box<2>({1, 1}), {.kind = BodyKind::fixed, .rotation = R});
  add_body<2>(world, "high", make_box<2>({1, 1}), {.mass = 1, .position = {0, 1.8}, .rotation = R});
  Stepper<2> stepper({.h = 0.01, .accuracy = 1e-8});
  StepReport<2> report;
  for (int i = 0; i < 40; ++i) report = stepper.step(world);
  ASSERT_TRUE(report.accuracy.has_value()) << report.message;
  EXPECT_GT(report.accuracy->branch_points, 0);
  EXPECT_LT(report.accuracy->trusted_until, 0.31);
  EXPECT_FALSE(report.accuracy->reason.empty());
}

TEST(AccurateMotion, RefusesWhatItCannotFollow) {
  World<2> world = tower(1, 0);
  Surface sticky;
  sticky.friction = FrictionLaw::no_slip;
  set_surface(world, sticky);
  Stepper<2> stepper({.h = 0.01, .accuracy = 1e-8});
  const StepReport<2> report = stepper.step(world);
  EXPECT_EQ(report.status, StepStatus::bad_state);
  EXPECT_NE(report.message.find("law: quadratic"), std::string::npos) << report.message;
}

}  // namespace
}  // namespace touchstone
