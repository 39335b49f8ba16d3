// The model `plane` finds the same motion whatever the order of bodies and of vertices, and whatever it
// remembers.

#include <algorithm>

#include "plane_runs.h"
#include "support/dimensions.h"
#include "support/random_worlds.h"

namespace touchstone::support {
namespace {

template <class T>
struct PlaneModelOrder : testing::Test {
  static constexpr int D = T::D;
};
TYPED_TEST_SUITE(PlaneModelOrder, Dimensions, DimensionNames);

/// The bodies in reverse order, with their shapes.
template <int D>
World<D> reversed(const World<D>& world) {
  World<D> other = world;
  std::reverse(other.bodies.begin(), other.bodies.end());
  std::reverse(other.shapes.begin(), other.shapes.end());
  const int last = static_cast<int>(world.bodies.size()) - 1;
  for (ContactShape<D>& shape : other.shapes) shape.body = last - shape.body;
  return other;
}

template <int D>
double furthest(const World<D>& world, const World<D>& other) {
  double worst = 0;
  const std::size_t last = world.bodies.size() - 1;
  for (std::size_t i = 0; i <= last; ++i) {
    worst = std::max(worst, (world.bodies[i].position - other.bodies[last - i].position).norm());
  }
  return worst;
}

TYPED_TEST(PlaneModelOrder, TheOrderOfBodiesDoesNotMatterToAStackAndToTwoBodies) {
  constexpr int D = TypeParam::D;
  std::vector<World<D>> worlds = {staggered_stack<D>(make_box<D>(Vec<D>::Ones()))};
  for (std::uint64_t seed : {1, 4, 9}) {
    worlds.push_back(random_drop<D>(seed, 0));
    worlds.back().bodies.resize(2), worlds.back().shapes.resize(2);
  }
  for (World<D>& world : worlds) {
    World<D> other = reversed(world);
    Stepper<D> stepper(steps_of(0.005), "plane"), other_stepper(steps_of(0.005), "plane");
    Watched seen;
    run_watched(world, stepper, 200, seen);
    run_watched(other, other_stepper, 200, seen);
    expect_exact(seen, "both orders");
    EXPECT_LT(furthest(world, other), 1e-9);
  }
}

/// The same bodies, their polytopes given by other lists of the same points.
template <int D>
World<D> listed_otherwise(const World<D>& world) {
  World<D> other = world;
  for (ContactShape<D>& part : other.shapes) {
    const auto* P = std::get_if<Polytope<D>>(part.shape.get());
    if (!P) continue;
    std::vector<Vec<D>> points(P->vertices().begin(), P->vertices().end());
    std::reverse(points.begin(), points.end());
    std::swap(points.front(), points[points.size() / 2]);
    part.shape = std::make_shared<const Shape<D>>(Polytope<D>::hull(points));
  }
  return other;
}

TYPED_TEST(PlaneModelOrder, TheOrderOfVerticesDoesNotChangeABit) {
  constexpr int D = TypeParam::D;
  std::vector<World<D>> worlds = {staggered_stack<D>(make_box<D>(Vec<D>::Ones()))};
  for (std::uint64_t seed : {1, 4, 9}) worlds.push_back(random_drop<D>(seed, 0.3));
  for (World<D>& world : worlds) {
    World<D> other = listed_otherwise(world);
    Stepper<D> stepper(steps_of(0.005), "plane"), other_stepper(steps_of(0.005), "plane");
    Watched seen;
    run_watched(world, stepper, 200, seen);
    run_watched(other, other_stepper, 200, seen);
    EXPECT_EQ(seen.refused, 0) << seen.message;
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
      EXPECT_EQ(world.bodies[i].position, other.bodies[i].position);
      EXPECT_EQ(world.bodies[i].velocity, other.bodies[i].velocity);
    }
  }
}

TYPED_TEST(PlaneModelOrder, AStepperThatRemembersNothingMakesTheSameSteps) {
  constexpr int D = TypeParam::D;
  for (std::uint64_t seed : {2, 3, 5}) {
    World<D> warm = random_drop<D>(seed, 0), cold = warm;
    Stepper<D> stepper(steps_of(0.005), "plane");
    Watched seen;
    for (int i = 0; i < 120; ++i) {
      run_watched(warm, stepper, 1, seen);
      Stepper<D> fresh(steps_of(0.005), "plane");
      run_watched(cold, fresh, 1, seen);
    }
    expect_exact(seen, "warm and cold");
    for (std::size_t i = 0; i < warm.bodies.size(); ++i) {
      EXPECT_LT((warm.bodies[i].position - cold.bodies[i].position).norm(), 1e-6) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace touchstone::support
