// Closed-form benchmarks of free rotation and of joints [Checked 6]: B10 free rotation, B11 double
// pendulum, B12 spherical pendulum, B15 the chain of [Checked 2.6].

#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/dimensions.h"
#include "support/orders.h"
#include "support/trace.h"

namespace touchstone::support {
namespace {

constexpr double kG = 9.81;  // [m/s^2]
constexpr double kPi = std::numbers::pi;

// ---- B10
// ---------------------------------------------------------------------------------------------------

Vec<3> body_spin(const Body<3>& body) {
  return body.attitude.matrix().transpose() * angular<3>(body.velocity);
}

World<3> free_body() {
  World<3> world;
  add_body<3>(world, {});
  world.bodies[0].inertia = Vec<3>(1, 2, 3).asDiagonal();
  world.bodies[0].velocity = twist<3>({0.3, -0.2, 0.1}, {0.01, 1, 0.01});
  return world;
}

/// One component of the spin in body axes, as the rate.
Watch<3> component(int i) {
  return [i](const World<3>& now, const StepReport<3>&) { return Sample{0, 0, body_spin(now.bodies[0])[i]}; };
}

TEST(BenchmarkB10, FreeRotationIsOfSecondOrder) {
  expect_orders({"B10", 3},
                {{"spin about axis 1 at 10 s [rad/s]", -0.874573437891094, 1, 2},
                 {"spin about axis 2 at 10 s [rad/s]", 0.484996187341033, 2, 2},
                 {"spin about axis 3 at 10 s [rad/s]", 0.505001220547913, 1, 2},
                 {"time between flips [s]", 19.55286709863436, 2, 2}},
                {halved(0.05, 4)}, [](double h) {
                  World<3> world = free_body();
                  const auto spin = traces<3>(world, h, 32, {component(0), component(1), component(2)});
                  return std::vector<double>{spin[0].at(10).rate, spin[1].at(10).rate, spin[2].at(10).rate,
                                             spin[1].turning(2).time - spin[1].turning(1).time};
                });
}

TEST(BenchmarkB10, FreeRotationKeepsEnergyAndMomentumInEveryStep) {
  for (const double h : {0.2, 0.05, 0.01}) {
    World<3> world = free_body();
    Momentum<3> before = momentum(world);
    const double energy_before = energy(world).kinetic;
    double worst = 0, drift = 0;
    run<3>(world, with_step(h), 200, [&](const World<3>& now, const StepReport<3>& report) {
      const Momentum<3> after = momentum(now);
      worst =
          std::max({worst, (after.linear - before.linear).norm(), (after.angular - before.angular).norm()});
      drift = std::max(drift, std::abs(report.energy.kinetic - energy_before));
      before = after;
      return true;
    });
    const Body<3>& body = world.bodies[0];
    const Vec<3> w = body_spin(body), H = body.inertia * w;
    const std::string with = ", 200 s with h = " + std::to_string(h).substr(0, 4) + " s";
    expect_exact({"B10", 3}, {"change of momentum in a step [N s, N m s]" + with, 0, 1e-13}, worst);
    expect_exact({"B10", 3}, {"drift of energy [J]" + with, 0, 1e-12}, drift);
    expect_exact({"B10", 3}, {"2 T [J]" + with, 2.0004, 2e-12}, w.dot(H));
    expect_exact({"B10", 3}, {"H^2 [N^2 m^2 s^2]" + with, 4.001, 4e-12}, H.squaredNorm());
  }
}

// ---- joints
// ------------------------------------------------------------------------------------------------

constexpr double kClosed = 1e-12;  // [m] up to round-off

/// The largest error of a joint so far, as x.
template <int D>
Watch<D> joint_drift() {
  return [worst = 0.](const World<D>&, const StepReport<D>& report) mutable {
    worst = std::max(worst, report.joint_error);
    return Sample{0, worst, 0};
  };
}

/// The angle of a body from straight down [rad] and its rate.
template <int D>
Watch<D> hanging_angle(int body) {
  return [body](const World<D>& now, const StepReport<D>&) {
    return Sample{0, planar_angle(now.bodies[body]), planar_spin(now.bodies[body])};
  };
}

/// Rods in a row from the origin towards +x, at rest; an angle of zero is straight down.
template <int D>
World<D> chain(int links, double length, const Inertia& inertia) {
  World<D> world;
  world.gravity = lifted<D>({0, -kG});
  for (int i = 0; i < links; ++i) {
    const int body = add_body<D>(world, inertia);
    place(world.bodies[body], {(i + 0.5) * length, 0}, kPi / 2);
    add_joint<D>(world, JointKind::revolute, {body - 1, body}, lifted<D>({i * length, 0}));
  }
  return world;
}

template <class T>
struct BenchmarkB11 : testing::Test {};
TYPED_TEST_SUITE(BenchmarkB11, Dimensions, DimensionNames);

TYPED_TEST(BenchmarkB11, ADoublePendulumSwings) {
  constexpr int D = TypeParam::D;
  expect_orders({"B11", D},
                {{"rod 1: angle at 1 s [rad]", -1.20771623819064, 15, 2},
                 {"rod 2: angle at 1 s [rad]", -0.814391023091296, 15, 2},
                 {"rod 1: rate at 1 s [rad/s]", -3.40651753297196, 150, 2},
                 {"rod 2: rate at 1 s [rad/s]", -0.516045472105198, 250, 2},
                 {"rod 1: angle at 2 s [rad]", -0.082758306820573, 5, 2},
                 {"rod 2: angle at 2 s [rad]", 0.407362074911911, 80, 2},
                 {"rod 1: rate at 2 s [rad/s]", -0.961145444545948, 200, 2},
                 {"rod 2: rate at 2 s [rad/s]", 11.8989550530452, 400, 2}},
                {halved(0.001, 4)}, [](double h) {
                  World<D> world = chain<D>(2, 1, {1, 1. / 12});
                  const auto found =
                      traces<D>(world, h, 2, {hanging_angle<D>(0), hanging_angle<D>(1), joint_drift<D>()});
                  const Sample a1 = found[0].at(1), b1 = found[1].at(1);
                  const Sample a2 = found[0].at(2), b2 = found[1].at(2);
                  EXPECT_LT(found[2].last().x, kClosed);
                  return std::vector<double>{a1.x, b1.x, a1.rate, b1.rate, a2.x, b2.x, a2.rate, b2.rate};
                });
}

// ---- B12
// ---------------------------------------------------------------------------------------------------

/// A ball of moment 1/4 at half a metre moves like a point at one metre: m g l/(m l^2 + I) = g/L, and it does
/// not turn about its arm.
World<3> spherical_pendulum() {
  World<3> world;
  world.gravity = {0, 0, -kG};
  const int ball = add_body<3>(world, {1, 0.25});
  const Vec<3> arm(std::sin(1.), 0, -std::cos(1.)), speed(0, 2, 0);  // of the point at one metre
  world.bodies[ball].position = 0.5 * arm;
  world.bodies[ball].velocity = twist<3>(0.5 * speed, arm.cross(speed));
  add_joint<3>(world, JointKind::spherical, {-1, ball}, Vec<3>::Zero());
  return world;
}

Sample height(const World<3>& now, const StepReport<3>&) {
  return {0, 2 * now.bodies[0].position.z(), 2 * now.bodies[0].velocity[2]};
}

TEST(BenchmarkB12, ASphericalPendulumSwings) {
  expect_orders({"B12", 3},
                {{"height at .5 s [m]", -0.84281659867837, 0.6, 2},
                 {"height at 1 s [m]", -0.55380838494556, 0.6, 2},
                 {"height at 2 s [m]", -0.5923460163822725, 1.5, 2},
                 {"period [s]", 1.0755900296267, 1, 2}},
                {halved(0.002, 4)}, [](double h) {
                  World<3> world = spherical_pendulum();
                  const auto found = traces<3>(world, h, 2, {height, joint_drift<3>()});
                  const Trace& z = found[0];
                  EXPECT_LT(found[1].last().x, kClosed);
                  return std::vector<double>{z.at(0.5).x, z.at(1).x, z.at(2).x, z.turning(2).time};
                });
}

/// Where it turns its height is known better than when.
TEST(BenchmarkB12, ASphericalPendulumTurnsAtTheRootsOfItsCubic) {
  expect_orders({"B12", 3},
                {{"lowest [m]", -0.8468717883206721, 0.6, 2}, {"highest [m]", -0.5403023058681397, 60, 4}},
                {halved(0.004, 4), 8}, [](double h) {
                  World<3> world = spherical_pendulum();
                  const Trace z = trace<3>(world, h, 1.2, height);
                  return std::vector<double>{z.turning(1).x, z.turning(2).x};
                });
}

// ---- B15, chain
// --------------------------------------------------------------------------------------------

template <class T>
struct BenchmarkB15Chain : testing::Test {};
TYPED_TEST_SUITE(BenchmarkB15Chain, Dimensions, DimensionNames);

constexpr int kLinks = 20;
constexpr double kLinkLength = 5, kLinkWidth = 2;  // [m]

/// Height of the middle of the last link's end.
template <int D>
Sample tip(const World<D>& now, const StepReport<D>&) {
  const Body<D>& last = now.bodies.back();
  const Vec<D> r = last.attitude.matrix() * lifted<D>({0, -0.5 * kLinkLength});
  return {0, last.position.y() + r.y(), point_velocity<D>(last.velocity, r).y()};
}

/// Height of the lowest corner of all links.
template <int D>
Sample lowest_corner(const World<D>& now, const StepReport<D>&) {
  double lowest = 0;
  for (const Body<D>& link : now.bodies) {
    for (const double side : {-0.5, 0.5}) {
      const Vec<2> corner(side * kLinkWidth, -0.5 * kLinkLength);
      lowest = std::min(lowest, (link.position + link.attitude.matrix() * lifted<D>(corner)).y());
    }
  }
  return {0, lowest, 0};
}

/// Boxes of 2 x 5 x 2 m and density 10.
template <int D>
World<D> heavy_chain() {
  const double mass = 10 * kLinkWidth * kLinkWidth * kLinkLength;
  const double moment = mass * (kLinkWidth * kLinkWidth + kLinkLength * kLinkLength) / 12;
  return chain<D>(kLinks, kLinkLength, {mass, moment});
}

TYPED_TEST(BenchmarkB15Chain, TheEndOfAChainFallsFreelyAtFirst) {
  constexpr int D = TypeParam::D;
  expect_orders({"B15", D},
                {{"chain: height of its end at .5 s [m]", -1.22625, 1, 2},
                 {"chain: height of its end at 1 s [m]", -4.905, 1, 2},
                 {"chain: angle of the first link at 1 s [rad]", 1.0980944034, 0.3, 2}},
                {halved(0.02, 4)}, [](double h) {
                  World<D> world = heavy_chain<D>();
                  const auto found = traces<D>(world, h, 1, {tip<D>, hanging_angle<D>(0)});
                  return std::vector<double>{found[0].at(0.5).x, found[0].at(1).x, found[1].at(1).x};
                });
}

TEST(BenchmarkB15Chain, AChainOfTwentyLinksDoesNotTouchTheGround) {
  expect_orders({"B15", 2}, {{"chain: height of its end at 4 s [m]", -78.5805140, 24, 2}}, {halved(0.005, 4)},
                [](double h) {
                  World<2> world = heavy_chain<2>();
                  const auto found = traces<2>(world, h, 4.6, {tip<2>, lowest_corner<2>});
                  double corner = 0;
                  for (const Sample& sample : found[1].samples()) corner = std::min(corner, sample.x);
                  EXPECT_GT(corner, -100.0001) << "the plane of the experiment";
                  EXPECT_NEAR(corner, -99.18293505, 150 * h * h) << "between two steps it was lower";
                  constexpr double kKnown = 6e-8;  // [m] the digits of the closed form
                  EXPECT_NEAR(found[0].at(2).x, -19.6200003, kKnown);
                  EXPECT_NEAR(found[0].at(3).x, -44.1453059, kKnown + 0.05 * h * h);
                  return std::vector<double>{found[0].at(4).x};
                });
}

}  // namespace
}  // namespace touchstone::support
