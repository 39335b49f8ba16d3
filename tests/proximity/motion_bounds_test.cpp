// Bounds of motion against motions that try to break them, and the motions that break them as they are
// printed [TrueRigidity eq. 4, 7, 8, 11-15; Checked 2].

#include "touchstone/proximity/motion_bounds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "touchstone/math/random.h"

namespace touchstone {
namespace {

constexpr int kMotions = 4000, kInstants = 60;

Mat<3> turned(const Vec<3>& w, double t) {
  const double angle = w.norm() * t;
  return angle > 0 ? Eigen::AngleAxisd(angle, w.normalized()).toRotationMatrix() : Mat<3>::Identity();
}

/// The points of a body that moves evenly: v of its reference point, w.
struct Cloud {
  std::vector<Vec<3>> points;  ///< from the reference point
  Vec<3> x, v, w;

  Vec<3> at(std::size_t i, double t) const { return x + v * t + turned(w, t) * points[i]; }
  double reach(const Vec<3>& from = Vec<3>::Zero()) const {
    double most = 0;
    for (const Vec<3>& p : points) most = std::max(most, (p - from).norm());
    return most;
  }
  double lowest(const Vec<3>& n, double t) const {
    double least = 1e300;
    for (std::size_t i = 0; i < points.size(); ++i) least = std::min(least, n.dot(at(i, t)));
    return least;
  }
};

Cloud random_cloud(Random& random, double side) {
  Cloud c;
  const int count = 1 + random.index(6);
  const Vec<3> shift =
      random.unit() < 0.5 ? Vec<3>::Zero() : Vec<3>(random.uniform(0, 2) * random.direction<3>());
  for (int i = 0; i < count; ++i) c.points.push_back(shift + random.uniform(0.1, 1) * random.direction<3>());
  c.x = side * (3 + 2 * random.unit()) * Vec<3>::UnitX();
  c.v = random.uniform(0, 2) * random.direction<3>(),
  c.w = random.log_uniform(0.01, 10) * random.direction<3>();
  return c;
}

/// Slides the bodies along x until nothing but the distance d lies between them.
void bring_together(Cloud& A, Cloud& B, double d) {
  A.x.x() += d - A.lowest(Vec<3>::UnitX(), 0);
  B.x.x() += B.lowest(-Vec<3>::UnitX(), 0);
}

/// Along x, by which the gap is at least the distance of the slabs in which they lie.
double slab(const Cloud& A, const Cloud& B, double t) {
  return A.lowest(Vec<3>::UnitX(), t) + B.lowest(-Vec<3>::UnitX(), t);
}

TEST(MotionBounds, NoPairMeetsWithinTheStepOfConservativeAdvancement) {
  Random random(1);
  double used = 0;
  int parting = 0;
  for (int i = 0; i < kMotions; ++i) {
    Cloud A = random_cloud(random, 1), B = random_cloud(random, -1);
    const double d = random.log_uniform(1e-6, 1);
    bring_together(A, B, d);
    const double step = advancement_step<3>(d * Vec<3>::UnitX(), {twist<3>(A.v, A.w), A.reach()},
                                            {twist<3>(B.v, B.w), B.reach()});
    parting += !std::isfinite(step);
    const double end = std::isfinite(step) ? step : 10;
    for (int k = 1; k <= kInstants; ++k) {
      const double left = slab(A, B, end * k / kInstants);
      ASSERT_GE(left, -1e-13) << "motion " << i;
      if (std::isfinite(step)) used = std::max(used, 1 - left / d);
    }
  }
  std::printf("of the distance %.3f was used up at most; %d pairs parted for ever\n", used, parting);
  EXPECT_GT(used, 0.9);
  EXPECT_GT(parting, 10);
}

TEST(MotionBounds, TheRadiusOfTheSmallestBallIsNotEnoughForAdvancement) {
  // [Checked 2] A rod that turns about a point outside of it: its own ball is ten times smaller than its
  // reach.
  const Cloud A{{{0, 9, 0}, {0, 11, 0}}, {0, 0, 0}, Vec<3>::Zero(), {0, 0, 1}};
  const double d = 0.5;
  const double printed = advancement_step<3>(d * Vec<3>::UnitX(), {twist<3>(A.v, A.w), 1}, {});
  EXPECT_LT(A.lowest(Vec<3>::UnitX(), printed) + d, 0);
  const double step = advancement_step<3>(d * Vec<3>::UnitX(), {twist<3>(A.v, A.w), A.reach()}, {});
  EXPECT_GE(A.lowest(Vec<3>::UnitX(), step) + d, 0);
}

TEST(MotionBounds, DistancesFallGeometricallyUnderAdvancement) {
  // Two points that approach head on with a share alpha of each step: d (1 - alpha)^k, never zero.
  double d = 1;
  for (int k = 0; k < 40; ++k) {
    const double step = advancement_step<2>(Vec<2>(d, 0), {twist<2>(Vec<2>(-1, 0), Spin<2>(0.)), 0}, {});
    EXPECT_NEAR(step, d, 1e-15);
    d -= 0.9 * step;
    EXPECT_GT(d, 0);
  }
  EXPECT_NEAR(d, std::pow(0.1, 40), 1e-45);
}

/// A plane that a body E carries and a point of a body V, both moving evenly.
struct Carried {
  Vec<3> r, n, p;  ///< of the point from V's reference, of the plane, a point of it from E's reference
  Vec<3> xV, vV, wV, xE, vE, wE;

  double height(double t) const {
    const Vec<3> normal = turned(wE, t) * n;
    return normal.dot(xV + vV * t + turned(wV, t) * r - (xE + vE * t + turned(wE, t) * p));
  }
  double rate() const {
    const Vec<3> at = xV + r;
    return n.dot(vV + wV.cross(r) - vE - wE.cross(at - xE));
  }
  double reach(double t) const {
    return (xV + r - xE).norm() + (vV.norm() + vE.norm() + wV.norm() * r.norm()) * t;
  }
};

Carried random_carried(Random& random) {
  Carried c;
  c.r = random.uniform(0, 1) * random.direction<3>(), c.n = random.direction<3>();
  c.p = random.uniform(0, 1) * random.direction<3>();
  c.xV = random.uniform(0, 3) * random.direction<3>(), c.xE = Vec<3>::Zero();
  c.vV = random.uniform(0, 2) * random.direction<3>(), c.vE = random.uniform(0, 2) * random.direction<3>();
  c.wV = random.log_uniform(0.01, 10) * random.direction<3>(),
  c.wE = random.log_uniform(0.01, 10) * random.direction<3>();
  const double h = random.log_uniform(1e-6, 1) * (random.unit() < 0.2 ? 0 : 1);
  c.xV += (h - c.height(0)) * c.n;
  return c;
}

TEST(MotionBounds, NoPointPassesAPlaneWithinItsStep) {
  Random random(2);
  double used = 0;
  int from_contact = 0;
  for (int i = 0; i < kMotions; ++i) {
    const Carried c = random_carried(random);
    const double tolerance = 1e-3, h = c.height(0);
    from_contact += h < 1e-9;
    // The reach grows with the step that it bounds: take that of a longer step, and no longer a step than
    // that.
    const double longest = 0.5;
    const double K =
        height_bend({c.vV.norm(), c.wV.norm()}, {c.vE.norm(), c.wE.norm()}, c.r.norm(), c.reach(longest));
    const double step = std::min(longest, plane_step(h, c.rate(), K, tolerance));
    for (int k = 1; k <= kInstants; ++k) {
      const double at = c.height(step * k / kInstants);
      ASSERT_GE(at, -tolerance - 1e-13) << "motion " << i;
      used = std::max(used, (h - at) / (h + tolerance));
    }
  }
  std::printf("of the room above the plane %.3f was used up at most; %d began on it\n", used, from_contact);
  EXPECT_GT(used, 0.5);
  EXPECT_GT(from_contact, 100);
}

TEST(MotionBounds, APointOnThePlaneSinksAlthoughThePrintedRuleLetsItGoOn) {
  // [Checked 2] A body that turns about an oblique axis, with its lowest point on the ground and no speed
  // of it: the point's acceleration is w_n (w . r) - w^2 r_n = -1 m/s^2. Rule 7 looks at the other vertices
  // only; one that is 0.5 m high and 1 m off may turn down for h/(R |w x n|) = 0.5 s.
  Carried c{};
  c.n = Vec<3>::UnitZ(), c.r = Vec<3>(0.5, 0, -0.5), c.xV = Vec<3>(0, 0, 0.5);
  c.p = c.xE = c.vE = c.wE = c.vV = Vec<3>::Zero(), c.wV = Vec<3>(1, 0, -3);
  ASSERT_NEAR(c.height(0), 0, 1e-15);
  ASSERT_NEAR(c.rate(), 0, 1e-15);
  const double printed = 0.5 / (1 * c.wV.cross(c.n).norm());
  double lowest = 0;
  for (int k = 0; k <= 100; ++k) lowest = std::min(lowest, c.height(printed * k / 100));
  EXPECT_LT(lowest, -0.05);
  const double K = height_bend({0, c.wV.norm()}, {}, c.r.norm(), 0), step = plane_step(0, 0, K, 1e-3);
  for (int k = 0; k <= 100; ++k) EXPECT_GE(c.height(step * k / 100), -1e-3);
  EXPECT_LT(step, printed);
}

/// Two lines that two bodies carry, moving evenly; the gap along the normal of both.
struct Lines {
  Vec<3> u, v, a, b, va, vb, wA, wB;
  Vec<3> cross(double t) const { return (turned(wA, t) * u).cross(turned(wB, t) * v); }
  double gap(double t) const { return cross(t).normalized().dot(a + va * t - b - vb * t); }
};

TEST(MotionBounds, TheGapOfTwoEdgesBendsNoMoreThanItsBound) {
  Random random(3);
  double used = 0;
  for (int i = 0; i < kMotions; ++i) {
    Lines l;
    l.u = random.direction<3>(), l.v = random.direction<3>(),
    l.a = random.uniform(0, 1) * random.direction<3>(), l.b = Vec<3>::Zero();
    l.va = random.uniform(0, 1) * random.direction<3>(), l.vb = random.uniform(0, 1) * random.direction<3>();
    l.wA = random.log_uniform(0.01, 5) * random.direction<3>(),
    l.wB = random.log_uniform(0.01, 5) * random.direction<3>();
    const double W = l.wA.norm() + l.wB.norm(), dt = 0.2 * l.cross(0).norm() / W;
    if (l.cross(0).norm() < 0.02) continue;
    EdgePace pace;
    pace.sine = l.cross(0).norm() - W * dt, pace.turn = W;
    pace.speed = l.va.norm() + l.vb.norm(), pace.distance = (l.a - l.b).norm() + pace.speed * dt;
    const double K = edge_bend(pace), ends = std::min(l.gap(0), l.gap(dt));
    for (int k = 1; k < kInstants; ++k) {
      const double at = l.gap(dt * k / kInstants);
      ASSERT_GE(at, ends - K * dt * dt / 8 - 1e-14) << "motion " << i;
      used = std::max(used, (ends - at) / (K * dt * dt / 8));
    }
  }
  std::printf("of the bound of edges %.3f was used up at most\n", used);
  EXPECT_GT(used, 0.02);
}

TEST(MotionBounds, EdgesThatCrossAtASmallAngleTurnTheirNormalFasterThanAnyBody) {
  // [Checked 2] At 0.02 rad the normal turns by a right angle while a body turns by 0.02: a plane that a
  // body carries, and with it rules 7 and 8, knows nothing of it.
  const double angle = 0.02;
  Lines l;
  l.u = Vec<3>::UnitX(), l.v = Vec<3>(std::cos(angle), std::sin(angle), 0), l.wA = Vec<3>(0, 1, 0),
  l.wB = Vec<3>::Zero();
  const double turned_by = std::acos(l.cross(0).normalized().dot(l.cross(angle).normalized()));
  EXPECT_GT(turned_by, 30 * angle);
  // The step in which edges keep to the sides of a face that leans by 0.02 is about as long.
  const Vec<3> face = Vec<3>(-std::sin(angle), std::cos(angle), 0);
  EXPECT_LE(lean_step(l.u, face, l.wA, l.wB), angle * 1.001);
}

TEST(MotionBounds, AnEdgeKeepsToItsSideOfAFaceWithinItsStep) {
  Random random(4);
  for (int i = 0; i < kMotions; ++i) {
    const Vec<3> u = random.direction<3>(), m = random.direction<3>();
    const Vec<3> wA = random.log_uniform(0.01, 10) * random.direction<3>(),
                 wB = random.log_uniform(0.01, 10) * random.direction<3>();
    const double step = lean_step(u, m, wA, wB), sign = u.dot(m) > 0 ? 1 : -1;
    for (int k = 1; k <= kInstants; ++k) {
      const double t = step * k / kInstants;
      ASSERT_GE(sign * (turned(wA, t) * u).dot(turned(wB, t) * m), -1e-13);
    }
  }
}

/// The velocity of the furthest point of a chain that is stretched along x and turns about z, joint by joint,
/// summed from the frames.
double true_speed(const Chain& chain) {
  double x = chain.offset, speed = linear<3>(chain.base).y(), spin = angular<3>(chain.base).z();
  speed += spin * x;
  for (const ChainLink& link : chain.links) {
    if (link.slides) {
      speed += spin * link.value;
      speed += link.rate;  // a way across the chain
    } else {
      spin += link.rate;
    }
    speed += spin * link.length;
  }
  return speed;
}

TEST(MotionBounds, ChainsOfTheErrataReachTheirBoundsWherePrintedOnesFallShort) {
  // [Checked 2] true speed, what eqs. 11 to 14 give, and the corrected bound, which is met exactly.
  const Vec<3> y = Vec<3>::UnitY();
  Chain spinning;  // the base turns, and the first joint is 10 m from it: eq. 12 leaves the 10 m out
  spinning.base = twist<3>(Vec<3>::Zero(), Vec<3>(0, 0, 1)), spinning.offset = 10;
  spinning.links = {{false, 0, 0, 0.75}};
  EXPECT_NEAR(true_speed(spinning), 10.75, 1e-12);
  EXPECT_NEAR(chain_rate(spinning, y, 0), 10.75, 1e-12);
  Chain behind_way;  // a link of 5 m hangs behind a way: eq. 14 leaves its length out
  behind_way.links = {{false, 0, 1, 1}, {true, 0, 0.25, 5}};
  EXPECT_NEAR(true_speed(behind_way), 6.25, 1e-12);
  EXPECT_NEAR(chain_rate(behind_way, y, 0), 6.25, 1e-12);
  Chain drawn_out;  // a way that is drawn out by 5 m at the end: eq. 13 leaves it out
  drawn_out.links = {{false, 0, 1, 1}, {true, 5, 0, 0.75}};
  EXPECT_NEAR(true_speed(drawn_out), 6.75, 1e-12);
  EXPECT_NEAR(chain_rate(drawn_out, y, 0), 6.75, 1e-12);
}

/// Where the last point of a chain is: joints turn about given axes, ways go along given directions.
struct RealChain {
  Chain chain;
  Vec<3> offset;
  std::vector<Vec<3>> axes, lengths;
  Vec<3> end(double t) const {
    Mat<3> R = turned(angular<3>(chain.base), t);
    Vec<3> p = linear<3>(chain.base) * t + R * offset;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const ChainLink& link = chain.links[i];
      if (link.slides) p += R * axes[i] * (link.value + link.rate * t);
      if (!link.slides) R = R * turned(axes[i] * link.rate, t);
      p += R * lengths[i];
    }
    return p;
  }
};

RealChain random_chain(Random& random) {
  RealChain c;
  if (random.unit() < 0.7)
    c.chain.base =
        twist<3>(random.uniform(0, 2) * random.direction<3>(), random.uniform(0, 3) * random.direction<3>());
  c.offset = random.uniform(0, 2) * random.direction<3>(), c.chain.offset = c.offset.norm();
  const int count = 1 + random.index(5);
  for (int i = 0; i < count; ++i) {
    const bool slides = random.unit() < 0.4;
    c.axes.push_back(random.direction<3>()),
        c.lengths.push_back(random.uniform(0, 2) * random.direction<3>());
    c.chain.links.push_back(
        {slides, slides ? random.uniform(-2, 2) : 0, random.uniform(-3, 3), c.lengths.back().norm()});
  }
  return c;
}

TEST(MotionBounds, NoChainIsFasterThanItsBound) {
  Random random(5);
  double used = 0;
  for (int i = 0; i < kMotions; ++i) {
    const RealChain c = random_chain(random);
    const Vec<3> d = random.direction<3>();
    const double T = 2, distance = random.log_uniform(1e-3, 1), step = chain_step(c.chain, d, distance, T);
    for (int k = 1; k <= kInstants; ++k) {
      const double went = std::abs(d.dot(c.end(step * k / kInstants) - c.end(0)));
      ASSERT_LE(went, distance + 1e-12) << "chain " << i;
      used = std::max(used, went / distance);
    }
  }
  std::printf("of the distance of chains %.3f was used up at most\n", used);
  EXPECT_GT(used, 0.8);
}

}  // namespace
}  // namespace touchstone
