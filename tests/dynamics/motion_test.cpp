#include "touchstone/dynamics/motion.h"

#include <gtest/gtest.h>

#include "touchstone/math/random.h"

namespace touchstone {
namespace {

Body<3> brick() {
  Body<3> body;
  body.inertia = Vec<3>(1, 2, 3).asDiagonal();
  return body;
}

/// Moves the body along the path of a body that nothing holds.
void move_freely(Body<3>& body, double h) {
  const Path<3> path = free_path(body, body.velocity, h);
  body.velocity = end_velocity(body, path);
  body.position = path.centre_at(1), body.attitude = path.end;
}

double spin_energy(const Body<3>& body) {
  const Vec<3> w = angular<3>(body.velocity);
  return 0.5 * w.dot(angular_momentum(body, w));
}

Vec<3> spin_momentum(const Body<3>& body) { return angular_momentum(body, angular<3>(body.velocity)); }

/// Angular velocity in body axes after 10 s of free rotation from (.01, 1, .01) [Checked B10].
Vec<3> tumble(double h) {
  Body<3> body = brick();
  body.velocity.tail<3>() = Vec<3>(.01, 1, .01);
  const int steps = static_cast<int>(std::lround(10 / h));
  for (int i = 0; i < steps; ++i) move_freely(body, h);
  return body.attitude.matrix().transpose() * angular<3>(body.velocity);
}

TEST(Motion, AFreeBrickTumblesAtSecondOrder) {
  const Vec<3> exact(-.874573437891094, .484996187341033, .505001220547913);
  double last = 0;
  for (const double h : {.04, .02, .01, .005}) {
    const double error = (tumble(h) - exact).norm();
    if (last > 0) {
      EXPECT_NEAR(std::log2(last / error), 2, 0.1) << "h " << h;
    }
    last = error;
  }
  EXPECT_LT(last, 1e-4);
}

TEST(Motion, FreeRotationKeepsEnergyAndMomentumToRoundOffOverAHundredThousandSteps) {
  Body<3> body = brick();
  body.velocity.tail<3>() = Vec<3>(.01, 1, .01);
  const double E = spin_energy(body);
  const Vec<3> L = spin_momentum(body);
  for (int i = 0; i < 100000; ++i) move_freely(body, 0.01);
  constexpr double kRoundOff = 1e-11;  // half a unit in the last place per step
  EXPECT_NEAR(spin_energy(body), E, kRoundOff);
  EXPECT_LT((spin_momentum(body) - L).norm(), kRoundOff);
}

/// A rod of the given slenderness, cut square or not, that turns with w in its own axes.
Body<3> rod(double slenderness, double flatness, const Vec<3>& w, Random& random) {
  const double c = 1 / slenderness, d = flatness * c;
  Body<3> body;
  body.inertia = (Vec<3>(c * c + d * d, 1 + d * d, 1 + c * c) / 12).asDiagonal();
  body.attitude = Attitude<3>::from(random.rotation_matrix<3>());
  body.velocity.tail<3>() = body.attitude.matrix() * w;
  return body;
}

/// Momentum relative to Jmax |w|, and energy to the square root of Jmax/Jmin: a rod that spins about its own
/// axis has little of either, and both are read from velocities that are rounded to digits of the spin.
TEST(Motion, RodsAtSixHundredRadiansPerSecondKeepEnergyAndMomentumAtAnyStep) {
  Random random(3);
  int followed = 0;
  for (const double slenderness : {10., 100., 1000.}) {
    for (const double h : {1e-4, 1e-3, 0.02, 0.3}) {
      for (const Vec<3>& w : {Vec<3>(1, 1, 1), Vec<3>(1, 1e-3, 0), Vec<3>(1e-3, 1, 0.5)}) {
        Body<3> body = rod(slenderness, random.uniform(0.5, 1), 600 * w.normalized(), random);
        const double E = spin_energy(body);
        const Vec<3> L = spin_momentum(body);
        const int steps = h < 0.01 ? 3000 : 30;
        for (int i = 0; i < steps; ++i) move_freely(body, h);
        EXPECT_NEAR(spin_energy(body) / E, 1, 1e-12 * slenderness)
            << slenderness << " " << h << " " << w.transpose();
        EXPECT_LT((spin_momentum(body) - L).norm(), 1e-12 * 600 / 6) << slenderness << " " << h;
        ++followed;
      }
    }
  }
  EXPECT_EQ(followed, 36);
}

TEST(Motion, AFastSpinIsTurnedInStretches) {
  Random random(7);
  for (const double speed : {1., 100., 1e4}) {
    Body<3> body = brick();
    body.velocity.tail<3>() = speed * random.direction<3>();
    const double E = spin_energy(body);
    move_freely(body, 0.01);
    EXPECT_NEAR(spin_energy(body) / E, 1, 1e-10) << speed;
  }
}

TEST(Motion, SpinAboutAPrincipalAxisIsExactForAnyStep) {
  Body<3> body = brick();
  body.velocity.tail<3>() = Vec<3>(0, 0, 2);
  move_freely(body, 0.2);
  EXPECT_LT((body.attitude.matrix() - rotation(Vec<3>::UnitZ(), 0.4)).norm(), 1e-15);
}

/// No point of a ball about the centre is ever further from where it was than the turn since then allows.
TEST(Motion, ABodyTurnsNoFasterThanItsPathSays) {
  Random random(9);
  int several = 0;
  for (int round = 0; round < 300; ++round) {
    Body<3> body = brick();
    body.attitude = Attitude<3>::from(random.rotation_matrix<3>());
    body.velocity.tail<3>() = random.uniform(0, 40) * random.direction<3>();
    const Path<3> path = free_path(body, body.velocity, 0.1);
    several += path.stretches.size() > 1;
    EXPECT_EQ(path.at(1).R, path.end.matrix()) << "to the bit";
    EXPECT_EQ(path.at(0).R, body.attitude.matrix());
    for (int k = 0; k < 20; ++k) {
      const double s = random.uniform(0, 1), t = random.uniform(0, 1);
      const double turned = turn_between(path.attitude_at(s), path.attitude_at(t)).norm();
      EXPECT_LE(turned, std::abs(t - s) * path.fastest_turn() * (1 + 1e-12) + 1e-14);
    }
  }
  EXPECT_GT(several, 100) << "paths of several stretches";
}

TEST(Motion, APathOfSeveralStretchesHasNoGaps) {
  Body<3> body = brick();
  body.velocity.tail<3>() = Vec<3>(20, 30, -10);
  const Path<3> path = free_path(body, body.velocity, 0.1);
  ASSERT_GT(path.stretches.size(), 2u);
  constexpr double kShort = 1e-9;
  for (const Stretch<3>& stretch : path.stretches) {
    const double until = stretch.until;
    const Mat<3> before = path.attitude_at(until - kShort).matrix();
    EXPECT_LT((path.attitude_at(until).matrix() - before).norm(), 10 * kShort * path.fastest_turn()) << until;
  }
}

TEST(Body, TheBodyFrameKeepsItsDistanceFromTheCentreOfMass) {
  Body<2> body;
  body.com = Vec<2>(0.3, -0.1);
  body.set_X_WB({rotation(0.5), Vec<2>(1, 2)});
  EXPECT_LT((body.X_WB().p - Vec<2>(1, 2)).norm(), 1e-15);
  EXPECT_LT((body.position - (Vec<2>(1, 2) + rotation(0.5) * body.com)).norm(), 1e-15);
}

TEST(Attitude, TheTurnBetweenTwoIsWhatTurnsOneIntoTheOther) {
  Random random(8);
  for (int i = 0; i < 1000; ++i) {
    const Attitude<3> from = Attitude<3>::from(random.rotation_matrix<3>());
    const Attitude<3> to = Attitude<3>::from(random.rotation_matrix<3>());
    EXPECT_LT((from.turned(turn_between(from, to)).matrix() - to.matrix()).norm(), 1e-14);
  }
  const Attitude<3> same;
  EXPECT_EQ(turn_between(same, same).norm(), 0);
}

}  // namespace
}  // namespace touchstone
