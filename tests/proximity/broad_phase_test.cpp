#include "touchstone/proximity/broad_phase.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

#include "touchstone/math/random.h"

namespace touchstone {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
using Pairs = std::vector<std::pair<int, int>>;

/// The oracle: every pair, axis by axis.
template <int D>
bool overlap(const Box<D>& a, const Box<D>& b) {
  for (int k = 0; k < D; ++k) {
    if (a.high[k] < b.low[k] || b.high[k] < a.low[k]) return false;
  }
  return true;
}

template <int D>
Pairs all_pairs(const std::map<int, Box<D>>& boxes) {
  Pairs pairs;
  for (auto i = boxes.begin(); i != boxes.end(); ++i) {
    for (auto j = std::next(i); j != boxes.end(); ++j) {
      if (overlap(i->second, j->second)) pairs.emplace_back(i->first, j->first);
    }
  }
  return pairs;
}

template <int D>
bool only_touch(const Box<D>& a, const Box<D>& b) {
  for (int k = 0; k < D; ++k) {
    if (a.high[k] == b.low[k] || b.high[k] == a.low[k]) return overlap(a, b);
  }
  return false;
}

/// Boxes of many kinds. Whole numbers, so that boxes often touch without overlapping.
template <int D>
Box<D> random_box(Random& random) {
  Box<D> box;
  const int kind = random.index(20);
  const int width = kind < 16 ? 2 : kind < 18 ? 12 : 1;  // kind 18: a point at times
  for (int k = 0; k < D; ++k) {
    box.low[k] = random.index(30);
    box.high[k] = box.low[k] + random.index(width + 1);
  }
  if (kind == 19) {
    const int axis = random.index(D);
    (random.index(2) == 0 ? box.low : box.high)[axis] = random.index(2) == 0 ? -kInfinity : kInfinity;
    if (box.low[axis] > box.high[axis]) std::swap(box.low[axis], box.high[axis]);
  }
  return box;
}

/// What the histories met.
struct Regimes {
  int inserted = 0, removed = 0, moved_far = 0, moved_near = 0, reused = 0;
  int touching = 0, overlapping = 0, unbounded = 0;
};

template <int D>
class History {
 public:
  explicit History(double fat, std::uint64_t seed) : broad_phase(fat), random(seed) {}

  void change() {
    const double dice = random.unit();
    if (boxes.empty() || dice < growth()) return insert();
    auto it = std::next(boxes.begin(), random.index(static_cast<int>(boxes.size())));
    if (dice < growth() + 0.2) {
      broad_phase.remove(it->first);
      boxes.erase(it);
      ++met.removed;
    } else if (random.index(3) == 0) {
      broad_phase.move(it->first, it->second = random_box<D>(random));
      ++met.moved_far;
    } else {
      const Vec<D> step = 0.25 * random.direction<D>();
      it->second = {it->second.low + step, it->second.high + step};
      broad_phase.move(it->first, it->second);
      ++met.moved_near;
    }
  }

  void check() {
    const Pairs expected = all_pairs(boxes);
    ASSERT_EQ(broad_phase.pairs(), expected) << "with " << boxes.size() << " boxes";
    ASSERT_EQ(broad_phase.count(), static_cast<int>(boxes.size()));
    for (const auto& [i, j] : expected) {
      const Box<D>&a = boxes[i], &b = boxes[j];
      ++(only_touch(a, b) ? met.touching : met.overlapping);
      met.unbounded += std::isinf((a.high - a.low).sum() + (b.high - b.low).sum());
    }
    const Box<D> probe = random_box<D>(random);
    std::vector<int> within;
    for (const auto& [proxy, box] : boxes) {
      if (overlap(box, probe)) within.push_back(proxy);
    }
    ASSERT_EQ(broad_phase.overlapping(probe), within);
  }

  BroadPhase<D> broad_phase;
  std::map<int, Box<D>> boxes;
  Regimes met;

 private:
  /// Insertions prevail until there are 150 boxes, removals above.
  double growth() const { return boxes.size() < 150 ? 0.4 : 0.1; }

  void insert() {
    const Box<D> box = random_box<D>(random);
    const int proxy = broad_phase.insert(box);
    met.reused += proxy < most_;
    most_ = std::max(most_, proxy + 1);
    ASSERT_TRUE(boxes.emplace(proxy, box).second) << "a number was given twice";
    EXPECT_EQ(broad_phase.box(proxy).low, box.low);
    EXPECT_EQ(broad_phase.box(proxy).high, box.high);
    ++met.inserted;
  }

  Random random;
  int most_ = 0;
};

template <int D>
void check_histories() {
  for (double fat : {0.0, 0.3, 3.0}) {
    History<D> history(fat, 7);
    for (int step = 0; step < 4000 && !testing::Test::HasFatalFailure(); ++step) {
      history.change();
      if (step % 10 == 0) history.check();
    }
    const Regimes& met = history.met;
    EXPECT_GT(met.inserted, 500);
    EXPECT_GT(met.removed, 500);
    EXPECT_GT(met.moved_far, 400);
    EXPECT_GT(met.moved_near, 800);
    EXPECT_GT(met.reused, 300);
    EXPECT_GT(met.touching, 500);
    EXPECT_GT(met.overlapping, 500);
    EXPECT_GT(met.unbounded, 500);
  }
}

TEST(BroadPhase, ListsThePairsThatBruteForceFindsInThePlane) { check_histories<2>(); }

TEST(BroadPhase, ListsThePairsThatBruteForceFindsInSpace) { check_histories<3>(); }

TEST(BroadPhase, ThousandsOfPairsAreSortedAsFewAre) {
  // Beyond some hundred pairs, and beyond 2048 proxies, the pairs are sorted in another way.
  for (int n : {60, 700, 5000}) {
    Random random(3);
    BroadPhase<2> broad_phase(0.1);
    std::map<int, Box<2>> boxes;
    for (int i = 0; i < n; ++i) {
      const Vec<2> centre = random.uniform(0, std::sqrt(n)) * Vec<2>::UnitX() +
                            random.uniform(0, std::sqrt(n)) * Vec<2>::UnitY();
      const Box<2> box = Box<2>{centre, centre}.grown(random.uniform(0.2, 0.8));
      boxes[broad_phase.insert(box)] = box;
    }
    const Pairs expected = all_pairs(boxes);
    EXPECT_GT(expected.size(), static_cast<std::size_t>(n));
    EXPECT_EQ(broad_phase.pairs(), expected) << n;
  }
}

TEST(BroadPhase, TheSameBoxesGiveTheSamePairsWhateverTheHistory) {
  Random random(5);
  std::vector<Box<3>> boxes;
  for (int i = 0; i < 300; ++i) boxes.push_back(random_box<3>(random));
  BroadPhase<3> direct(0), wandering(0.5);
  for (const Box<3>& box : boxes) direct.insert(box);
  for (int i = 0; i < 300; ++i) ASSERT_EQ(wandering.insert(random_box<3>(random)), i);
  for (int round = 0; round < 10; ++round) {
    for (int i = 0; i < 300; ++i) wandering.move(random.index(300), random_box<3>(random));
  }
  for (int i : {17, 4, 250}) wandering.remove(i);
  for (int i : {250, 4, 17}) ASSERT_EQ(wandering.insert(boxes[i]), i);
  for (int i = 299; i >= 0; --i) wandering.move(i, boxes[i]);
  EXPECT_GT(direct.pairs().size(), 100u);
  EXPECT_EQ(direct.pairs(), wandering.pairs());
}

TEST(BroadPhase, BoxesThatTouchMeetAndBoxesAnUlpApartDoNot) {
  BroadPhase<3> broad_phase(0.5);
  const int a = broad_phase.insert({{0, 0, 0}, {1, 1, 1}});
  const int b = broad_phase.insert({{1, 1, 1}, {2, 2, 2}});  // a corner at a corner
  EXPECT_EQ(broad_phase.pairs(), Pairs({{a, b}}));
  const double next = std::nextafter(1.0, 2.0);
  broad_phase.move(b, {{1, 1, next}, {2, 2, 2}});
  EXPECT_TRUE(broad_phase.pairs().empty());
  broad_phase.move(b, {{0.2, 0.2, 1}, {0.2, 0.2, 1}});  // a point on a face
  EXPECT_EQ(broad_phase.pairs(), Pairs({{a, b}}));
}

TEST(BroadPhase, TheTreeStaysLowInWhateverOrderBoxesCome) {
  const int n = 10000;
  const double limit = 1.4405 * std::log2(n + 2.0);
  BroadPhase<2> sorted, growing, shrinking;
  for (int i = 0; i < n; ++i) {
    sorted.insert({{1.0 * i, 0}, {i + 0.5, 1}});
    const double size = std::pow(1.01, i);  // each as large as all before it
    growing.insert({{size, size}, {1.01 * size, 1.01 * size}});
    shrinking.insert({{-1 / size, 0}, {1 / size, 1}});
  }
  for (const auto* tree : {&sorted, &growing, &shrinking}) EXPECT_LE(tree->height(), limit);
  for (int i = 0; i < n - 100; ++i) sorted.remove(i);  // all from one side
  EXPECT_EQ(sorted.count(), 100);
  EXPECT_LE(sorted.height(), 1.4405 * std::log2(102.0));
  for (int i = n - 100; i < n; ++i) sorted.remove(i);
  EXPECT_EQ(sorted.height(), 0);
  EXPECT_TRUE(sorted.pairs().empty());
}

TEST(BroadPhase, ABufferThatHasGrownIsNotGrownAgain) {
  Random random(9);
  BroadPhase<3> broad_phase(0.2);
  for (int i = 0; i < 1000; ++i) broad_phase.insert(random_box<3>(random));
  Pairs pairs;
  broad_phase.pairs(pairs);
  const Pairs first = pairs;
  const auto* memory = pairs.data();
  for (int i = 0; i < 3; ++i) broad_phase.pairs(pairs);
  EXPECT_EQ(pairs, first);
  EXPECT_EQ(pairs.data(), memory);
}

TEST(BroadPhase, AFloorMeetsOnlyWhatStandsOnItAndASlopeMeetsAll) {
  BroadPhase<3> broad_phase(0.1);
  const int floor = broad_phase.insert(bounding_box<3>(HalfSpace<3>{{Vec<3>::UnitZ(), 0}}, {}));
  const int standing = broad_phase.insert({{0, 0, 0}, {1, 1, 1}});
  const int flying = broad_phase.insert({{5, 5, 0.01}, {6, 6, 1}});
  EXPECT_EQ(broad_phase.pairs(), Pairs({{floor, standing}}));
  const int slope = broad_phase.insert(bounding_box<3>(HalfSpace<3>{{Vec<3>(0.6, 0, 0.8), 0}}, {}));
  EXPECT_EQ(broad_phase.pairs(),
            Pairs({{floor, standing}, {floor, slope}, {standing, slope}, {flying, slope}}));
  broad_phase.move(slope, {{5, 5, 5}, {6, 6, 6}});  // from unbounded to bounded and back
  EXPECT_EQ(broad_phase.pairs(), Pairs({{floor, standing}}));
  broad_phase.move(slope, {{0, 0, 1}, {1, 1, kInfinity}});
  EXPECT_EQ(broad_phase.pairs(), Pairs({{floor, standing}, {standing, slope}}));
}

TEST(BroadPhase, BoxesTooLargeForTheirSurfaceToBeANumberAreServedToo) {
  BroadPhase<3> broad_phase(1);
  const double huge = 1e300;
  broad_phase.insert({{-huge, -huge, -huge}, {huge, huge, huge}});
  broad_phase.insert({{0, 0, 0}, {huge, 1, 1}});
  for (int i = 0; i < 100; ++i) broad_phase.insert({{2.0 * i, 0, 0}, {2.0 * i + 1, 1, 1}});
  EXPECT_EQ(broad_phase.pairs().size(), 1u + 100 + 100);
  EXPECT_LE(broad_phase.height(), 10);
}

TEST(BroadPhase, WhatIsNoBoxIsRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  BroadPhase<2> broad_phase;
  EXPECT_THROW(broad_phase.insert({{0, nan}, {1, 1}}), std::invalid_argument);
  EXPECT_THROW(broad_phase.insert({{0, 2}, {1, 1}}), std::invalid_argument);
  const int proxy = broad_phase.insert({{0, 0}, {1, 1}});
  EXPECT_THROW(broad_phase.move(proxy, {{0, 0}, {nan, 1}}), std::invalid_argument);
  EXPECT_EQ(broad_phase.box(proxy).high, Vec<2>(1, 1)) << "a refused move changes nothing";
  EXPECT_THROW(BroadPhase<2>(-1), std::invalid_argument);
  EXPECT_THROW(BroadPhase<3>{nan}, std::invalid_argument);
}

// ---- boxes about shapes ---------------------------------------------------------------------------------

template <int D>
Pose<D> random_pose(Random& random) {
  return {random.rotation_matrix<D>(), random.uniform(0, 10) * random.direction<D>()};
}

/// A polytope whose centre of mass is not the origin of its frame.
template <int D>
Polytope<D> random_body(Random& random) {
  std::vector<Vec<D>> points;
  const Vec<D> offset = 3 * random.direction<D>();
  const int n = random.index(4) == 0 ? 300 : 8;
  for (int i = 0; i < n; ++i) {
    Vec<D> x = random.direction<D>();
    x[0] *= 5;
    points.push_back(x + offset);
  }
  return Polytope<D>::hull(points);
}

template <int D>
Box<D> box_of_vertices(const Polytope<D>& P, const Pose<D>& X_WB) {
  Box<D> box{X_WB * P.vertex(0), X_WB * P.vertex(0)};
  for (const Vec<D>& x : P.vertices()) box = box.joined({X_WB * x, X_WB * x});
  return box;
}

template <int D>
void expect_near(const Box<D>& a, const Box<D>& b, double tolerance) {
  EXPECT_LE((a.low - b.low).norm() + (a.high - b.high).norm(), tolerance);
}

template <int D>
void check_bounding_boxes() {
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    const Polytope<D> P = random_body<D>(random);
    const Pose<D> X = random_pose<D>(random);
    const double margin = random.index(2) * 0.25;
    expect_near(bounding_box<D>(P, X, margin), box_of_vertices(P, X).grown(margin), 1e-14);
  }
  const Pose<D> X{Mat<D>::Identity(), Vec<D>::Constant(2)};
  const Box<D> ball = bounding_box<D>(Sphere<D>{0.5}, X, 0.25);
  EXPECT_EQ(ball.low, Vec<D>::Constant(1.25));
  EXPECT_EQ(ball.high, Vec<D>::Constant(2.75));
}

TEST(Box, OfAShapeIsTheTightestOneInThePlane) { check_bounding_boxes<2>(); }
TEST(Box, OfAShapeIsTheTightestOneInSpace) { check_bounding_boxes<3>(); }

TEST(Box, OfAHalfSpaceIsBoundedOnOneSideOnlyIfItsNormalLiesAlongAnAxis) {
  for (int axis = 0; axis < 3; ++axis) {
    for (double sign : {-1.0, 1.0}) {
      const Pose<3> X{Mat<3>::Identity(), {10, 20, 30}};
      const Box<3> box = bounding_box<3>(HalfSpace<3>{{sign * Vec<3>::Unit(axis), 0.5}}, X, 0.25);
      Vec<3> low = Vec<3>::Constant(-kInfinity), high = Vec<3>::Constant(kInfinity);
      (sign > 0 ? high : low)[axis] = X.p[axis] + sign * 0.75;
      EXPECT_EQ(box.low, low);
      EXPECT_EQ(box.high, high);
    }
  }
  const Box<2> tilted = bounding_box<2>(HalfSpace<2>{{Vec<2>(1e-17, 1), 0}}, {});
  EXPECT_EQ(tilted.low, Vec<2>::Constant(-kInfinity));
  EXPECT_EQ(tilted.high, Vec<2>::Constant(kInfinity));
}

/// The body half-way or so: its centre of mass on the straight line, turned in any way at all.
template <int D>
Pose<D> pose_between(const Polytope<D>& P, const Pose<D>& from, const Pose<D>& to, Random& random) {
  const double t = random.unit();
  const Vec<D> centre = (1 - t) * (from * P.centre()) + t * (to * P.centre());
  const Mat<D> R = random.rotation_matrix<D>();
  return {R, centre - R * P.centre()};
}

/// A path on which the centre of the part moves straight from one pose to the other, turning or not.
template <int D>
Path<D> straight_path(const Vec<D>& centre, const Pose<D>& from, const Pose<D>& to, bool turns) {
  const Vec<D> start = from * centre, end = to * centre;
  Spin<D> spin = Spin<D>::Zero();
  if (turns) spin.setConstant(2);
  return steady_path<D>(start, Attitude<D>::from(from.R), twist<D>(end - start, spin), 1);
}

template <int D>
void check_swept_boxes() {
  Random random(2);
  double tightest = kInfinity;  // room left between the body and the box
  for (int i = 0; i < 300; ++i) {
    const Polytope<D> P = random_body<D>(random);
    const Pose<D> from = random_pose<D>(random), to = random_pose<D>(random);
    const Box<D> box = swept_box<D>(P, straight_path<D>(P.centre(), from, to, true), from, to);
    EXPECT_TRUE(box.holds(box_of_vertices(P, from)) && box.holds(box_of_vertices(P, to)));
    for (int k = 0; k < 100; ++k) {
      const Box<D> body = box_of_vertices(P, pose_between(P, from, to, random));
      ASSERT_TRUE(box.holds(body)) << "low " << box.low.transpose() << " body " << body.low.transpose();
      tightest = std::min({tightest, (body.low - box.low).minCoeff(), (box.high - body.high).minCoeff()});
    }
    const Box<D> wide = swept_box<D>(P, straight_path<D>(P.centre(), from, to, true), from, to, 0.5);
    expect_near(wide, box.grown(0.5), 1e-14);
  }
  EXPECT_LT(tightest, 0.05) << "the box could be smaller, or no sample came near its sides";
}

TEST(Box, SweptHoldsABodyThatTurnsInAnyWayInThePlane) { check_swept_boxes<2>(); }
TEST(Box, SweptHoldsABodyThatTurnsInAnyWayInSpace) { check_swept_boxes<3>(); }

TEST(Box, SweptWithoutATurnIsTheUnionOfBothEnds) {
  Random random(3);
  for (int i = 0; i < 100; ++i) {
    const Polytope<3> P = random_body<3>(random);
    const Pose<3> from = random_pose<3>(random), to{from.R, from.p + random.direction<3>()};
    const Box<3> box = swept_box<3>(P, straight_path<3>(P.centre(), from, to, false), from, to, 0.1);
    expect_near(box, box_of_vertices(P, from).joined(box_of_vertices(P, to)).grown(0.1), 1e-14);
    const double t = random.unit();
    const Box<3> body = box_of_vertices<3>(P, {from.R, (1 - t) * from.p + t * to.p});
    EXPECT_TRUE(box.holds(body));
  }
}

TEST(Box, SweptOfABallIsTightAndOfATurningHalfSpaceIsEverything) {
  const Pose<2> from{rotation(0), {0, 0}}, to{rotation(1), {3, -1}};
  const Path<2> turning = straight_path<2>({0, 0}, from, to, true);
  const Box<2> ball = swept_box<2>(Sphere<2>{1}, turning, from, to);
  EXPECT_EQ(ball.low, Vec<2>(-1, -2));
  EXPECT_EQ(ball.high, Vec<2>(4, 1));
  const Shape<2> ground = HalfSpace<2>{{Vec<2>(0, 1), 0}};
  EXPECT_EQ(swept_box<2>(ground, turning, from, to).high, Vec<2>::Constant(kInfinity));
  const Pose<2> risen{rotation(0), {3, 2}};
  EXPECT_EQ(swept_box<2>(ground, straight_path<2>({0, 0}, from, risen, false), from, risen).high,
            Vec<2>(kInfinity, 2));
}

/// Parts that sit off the centre of mass run on arcs, and bodies that fall on parabolas.
template <int D>
void check_paths() {
  Random random(8);
  int far_from_chord = 0;
  for (int i = 0; i < 200; ++i) {
    const Polytope<D> P = random_body<D>(random);
    const Pose<D> X_CS{Mat<D>::Identity(), random.uniform(0, 3) * random.direction<D>()};
    Spin<D> spin;
    for (double& w : spin) w = random.uniform(-5, 5);
    Path<D> path = steady_path<D>(Vec<D>::Zero(), {}, twist<D>(random.direction<D>(), spin), 1);
    path.acceleration = random.uniform(0, 10) * random.direction<D>();
    const Box<D> box = swept_box<D>(P, path, path.at(0) * X_CS, path.at(1) * X_CS);
    const Vec<D> start = path.at(0) * X_CS * P.centre(), end = path.at(1) * X_CS * P.centre();
    for (int k = 0; k <= 50; ++k) {
      const Pose<D> X = path.at(k / 50.) * X_CS;
      ASSERT_TRUE(box.holds(box_of_vertices<D>(P, X))) << "round " << i << " instant " << k;
      far_from_chord += k == 25 && (X * P.centre() - 0.5 * (start + end)).norm() > 1;
    }
  }
  EXPECT_GT(far_from_chord, 50);
}

TEST(Box, SweptHoldsAPartOnItsArcInThePlane) { check_paths<2>(); }
TEST(Box, SweptHoldsAPartOnItsArcInSpace) { check_paths<3>(); }

}  // namespace
}  // namespace touchstone
