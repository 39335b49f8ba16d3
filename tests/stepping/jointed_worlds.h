#pragma once
// Rods and hinges: a pendulum, a four-bar.

#include <numbers>

#include "../support/random_worlds.h"
#include "touchstone/stepping/step.h"

namespace touchstone {

inline constexpr double kPi = std::numbers::pi;

/// A rod of length 1 along x of the body frame, which is at its middle.
template <int D>
int add_rod(World<D>& world, const Pose<D>& X_WB, double length = 1) {
  Vec<D> sides = Vec<D>::Constant(0.05);
  sides[0] = length;
  return add_body<D>(world, "rod" + std::to_string(world.bodies.size()), make_box<D>(sides), X_WB);
}

template <int D>
Vec<D> along_x(double x) {
  return x * Vec<D>::Unit(0);
}

/// Rotation by an angle in the vertical plane (x, up).
inline Mat<2> tilt(const World<2>&, double angle) { return rotation(angle); }
inline Mat<3> tilt(const World<3>&, double angle) { return rotation(Vec<3>(-Vec<3>::UnitY()), angle); }
/// The joint frame whose axis is across that plane.
inline Mat<2> across(const World<2>&) { return Mat<2>::Identity(); }
inline Mat<3> across(const World<3>&) { return rotation(Vec<3>::UnitX(), 0.5 * kPi); }

/// A hinge between point a of body A (-1: world) and point b of body B, in body frames.
template <int D>
void add_hinge(World<D>& world, int A, const Vec<D>& a, int B, const Vec<D>& b) {
  Joint<D> joint;
  joint.kind = JointKind::revolute, joint.body_A = A, joint.body_B = B;
  const Mat<D> R_A = A < 0 ? Mat<D>(Mat<D>::Identity()) : world.bodies[A].attitude.matrix();
  const Mat<D> R_B = world.bodies[B].attitude.matrix();
  joint.X_AJ = {R_A.transpose() * across(world), a};
  joint.X_BJ = {R_B.transpose() * across(world), b};
  joint.axes.resize(1);
  world.joints.push_back(joint);
}

template <int D>
World<D> pendulum() {
  World<D> world;
  world.gravity = -9.81 * Vec<D>::Unit(D - 1);
  const int rod = add_rod<D>(world, {tilt(world, -0.25 * kPi), tilt(world, -0.25 * kPi) * along_x<D>(0.5)});
  add_hinge<D>(world, -1, Vec<D>::Zero(), rod, along_x<D>(-0.5));
  return world;
}

/// Crank 0.5, coupler 1.5, rocker 1, ground 1.5: a closed loop. In space its joints are redundant.
template <int D>
World<D> four_bar() {
  World<D> world;
  world.gravity = -9.81 * Vec<D>::Unit(D - 1);
  const double ground = 1.5, crank = 0.5, coupler = 1.5, rocker = 1;
  // Crank upright; the coupler's end is where the circles of coupler and rocker meet.
  const double d = std::hypot(ground, crank), slope = std::atan2(-crank, ground);
  const double turn = std::acos((d * d + coupler * coupler - rocker * rocker) / (2 * d * coupler));
  const double theta = slope + turn;
  const auto point = [&](double x, double y) {
    return Vec<D>(x * Vec<D>::Unit(0) + y * Vec<D>::Unit(D - 1));
  };
  const Vec<D> P0 = point(0, 0), P1 = point(0, crank);
  const Vec<D> P2 = P1 + tilt(world, theta) * along_x<D>(coupler), P3 = point(ground, 0);
  const Vec<D> r = P2 - P3;
  const double phi = std::atan2(r[D - 1], r[0]);
  const int a = add_rod<D>(world, {tilt(world, 0.5 * kPi), 0.5 * (P0 + P1)}, crank);
  const int b = add_rod<D>(world, {tilt(world, theta), 0.5 * (P1 + P2)}, coupler);
  const int c = add_rod<D>(world, {tilt(world, phi), 0.5 * (P3 + P2)}, rocker);
  add_hinge<D>(world, -1, P0, a, along_x<D>(-0.5 * crank));
  add_hinge<D>(world, a, along_x<D>(0.5 * crank), b, along_x<D>(-0.5 * coupler));
  add_hinge<D>(world, b, along_x<D>(0.5 * coupler), c, along_x<D>(0.5 * rocker));
  add_hinge<D>(world, -1, P3, c, along_x<D>(-0.5 * rocker));
  return world;
}

}  // namespace touchstone
