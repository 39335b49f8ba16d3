// Closed-form benchmarks of bodies that fall over [Checked 6]: B2 tipping block, B5 rod on a floor
// without friction, B6 ladder. Constraints hold at the ends of steps with the normals of their starts: first
// order.

#include <cmath>
#include <numbers>

#include "support/dimensions.h"
#include "support/orders.h"
#include "support/trace.h"

namespace touchstone::support {
namespace {

constexpr double kG = 9.81;          // [m/s^2]
constexpr double kRoundOff = 1e-12;  // of quantities of size 1 after one step
constexpr double kPi = std::numbers::pi;
const Study kStudy{halved(0.004, 4)};

template <int D>
Sample turning_of(const Body<D>& body, double from) {
  return {0, planar_angle(body) - from, planar_spin(body)};
}

/// The sum of the normal impulses of the contacts with a body, over h [N].
template <int D>
double force_of(const StepReport<D>& report, int body) {
  double sum = 0;
  for (const ContactForce<D>& force : report.forces) {
    const Contact<D>& contact = report.set.contacts[force.contact];
    if (contact.body_A == body || contact.body_B == body) sum += force.normal;
  }
  return report.h > 0 ? sum / report.h : 0;
}

// ---- B2
// ----------------------------------------------------------------------------------------------------

constexpr double kIncline = kPi / 6;
const Vec<2> kHalf{0.2, 0.5};  // [m] sizes of the block

template <class T>
struct BenchmarkB2 : testing::Test {
  static constexpr int D = T::D;
  const Benchmark benchmark{"B2", D};

  static World<D> block_on(double slope, const Surface& surface) {
    World<D> world;
    set_surface(world, surface);
    world.gravity = lifted<D>({0, -kG});
    Vec<D> sides = Vec<D>::Ones();
    sides.template head<2>() = 2 * kHalf;
    add_box<D>(world, sides);
    const Vec<2> normal(-std::sin(slope), std::cos(slope));
    add_half_space<D>(world, normal);
    place(world.bodies[0], kHalf.y() * normal, slope);
    return world;
  }
};
TYPED_TEST_SUITE(BenchmarkB2, Dimensions, DimensionNames);

TYPED_TEST(BenchmarkB2, ATallBlockBeginsToTipWithoutSlipping) {
  constexpr double h = 1e-3;
  World<TypeParam::D> world = this->block_on(kIncline, friction(FrictionLaw::linear, 1));
  const auto report = step_once(world, h);
  Vec<2> force = Vec<2>::Zero();
  for (const auto& contact : report.forces) force += planar<TypeParam::D>(contact.impulse) / h;
  const Vec<2> up(std::cos(kIncline), std::sin(kIncline)), normal(-up.y(), up.x());
  expect_exact(this->benchmark, {"angular acceleration at first [1/s^2]", 1.948340063211029, kRoundOff / h},
               planar_spin(world.bodies[0]) / h);
  expect_exact(this->benchmark, {"N/m at first [m/s^2]", 8.885377224, 1e-9}, normal.dot(force));
  expect_exact(this->benchmark, {"F/N at first", 0.44239314, 1e-8}, up.dot(force) / normal.dot(force));
}

TYPED_TEST(BenchmarkB2, ATallBlockTipsOverOnAnIncline) {
  constexpr int D = TypeParam::D;
  for (const FrictionLaw law : {FrictionLaw::linear, FrictionLaw::quadratic, FrictionLaw::no_slip}) {
    const std::string with = name_of(law) + ": ";
    expect_orders(this->benchmark,
                  {{with + "tilt of .1 rad at [s]", 0.3043134909320976, 0.7},
                   {with + "tilt of .3 rad at [s]", 0.4876439746724395, 0.7},
                   {with + "tilt of .6 rad at [s]", 0.6345473581946941, 0.7},
                   {with + "rate then [rad/s]", 2.631381590663824, 6}},
                  kStudy, [&](double h) {
                    World<D> world = this->block_on(kIncline, friction(law, 1));
                    const Trace tilt =
                        trace<D>(world, h, 0.66, [](const World<D>& now, const StepReport<D>&) {
                          return turning_of(now.bodies[0], kIncline);
                        });
                    return std::vector<double>{tilt.reaching(0.1).time, tilt.reaching(0.3).time,
                                               tilt.reaching(0.6).time, tilt.reaching(0.6).rate};
                  });
  }
}

TYPED_TEST(BenchmarkB2, ABlockTipsIfAndOnlyIfItsDiagonalLeansOut) {
  const double edge = std::atan2(kHalf.x(), kHalf.y());
  EXPECT_NEAR(edge * 180 / kPi, 21.80140948635181, 1e-13);
  for (const double excess : {-1e-6, 1e-6}) {
    World<TypeParam::D> world = this->block_on(edge + excess, friction(FrictionLaw::linear, 1));
    step_once(world, 1e-3);
    const double expected = 3 * kG / (4 * kHalf.norm()) * std::max(0., std::sin(excess)) * 1e-3;
    EXPECT_NEAR(planar_spin(world.bodies[0]), expected, kRoundOff);
  }
}

/// Pushed at height H against a step of height s the block turns about the step's edge once F (H - s) > W a,
/// and its face does not slip there while mu >= W/F. The floor has no friction: with it a force along the
/// floor could hold the block as well, and rigid bodies do not tell which.
TYPED_TEST(BenchmarkB2, ABlockPushedAgainstAStepTipsOverIt) {
  constexpr int D = TypeParam::D;
  constexpr double kHeight = 0.9, kStepHeight = 0.1, h = 1e-3;
  const double limit = kG * kHalf.x() / (kHeight - kStepHeight);
  const Vec<2> arm = Vec<2>(kHalf.x(), kStepHeight) - Vec<2>(0, kHalf.y());
  const double moment = 4 * kHalf.squaredNorm() / 12 + arm.squaredNorm();
  for (const double share : {0.99, 1.01}) {
    World<D> world = this->block_on(0, friction(FrictionLaw::linear, 1.1 * kG / limit));
    const Polytope<2> outline = make_box<2>({1, kStepHeight});
    const int step = add_plate<D>(world, outline, {});
    world.bodies[step].kind = BodyKind::fixed;
    SurfaceTable surfaces(2, world.surfaces.of(0, 0));
    surfaces.set(0, 1, {});
    world.surfaces = surfaces;
    for (ContactShape<D>& part : world.shapes)
      part.material = std::holds_alternative<HalfSpace<D>>(*part.shape);
    place(world.bodies[step], {kHalf.x() + 0.5, 0.5 * kStepHeight}, 0);
    world.bodies[0].add_force(lifted<D>({share * limit, 0}), lifted<D>({-kHalf.x(), kHeight}));
    step_once(world, h);
    const double torque = std::max(0., share - 1) * limit * (kHeight - kStepHeight);
    EXPECT_NEAR(planar_spin(world.bodies[0]), -h * torque / moment, kRoundOff) << share;
  }
}

// ---- B5
// ----------------------------------------------------------------------------------------------------

template <class T>
struct BenchmarkB5 : testing::Test {};
TYPED_TEST_SUITE(BenchmarkB5, Dimensions, DimensionNames);

TYPED_TEST(BenchmarkB5, ARodFallsOnAFloorWithoutFriction) {
  constexpr int D = TypeParam::D;
  const double flat_at = 0.585947472819335;  // [s]
  expect_orders({"B5", D},
                {{"tilt of .5 rad at [s]", 0.3231614462205843, 0.7},
                 {"tilt of 1 rad at [s]", 0.4648646647800207, 0.7},
                 {"rate at 1 rad [rad/s]", 4.139211995464064, 5},
                 {"flat at [s]", flat_at, 0.7},
                 {"rate when flat [rad/s]", 5.411374371093937, 9}},
                {dividing(flat_at, 0.004, 4)}, [](double h) {
                  World<D> world;
                  world.gravity = lifted<D>({0, -kG});
                  add_rod<D>(world, 1);
                  add_half_space<D>(world, {0, 1});
                  place(world.bodies[0], {0, 0.5 * std::cos(0.1)}, 0.1);
                  const Trace tilt = trace<D>(world, h, 0.6, [](const World<D>& now, const StepReport<D>&) {
                    EXPECT_NEAR(now.bodies[0].position.x(), 0, kRoundOff) << "nothing pushes it aside";
                    return turning_of(now.bodies[0], 0);
                  });
                  const Sample flat = tilt.striking(kPi / 2);
                  return std::vector<double>{tilt.reaching(0.5).time, tilt.reaching(1).time,
                                             tilt.reaching(1).rate, flat.time, flat.rate};
                });
}

// ---- B6
// ----------------------------------------------------------------------------------------------------

template <class T>
struct BenchmarkB6 : testing::Test {
  static constexpr int D = T::D;
  static constexpr int kLadder = 0, kWall = 2;

  static World<D> ladder() {
    World<D> world;
    world.gravity = lifted<D>({0, -kG});
    add_rod<D>(world, 1);
    add_half_space<D>(world, {0, 1});
    add_half_space<D>(world, {1, 0});
    place(world.bodies[kLadder], {0.5 * std::sin(0.1), 0.5 * std::cos(0.1)}, 0.1);
    return world;
  }
  struct Fall {
    Trace tilt, way;  ///< of the centre, along the floor
    Trace wall;       ///< the rate is the wall's force [N]
  };
  static Fall fall(double h) {
    const auto tilt = [](const World<D>& now, const StepReport<D>&) {
      return turning_of(now.bodies[kLadder], 0);
    };
    const auto way = [](const World<D>& now, const StepReport<D>&) {
      const Body<D>& ladder = now.bodies[kLadder];
      return Sample{0, ladder.position.x(), planar_velocity(ladder).x()};
    };
    const auto wall = [](const World<D>&, const StepReport<D>& report) {
      return Sample{0, 0, force_of(report, kWall)};
    };
    World<D> world = ladder();
    const auto all = traces<D>(world, h, 0.94, {tilt, way, wall});
    return {all[0], all[1], all[2]};
  }
};
TYPED_TEST_SUITE(BenchmarkB6, Dimensions, DimensionNames);

TYPED_TEST(BenchmarkB6, ALadderSlidesDownLeavesTheWallAndFallsFlat) {
  expect_orders({"B6", TypeParam::D},
                {{"leaves the wall at [s]", 0.7406523041942489, 0.8},
                 {"tilt then [rad]", 0.8455282018568607, 4},
                 {"rate then [rad/s]", 3.124258449836926, 7},
                 {"speed along the floor from then on [m/s]", 1.03621672366427, 15, 2},
                 {"flat at [s]", 0.9189755120594508, 0.7},
                 {"rate when flat [rad/s]", 5.105069763375204, 9},
                 {"centre then at [m]", 0.5589422861642034, 8, 2}},
                kStudy, [this](double h) {
                  const auto fall = this->fall(h);
                  const double left = fall.wall.turning().time;
                  const Sample flat = fall.tilt.striking(kPi / 2);
                  return std::vector<double>{left,
                                             fall.tilt.at(left).x,
                                             fall.tilt.at(left).rate,
                                             fall.way.at(flat.time - h).rate,
                                             flat.time,
                                             flat.rate,
                                             fall.way.at(flat.time).x};
                });
}

}  // namespace
}  // namespace touchstone::support
