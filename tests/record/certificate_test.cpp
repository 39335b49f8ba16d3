// The judge of `check` against the proximity queries that simulations use: two codes that share nothing.

#include "touchstone/record/certificate.h"

#include <gtest/gtest.h>

#include "touchstone/math/random.h"
#include "touchstone/proximity/contact_data.h"
#include "touchstone/proximity/gap.h"
#include "touchstone/record/pair_judge.h"

namespace touchstone {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <int D>
std::vector<Shape<D>> shapes();
template <>
std::vector<Shape<2>> shapes<2>() {
  return {make_box<2>({1, 2}), make_regular_polygon(5, 0.8), make_random_hull<2>(9, 3), Sphere<2>{0.6}};
}
template <>
std::vector<Shape<3>> shapes<3>() {
  return {make_box<3>({1, 2, 0.7}), make_dodecahedron(0.8), make_random_hull<3>(30, 3),
          make_cone(0.7, 1.5, 12), Sphere<3>{0.6}};
}

template <int D>
Pose<D> random_pose(Random& random, double way) {
  Vec<D> p;
  for (int k = 0; k < D; ++k) p[k] = random.uniform(-way, way);
  return {random.rotation_matrix<D>(), p};
}

struct Tally {
  int disjoint = 0, overlapping = 0, kissing = 0;
  double worst_gap = 0, worst_overlap = 0;
};

template <int D>
void compare(const Shape<D>& A, const Shape<D>& B, const Pose<D>& X_WA, const Pose<D>& X_WB, Tally& tally) {
  const ContactData<D> data = find_contact_data<D>({&A, X_WA}, {&B, X_WB});
  const Pose<D> X_AB = relative_pose(X_WA, X_WB);
  Vec<D> axis = Vec<D>::Zero();
  const double gap = judge_gap<D>(A, B, X_AB, kInfinity, axis);
  tally.worst_gap = std::max(tally.worst_gap, std::abs(gap - data.gap.gap));
  tally.disjoint += gap > 1e-9, tally.overlapping += gap < -1e-9, tally.kissing += std::abs(gap) <= 1e-9;
  tally.worst_overlap = std::max(tally.worst_overlap, std::abs(judge_overlap<D>(A, B, X_AB) - data.overlap));
  // With the axis remembered the answer is the same, and a bound is a bound.
  EXPECT_NEAR(judge_gap<D>(A, B, X_AB, kInfinity, axis), gap, 1e-14);
  EXPECT_GE(judge_gap<D>(A, B, X_AB, gap - 0.1, axis), gap - 0.1);
}

template <int D>
Tally compare_random(int rounds) {
  Random random(17);
  Tally tally;
  const std::vector<Shape<D>> all = shapes<D>();
  for (int round = 0; round < rounds; ++round) {
    for (const Shape<D>& A : all) {
      for (const Shape<D>& B : all) {
        const Pose<D> X_WA = random_pose<D>(random, 5);
        const Pose<D> X_WB = X_WA * random_pose<D>(random, 2);
        compare<D>(A, B, X_WA, X_WB, tally);
        // Moved until they kiss.
        const Gap<D> gap = find_gap<D>(PlacedShape<D>{&A, X_WA}, PlacedShape<D>{&B, X_WB});
        compare<D>(A, B, {X_WA.R, X_WA.p - gap.gap * gap.normal}, X_WB, tally);
      }
    }
  }
  return tally;
}

template <int D>
void expect_agreement(int rounds) {
  const Tally tally = compare_random<D>(rounds);
  EXPECT_GT(tally.disjoint, 20);
  EXPECT_GT(tally.overlapping, 20);
  EXPECT_GT(tally.kissing, 20);
  EXPECT_LT(tally.worst_gap, 2e-14) << "m";
  EXPECT_LT(tally.worst_overlap, 1e-9) << "m^D";
}

TEST(Certificate, GapsAndOverlapsInThePlaneAgreeWithTheOtherCode) { expect_agreement<2>(40); }
TEST(Certificate, GapsAndOverlapsInSpaceAgreeWithTheOtherCode) { expect_agreement<3>(6); }

template <int D>
void expect_half_space_agreement() {
  Random random(5);
  const Shape<D> half = HalfSpace<D>{{Vec<D>::Unit(D - 1), 0.3}};
  Tally tally;
  for (int round = 0; round < 30; ++round) {
    for (const Shape<D>& A : shapes<D>()) {
      compare<D>(A, half, random_pose<D>(random, 1.5), random_pose<D>(random, 1), tally);
    }
  }
  EXPECT_GT(tally.disjoint, 10);
  EXPECT_GT(tally.overlapping, 10);
  EXPECT_LT(tally.worst_gap, 2e-14);
  EXPECT_LT(tally.worst_overlap, 1e-12);
}

TEST(Certificate, HalfSpacesAgreeWithTheOtherCode) {
  expect_half_space_agreement<2>();
  expect_half_space_agreement<3>();
}

/// Many bodies in many frames: the sweep and its shortcuts against every pair by the other code.
template <int D>
void expect_frames_agree(bool apart) {
  Random random(apart ? 3 : 4);
  const std::vector<Shape<D>> all = shapes<D>();
  CertifiedBodies<D> bodies;
  const int count = 14;
  for (int i = 0; i < count; ++i) {
    bodies.parts.push_back({&all[i % all.size()], i, random_pose<D>(random, 0.2)});
    bodies.dynamic.push_back(i > 1);
  }
  bodies.no_contact = {{2, 3}, {4, 9}};
  bodies.parts[5].group = 4, bodies.parts[6].collides = ~4u;
  Certifier<D> certifier(bodies);
  double least = kInfinity, most = 0;
  for (int frame = 0; frame < 8; ++frame) {
    std::vector<Pose<D>> poses;
    for (int i = 0; i < count; ++i) {
      poses.push_back(random_pose<D>(random, apart ? 0.3 : 4));
      if (apart) poses.back().p[0] += 5 * i;
    }
    certifier.check(poses);
    double overlap = 0;
    for (int i = 0; i < count; ++i) {
      for (int j = i + 1; j < count; ++j) {
        const bool never =
            (i == 0 && j == 1) || (i == 2 && j == 3) || (i == 4 && j == 9) || (i == 5 && j == 6);
        if (never) continue;
        const ContactData<D> data =
            find_contact_data<D>({bodies.parts[i].shape, poses[i] * bodies.parts[i].X_BS},
                                 {bodies.parts[j].shape, poses[j] * bodies.parts[j].X_BS});
        least = std::min(least, data.gap.gap);
        overlap += data.overlap;
      }
    }
    most = std::max(most, overlap);
  }
  const Certificate& c = certifier.certificate();
  EXPECT_EQ(c.frames, 8);
  EXPECT_EQ(c.pairs, count * (count - 1) / 2 - 4);
  EXPECT_NEAR(c.min_gap, least, 2e-14);
  EXPECT_NEAR(c.max_overlap, most, 1e-9);
  EXPECT_EQ(c.min_gap > 0, apart) << "both regimes are meant to occur";
}

TEST(Certificate, ManyBodiesInManyFramesAgreeWithEveryPairByTheOtherCode) {
  expect_frames_agree<2>(false);
  expect_frames_agree<3>(false);
  expect_frames_agree<2>(true);
  expect_frames_agree<3>(true);
}

TEST(Certificate, ABodyThatIsNotThereTouchesNobody) {
  const Shape<2> box = make_box<2>({1, 1});
  CertifiedBodies<2> bodies;
  for (int i = 0; i < 2; ++i) {
    bodies.parts.push_back({&box, i, Pose<2>()});
    bodies.dynamic.push_back(true);
  }
  Certifier<2> certifier(bodies);
  const std::vector<Pose<2>> poses(2);
  certifier.check(poses, {true, false});
  EXPECT_EQ(certifier.certificate().max_overlap, 0);
  certifier.check(poses, {true, true});
  EXPECT_NEAR(certifier.certificate().max_overlap, 1, 1e-14);
  EXPECT_NEAR(certifier.certificate().min_gap, -1, 1e-14);
  EXPECT_EQ(certifier.certificate().min_frame, 1);
}

}  // namespace
}  // namespace touchstone
