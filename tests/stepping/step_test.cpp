#include "touchstone/stepping/step.h"

#include <gtest/gtest.h>

#include <numbers>

#include "../support/random_worlds.h"

namespace touchstone {
namespace {

template <int D>
World<D> ground(const Surface& surface = {}) {
  World<D> world;
  world.gravity = -9.81 * Vec<D>::Unit(D - 1);
  world.surfaces = SurfaceTable(1, surface);
  add_body<D>(world, "floor", HalfSpace<D>{{Vec<D>::Unit(D - 1), 0}}, {}, BodyKind::fixed);
  return world;
}

template <int D>
World<D> stack(int boxes) {
  World<D> world = ground<D>();
  for (int i = 0; i < boxes; ++i) {
    add_body<D>(world, "box" + std::to_string(i), make_box<D>(Vec<D>::Constant(1)),
                {Mat<D>::Identity(), (0.5 + i) * Vec<D>::Unit(D - 1)});
  }
  return world;
}

template <int D>
void expect_same_bits(const World<D>& a, const World<D>& b) {
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    EXPECT_EQ(a.bodies[i].position, b.bodies[i].position);
    EXPECT_EQ(a.bodies[i].attitude.matrix(), b.bodies[i].attitude.matrix());
    EXPECT_EQ(a.bodies[i].velocity, b.bodies[i].velocity);
  }
}

template <int D>
void expect_stack_rests(const char* model) {
  World<D> world = stack<D>(10);
  Stepper<D> stepper({.h = 0.01}, model);
  double lowest_gap = 0;
  for (int i = 0; i < 200; ++i) {
    const StepReport<D> report = stepper.step(world);
    ASSERT_EQ(report.status, StepStatus::done) << report.message;
    for (const Contact<D>& contact : report.set.contacts) lowest_gap = std::min(lowest_gap, contact.gap);
  }
  EXPECT_GT(lowest_gap, -1e-12);
  for (int i = 1; i <= 10; ++i) EXPECT_NEAR(world.bodies[i].position[D - 1], i - 0.5, 1e-12);
}

TEST(Step, AStackOfTenBoxesRestsInThePlane) { expect_stack_rests<2>("manifold"); }
TEST(Step, AStackOfTenBoxesRestsInSpace) { expect_stack_rests<3>("manifold"); }

TEST(Step, TheContactForcesOfAStackCarryItsWeight) {
  World<3> world = stack<3>(5);
  Stepper<3> stepper({.h = 0.01});
  const StepReport<3> report = stepper.step(world);
  double on_floor = 0;
  for (const ContactForce<3>& force : report.forces) {
    const Contact<3>& contact = report.set.contacts[force.contact];
    if (contact.body_A == 0 || contact.body_B == 0) on_floor += force.normal;
  }
  EXPECT_NEAR(on_floor, 5 * 9.81 * 0.01, 1e-12);
}

/// Towers beside each other that lean and fall.
World<3> towers(int count) {
  World<3> world;
  world.gravity = -9.81 * Vec<3>::UnitZ();
  touchstone::add_body<3>(world, "floor", make_box<3>({100, 10, 1}), {Mat<3>::Identity(), {0, 0, -0.5}},
                          BodyKind::fixed);
  for (int i = 0; i < count; ++i) {
    for (int k = 0; k < 4; ++k) {
      const Pose<3> X{Mat<3>::Identity(), {3. * i, 0.1 * i * k, 0.5 + k}};
      touchstone::add_body<3>(world, "box" + std::to_string(4 * i + k), make_box<3>(Vec<3>::Ones()), X);
    }
  }
  return world;
}

TEST(Step, AnotherNumberOfThreadsGivesTheSameBits) {
  for (World<3> one : {random_world<3>(77, {.friction = FrictionLaw::linear}), towers(16)}) {
    World<3> more = one;
    Stepper<3> single({.h = 0.01, .threads = 1}), many({.h = 0.01, .threads = 4});
    int rows = 0;
    for (int i = 0; i < 60; ++i) single.step(one), rows = std::max(rows, many.step(more).rows);
    expect_same_bits(one, more);
    EXPECT_GT(rows, 10);
  }
}

TEST(Step, AHundredThousandStepsEndAtTheirMultipleOfTheStep) {
  for (const double h : {0.001, 0.003, 1. / 240}) {
    World<2> world;
    Stepper<2> stepper({.h = h});
    for (int i = 0; i < 100'000; ++i) stepper.step(world);
    EXPECT_EQ(world.time, 100'000 * h) << h;
  }
}

TEST(Step, ASnapshotContinuesLikeTheOriginal) {
  World<2> world = random_world<2>(5, {.friction = FrictionLaw::linear});
  Stepper<2> stepper({.h = 0.01});
  for (int i = 0; i < 30; ++i) stepper.step(world);
  World<2> snapshot = world;
  Stepper<2> copy = stepper;
  for (int i = 0; i < 30; ++i) stepper.step(world), copy.step(snapshot);
  expect_same_bits(world, snapshot);
}

TEST(Step, AStepThatFailsLeavesTheSpeedsOfScriptedBodiesAlone) {
  for (const char* model : {"plane", "manifold", "peg"}) {
    // With friction: without it peg does not ask the solver.
    World<2> world = random_world<2>(3, {.friction = FrictionLaw::linear, .scripted = true});
    const World<2> before = world;
    Stepper<2> stepper({.h = 0.5}, model);  // so long that bodies meet at once
    stepper.set_solver([](const Problem& problem, const SolveSettings&) {
      Solution none;
      none.z = VectorX::Zero(size_of(problem));
      none.status = SolveStatus::ray, none.residual = 1;
      return none;
    });
    const StepReport<2> report = stepper.step(world);
    EXPECT_NE(report.status, StepStatus::done) << model;
    expect_same_bits(world, before);
  }
}

TEST(Step, AStepThatCannotBeSolvedLeavesTheWorldAsItWas) {
  World<2> world = stack<2>(3);
  const World<2> before = world;
  Stepper<2> stepper({.h = 0.01});
  stepper.set_solver([](const Problem& problem, const SolveSettings&) {
    Solution none;
    none.z = VectorX::Zero(size_of(problem));
    none.status = SolveStatus::ray, none.residual = 1;
    return none;
  });
  const StepReport<2> report = stepper.step(world);
  EXPECT_EQ(report.status, StepStatus::unsolved);
  EXPECT_NE(report.message.find("3 bodies"), std::string::npos) << report.message;
  EXPECT_EQ(world.time, before.time);
  expect_same_bits(world, before);
}

TEST(Step, AForceThatIsNotANumberIsRefusedByName) {
  World<2> world = stack<2>(1);
  Stepper<2> stepper({.h = 0.01});
  world.bodies[1].force[0] = std::nan("");
  const StepReport<2> report = stepper.step(world);
  EXPECT_EQ(report.status, StepStatus::bad_state);
  EXPECT_NE(report.message.find("box0"), std::string::npos);
}

TEST(Step, AForceActsForOneStepAndIsForgotten) {
  World<2> world = stack<2>(1);
  Stepper<2> stepper({.h = 0.01});
  for (int i = 0; i < 2; ++i) {
    world.bodies[1].force[0] = 1;
    stepper.step(world);
    EXPECT_EQ(world.bodies[1].force[0], 0);
  }
  stepper.step(world);
  EXPECT_NEAR(world.bodies[1].velocity[0], 0.02, 1e-15) << "1 N on 1 kg for two of three steps";
}

TEST(Step, AScriptedBodyPushesAsItsScriptSays) {
  World<2> world;
  add_body<2>(world, "crate", make_box<2>({1, 1}), {});
  const int ram = add_body<2>(world, "ram", make_box<2>({1, 1}), {Mat<2>::Identity(), Vec<2>(-1.5, 0)},
                              BodyKind::scripted);
  world.bodies[ram].script = [](double t) { return Pose<2>{Mat<2>::Identity(), Vec<2>(-1.5 + t, 0)}; };
  Stepper<2> stepper({.h = 0.01});
  double work = 0;
  for (int i = 0; i < 100; ++i) {
    const StepReport<2> report = stepper.step(world);
    ASSERT_EQ(report.status, StepStatus::done) << report.message;
    work += report.balance.work;
  }
  EXPECT_NEAR(world.bodies[ram].position.x(), -0.5, 1e-13);
  // The residual is relative to gap/h, which is 50 m/s in the first step.
  EXPECT_NEAR(world.bodies[0].position.x(), 0.5, 1e-10);
  EXPECT_NEAR(world.bodies[0].velocity[0], 1, 1e-10);
  EXPECT_NEAR(work, 1, 1e-10) << "half stays in the crate, half is lost in the plastic impact";
}

TEST(Step, JointedBodiesDoNotTouchUnlessAsked) {
  World<2> world;
  for (int i = 0; i < 2; ++i) {
    add_body<2>(world, "b" + std::to_string(i), make_box<2>({1, 1}),
                {Mat<2>::Identity(), Vec<2>(0.5 * i, 0)});
  }
  Joint<2> joint;
  joint.kind = JointKind::revolute, joint.body_A = 0, joint.body_B = 1;
  joint.X_AJ.p = Vec<2>(0.25, 0), joint.X_BJ.p = Vec<2>(-0.25, 0);
  joint.axes.resize(1);
  world.joints = {joint};
  EXPECT_EQ(Stepper<2>({.h = 0.01}).step(world).contacts, 0);
  world.joints[0].collide = true;
  EXPECT_GT(Stepper<2>({.h = 0.01}).step(world).contacts, 0);
}

TEST(Step, GroupsThatDoNotMeetPassThroughEachOther) {
  World<2> world = stack<2>(2);
  world.shapes[1].group = 2;
  world.shapes[2].collides = ~2u;
  Stepper<2> stepper({.h = 0.01});
  for (int i = 0; i < 60; ++i) stepper.step(world);
  EXPECT_NEAR(world.bodies[1].position.y(), 0.5, 1e-12);
  EXPECT_NEAR(world.bodies[2].position.y(), 0.5, 1e-12) << "fell through the first box onto the floor";
}

TEST(Step, ABodyOfTwoPartsRestsOnBoth) {
  World<2> world = ground<2>();
  Body<2> table;
  table.name = "table";
  table.position = Vec<2>(0, 0.5);
  world.bodies.push_back(table);
  const auto leg = std::make_shared<const Shape<2>>(make_box<2>({0.2, 1}));
  world.shapes.push_back({leg, 1, {Mat<2>::Identity(), Vec<2>(-1, 0)}});
  world.shapes.push_back({leg, 1, {Mat<2>::Identity(), Vec<2>(1, 0)}});
  Stepper<2> stepper({.h = 0.01});
  StepReport<2> report;
  for (int i = 0; i < 20; ++i) report = stepper.step(world);
  EXPECT_EQ(report.contacts, 4);
  EXPECT_NEAR(world.bodies[1].position.y(), 0.5, 1e-13);
  EXPECT_NEAR(world.bodies[1].attitude.angle, 0, 1e-13);
}

/// What a stepper says to settings, or "taken".
std::string answer_to(const StepSettings& settings, const char* model) {
  try {
    Stepper<3>(settings, model);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "taken";
}

TEST(Step, ASettingThatNobodyUsesIsRefused) {
  const std::string nobody = "neither the contact model nor the formulation uses the setting ";
  EXPECT_EQ(answer_to({.margin = 0.1}, "plane"), nobody + "margin");
  EXPECT_EQ(answer_to({.margin = 0.1}, "manifold"), "taken");
  EXPECT_EQ(answer_to({.choice = {.strict = false}}, "manifold"), nobody + "choice");
  EXPECT_EQ(answer_to({.choice = {.strict = false}}, "peg"), "taken");
  EXPECT_EQ(answer_to({.max_updates = 5}, "standard"), nobody + "max_updates");
  EXPECT_EQ(answer_to({.max_updates = 5}, "plane"), "taken");
  EXPECT_EQ(answer_to({.max_halvings = 2}, "peg"), nobody + "max_halvings");
  EXPECT_EQ(answer_to({.model = {.relinearise = true}, .max_halvings = 2}, "peg"), "taken");
  StepSettings settings;
  settings.formulation.stabilisation = 0.5;
  EXPECT_EQ(answer_to(settings, "manifold"), nobody + "formulation.stabilisation");
  settings.formulation.scheme = Scheme::anitescu_potra;
  EXPECT_EQ(answer_to(settings, "manifold"), "taken");
}

TEST(Step, AModelThatIsChangedLaterIsNotToldWhatItDoesNotUse) {
  Stepper<3> stepper({.margin = 0.1}, "manifold");
  EXPECT_NO_THROW(stepper.set_model("plane"));
}

}  // namespace
}  // namespace touchstone
