// Feet that slide over the seams of flush tiles. The seams are inside of what the tiles are together: nothing
// may be held back there, whatever the length of the step and wherever it ends.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "touchstone/geometry/shapes.h"
#include "touchstone/stepping/build_world.h"
#include "touchstone/stepping/step.h"

namespace touchstone {
namespace {

constexpr double kTile = 0.3;  // [m]
constexpr int kTiles = 12;

/// A floor whose top is at 0: one plate, or tiles whose tops differ by `rise` from one to the next [m].
void add_floor(World<3>& world, int tiles, double rise) {
  const double length = kTile * kTiles / tiles;
  for (int i = 0; i < tiles; ++i) {
    const double x = -kTile / 2 + (i + 0.5) * length;
    add_body(world, "tile" + std::to_string(i), make_box<3>({length, 1, 0.1}),
             {.kind = BodyKind::fixed, .position = {x, 0, i * rise - 0.05}});
  }
}

Polytope<3> foot(const Vec<3>& tip, double wide) {
  std::vector<Vec<3>> points = {tip};
  for (const double x : {-wide, wide}) {
    for (const double y : {-wide, wide}) points.push_back(tip + Vec<3>(x, y, 0.1));
  }
  return Polytope<3>::hull(points);
}

/// A stool on three pointed feet, in the middle of the first tile.
int add_stool(World<3>& world, const Vec<3>& velocity) {
  std::vector<PartSpec<3>> parts;
  for (const Vec<3>& tip : {Vec<3>(0.1, 0, 0), Vec<3>(-0.1, 0.1, 0), Vec<3>(-0.1, -0.1, 0)}) {
    parts.push_back({share<3>(foot(tip, 0.05))});
  }
  return add_body<3>(world, "stool", parts, {.mass = 1, .position = {0.031, 0, 0}, .velocity = velocity});
}

World<3> stool_on_floor(int tiles, double rise, double mu) {
  World<3> world;
  world.gravity = {0, 0, -9.81};
  Surface surface;
  if (mu > 0) surface.friction = FrictionLaw::quadratic, surface.mu = mu;
  set_surface(world, surface);
  add_floor(world, tiles, rise);
  add_stool(world, {2, 0.01, 0});
  return world;
}

/// The stool after a second.
Body<3> slid(World<3> world, double h) {
  Stepper<3> stepper({.h = h}, "plane");
  const int steps = static_cast<int>(std::lround(1 / h));
  for (int i = 0; i < steps; ++i) EXPECT_EQ(stepper.step(world).status, StepStatus::done) << world.time;
  return world.bodies.back();
}

constexpr double kSteps[] = {0.02, 0.01, 0.007, 0.005, 0.002, 0.001, 0.0005};  // [s]

TEST(FeetOnTiles, PointedFeetWithoutFrictionSlideOverThemAsIfTheyWereNotThere) {
  const World<3> world = stool_on_floor(kTiles, 0, 0);
  for (const double h : kSteps) {
    const double time = h * std::lround(1 / h);
    const Body<3> stool = slid(world, h);
    EXPECT_NEAR(stool.position.x(), world.bodies.back().position.x() + 2 * time, 1e-9) << h;
    EXPECT_NEAR(stool.position.z(), world.bodies.back().position.z(), 1e-9) << h;
    EXPECT_NEAR(linear<3>(stool.velocity).norm(), std::hypot(2, 0.01), 1e-8) << h;
  }
}

TEST(FeetOnTiles, WithFrictionAStoolComesToRestWhereItDoesOnOnePlate) {
  for (const double h : kSteps) {
    const Body<3> on_tiles = slid(stool_on_floor(kTiles, 0, 0.3), h),
                  on_plate = slid(stool_on_floor(1, 0, 0.3), h);
    EXPECT_LT((on_tiles.position - on_plate.position).norm(), 1e-7) << h;
    EXPECT_GT(on_plate.position.x(), 0.5) << h;  // over two seams
  }
}

/// A table on legs of 4 cm that slides to the right over the seam of two plates, at x = 0.
template <int D>
World<D> table_at_seam(double speed, double x) {
  const auto sized = [](double width, double height) {
    return D == 2 ? Vec<D>(Vec<D>::Unit(0) * width + Vec<D>::Unit(1) * height)
                  : Vec<D>(Vec<D>::Constant(width) + Vec<D>::Unit(D - 1) * (height - width));
  };
  const auto at = [](double along, double up) {
    return Vec<D>(Vec<D>::Unit(0) * along + Vec<D>::Unit(D - 1) * up);
  };
  World<D> world;
  world.gravity = at(0, -9.81);
  Surface surface;
  surface.friction = FrictionLaw::quadratic, surface.mu = 0.4;
  set_surface(world, surface);
  for (const double side : {-1., 1.}) {
    Vec<D> plate = sized(12, 0.1);
    add_body<D>(world, side < 0 ? "left" : "right", make_box<D>(plate),
                {.kind = BodyKind::fixed, .position = at(6 * side, -0.05)});
  }
  std::vector<PartSpec<D>> parts;
  for (const double across : {-0.18, 0.18}) {
    for (const double along : {-0.18, 0.18}) {
      parts.push_back({share<D>(make_box<D>(sized(0.04, 0.4)))});
      parts.back().X_BS.p = at(along, 0.2);
      if (D == 3) parts.back().X_BS.p += across * Vec<D>::Unit(1);
    }
    if (D == 2) break;
  }
  parts.push_back({share<D>(make_box<D>(sized(0.4, 0.03)))});
  parts.back().X_BS.p = at(0, 0.415);
  add_body<D>(world, "table", parts, {.density = 100, .position = at(x, 0), .velocity = at(speed, 0)});
  return world;
}

template <int D>
void slide_over_seam() {
  struct Case {
    double speed, h;
  };
  for (const Case c : {Case{1, 0.02}, {2.1, 0.02}, {4, 0.02}, {6, 0.01}, {10, 0.005}}) {
    const double deceleration = 0.4 * 9.81, way = 0.6;
    const int steps = static_cast<int>(way / (c.speed * c.h));
    for (int i = 0; i < 12; ++i) {
      const World<D> start = table_at_seam<D>(c.speed, -0.4 + i * c.speed * c.h / 12);
      World<D> world = start;
      Stepper<D> stepper({.h = c.h});
      for (int k = 0; k < steps; ++k) ASSERT_EQ(stepper.step(world).status, StepStatus::done);
      const Body<D>&before = start.bodies.back(), &table = world.bodies.back();
      EXPECT_NEAR(table.position[D - 1], before.position[D - 1], 1e-8) << c.speed << ' ' << c.h << ' ' << i;
      EXPECT_LT(angular<D>(table.velocity).norm(), 1e-6) << c.speed << ' ' << c.h << ' ' << i;
      const double slowed = std::max(c.speed - deceleration * steps * c.h, 0.);
      EXPECT_NEAR(linear<D>(table.velocity).x(), slowed, 1e-6) << c.speed << ' ' << c.h << ' ' << i;
    }
  }
}

/// In some of the steps a leg stands wholly on the one plate at the start and wholly on the other at the end.
TEST(FeetOnTiles, OfATableStepOverASeamInThePlane) { slide_over_seam<2>(); }
TEST(FeetOnTiles, OfATableStepOverASeamInSpace) { slide_over_seam<3>(); }

TEST(FeetOnTiles, ATileThatStandsOutStopsAFoot) {
  for (const double h : {0.01, 0.002}) {
    const Body<3> stool = slid(stool_on_floor(kTiles, 1e-3, 0), h);
    EXPECT_LT(stool.position.x(), 1.5) << h;  // free it would be at 2
  }
}

}  // namespace
}  // namespace touchstone
