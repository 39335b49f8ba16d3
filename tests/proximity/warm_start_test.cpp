// What a pair remembers makes the next query fast and never changes the answer: along coherent trajectories,
// through touching into deep overlap and back, and across jumps.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/feature_cases.h"
#include "support/gap_judge.h"
#include "support/pose_sets.h"
#include "touchstone/proximity/manifold.h"

namespace touchstone {
namespace {

using support::CaseCount;
using support::PosedPair;

/// [sizes] Two answers may each be off by the bound of a gap.
constexpr double kEqual = 2 * support::kGapBound;
constexpr double kSameNormal = 1e-8;  ///< [rad] besides the round-off over the distance
constexpr int kSteps = 60;            ///< of a trajectory
constexpr int kJudged = 7;            ///< the oracle is asked in every seventh step as well

struct Regimes {
  int disjoint = 0, touching = 0, overlapping = 0, jumps = 0;
};

template <int D>
class Tracker {
 public:
  void expect_warm_equals_cold(const Placed<D>& A, const Placed<D>& B) {
    const Gap<D> warm = find_gap<D>(A, B, &memory_), cold = find_gap<D>(A, B);
    count(A, B, cold);
    const double size = pair_size(A, B);
    ASSERT_NEAR(warm.gap, cold.gap, kEqual * size);
    if (std::abs(std::abs(cold.gap) - kTouching * size) > kEqual * size) expect_same_kind(warm, cold, size);
    if (++queries_ % kJudged == 0) expect_right(A, B, warm);
  }
  void jump() { ++regimes_.jumps; }
  const Regimes& regimes() const { return regimes_; }
  const CaseCount& cases() const { return cases_; }
  /// A pair that was never seen before.
  void forget() { memory_ = {}; }

 private:
  void expect_same_kind(const Gap<D>& warm, const Gap<D>& cold, double size) {
    ASSERT_EQ(warm.status, cold.status);
    ASSERT_EQ(warm.normal_is_unique, cold.normal_is_unique);
    ASSERT_EQ(warm.candidates.size(), cold.candidates.size());
    if (!cold.normal_is_unique) return;
    const double tolerance = kSameNormal + (cold.status == Status::disjoint ? kEqual * size / cold.gap : 0);
    ASSERT_LE((warm.normal - cold.normal).norm(), tolerance);
  }

  void expect_right(const Placed<D>& A, const Placed<D>& B, const Gap<D>& warm) {
    for (const std::string& complaint : support::judge_gap<D>(A, B, warm).complaints) {
      ADD_FAILURE() << "warm: " << complaint << "\n" << support::text_of<D>(A, B);
    }
  }

  void count(const Placed<D>& A, const Placed<D>& B, const Gap<D>& gap) {
    regimes_.disjoint += gap.status == Status::disjoint;
    regimes_.touching += gap.status == Status::touching;
    regimes_.overlapping += gap.status == Status::overlapping;
    cases_.add(support::case_of(find_manifold<D>(A, B, gap)));
  }

  GapMemory<D> memory_;
  Regimes regimes_;
  CaseCount cases_;
  int queries_ = 0;
};

template <int D>
Mat<D> small_turn(Random& random, double angle);

template <>
Mat<2> small_turn(Random& random, double angle) {
  return rotation(random.uniform(-angle, angle));
}

template <>
Mat<3> small_turn(Random& random, double angle) {
  return rotation(random.direction<3>(), angle * random.unit());
}

/// Down through the kiss into the other body and out again, along the normal of the kiss; every third
/// trajectory also drifts and turns. The step at the middle of either way is exactly the kiss.
template <int D>
void dive(const PosedPair<D>& kiss, Random& random, Tracker<D>& tracker) {
  constexpr double kReach = 0.3;  // sizes, above and below
  const double size = std::min(kiss.A.polytope->size(), kiss.B.polytope->size());
  const Gap<D> start = find_gap<D>(kiss.A, kiss.B);
  const double turn = random.index(3) ? 0 : 0.02, drift = turn * size;
  Placed<D> A = kiss.A;
  Vec<D> drifted = Vec<D>::Zero();
  for (int step = 0; step <= kSteps; ++step) {
    const double height = kReach * size * std::cos(2 * EIGEN_PI * step / kSteps);
    const bool exact = step % (kSteps / 2) == kSteps / 4;
    drifted += drift * random.unit() * random.direction<D>();
    if (turn > 0) A.X_WB.R = small_turn<D>(random, turn) * A.X_WB.R;
    A.X_WB.p = kiss.A.X_WB.p + (exact ? 0 : height) * start.normal + drifted;
    tracker.expect_warm_equals_cold(A, kiss.B);
    if (testing::Test::HasFatalFailure()) return;
  }
}

template <int D>
void expect_dives_agree(const support::PoseSet<D>& set, Tracker<D>& tracker) {
  Random random(5);
  for (int i = 0; i < 160; ++i) {
    SCOPED_TRACE(set.name() + " pair " + std::to_string(i));
    tracker.forget();
    dive(set.pair(i), random, tracker);
    if (testing::Test::HasFailure()) return;
  }
}

/// From pair to pair of the same bodies without forgetting: nothing that is remembered is of use, nor may it
/// harm.
template <int D>
void expect_jumps_agree(const support::PoseSet<D>& set, Tracker<D>& tracker) {
  tracker.forget();
  const PosedPair<D> bodies = set.pair(0);
  for (int i = 0; i < 500; ++i) {
    SCOPED_TRACE(set.name() + " jump " + std::to_string(i));
    const PosedPair<D> pair = set.pair(i);
    tracker.expect_warm_equals_cold({bodies.A.polytope, pair.A.X_WB}, {bodies.B.polytope, pair.B.X_WB});
    tracker.jump();
    if (testing::Test::HasFailure()) return;
  }
}

template <int D>
void expect_memory_is_harmless() {
  Tracker<D> tracker;
  const auto names = support::pose_set_names<D>();
  expect_dives_agree(support::make_kissing_set<D>(), tracker);
  for (int set : {0, 2, 3}) expect_dives_agree(support::make_pose_set<D>(names[set]), tracker);
  for (const std::string& name : names) expect_jumps_agree(support::make_pose_set<D>(name), tracker);
  const Regimes& met = tracker.regimes();
  EXPECT_GT(met.disjoint, 1000);
  EXPECT_GT(met.touching, 100);
  EXPECT_GT(met.overlapping, 1000);
  EXPECT_GT(met.jumps, 1000);
  tracker.cases().template expect_all<D>("warm start");
}

TEST(WarmStart, ChangesNoAnswerInThePlane) { expect_memory_is_harmless<2>(); }
TEST(WarmStart, ChangesNoAnswerInSpace) { expect_memory_is_harmless<3>(); }

}  // namespace
}  // namespace touchstone
