// Bodies that only joints push [dynamics/swing.h]: order, energy, momentum.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "jointed_worlds.h"

namespace touchstone {
namespace {

/// A double pendulum whose arms start level.
template <int D>
World<D> double_pendulum() {
  World<D> world;
  world.gravity = -9.81 * Vec<D>::Unit(D - 1);
  const int a = add_rod<D>(world, {Mat<D>::Identity(), along_x<D>(0.5)});
  const int b = add_rod<D>(world, {Mat<D>::Identity(), along_x<D>(1.5)});
  add_hinge<D>(world, -1, Vec<D>::Zero(), a, along_x<D>(-0.5));
  add_hinge<D>(world, a, along_x<D>(0.5), b, along_x<D>(-0.5));
  return world;
}

void add_joint(World<3>& world, JointKind kind, int A, int B, const Pose<3>& X_WJ) {
  Joint<3> joint;
  joint.kind = kind, joint.body_A = A, joint.body_B = B;
  const auto in = [&](int b) {
    const Pose<3> X = b < 0 ? Pose<3>{} : world.bodies[b].X_WB();
    return Pose<3>{X.R.transpose() * X_WJ.R, X.R.transpose() * (X_WJ.p - X.p)};
  };
  joint.X_AJ = in(A), joint.X_BJ = in(B);
  joint.axes.resize(axis_count<3>(kind));
  world.joints.push_back(joint);
}

/// Rods one behind the other, each hung on the last by another kind of joint; nothing collides.
World<3> mixed_chain(int base) {
  World<3> world;
  world.gravity = Vec<3>(0, 0, -9.81);
  const JointKind kinds[] = {JointKind::spherical, JointKind::prismatic,   JointKind::universal,
                             JointKind::revolute,  JointKind::cylindrical, JointKind::fixed,
                             JointKind::planar};
  int last = base;
  double x = 0;
  for (const JointKind kind : kinds) {
    const Mat<3> R = rotation(Vec<3>(1, 2, 3).normalized(), 0.3 * x);
    if (last == -2) {  // a free base
      last = add_rod<3>(world, {Mat<3>::Identity(), along_x<3>(-0.5)});
    }
    const int rod = add_rod<3>(world, {Mat<3>::Identity(), along_x<3>(x + 0.5)});
    add_joint(world, kind, last, rod, {R, along_x<3>(x)});
    last = rod, x += 1;
  }
  for (ContactShape<3>& part : world.shapes) part.collides = 0;
  world.bodies.back().velocity = twist<3>(Vec<3>(0, 1, 0), Vec<3>(1, 2, 3));
  correct_joints(world.joints, world.bodies);  // takes what the joints do not allow
  return world;
}

/// A top on a pivot, spinning, its axis level.
World<3> gyroscope() {
  World<3> world;
  world.gravity = Vec<3>(0, 0, -9.81);
  const int disc =
      add_body<3>(world, "disc", make_box<3>(Vec<3>(0.02, 0.2, 0.2)), {Mat<3>::Identity(), along_x<3>(0.1)});
  add_joint(world, JointKind::spherical, -1, disc, {});
  world.bodies[disc].velocity = twist<3>(Vec<3>::Zero(), Vec<3>(60, 0, 0));
  return world;
}

template <int D>
struct SwingRun {
  World<D> end;
  double given = 0, most_given = 0;  ///< [J] by joints: in all, and the largest amount of the sum
  double identity = 0, joint_error = 0;
  int divided = 0;
};

template <int D>
SwingRun<D> run_for(World<D> world, double h, double time) {
  Stepper<D> stepper(StepSettings{.h = h});
  SwingRun<D> run;
  const int steps = static_cast<int>(std::lround(time / h));
  for (int i = 0; i < steps; ++i) {
    const std::vector<Body<D>> before = world.bodies;
    const StepReport<D> report = stepper.step(world);
    EXPECT_EQ(report.status, StepStatus::done) << report.message << " step " << i;
    if (report.status != StepStatus::done) break;
    run.given -= report.balance.joint;
    run.most_given = std::max(run.most_given, std::abs(run.given));
    run.identity = std::max(run.identity, std::abs(report.balance.error) / report.balance.scale);
    run.joint_error = std::max(run.joint_error, report.joint_error);
    run.divided += report.divided;
  }
  run.end = std::move(world);
  return run;
}

/// [m] The largest distance between the bodies of two worlds.
template <int D>
double apart(const World<D>& a, const World<D>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    const Vec<D> arm = Vec<D>::Unit(D - 1);
    most = std::max(most, (a.bodies[i].X_WB() * arm - b.bodies[i].X_WB() * arm).norm());
  }
  return most;
}

/// The errors of positions, from the differences of successive runs, and of the work of joints fall with h^2.
template <int D>
void expect_second_order(const World<D>& world, double h, double time) {
  std::vector<SwingRun<D>> runs;
  for (int k = 0; k < 4; ++k) runs.push_back(run_for(world, std::ldexp(h, -k), time));
  for (const SwingRun<D>& run : runs) {
    EXPECT_LT(run.joint_error, 1e-12);
    EXPECT_LT(run.identity, 1e-12);
    EXPECT_EQ(run.divided, 0);
  }
  for (int k = 0; k + 2 < 4; ++k) {
    const double coarse = apart(runs[k].end, runs[k + 1].end), fine = apart(runs[k + 1].end, runs[k + 2].end);
    EXPECT_GT(coarse, 1e-9) << "something moves";
    EXPECT_GT(std::log2(coarse / fine), 1.9) << "positions, h = " << std::ldexp(h, -k);
    EXPECT_GT(std::log2(runs[k].most_given / runs[k + 1].most_given), 1.9) << "work of joints";
  }
}

TEST(Swing, ADoublePendulumIsOfSecondOrder) {
  expect_second_order(double_pendulum<2>(), 0.004, 1);
  expect_second_order(double_pendulum<3>(), 0.004, 1);
}
TEST(Swing, AFourBarWithRedundantHingesIsOfSecondOrder) {
  expect_second_order(four_bar<2>(), 0.004, 1);
  expect_second_order(four_bar<3>(), 0.004, 1);
}
TEST(Swing, AChainOfAllJointsIsOfSecondOrder) {
  expect_second_order(mixed_chain(-1), 0.002, 0.5);
  expect_second_order(mixed_chain(-2), 0.002, 0.5);
}
TEST(Swing, ASpinningPendulumIsOfSecondOrder) { expect_second_order(gyroscope(), 0.001, 0.5); }

TEST(Swing, APendulumKeepsItsEnergyForTenMinutes) {
  World<2> world = double_pendulum<2>();
  world.bodies.pop_back(), world.shapes.pop_back(), world.joints.pop_back();
  Stepper<2> stepper({.h = 0.005});
  const double start = energy(world).total();
  double first = 0, last = 0;  // [J] the largest error within the first and the last minute
  for (int i = 0; i < 120000; ++i) {
    const StepReport<2> report = stepper.step(world);
    ASSERT_EQ(report.status, StepStatus::done) << report.message;
    const double error = std::abs(report.energy.total() - start);
    if (i < 12000) first = std::max(first, error);
    if (i >= 108000) last = std::max(last, error);
  }
  EXPECT_GT(first, 0);
  EXPECT_LT(first, 1e-3 * world.bodies[0].mass * 9.81);
  EXPECT_NEAR(last, first, 1e-3 * first);
}

/// A chain that flies, turns and falls.
TEST(Swing, AFreeChainKeepsItsMomentum) {
  World<3> world = mixed_chain(-2);
  world.gravity.setZero();
  for (Body<3>& body : world.bodies) body.velocity = twist<3>(Vec<3>(1, 2, 3), Vec<3>(3, -2, 1));
  Stepper<3> stepper({.h = 0.002});
  stepper.step(world);  // takes the velocities that the joints do not allow
  const Momentum<3> before = momentum(world);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(stepper.step(world).status, StepStatus::done);
  const Momentum<3> after = momentum(world);
  EXPECT_LT((after.linear - before.linear).norm(), 1e-12 * before.linear.norm());
  EXPECT_LT((after.angular - before.angular).norm(), 1e-12 * before.angular.norm());
}

TEST(Swing, WorksOfBodiesExplainTheirMotion) {
  World<3> world = mixed_chain(-1);
  for (Joint<3>& joint : world.joints) {
    for (JointAxis& axis : joint.axes) axis.damping = 0.03;
  }
  Stepper<3> stepper({.h = 0.004});
  const auto kinetic = [](const Body<3>& body) {
    const Vec<3> w = angular<3>(body.velocity);
    return 0.5 * (body.mass * linear<3>(body.velocity).squaredNorm() + w.dot(angular_momentum(body, w)));
  };
  double dampers = 0;
  for (int i = 0; i < 200; ++i) {
    const std::vector<Body<3>> before = world.bodies;
    for (std::size_t b = 0; b < world.bodies.size(); ++b)
      world.bodies[b].force = twist<3>(Vec<3>(1, 0.5, 0), Vec<3>(0.01, 0, 0.02));
    for (Joint<3>& joint : world.joints) {
      for (JointAxis& axis : joint.axes) axis.force = 0.05;
    }
    const StepReport<3> report = stepper.step(world);
    ASSERT_EQ(report.status, StepStatus::done);
    EXPECT_LT(std::abs(report.balance.error), 1e-12 * report.balance.scale);
    dampers += report.balance.drive;
    for (std::size_t b = 0; b < world.bodies.size(); ++b) {
      const double change = kinetic(world.bodies[b]) - kinetic(before[b]);
      EXPECT_NEAR(report.works[b].sum(), change, 1e-12 * (1 + kinetic(before[b])));
    }
  }
  EXPECT_GT(dampers, 1e-3);
}

TEST(Swing, NoDampingIsTooLarge) {
  World<2> world = double_pendulum<2>();
  for (Joint<2>& joint : world.joints) joint.axes[0].damping = 1e6;
  const double height = world.bodies[1].position[1];
  const SwingRun<2> run = run_for(world, 0.01, 1);
  EXPECT_NEAR(run.end.bodies[1].position[1], height, 1e-4);
  EXPECT_LT(run.end.bodies[1].velocity.norm(), 1e-4);
}

/// The pendulum strikes a wall below its hinge and is stopped by it.
TEST(Swing, AWallStopsAPendulum) {
  World<2> world = double_pendulum<2>();
  Body<2> wall;
  wall.kind = BodyKind::fixed;
  const int body =
      add_body<2>(world, "wall", make_box<2>(Vec<2>(1, 4)), {Mat<2>::Identity(), Vec<2>(-0.6, -2.5)});
  world.bodies[body].kind = BodyKind::fixed;
  Stepper<2> stepper({.h = 0.005});
  double least = 1;
  for (int i = 0; i < 1000; ++i) {
    const StepReport<2> report = stepper.step(world);
    ASSERT_EQ(report.status, StepStatus::done) << report.message << " step " << i;
    if (report.min_gap) least = std::min(least, *report.min_gap);
  }
  EXPECT_GE(least, -1e-9);
  EXPECT_LT(least, 1e-6) << "they met";
}

/// The joints would give more than a thousandth of the energy in a step that turns the arms by a radian.
TEST(Swing, ASwingThatIsTooFastIsDivided) {
  World<2> world = double_pendulum<2>();
  world.gravity *= 400;
  const SwingRun<2> run = run_for(world, 0.02, 1);
  EXPECT_GT(run.divided, 0);
  EXPECT_LT(run.joint_error, 1e-9);
}

}  // namespace
}  // namespace touchstone
