// The works on each body are the change of its kinetic energy, in every step of some hundred random worlds.

#include <gtest/gtest.h>

#include <cmath>

#include "../support/random_worlds.h"
#include "touchstone/stepping/build_world.h"
#include "touchstone/stepping/step.h"

namespace touchstone {
namespace {

/// Steps in which each kind of work was done.
struct Met {
  int gravity = 0, forces = 0, motors = 0, scripts = 0, lost = 0, passed_on = 0, joints = 0, divided = 0;
  double worst = 0;
  std::string where;
};

template <int D>
double kinetic(const Body<D>& body) {
  if (!body.is_dynamic()) return 0;
  const Spin<D> w = angular<D>(body.velocity);
  return 0.5 * (body.mass * linear<D>(body.velocity).squaredNorm() + w.dot(world_inertia(body) * w));
}

/// Pushes the first body that moves, and drives the joints, some by motors and some by forces.
template <int D>
void load(World<D>& world, int step) {
  for (Body<D>& body : world.bodies) {
    if (!body.is_dynamic()) continue;
    body.force[0] += 3 * std::sin(0.3 * step), body.force[kDof<D> - 1] += 0.2;
    break;
  }
  for (std::size_t j = 0; j < world.joints.size(); ++j) {
    for (JointAxis& axis : world.joints[j].axes) {
      if (j % 2 == 0) axis.motor = true, axis.motor_rate = 2, axis.motor_force = 1;
      if (j % 2 == 1) axis.force = 0.5, axis.damping = 0.1;
    }
  }
}

template <int D>
void look(const World<D>& before, const World<D>& after, const StepReport<D>& report,
          const std::string& where, Met& met) {
  ASSERT_EQ(report.works.size(), after.bodies.size());
  met.divided += report.substeps > 1;
  for (std::size_t b = 0; b < after.bodies.size(); ++b) {
    const BodyWork& w = report.works[b];
    const double start = kinetic(before.bodies[b]), end = kinetic(after.bodies[b]);
    const double size = start + end + std::abs(w.gravity) + std::abs(w.forces) + std::abs(w.motors) +
                        std::abs(w.scripts) + std::abs(w.contacts) + std::abs(w.joints);
    if (!after.bodies[b].is_dynamic()) {
      EXPECT_EQ(size, 0) << where;
      continue;
    }
    const double least = 1e-6 * after.bodies[b].mass;  // [J] of bodies at rest, all is round-off
    const double error = std::abs(end - start - w.sum()) / (size + least);
    if (!(error <= met.worst)) met.worst = error, met.where = where;
    const double fallen =
        after.bodies[b].mass * after.gravity.dot(after.bodies[b].position - before.bodies[b].position);
    EXPECT_NEAR(w.gravity, fallen, 1e-12 * (size + after.bodies[b].mass)) << where;
    met.gravity += w.gravity != 0, met.forces += w.forces != 0, met.motors += w.motors != 0;
    met.scripts += w.scripts != 0, met.joints += w.joints != 0;
    met.lost += w.contacts<0, met.passed_on += w.contacts> 0;
  }
}

struct Variant {
  const char *name, *model;
  RandomWorldSettings world;
};

template <int D>
void run(World<D> world, const Variant& variant, double h, Met& met) {
  StepSettings settings;
  settings.h = h;
  Stepper<D> stepper(settings, variant.model);
  for (int i = 0; i < 60; ++i) {
    load(world, i);
    const World<D> before = world;
    const StepReport<D> report = stepper.step(world);
    if (report.status != StepStatus::done) return;
    look(before, world, report, std::string(variant.name) + ", step " + std::to_string(i), met);
  }
}

template <int D>
void run_all(Met& met) {
  const Variant variants[] = {
      {"frictionless", "plane", {}},
      {"pyramid", "plane", {.friction = FrictionLaw::linear}},
      {"no-slip", "manifold", {.friction = FrictionLaw::no_slip}},
      {"joints", "plane", {.joints = true}},
      {"joints and pyramid", "manifold", {.joints = true, .friction = FrictionLaw::linear}},
      {"newton", "plane", {.friction = FrictionLaw::linear, .bounce = 0.6}},
      {"poisson",
       "manifold",
       {.friction = FrictionLaw::linear, .bounce = 0.6, .restitution = Restitution::poisson}},
      {"scripted", "plane", {.friction = FrictionLaw::linear, .scripted = true}},
      {"free", "plane", {.floor = false, .joints = true}}};
  for (const Variant& variant : variants) {
    for (std::uint64_t seed = 0; seed < 12; ++seed)
      run(random_world<D>(seed, variant.world), variant, Random(seed + 1).log_uniform(0.002, 0.02), met);
  }
  for (std::uint64_t seed = 0; seed < 3; ++seed)  // long steps, some of which are made in parts
    run(random_pile<D>(seed, 0.3, 5), {"pile", "plane", {}}, 0.05, met);
}

TEST(BodyWork, IsTheChangeOfKineticEnergy) {
  Met met;
  run_all<2>(met);
  run_all<3>(met);
  EXPECT_LT(met.worst, 1e-9) << met.where;
  EXPECT_GT(met.gravity, 50);
  EXPECT_GT(met.forces, 50);
  EXPECT_GT(met.motors, 50);
  EXPECT_GT(met.scripts, 5);
  EXPECT_GT(met.lost, 50);
  EXPECT_GT(met.passed_on, 50);
  EXPECT_GT(met.joints, 50);
  EXPECT_GT(met.divided, 0) << "some steps were made in parts";
}

/// The impulse of a wall on the first of two boxes that are joined works along the mean of the velocities
/// before and after it: p (v + v') / 2, for the joint too.
TEST(BodyWork, OfAWallOnJoinedBoxesIsWhatItsBounceTakes) {
  for (const double bounce : {0., 0.5, 1.}) {
    World<3> world;
    set_surface(world, Surface{.bounce = bounce});
    add_body<3>(world, "wall", make_box<3>({1, 3, 3}), {.kind = BodyKind::fixed, .position = {1.5, 0, 0}});
    const int front = add_body<3>(world, "front", make_box<3>({1, 1, 1}), {.mass = 2, .velocity = {5, 0, 0}});
    const int back = add_body<3>(world, "back", make_box<3>({1, 1, 1}),
                                 {.mass = 3, .position = {-1, 0, 0}, .velocity = {5, 0, 0}});
    add_joint<3>(world, "weld", JointKind::fixed, {.bodies = {front, back}, .position = {-0.5, 0, 0}});
    Stepper<3> stepper({.h = 0.004}, "plane");
    double contacts = 0, joints = 0;
    for (int i = 0; i < 60; ++i) {
      const StepReport<3> report = stepper.step(world);
      ASSERT_EQ(report.status, StepStatus::done) << report.message;
      for (const BodyWork& work : report.works) contacts += work.contacts, joints += work.joints;
    }
    EXPECT_NEAR(contacts, 0.5 * 5 * 25 * (bounce * bounce - 1), 1e-9) << bounce;
    EXPECT_NEAR(joints, 0, 1e-9) << bounce;
  }
}

TEST(BodyWork, OfAllContactsTogetherGivesNothing) {
  World<2> world = random_world<2>(1, {.friction = FrictionLaw::linear});
  Stepper<2> stepper({.h = 0.01});
  double given = 0;
  for (int i = 0; i < 200; ++i) {
    const StepReport<2> report = stepper.step(world);
    ASSERT_EQ(report.status, StepStatus::done);
    double contacts = 0;
    for (const BodyWork& work : report.works) contacts += work.contacts;
    given = std::max(given, contacts);
  }
  EXPECT_LT(given, 1e-7) << "contacts pass energy on, and give none";
}

}  // namespace
}  // namespace touchstone
