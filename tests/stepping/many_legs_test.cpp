// A body on many corners: forces that rigid bodies leave open are those of vanishing compliance, whatever
// errors of 1e-11 m the steps before left in the gaps.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "touchstone/geometry/shapes.h"
#include "touchstone/stepping/build_world.h"
#include "touchstone/stepping/step.h"

namespace touchstone {
namespace {

constexpr double kMu = 0.4, kGravity = 9.81;

/// Four legs, a seat and a back: the products of inertia are not zero.
int add_chair(World<3>& world, double spin) {
  std::vector<PartSpec<3>> parts;
  const auto add = [&](const Vec<3>& size, const Vec<3>& position) {
    parts.push_back({share<3>(make_box<3>(size))});
    parts.back().X_BS.p = position;
  };
  for (const double x : {-0.18, 0.18}) {
    for (const double y : {-0.18, 0.18}) add({0.04, 0.04, 0.4}, {x, y, 0.2});
  }
  add({0.4, 0.4, 0.03}, {0, 0, 0.415});
  add({0.03, 0.4, 0.4}, {-0.185, 0, 0.63});
  return add_body<3>(world, "chair", parts,
                     {.density = 600, .velocity = {1, 0, 0}, .angular_velocity = {0, 0, spin}});
}

World<3> chair_on_floor(double spin) {
  World<3> world;
  world.gravity = {0, 0, -kGravity};
  Surface surface;
  surface.friction = FrictionLaw::quadratic, surface.mu = kMu;
  set_surface(world, surface);
  add_body<3>(world, "floor", HalfSpace<3>{{Vec<3>::UnitZ(), 0}}, {.kind = BodyKind::fixed});
  add_chair(world, spin);
  return world;
}

std::vector<Vec<3>> feet() {
  std::vector<Vec<3>> feet;
  for (const double x : {-0.2, -0.16, 0.16, 0.2}) {
    for (const double y : {-0.2, -0.16, 0.16, 0.2}) feet.push_back({x, y, 0});
  }
  return feet;
}

/// Newton's and Euler's equations of a chair that slides and spins upright, with loads A + B x + C y: the
/// pressure of a compliant floor under a rigid body. Returns A, B, C in the axes of the chair, and the
/// angular acceleration.
Vec<4> loads_of(const Body<3>& chair) {
  const Mat<3> turned = chair.attitude.matrix();
  const Vec<3> v = turned.transpose() * linear<3>(chair.velocity);
  const Vec<3> w = angular<3>(chair.velocity).z() * Vec<3>::UnitZ();
  Eigen::Matrix4d equations = Eigen::Matrix4d::Zero();
  for (const Vec<3>& foot : feet()) {
    const Vec<3> r = foot - chair.com, speed = v + w.cross(r);
    const Vec<3> force = Vec<3>::UnitZ() - kMu * Vec<3>(speed.x(), speed.y(), 0).normalized();
    const Vec<3> share(1, foot.x(), foot.y());
    equations.row(0).head<3>() += share;
    equations.bottomLeftCorner<3, 3>() += r.cross(force) * share.transpose();
  }
  equations.bottomRightCorner<3, 1>() = -chair.inertia.col(2);
  const Vec<3> precession = w.cross(chair.inertia * w);
  Vec<4> right;
  right << chair.mass * kGravity, precession;
  return equations.partialPivLu().solve(right);
}

/// The loads of the feet [N], fitted by A + B x + C y in the axes of the chair, and the worst that this
/// misses.
struct Fit {
  Vec<3> affine;
  double missed;
};
Fit fit(const StepReport<3>& report, const Body<3>& chair, double h) {
  const auto count = static_cast<Eigen::Index>(report.forces.size());
  MatrixX places(count, 3);
  VectorX loads(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const ContactForce<3>& force = report.forces[i];
    const Vec<3> r = report.set.contacts[force.contact].point - chair.position;
    const Vec<3> foot = chair.attitude.matrix().transpose() * r + chair.com;
    places.row(i) << 1, foot.x(), foot.y();
    loads[i] = force.normal / h;
  }
  const VectorX found = places.colPivHouseholderQr().solve(loads);
  return {found, (places * found - loads).cwiseAbs().maxCoeff()};
}

TEST(ManyLegs, OfASpinningChairPressAsACompliantFloorWould) {
  constexpr int kThird = 2;  // the first steps take up that velocities are those of the ends of steps
  for (const double spin : {0.02, 0.5, 5.}) {
    for (const double h : {0.005, 0.001}) {
      World<3> world = chair_on_floor(spin);
      Stepper<3> stepper({.h = h});
      for (int i = 0; i < 30; ++i) {
        const Body<3> chair = world.bodies[1];
        const StepReport<3> report = stepper.step(world);
        ASSERT_EQ(report.status, StepStatus::done) << report.message;
        ASSERT_EQ(report.forces.size(), 16U);
        EXPECT_EQ(report.friction.canonical, report.friction.islands);
        EXPECT_GT(*report.min_gap, -1e-9);
        if (i < kThird) continue;
        const Fit found = fit(report, chair, h);
        EXPECT_LT(found.missed, 1e-3) << "[N] step " << i << ", spin " << spin << ", h " << h;
        const Vec<4> expected = loads_of(chair);
        const double slack = 10 * h * (1 + spin);  // [N] of 4.5 N a foot: first order in the angle of a step
        EXPECT_NEAR(found.affine[0], expected[0], slack) << i << ' ' << spin << ' ' << h;
        EXPECT_NEAR(0.2 * found.affine[1], 0.2 * expected[1], slack) << i << ' ' << spin << ' ' << h;
        EXPECT_NEAR(0.2 * found.affine[2], 0.2 * expected[2], slack) << i << ' ' << spin << ' ' << h;
      }
    }
  }
}

}  // namespace
}  // namespace touchstone
