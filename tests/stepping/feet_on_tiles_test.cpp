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

/// Over a seam a foot may hop by the second order of a step, which moves the place of rest a little.
TEST(FeetOnTiles, WithFrictionAStoolComesToRestWhereItDoesOnOnePlate) {
  for (const double h : kSteps) {
    const Body<3> on_tiles = slid(stool_on_floor(kTiles, 0, 0.3), h),
                  on_plate = slid(stool_on_floor(1, 0, 0.3), h);
    EXPECT_LT((on_tiles.position - on_plate.position).norm(), 1e-6) << h;
    EXPECT_GT(on_plate.position.x(), 0.5) << h;  // over two seams
  }
}

TEST(FeetOnTiles, ATileThatStandsOutStopsAFoot) {
  for (const double h : {0.01, 0.002}) {
    const Body<3> stool = slid(stool_on_floor(kTiles, 1e-3, 0), h);
    EXPECT_LT(stool.position.x(), 1.5) << h;  // free it would be at 2
  }
}

}  // namespace
}  // namespace touchstone
