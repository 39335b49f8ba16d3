// How redundant contacts share a load: as springs of vanishing compliance do, the same for every pair of
// bodies. The oracles are beams and plates on equal springs, in closed form.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "touchstone/stepping/build_world.h"
#include "touchstone/stepping/step.h"

namespace touchstone {
namespace {

constexpr double kGravity = 9.81, kMass = 600;

template <int D>
StepReport<D> run(World<D>& world, double end) {
  StepSettings settings;
  settings.h = 0.005, settings.threads = 1;
  Stepper<D> stepper(settings, "plane");
  StepReport<D> report;
  for (int k = 0; k < std::lround(end / settings.h); ++k) {
    report = stepper.step(world);
    EXPECT_EQ(report.status, StepStatus::done) << report.message;
    EXPECT_EQ(report.friction.canonical, report.friction.islands);
  }
  return report;
}

template <int D>
World<D> world_with(double mu) {
  World<D> world;
  world.gravity = -kGravity * Vec<D>::Unit(D - 1);
  if (mu > 0)
    set_surface(world, {.friction = D == 2 ? FrictionLaw::linear : FrictionLaw::quadratic, .mu = mu});
  return world;
}

/// A table and ten boxes of side 1 on each other, added from below or from above.
template <int D>
World<D> stack(double mu, bool from_above) {
  World<D> world = world_with<D>(mu);
  Vec<D> sides = Vec<D>::Constant(4);
  sides[D - 1] = 1;
  for (int k = 0; k < 11; ++k) {
    const int box = from_above ? 10 - k : k;
    const Vec<D> place = (box - 0.5) * Vec<D>::Unit(D - 1);
    if (box == 0) {
      add_body(world, "table", make_box<D>(sides), {.kind = BodyKind::fixed, .position = place});
    } else {
      add_body(world, "box " + std::to_string(box), make_box<D>(Vec<D>::Ones()),
               {.mass = kMass, .position = place});
    }
  }
  return world;
}

template <int D>
void expect_equal_corners(double mu, bool from_above) {
  World<D> world = stack<D>(mu, from_above);
  const StepReport<D> report = run(world, 0.25);
  int pushing = 0;
  for (const auto& force : report.forces) {
    if (force.normal == 0) continue;
    const Contact<D>& contact = report.set.contacts[force.contact];
    const double above = 10 - std::round(contact.point[D - 1]), corners = D == 2 ? 2 : 4;
    const double load = above * kMass * kGravity / corners;
    EXPECT_NEAR(force.normal / report.h, load, 1e-8 * load) << "between boxes, " << above << " of them above";
    EXPECT_LT((force.impulse - force.normal * contact.normal).norm() / report.h, 1e-8 * load);
    ++pushing;
  }
  EXPECT_EQ(pushing, D == 2 ? 20 : 40);
}

TEST(CanonicalSplit, AStackLoadsItsCornersAlikeInAnyOrderWithFrictionAndWithout) {
  for (const double mu : {0., 0.5}) {
    for (const bool from_above : {false, true}) {
      expect_equal_corners<2>(mu, from_above);
      expect_equal_corners<3>(mu, from_above);
    }
  }
}

/// Loads [N] of a plate of this weight, whose middle is at `middle`, on equal springs at these points:
/// p = a + b.x with sum p = weight and sum p x = weight middle.
std::vector<double> on_springs(const std::vector<Eigen::Vector2d>& points, double weight,
                               const Eigen::Vector2d& middle) {
  Eigen::Matrix3d A = Eigen::Matrix3d::Zero();
  for (const Eigen::Vector2d& x : points) {
    const Eigen::Vector3d row(1, x.x(), x.y());
    A += row * row.transpose();
  }
  const Eigen::Vector3d plane = A.fullPivLu().solve(weight * Eigen::Vector3d(1, middle.x(), middle.y()));
  std::vector<double> loads;
  for (const Eigen::Vector2d& x : points) loads.push_back(plane.dot(Eigen::Vector3d(1, x.x(), x.y())));
  return loads;
}

/// A plate on balls that do not move; in the plane a beam on discs.
template <int D>
void expect_loads_of_springs(const std::vector<Eigen::Vector2d>& points, const Eigen::Vector2d& middle,
                             double mu) {
  World<D> world = world_with<D>(mu);
  const auto place = [](const Eigen::Vector2d& x, double height) {
    Vec<D> p = Vec<D>::Zero();
    p.template head<D - 1>() = x.template head<D - 1>();
    p[D - 1] = height;
    return p;
  };
  for (const Eigen::Vector2d& x : points)
    add_body(world, "ball " + std::to_string(world.bodies.size()), Sphere<D>{0.1},
             {.kind = BodyKind::fixed, .position = place(x, -0.1)});
  Vec<D> sides = Vec<D>::Constant(8);
  sides[D - 1] = 0.2;
  add_body(world, "plate", make_box<D>(sides), {.mass = kMass, .position = place(middle, 0.1)});
  const StepReport<D> report = run(world, 0.05);
  const std::vector<double> loads = on_springs(points, kMass * kGravity, middle);
  std::vector<double> found(points.size(), 0.);
  for (const auto& force : report.forces) {
    const Contact<D>& contact = report.set.contacts[force.contact];
    found[std::min(contact.body_A, contact.body_B)] += force.normal / report.h;
  }
  for (std::size_t i = 0; i < points.size(); ++i)
    EXPECT_NEAR(found[i], loads[i], 1e-8 * kMass * kGravity) << i << ", mu " << mu;
}

TEST(CanonicalSplit, APlateLoadsTheBallsBelowItAsEqualSprings) {
  for (const double mu : {0., 0.5}) {
    expect_loads_of_springs<2>({{-1, 0}, {0, 0}, {2, 0}}, {0.25, 0}, mu);
    expect_loads_of_springs<2>({{-3, 0}, {-1, 0}, {0.5, 0}, {1, 0}, {3, 0}}, {-0.2, 0}, mu);
    expect_loads_of_springs<3>({{-1, -1}, {1, -1}, {-1, 1}, {2, 2}}, {0.2, 0.1}, mu);
    expect_loads_of_springs<3>({{-1, -1}, {1, -2}, {-1, 1}, {2, 2}, {0, 0}, {0.5, 3}}, {0.1, 0.3}, mu);
  }
}

/// The split changes forces, never the motion: momentum is kept to round-off by the forces that are told.
TEST(CanonicalSplit, TheForcesThatAreToldDoWhatTheMotionShows) {
  World<3> world = world_with<3>(0);
  add_body(world, "floor", HalfSpace<3>{{Vec<3>::UnitZ(), 0}}, {.kind = BodyKind::fixed});
  for (int k = 0; k < 5; ++k)
    add_body(world, "box " + std::to_string(k), make_box<3>({1, 1 - 0.1 * k, 0.4}),
             {.mass = 1. + k, .position = {0.05 * k, 0.03 * k, 0.2 + 0.4 * k}, .velocity = {0.1 * k, 0, 0}});
  const std::vector<Body<3>> before = world.bodies;
  StepSettings settings;
  settings.h = 0.005, settings.threads = 1;
  Stepper<3> stepper(settings, "plane");
  const StepReport<3> report = stepper.step(world);
  ASSERT_EQ(report.status, StepStatus::done);
  EXPECT_EQ(report.friction.canonical, 1);
  for (int b = 1; b < 6; ++b) {
    const Body<3>& body = world.bodies[b];
    Vec<3> impulse = body.mass * settings.h * world.gravity;
    for (const auto& force : report.forces) {
      const Contact<3>& contact = report.set.contacts[force.contact];
      if (contact.body_A == b) impulse += force.impulse;
      if (contact.body_B == b) impulse -= force.impulse;
    }
    const Vec<3> change = body.mass * linear<3>(body.velocity - before[b].velocity);
    EXPECT_LT((impulse - change).norm(), 1e-13 * body.mass) << b;
  }
}

}  // namespace
}  // namespace touchstone
