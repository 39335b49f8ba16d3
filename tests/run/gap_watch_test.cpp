#include "touchstone/run/gap_watch.h"

#include <gtest/gtest.h>

#include <cmath>

#include "touchstone/math/random.h"
#include "touchstone/proximity/contact_data.h"
#include "touchstone/scene/simulation.h"
#include "touchstone/stepping/build_world.h"

namespace touchstone {
namespace {

/// A crate on a floor.
World<2> slide() {
  World<2> world;
  world.gravity = {0, -9.81};
  add_body(world, "floor", HalfSpace<2>{{Vec<2>::UnitY(), 0}}, {.kind = BodyKind::fixed});
  add_body(world, "crate", make_box<2>({1, 1}), {.mass = 1, .position = {0, 0.5}, .velocity = {2, 0}});
  return world;
}

/// What a step says of its end against a watch that looks at the poses alone, over a run. Counted: steps
/// whose gaps needed no other look.
template <int D>
int compare_ends(const char* scene, double end) {
  Simulation sim(load_scene(scene));
  GapWatch<D> watch;
  int told = 0;
  sim.on_step([&](Simulation& s) {
    const auto& ends = s.report<D>().ends;
    const Closeness seen = watch.measure(s.world<D>());
    ASSERT_TRUE(ends.has_value());
    told += ends->lowest <= ends->clearance;
    EXPECT_NEAR(s.measures().min_gap, seen.min_gap, 1e-13 * (1 + std::abs(seen.min_gap))) << s.time();
    EXPECT_NEAR(s.measures().overlap, seen.overlap, 1e-13) << s.time();
  });
  EXPECT_TRUE(sim.run_until(end));
  return told;
}

TEST(GapWatch, WhatAStepTellsOfItsEndIsWhatAFreshLookFinds) {
  EXPECT_GT(compare_ends<2>("rain", 1.5), 20);
  EXPECT_GT(compare_ends<3>("box-stack", 0.5), 20);
}

TEST(GapWatch, AStepTellsNothingOfItsEndWhereAUserFindsThePairs) {
  Simulation sim(slide(), StepSettings());
  sim.stepper<2>().set_pair_finder(
      [](std::span<const Box<2>>) { return std::vector<std::pair<int, int>>(); });
  ASSERT_TRUE(sim.run_until(0.1));
  EXPECT_FALSE(sim.report<2>().ends.has_value());
  EXPECT_LT(sim.measures().min_gap, -0.01);
}

/// The watch against every pair of parts, as bodies wander, near and far.
TEST(GapWatch, TheLeastGapIsThatOfEveryPair) {
  Random random(11);
  Scene scene = load_scene("rain");
  World<2> world = std::get<RunContent<2>>(scene.content).world;
  GapWatch<2> watch;
  int apart = 0, overlapping = 0;
  for (int frame = 0; frame < 60; ++frame) {
    const double spread = frame % 3 == 0 ? 100 : 2;
    for (Body<2>& body : world.bodies) {
      if (body.is_dynamic()) body.position = spread * Vec<2>(random.uniform(-1, 1), random.uniform(0, 1));
    }
    const Closeness found = watch.measure(world);
    double least = std::numeric_limits<double>::infinity(), overlap = 0;
    const CollisionFilter<2> filter(world);
    for (int i = 0; i < static_cast<int>(world.shapes.size()); ++i) {
      for (int j = i + 1; j < static_cast<int>(world.shapes.size()); ++j) {
        if (!filter.allows(i, j)) continue;
        const auto placed = [&](int k) {
          const ContactShape<2>& part = world.shapes[k];
          return PlacedShape<2>{part.shape.get(), world.bodies[part.body].X_WC() * part.X_CS};
        };
        const ContactData<2> data = find_contact_data<2>(placed(i), placed(j));
        least = std::min(least, data.gap.gap);
        overlap += data.overlap;
      }
    }
    EXPECT_NEAR(found.min_gap, least, 1e-13 * (1 + std::abs(least)));
    EXPECT_NEAR(found.overlap, overlap, 1e-13);
    apart += least > 0, overlapping += least < 0;
  }
  EXPECT_GT(apart, 5);
  EXPECT_GT(overlapping, 5);
}

}  // namespace
}  // namespace touchstone
