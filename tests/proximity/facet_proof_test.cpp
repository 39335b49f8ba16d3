// The depth of a shallow overlap proved from one facet of A - B: proofs are right, and most depths are
// proved.

#include "touchstone/proximity/facet_proof.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "support/gap_judge.h"
#include "support/pose_sets.h"
#include "touchstone/proximity/gap.h"

namespace touchstone {
namespace {

using support::PosedPair;
using support::PoseSet;

/// [sizes] Two answers may each be off by the bound of a gap.
constexpr double kEqual = 2 * support::kGapBound;

std::vector<PoseSet<3>> all_sets() {
  std::vector<PoseSet<3>> sets{support::make_scale_set<3>(), support::make_aspect_set<3>()};
  for (const std::string& name : support::pose_set_names<3>())
    sets.push_back(support::make_pose_set<3>(name));
  return sets;
}

std::string kind_of(const FeaturePair& features) {
  if (features.a.kind == FeatureKind::face) return "face of A";
  return features.b.kind == FeatureKind::face ? "face of B" : "edges";
}

/// Two bodies and their relative pose.
struct InFrameA {
  const Placed<3>&A, &B;
  Pose<3> X_AB = relative_pose(A.X_WB, B.X_WB);

  PairInFrameA<3> pair() const { return {*A.polytope, *B.polytope, X_AB}; }
  double size() const { return pair_size(A, B); }
};

/// Compares a proved depth with the answer of a query without memory, which does not use the proof.
class Judge {
 public:
  void expect_true(const InFrameA& bodies, const SeparatingAxis<3>& near) {
    const double tie = kTouching * bodies.size();
    const auto proved = prove_near_facet<3>(bodies.pair(), near, tie);
    if (!proved) {
      ++counts_["none"];
      return;
    }
    const Gap<3> cold = find_gap<3>(bodies.A, bodies.B);
    ++counts_[kind_of(proved->best.features)];
    ASSERT_NEAR(proved->best.separation, cold.gap, kEqual * bodies.size());
    ASSERT_LE(proved->lower, proved->best.separation);
    ASSERT_GE(proved->upper, proved->best.separation);
    ASSERT_LE(proved->upper - proved->lower, kCertified * bodies.size());
    ASSERT_TRUE(cold.normal_is_unique);
    ASSERT_LE((bodies.A.X_WB.R * proved->best.normal - cold.normal).norm(), 1e-6);
  }
  int count(const std::string& kind) const {
    const auto found = counts_.find(kind);
    return found == counts_.end() ? 0 : found->second;
  }
  int proved() const { return count("face of A") + count("face of B") + count("edges"); }
  int all() const { return proved() + count("none"); }

 private:
  std::map<std::string, int> counts_;
};

void turn_and_shift(Placed<3>& body, double by, Random& random) {
  body.X_WB.R = rotation(random.direction<3>(), by * random.unit()) * body.X_WB.R;
  body.X_WB.p += by * random.unit() * body.polytope->size() * random.direction<3>();
}

TEST(FacetProof, ProvesMostShallowOverlapsFromTheFeaturesOfTheLastAnswer) {
  Random random(1);
  Judge judge;
  for (const auto& set : all_sets()) {
    for (int i = 0; i < 200; ++i) {
      SCOPED_TRACE(set.name() + " pair " + std::to_string(i));
      PosedPair<3> pair = set.pair(i);
      const double least = std::min(pair.A.polytope->size(), pair.B.polytope->size());
      support::place_at_gap<3>(pair, random, -random.log_uniform(1e-9, 1e-3) * least);
      const Gap<3> last = find_gap<3>(pair.A, pair.B);
      const Vec<3> normal_A = pair.A.X_WB.R.transpose() * last.normal;
      turn_and_shift(pair.A, random.log_uniform(1e-6, 1e-2), random);
      const InFrameA now{pair.A, pair.B};
      const SeparatingAxis<3> near = follow_axis<3>(now.pair(), last.features, normal_A);
      if (near.separation <= 0) judge.expect_true(now, near);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
  EXPECT_GT(judge.count("face of A"), 100);
  EXPECT_GT(judge.count("face of B"), 100);
  EXPECT_GT(judge.count("edges"), 100);
  EXPECT_GT(judge.proved(), judge.all() / 2) << "of " << judge.all();
}

/// Any face or pair of edges, whether near the best one or not, at any depth.
FeaturePair random_features(const Polytope<3>& A, const Polytope<3>& B, Random& random) {
  const Feature vertex_a{FeatureKind::vertex, random.index(A.vertex_count())};
  const Feature vertex_b{FeatureKind::vertex, random.index(B.vertex_count())};
  switch (random.index(4)) {
    case 0:
      return {{FeatureKind::face, random.index(A.facet_count())}, vertex_b};
    case 1:
      return {vertex_a, {FeatureKind::face, random.index(B.facet_count())}};
    case 2:
      return {{FeatureKind::edge, random.index(A.edge_count())},
              {FeatureKind::edge, random.index(B.edge_count())}};
    default:
      return {vertex_a, vertex_b};
  }
}

TEST(FacetProof, NeverTakesAnotherFacetForTheNearest) {
  Random random(2);
  Judge judge;
  for (const auto& set : all_sets()) {
    for (int i = 0; i < 100; ++i) {
      SCOPED_TRACE(set.name() + " pair " + std::to_string(i));
      PosedPair<3> pair = set.pair(i);
      const double least = std::min(pair.A.polytope->size(), pair.B.polytope->size());
      support::place_at_gap<3>(pair, random, -random.log_uniform(1e-6, 0.3) * least);
      const InFrameA bodies{pair.A, pair.B};
      for (int trial = 0; trial < 20; ++trial) {
        const FeaturePair features = random_features(*pair.A.polytope, *pair.B.polytope, random);
        judge.expect_true(bodies, follow_axis<3>(bodies.pair(), features, random.direction<3>()));
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
  EXPECT_GT(judge.proved(), 100);
  EXPECT_GT(judge.count("none"), 5000);
}

/// Two boxes that meet in a strip as wide as it is deep: two faces serve equally.
TEST(FacetProof, IsNotGivenWhereNormalsTie) {
  const Polytope<3> box = make_box<3>({2, 2, 2});
  const double depth = 1e-3;
  const Placed<3> A{&box, {Mat<3>::Identity(), Vec<3>(2 - depth, 2 - depth, 0.1)}}, B{&box, {}};
  const InFrameA bodies{A, B};
  const Gap<3> cold = find_gap<3>(A, B);
  ASSERT_FALSE(cold.normal_is_unique);
  for (int f = 0; f < box.facet_count(); ++f) {
    const FeaturePair features{{FeatureKind::vertex, 0}, {FeatureKind::face, f}};
    const SeparatingAxis<3> near = follow_axis<3>(bodies.pair(), features, Vec<3>::UnitX());
    if (near.separation > 0) continue;
    EXPECT_FALSE(prove_near_facet<3>(bodies.pair(), near, kTouching * bodies.size()));
  }
}

struct Regimes {
  int disjoint = 0, overlapping = 0;
};

/// In and out of touch by a thousandth of the size, turning and sliding: the answers of a remembered pair.
void expect_shallow_motion_is_right(PosedPair<3> pair, Random& random, Regimes& met) {
  constexpr int kSteps = 20, kJudged = 4;
  const double size = std::min(pair.A.polytope->size(), pair.B.polytope->size());
  GapMemory<3> memory;
  for (int step = 0; step < kSteps; ++step) {
    turn_and_shift(pair.A, 0.01, random);
    const Gap<3> now = find_gap<3>(pair.A, pair.B);
    // Back to the surface, and from there into the other body or out of it.
    pair.A.X_WB.p += (random.uniform(-1e-3, 1e-3) * size - now.gap) * now.normal;
    const Gap<3> warm = find_gap<3>(pair.A, pair.B, &memory), cold = find_gap<3>(pair.A, pair.B);
    ASSERT_NEAR(warm.gap, cold.gap, kEqual * pair_size(pair.A, pair.B));
    ASSERT_EQ(warm.status, cold.status);
    ASSERT_EQ(warm.normal_is_unique, cold.normal_is_unique);
    met.disjoint += warm.status == Status::disjoint;
    met.overlapping += warm.status == Status::overlapping;
    if (step % kJudged != 0) continue;
    for (const std::string& complaint : support::judge_gap<3>(pair.A, pair.B, warm).complaints)
      FAIL() << complaint << "\n" << support::text_of<3>(pair.A, pair.B);
  }
}

TEST(FacetProof, LeavesTheAnswersOfShallowMotionRight) {
  Random random(3);
  Regimes met;
  for (const auto& set : all_sets()) {
    for (int i = 0; i < 40; ++i) {
      SCOPED_TRACE(set.name() + " pair " + std::to_string(i));
      PosedPair<3> pair = set.pair(i);
      support::place_at_gap<3>(pair, random, 0);
      expect_shallow_motion_is_right(pair, random, met);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
  EXPECT_GT(met.disjoint, 1000);
  EXPECT_GT(met.overlapping, 1000);
}

}  // namespace
}  // namespace touchstone
