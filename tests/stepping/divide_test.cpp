// A step that is refused is made in parts, and only by the bodies that need it.

#include "touchstone/stepping/divide.h"

#include <gtest/gtest.h>

#include <numbers>

#include "support/watched_run.h"
#include "touchstone/stepping/build_world.h"
#include "touchstone/stepping/step.h"

namespace touchstone {
namespace {

/// Has no contacts, and lets no body fall by more than `most` in one go [m]. All that is in the sky, a
/// half-space, falls.
struct CarefulFall : ContactModel<2> {
  double most = 1, event = 0.5;
  mutable std::vector<double> tried;  ///< [s]

  struct Contacts : StepContacts<2> {
    const CarefulFall& model;
    ConstraintSet<2> none;
    explicit Contacts(const CarefulFall& m) : model(m) {}
    const ConstraintSet<2>& set() const override { return none; }
    Verdict judge(const TriedMotion<2>& motion, const Reaction&) override {
      for (const auto& [floor, box] : motion.pairs) {
        const Path<2>& path = motion.paths[motion.shapes[box].body];
        const double fall = path.centre.y() - path.centre_at(1).y();
        if (path.velocity.y() < -kFast && fall > model.most)
          return {Verdict::Word::too_long, model.event, "a body fell too far"};
      }
      return {};
    }
  };
  static constexpr double kFast = 5;  ///< [m/s] slower ones may fall as they like

  bool sweeps() const override { return true; }
  Promise promises() const override { return {.gap = true}; }
  std::unique_ptr<StepContacts<2>> propose(const TriedMotion<2>& motion,
                                           const ModelMemoryPtr&) const override {
    tried.push_back(motion.h);
    return std::make_unique<Contacts>(*this);
  }
};

/// Two boxes far apart, of which one falls fast.
World<2> sky() {
  World<2> world;
  add_body(world, "sky", HalfSpace<2>{{Vec<2>::UnitY(), 1000}}, {.kind = BodyKind::fixed});
  return world;
}
World<2> two_that_fall() {
  World<2> world = sky();
  world.gravity = {0, -10};
  add_body(world, "slow", make_box<2>({1, 1}), {.mass = 1, .position = {-50, 0}});
  add_body(world, "fast", make_box<2>({1, 1}), {.mass = 1, .position = {50, 0}, .velocity = {0, -20}});
  return world;
}

TEST(Division, OnlyTheIslandThatNeedsItTakesShorterSteps) {
  World<2> world = two_that_fall(), slow_alone = two_that_fall(), fast_alone = two_that_fall();
  const auto model = std::make_shared<CarefulFall>();
  model->most = 0.7;  // a step of 0.1 s falls 2 m, a quarter of it 0.5 m
  Stepper<2> stepper({.h = 0.1}, model);
  const StepReport<2> report = stepper.step(world);
  ASSERT_EQ(report.status, StepStatus::done) << report.message;
  EXPECT_EQ(report.substeps, 4);
  EXPECT_EQ(world.steps, 1);
  EXPECT_DOUBLE_EQ(world.time, 0.1);

  const auto easy = std::make_shared<CarefulFall>();
  easy->most = 1e9;
  Stepper<2>({.h = 0.1}, easy).step(slow_alone);
  EXPECT_EQ(world.bodies[1].position, slow_alone.bodies[1].position) << "in one step, to the bit";
  Stepper<2> quarters({.h = 0.025}, easy);
  for (int i = 0; i < 4; ++i) quarters.step(fast_alone);
  EXPECT_EQ(world.bodies[2].position, fast_alone.bodies[2].position) << "in four, to the bit";
  EXPECT_EQ(world.bodies[2].velocity, fast_alone.bodies[2].velocity);
}

TEST(Division, AForceActsForTheWholeStepAlsoInParts) {
  World<2> world = two_that_fall();
  const auto model = std::make_shared<CarefulFall>();
  model->most = 0.7;
  world.bodies[2].force[0] = 3;
  Stepper<2> stepper({.h = 0.1}, model);
  ASSERT_EQ(stepper.step(world).status, StepStatus::done);
  EXPECT_NEAR(world.bodies[2].velocity[0], 0.3, 1e-15);
  EXPECT_EQ(world.bodies[2].force[0], 0);
}

TEST(Division, AModelMaySayWhereTheStepIsDivided) {
  World<2> world = sky();
  add_body(world, "fast", make_box<2>({1, 1}), {.mass = 1, .velocity = {0, -20}});
  const auto model = std::make_shared<CarefulFall>();
  model->most = 1.7, model->event = 0.25;
  Stepper<2> stepper({.h = 0.1}, model);
  ASSERT_EQ(stepper.step(world).status, StepStatus::done);
  ASSERT_EQ(model->tried.size(), 3u);
  EXPECT_DOUBLE_EQ(model->tried[0], 0.1);
  EXPECT_DOUBLE_EQ(model->tried[1], 0.025);
  EXPECT_DOUBLE_EQ(model->tried[2], 0.075);
}

TEST(Division, AStepThatNoPartOfWhichCanBeMadeLeavesTheWorldAndSaysWhy) {
  World<2> world = two_that_fall();
  world.bodies[1].force[0] = 2;
  const World<2> before = world;
  const auto model = std::make_shared<CarefulFall>();
  model->most = 1e-9;
  Stepper<2> stepper({.h = 0.1}, model);
  const StepReport<2> report = stepper.step(world);
  EXPECT_EQ(report.status, StepStatus::not_converged);
  EXPECT_EQ(report.message, "a body fell too far");
  EXPECT_EQ(world.time, before.time);
  for (int b = 1; b < 3; ++b) {
    EXPECT_EQ(world.bodies[b].position, before.bodies[b].position);
    EXPECT_EQ(world.bodies[b].velocity, before.bodies[b].velocity);
    EXPECT_EQ(world.bodies[b].force, before.bodies[b].force) << "what the user asked for is not forgotten";
  }
}

/// The thrown-away whole step and the islands' first tries leave no trace in the numbers either.
TEST(Division, TheReportTellsOfThePartsThatWereTakenAlone) {
  World<2> world = two_that_fall();
  const auto model = std::make_shared<CarefulFall>();
  model->most = 0.7;
  Stepper<2> stepper({.h = 0.1}, model);
  const StepReport<2> report = stepper.step(world);
  // Each attempt proposes once and judges once: one of the slow island, four of the fast one.
  EXPECT_EQ(report.updates, 2 * (1 + 4));
  EXPECT_LT(std::abs(report.balance.error), 1e-12 * report.balance.scale);
}

/// A wall, a box that rests behind it and one that flies at it: in the divided step they are different
/// islands, and the one must not see the other pass through the wall.
TEST(Division, BodiesOfOtherIslandsAreNotStruck) {
  World<2> world;
  add_body(world, "wall", make_box<2>({0.1, 4}), {.kind = BodyKind::fixed});
  const int rests = add_body(world, "rests", make_box<2>({0.5, 0.5}), {.mass = 1, .position = {0.5, 0}});
  add_body(world, "flies", make_box<2>({0.5, 0.5}), {.mass = 1, .position = {-1, 0}, .velocity = {200, 0}});
  for (int i = 0; i < 4; ++i) {
    add_body(world, "c" + std::to_string(i), make_box<2>({1, 1}),
             {.mass = 1, .position = {1.5 * i, 100 + 0.3 * (i % 2)}, .rotation = rotation(0.1 * i)});
  }
  add_body(world, "d", make_box<2>({1, 1}),
           {.mass = 1, .position = {-1.5, 100.2}, .velocity = {60, 0}, .angular_velocity = Spin<2>(5)});
  Stepper<2> stepper({.h = 0.01, .max_updates = 1});  // provokes refusals
  const StepReport<2> report = stepper.step(world);
  ASSERT_EQ(report.status, StepStatus::done) << report.message;
  EXPECT_GT(report.substeps, 1);
  EXPECT_EQ(world.bodies[rests].position, Vec<2>(0.5, 0));
  EXPECT_EQ(world.bodies[rests].velocity.norm(), 0);
}

/// Two boxes that meet only because each is divided: the islands are joined and made again.
TEST(Division, NoPairOverlapsAfterADividedStep) {
  World<2> world;
  for (int i = 0; i < 12; ++i) {
    add_body(world, "b" + std::to_string(i), make_box<2>({1, 1}),
             {.mass = 1,
              .position = {1.3 * (i % 4), 1.3 * (i / 4)},
              .velocity = {i % 2 ? -30. : 30., 10. * (i % 3)},
              .angular_velocity = Spin<2>(i - 6)});
  }
  Stepper<2> stepper({.h = 0.02, .max_updates = 3});
  int divided = 0;
  for (int i = 0; i < 50; ++i) {
    const StepReport<2> report = stepper.step(world);
    if (report.status != StepStatus::done) break;
    divided += report.substeps > 1;
    EXPECT_GE(support::exact_least_gap(world), -1e-9) << "step " << i;
    EXPECT_LT(std::abs(report.balance.error), 1e-11 * report.balance.scale);
  }
  EXPECT_GT(divided, 0);
}

/// Verdicts and contacts of a user's model are input.
TEST(Division, AModelThatSpeaksNonsenseIsRefusedByName) {
  World<2> world = two_that_fall();
  const auto model = std::make_shared<CarefulFall>();
  model->most = 0.7, model->event = std::nan("");
  Stepper<2> stepper({.h = 0.1}, model);
  EXPECT_THROW(stepper.step(world), std::invalid_argument);
}

/// Lets no step be longer than 25 ms.
struct ShortSteps : ContactModel<2> {
  struct Contacts : StepContacts<2> {
    ConstraintSet<2> none;
    const ConstraintSet<2>& set() const override { return none; }
    Verdict judge(const TriedMotion<2>& motion, const Reaction&) override {
      if (motion.h > 0.026) return {Verdict::Word::too_long, 0.5, "too long"};
      return {};
    }
  };
  Promise promises() const override { return {.gap = true}; }
  std::unique_ptr<StepContacts<2>> propose(const TriedMotion<2>&, const ModelMemoryPtr&) const override {
    return std::make_unique<Contacts>();
  }
};

/// A wheel that turns by 1.2 of a full turn in a step, 0.3 in each part, beside a body of another island.
TEST(Division, AJointCountsTheTurnsOfEveryPart) {
  World<2> world;
  const double turns = 1.2, w = 2 * std::numbers::pi * turns / 0.1;
  const int wheel =
      add_body(world, "wheel", make_box<2>({1, 1}), {.mass = 1, .angular_velocity = Spin<2>(w)});
  add_body(world, "other", make_box<2>({1, 1}), {.mass = 1, .position = {50, 0}});
  add_joint(world, "axle", JointKind::revolute, {.bodies = {kWorld, wheel}});
  Stepper<2> stepper({.h = 0.1}, std::make_shared<ShortSteps>());
  const StepReport<2> report = stepper.step(world);
  ASSERT_EQ(report.status, StepStatus::done) << report.message;
  EXPECT_EQ(report.substeps, 4);
  EXPECT_NEAR(world.joints[0].value[0], 2 * std::numbers::pi * turns, 1e-9);
}

/// Always asks for a wider margin.
struct NeverWideEnough : ContactModel<2> {
  struct Contacts : StepContacts<2> {
    ConstraintSet<2> none;
    const ConstraintSet<2>& set() const override { return none; }
    Verdict judge(const TriedMotion<2>&, const Reaction&) override { return {Verdict::Word::wider}; }
  };
  Promise promises() const override { return {.seen = true}; }
  std::unique_ptr<StepContacts<2>> propose(const TriedMotion<2>&, const ModelMemoryPtr&) const override {
    return std::make_unique<Contacts>();
  }
};
TEST(Division, AModelThatAlwaysWantsMoreComesToAnEnd) {
  World<2> world = two_that_fall();
  Stepper<2> stepper({.h = 0.1}, std::make_shared<NeverWideEnough>());
  EXPECT_EQ(stepper.step(world).status, StepStatus::not_converged);
}

}  // namespace
}  // namespace touchstone
