#include "touchstone/stepping/build_world.h"

#include <gtest/gtest.h>

#include <numbers>

#include "support/dimensions.h"
#include "touchstone/stepping/step.h"

namespace touchstone {
namespace {

template <class T>
struct BuildWorld : testing::Test {};
TYPED_TEST_SUITE(BuildWorld, support::Dimensions);

/// What the function says when it refuses, or "taken".
template <class Function>
std::string refusal(const Function& function) {
  try {
    function();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "taken";
}

StepSettings centisecond() {
  StepSettings settings;
  settings.h = 0.01;
  return settings;
}

TYPED_TEST(BuildWorld, ABodyOfADensityWeighsWhatItsShapeHolds) {
  constexpr int D = TypeParam::D;
  World<D> world;
  const int box = add_body(world, "box", make_box<D>(Vec<D>::Constant(2)), {.density = 3});
  EXPECT_NEAR(world.bodies[box].mass, 3 * std::pow(2, D), 1e-13);
  const int ball = add_body(world, "ball", Sphere<D>{0.5}, {.density = 2});
  const double volume = D == 2 ? std::numbers::pi / 4 : std::numbers::pi / 6;
  EXPECT_NEAR(world.bodies[ball].mass, 2 * volume, 1e-14);
  EXPECT_NEAR(world.bodies[ball].inertia(0, 0), (D == 2 ? 0.5 : 0.4) * 2 * volume / 4, 1e-14);
  EXPECT_EQ(world.find_body("ball"), ball);
}

TYPED_TEST(BuildWorld, ThePositionIsThatOfTheBodyFrameAndTheStateIsKeptAtTheCentre) {
  constexpr int D = TypeParam::D;
  World<D> world;
  const Pose<D> X_BS{Mat<D>::Identity(), Vec<D>::Unit(0)};
  const Mat<D> turned = Attitude<D>{}.turned(0.5 * Spin<D>::Unit(0)).matrix();
  const std::vector<PartSpec<D>> parts = {{.shape = share<D>(make_box<D>(Vec<D>::Ones())), .X_BS = X_BS}};
  add_body(world, "box", parts, {.mass = 1, .position = 2 * Vec<D>::Ones(), .rotation = turned});
  const Body<D>& body = world.bodies[0];
  EXPECT_NEAR((body.com - Vec<D>::Unit(0)).norm(), 0, 1e-15);
  EXPECT_NEAR((body.X_WB().p - 2 * Vec<D>::Ones()).norm(), 0, 1e-15);
  EXPECT_NEAR((body.position - (2 * Vec<D>::Ones() + turned.col(0))).norm(), 0, 1e-15);
  EXPECT_NEAR(world.shapes[0].X_CS.p.norm(), 0, 1e-15) << "the box lies about its centre";
}

TYPED_TEST(BuildWorld, TwoPartsWeighAsTheOneTheyMake) {
  constexpr int D = TypeParam::D;
  World<D> world;
  Vec<D> half = Vec<D>::Ones();
  half[0] = 0.5;
  const auto shape = share<D>(make_box<D>(half));
  const auto at = [](double x) { return Pose<D>{Mat<D>::Identity(), x * Vec<D>::Unit(0)}; };
  add_body(world, "halves", {{shape, at(-0.25)}, {shape, at(0.25)}}, {.density = 1});
  add_body(world, "whole", make_box<D>(Vec<D>::Ones()), {.density = 1});
  EXPECT_EQ(world.shapes[0].shape, world.shapes[1].shape) << "the shape is shared";
  EXPECT_NEAR(world.bodies[0].mass, world.bodies[1].mass, 1e-15);
  EXPECT_NEAR((world.bodies[0].inertia - world.bodies[1].inertia).norm(), 0, 1e-15);
}

TYPED_TEST(BuildWorld, AScriptedBodyIsWhereItsScriptSays) {
  constexpr int D = TypeParam::D;
  World<D> world;
  world.time = 2;
  const auto script = [](double t) { return Pose<D>{Mat<D>::Identity(), t * Vec<D>::Unit(0)}; };
  add_body(world, "ram", make_box<D>(Vec<D>::Ones()), {.kind = BodyKind::scripted, .script = script});
  EXPECT_EQ(world.bodies[0].position, 2 * Vec<D>::Unit(0));
}

TYPED_TEST(BuildWorld, AWorldOfItsOwnFallsAndRests) {
  constexpr int D = TypeParam::D;
  World<D> world;
  world.gravity = -9.81 * Vec<D>::Unit(D - 1);
  const Vec<D> up = Vec<D>::Unit(D - 1);
  add_body(world, "floor", HalfSpace<D>{{up, 0}}, {.kind = BodyKind::fixed});
  const int box = add_body(world, "box", make_box<D>(Vec<D>::Ones()), {.mass = 1, .position = up});
  Stepper<D> stepper(centisecond());
  for (int i = 0; i < 100; ++i) ASSERT_EQ(stepper.step(world).status, StepStatus::done);
  EXPECT_NEAR(world.bodies[box].position[D - 1], 0.5, 1e-9);
}

TYPED_TEST(BuildWorld, AMaterialIsMixedWithTheOthers) {
  constexpr int D = TypeParam::D;
  World<D> world;
  set_surface(world, {.friction = FrictionLaw::linear, .mu = 0.25});
  const int ice = add_material(world, {.friction = FrictionLaw::linear, .mu = 0.01, .bounce = 0.5});
  EXPECT_EQ(ice, 1);
  EXPECT_DOUBLE_EQ(world.surfaces.of(0, 1).mu, 0.05);
  EXPECT_EQ(world.surfaces.of(1, 0).bounce, 0.5);
  EXPECT_EQ(world.surfaces.of(0, 0).mu, 0.25) << "as before";
  set_surface(world, 0, ice, {.friction = FrictionLaw::quadratic, .mu = 0.1});
  EXPECT_EQ(world.surfaces.of(1, 0).friction, FrictionLaw::quadratic);
  add_body(world, "puck", Sphere<D>{0.1}, {.mass = 1, .material = ice});
  EXPECT_EQ(world.shapes[0].material, ice);
}

TYPED_TEST(BuildWorld, PairsThatNeverTouchAreSorted) {
  constexpr int D = TypeParam::D;
  World<D> world;
  for (const char* name : {"a", "b", "c"}) add_body(world, name, Sphere<D>{0.1}, {.mass = 1});
  exclude_contact(world, 2, 1);
  exclude_contact(world, 0, 1);
  EXPECT_EQ(world.excluded, (std::vector<std::pair<int, int>>{{0, 1}, {1, 2}}));
  EXPECT_FALSE(CollisionFilter<D>(world).allows(1, 2));
  EXPECT_TRUE(CollisionFilter<D>(world).allows(0, 2));
}

TYPED_TEST(BuildWorld, ARefusalNamesTheBodyAndTheFieldAndLeavesTheWorldAsItWas) {
  constexpr int D = TypeParam::D;
  World<D> world;
  const Shape<D> ball = Sphere<D>{1};
  const auto says = [&](const BodySpec<D>& spec, const char* name = "b") {
    return refusal([&] { add_body(world, name, ball, spec); });
  };
  EXPECT_EQ(says({}), "body \"b\": its mass is missing: give .mass or .density, or make it BodyKind::fixed");
  EXPECT_EQ(says({.mass = -1}), "body \"b\": mass: expected a positive number");
  EXPECT_EQ(says({.density = 0}), "body \"b\": density: expected a positive number");
  EXPECT_EQ(says({.mass = 1, .inertia = -SpinMat<D>::Identity()}).substr(0, 18), "body \"b\": inertia:");
  EXPECT_EQ(says({.mass = 1, .com = Vec<D>::Ones()}),
            "body \"b\": inertia: a body whose com is given needs one");
  EXPECT_EQ(says({.mass = 1, .rotation = 2 * Mat<D>::Identity()}),
            "body \"b\": position or rotation: R is not a rotation");
  EXPECT_EQ(says({.kind = BodyKind::fixed, .velocity = Vec<D>::Ones()}).substr(0, 19),
            "body \"b\": velocity:");
  EXPECT_EQ(says({.kind = BodyKind::scripted}), "body \"b\": script: a scripted body needs one");
  EXPECT_EQ(says({.mass = 1, .material = 1}).substr(0, 19), "body \"b\": material:");
  EXPECT_EQ(says({.mass = 1}, "world"), "body \"world\": name: expected a text other than \"world\"");
  EXPECT_TRUE(world.bodies.empty() && world.shapes.empty());
  EXPECT_EQ(says({.mass = 1}), "taken");
  EXPECT_EQ(says({.mass = 1}), "body \"b\": name: there is a body of this name already");
  const HalfSpace<D> below{{Vec<D>::Unit(0), 0}};
  EXPECT_EQ(refusal([&] { add_body(world, "h", below, {.mass = 1}); }),
            "body \"h\": a half-space has no end and no mass; make the body BodyKind::fixed");
  EXPECT_EQ(refusal([&] { add_body(world, "ghost", std::vector<PartSpec<D>>(), {.mass = 1}); }),
            "body \"ghost\": inertia: a body without a shape needs one");
}

TYPED_TEST(BuildWorld, ASurfaceWithoutSenseIsRefused) {
  World<TypeParam::D> world;
  const auto says = [&](const Surface& surface) { return refusal([&] { set_surface(world, surface); }); };
  EXPECT_EQ(says({.mu = 0.5}).substr(0, 12), "surface: mu:") << "no law uses it";
  EXPECT_EQ(says({.friction = FrictionLaw::linear, .mu = -1}), "surface: mu: expected a number from 0 on");
  EXPECT_EQ(says({.bounce = 2}), "surface: bounce: expected a number from 0 to 1");
  EXPECT_EQ(says({.friction = FrictionLaw::linear, .mu = 1, .directions = 2}),
            "surface: directions: expected 3 or more");
  EXPECT_EQ(says({}), "taken");
}

TYPED_TEST(BuildWorld, NumbersThatTheLawOfASurfaceDoesNotUseAreRefused) {
  constexpr int D = TypeParam::D;
  World<D> world;
  const auto says = [&](const Surface& surface) { return refusal([&] { set_surface(world, surface); }); };
  EXPECT_EQ(says({.friction = FrictionLaw::no_slip, .mu = 0.5}),
            "surface: mu: only FrictionLaw::linear, quadratic and static_kinetic use it");
  EXPECT_EQ(says({.friction = FrictionLaw::linear, .mu = 0.5, .viscosity = 1}),
            "surface: viscosity: only FrictionLaw::viscous uses it");
  EXPECT_EQ(says({.friction = FrictionLaw::viscous, .viscosity = 1}), "taken");
  const std::string no_directions = "surface: directions: only FrictionLaw::linear in space uses it";
  EXPECT_EQ(says({.friction = FrictionLaw::quadratic, .mu = 0.5, .directions = 6}), no_directions);
  EXPECT_EQ(says({.friction = FrictionLaw::linear, .mu = 0.5, .directions = 6}),
            D == 3 ? "taken" : no_directions);
  EXPECT_EQ(says({.bounce = 0.5, .restitution = Restitution::poisson}), "taken");
}

// ---- joints ----------------------------------------------------------------------------------------------

template <int D>
World<D> two_balls() {
  World<D> world;
  add_body(world, "a", Sphere<D>{0.1}, {.mass = 1});
  add_body(world, "b", Sphere<D>{0.1}, {.mass = 1, .position = Vec<D>::Unit(0)});
  return world;
}

/// The largest |C| of a joint's equations.
template <int D>
double opening(const World<D>& world, int joint) {
  double open = 0;
  for (const Row<D>& row : joint_equations(world.joints[joint], world.bodies).rows) {
    open = std::max(open, std::abs(row.offset));
  }
  return open;
}

TEST(BuildJoint, EveryKindIsClosedWhereItIsMade) {
  for (JointKind kind : {JointKind::fixed, JointKind::revolute, JointKind::prismatic, JointKind::cylindrical,
                         JointKind::spherical, JointKind::universal, JointKind::planar}) {
    World<3> world = two_balls<3>();
    JointSpec<3> spec{.bodies = {0, 1}, .position = {0.5, 0, 0}, .axis = {1, 2, 2}};
    if (kind == JointKind::universal) spec.second_axis = {0, 1, -1};
    const int joint = add_joint(world, "j", kind, spec);
    EXPECT_NEAR(opening(world, joint), 0, 1e-15);
    EXPECT_EQ(world.joints[joint].value.size(), static_cast<std::size_t>(axis_count<3>(kind)));
  }
}

TEST(BuildJoint, ASlideMovesAlongItsAxisOnly) {
  World<2> world = two_balls<2>();
  add_joint(world, "slide", JointKind::prismatic,
            {.bodies = {kWorld, 1}, .position = {1, 0}, .axis = {0, 5}});
  world.bodies[1].velocity = twist<2>({0, 1}, Spin<2>::Zero());
  EXPECT_NEAR(joint_rates(world.joints[0], world.bodies)[0], 1, 1e-15);
}

TEST(BuildJoint, LimitsAndMotorsHold) {
  World<2> world = two_balls<2>();
  const JointAxis axis{.lower = -0.5, .upper = 0.2, .motor = true, .motor_rate = 1};
  add_joint(world, "hinge", JointKind::revolute, {.bodies = {kWorld, 1}, .axes = {axis}});
  Stepper<2> stepper(centisecond());
  for (int i = 0; i < 10; ++i) stepper.step(world);
  EXPECT_NEAR(world.joints[0].value[0], 0.1, 1e-9) << "the motor turns it";
  for (int i = 0; i < 20; ++i) stepper.step(world);
  EXPECT_LT(world.joints[0].value[0], 0.21) << "the limit ends it";
}

TEST(BuildJoint, ARefusalNamesTheJointAndTheField) {
  World<3> world = two_balls<3>();
  add_body(world, "wall", Sphere<3>{1}, {.kind = BodyKind::fixed});
  const auto says = [&](JointKind kind, const JointSpec<3>& spec) {
    return refusal([&] { add_joint(world, "j", kind, spec); });
  };
  EXPECT_EQ(says(JointKind::fixed, {.bodies = {0, 7}}), "joint \"j\": bodies: there is no such body");
  EXPECT_EQ(says(JointKind::fixed, {.bodies = {0, 0}}), "joint \"j\": bodies: expected two different bodies");
  EXPECT_EQ(says(JointKind::fixed, {.bodies = {kWorld, 2}}),
            "joint \"j\": bodies: neither of the two moves by forces");
  EXPECT_EQ(says(JointKind::revolute, {.bodies = {0, 1}}),
            "joint \"j\": axis: a joint of this kind needs a direction in the world");
  EXPECT_EQ(says(JointKind::universal, {.bodies = {0, 1}, .axis = {1, 0, 0}, .second_axis = {1, 1, 0}}),
            "joint \"j\": second_axis: expected an axis across the first");
  EXPECT_EQ(says(JointKind::spherical, {.bodies = {0, 1}, .axes = {{}}}),
            "joint \"j\": axes: a joint of this kind has 3 values, got 1");
  EXPECT_EQ(
      says(JointKind::revolute, {.bodies = {0, 1}, .axis = {0, 0, 1}, .axes = {{.lower = 1, .upper = 0}}}),
      "joint \"j\": axes: expected the lower limit below the upper");
  EXPECT_TRUE(world.joints.empty());
  World<2> plane = two_balls<2>();
  EXPECT_EQ(refusal([&] {
              add_joint(plane, "j", JointKind::universal, {.bodies = {0, 1}});
            }).substr(0, 16),
            "joint \"j\": kind:");
}

}  // namespace
}  // namespace touchstone
