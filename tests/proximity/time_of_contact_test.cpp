// When two moving shapes first touch: against closed forms, and against many instants of the motion.

#include "touchstone/proximity/time_of_contact.h"

#include <gtest/gtest.h>

#include "support/dimensions.h"
#include "touchstone/geometry/bounds.h"
#include "touchstone/math/random.h"

namespace touchstone {
namespace {

template <class T>
class TimesOfContact : public testing::Test {};
TYPED_TEST_SUITE(TimesOfContact, support::Dimensions, support::DimensionNames);

constexpr double kDepth = 1e-9;  // [m]

/// A ball that falls by 2 m in the step, from 0.5 m over the ground, meets it after a quarter.
TYPED_TEST(TimesOfContact, ABallThatFallsMeetsTheGroundWhenItsWayIsItsHeight) {
  constexpr int D = TypeParam::D;
  const Vec<D> up = Vec<D>::Unit(D - 1);
  const Shape<D> ball = Sphere<D>{1}, ground = HalfSpace<D>{{up, 0}};
  const Path<D> falls = steady_path<D>(1.5 * up, {}, twist<D>(-2 * up, Spin<D>::Zero()), 1);
  const Path<D> rests = steady_path<D>(Vec<D>::Zero(), {}, Twist<D>::Zero(), 1);
  const MovingPair<D> pair{{&ball, &falls, {}}, {&ground, &rests, {}}, 0};
  GapMemory<D> memory;
  const TimeOfContact found = find_time_of_contact(pair, {kDepth, 1e-3}, memory);
  ASSERT_EQ(found.status, TimeOfContact::Status::meets);
  EXPECT_LE(found.apart, 0.25);
  EXPECT_GE(found.closed, 0.25);
  EXPECT_NEAR(refine_time_of_contact(pair, found, kDepth, memory), 0.25, 2e-5) << "a 2^-14 of the bracket";
}

/// Two solids that turn as they pass each other.
template <int D>
struct Passing {
  Shape<D> A, B;
  Path<D> path_A, path_B;

  explicit Passing(Random& random)
      : A(make_random_hull<D>(8, random.bits())), B(make_box<D>(Vec<D>::Constant(0.5))) {
    const auto spin = [&] {
      Spin<D> w;
      for (double& x : w) x = random.uniform(-3, 3);
      return w;
    };
    const Vec<D> from = random.uniform(1, 3) * random.direction<D>();
    const Vec<D> to = random.uniform(0, 3) * random.direction<D>();
    path_A = steady_path<D>(from, {}, twist<D>(to - from, spin()), 1);
    path_B = steady_path<D>(Vec<D>::Zero(), {}, twist<D>(Vec<D>::Zero(), spin()), 1);
  }
  MovingPair<D> pair() const {
    const double turning =
        path_A.fastest_turn() * reach_of(A, Pose<D>{}) + path_B.fastest_turn() * reach_of(B, Pose<D>{});
    return {{&A, &path_A, {}}, {&B, &path_B, {}}, turning};
  }
};

TYPED_TEST(TimesOfContact, NoInstantBeforeTheFirstContactShowsADeeperOverlap) {
  constexpr int D = TypeParam::D;
  constexpr int kInstants = 200;
  Random random(4);
  int met = 0, passed_by = 0;
  for (int round = 0; round < 400; ++round) {
    const Passing<D> passing(random);
    const MovingPair<D> pair = passing.pair();
    GapMemory<D> memory, other;
    const AdvancementSettings settings{.depth = kDepth, .skip = 1e-3};
    if (find_gap(pair.A.at(0), pair.B.at(0)).gap < 0) continue;
    const TimeOfContact found = find_time_of_contact(pair, settings, memory);
    ASSERT_NE(found.status, TimeOfContact::Status::undecided);
    const bool meets = found.status == TimeOfContact::Status::meets;
    (meets ? met : passed_by) += 1;
    const double until = meets ? found.apart : 1;
    for (int k = 0; k <= kInstants; ++k) {
      const double t = until * k / kInstants;
      EXPECT_GE(find_gap(pair.A.at(t), pair.B.at(t), &other).gap, -settings.skip) << "round " << round;
    }
    if (!meets) continue;
    EXPECT_LT(find_gap(pair.A.at(found.closed), pair.B.at(found.closed)).gap, -kDepth);
    const double t = refine_time_of_contact(pair, found, kDepth, memory);
    EXPECT_GE(find_gap(pair.A.at(t), pair.B.at(t)).gap, -kDepth) << "the pair is still apart there";
    EXPECT_LT(find_gap(pair.A.at(t), pair.B.at(t)).gap, 1e-3) << "and about to meet";
  }
  EXPECT_GT(met, 100);
  EXPECT_GT(passed_by, 50);
}

}  // namespace
}  // namespace touchstone
