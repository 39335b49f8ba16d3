// The re-linearising step [PEG 7, 7.1]: every accepted step has exact gaps, none gains energy, momentum is
// kept.

#include <cmath>

#include "support/peg_run.h"
#include "support/random_worlds.h"
#include "touchstone/math/random.h"
#include "touchstone/proximity/gap.h"

namespace touchstone::support {
namespace {

constexpr double kTolerance = 1e-9;  // [m] of gaps
constexpr double kNoGain = 1e-12;    // [J] of bodies of a joule or so

StepSettings exact(double h, double margin) {
  StepSettings settings = peg_settings(h, margin);
  settings.model.relinearise = true;
  return settings;
}

/// The lowest gap of any pair, measured here and not by the stepper.
template <int D>
double lowest_gap(const World<D>& world) {
  double lowest = INFINITY;
  const auto placed = [&](std::size_t i) {
    return PlacedShape<D>{world.shapes[i].shape.get(),
                          world.bodies[world.shapes[i].body].X_WC() * world.shapes[i].X_CS};
  };
  const CollisionFilter<D> filter(world);
  for (std::size_t i = 0; i < world.shapes.size(); ++i) {
    for (std::size_t j = i + 1; j < world.shapes.size(); ++j) {
      if (filter.allows(static_cast<int>(i), static_cast<int>(j)))
        lowest = std::min(lowest, find_gap<D>(placed(i), placed(j)).gap);
    }
  }
  return lowest;
}

struct Watch {
  double lowest = INFINITY, gained = 0, balance = 0;
  long steps = 0, halved = 0, renewed = 0;

  template <int D>
  void look(const World<D>& world, const StepReport<D>& report) {
    ASSERT_EQ(report.status, StepStatus::done) << report.message << " at " << report.time << " s";
    ++steps, halved += report.substeps - 1, renewed += report.note("renewed");
    lowest = std::min(lowest, lowest_gap(world));
    const EnergyBalance& b = report.balance;
    gained = std::max(gained, b.kinetic + b.potential - b.work);
    balance = std::max(balance, std::abs(b.error) / (b.scale + 1e-3));
  }
};

Surface smooth_or_rough(double mu) {
  Surface surface;
  if (mu > 0) surface.friction = FrictionLaw::linear, surface.mu = mu;
  return surface;
}

/// Two polygons that spin fly at each other.
World<2> duel(int seed, double mu) {
  Random random(seed);
  World<2> world;
  world.surfaces = SurfaceTable(1, smooth_or_rough(mu));
  for (int side : {-1, 1}) {
    std::vector<Vec<2>> points;
    for (int k = 0; k < 8; ++k) points.push_back(.5 * random.direction<2>());
    const Pose<2> X{random.rotation_matrix<2>(), Vec<2>(.7 * side, random.uniform(-.3, .3))};
    const int body = add_body<2>(world, side < 0 ? "left" : "right", Polytope<2>::hull(points), X);
    world.bodies[body].velocity = Twist<2>(-1.5 * side, 0, random.uniform(-5, 5));
  }
  return world;
}

TEST(Relinearised, DuelsOfSpinningPolygonsKeepGapEnergyAndMomentum) {
  for (double mu : {0., .3}) {
    Watch watch;
    double momentum_error = 0;
    int plain_gains = 0;
    for (int seed = 1; seed <= 150; ++seed) {
      World<2> world = duel(seed, mu), plain = world;
      const Momentum<2> before = momentum(world);
      Stepper<2> stepper(exact(.01, 0), "peg"), other(peg_settings(.01, 0), "peg");
      bool gains = false;
      for (int i = 0; i < 100; ++i) {
        watch.look(world, stepper.step(world));
        const EnergyBalance b = other.step(plain).balance;
        gains = gains || b.kinetic > kNoGain;
      }
      plain_gains += gains;
      const Momentum<2> after = momentum(world);
      momentum_error = std::max({momentum_error, (after.linear - before.linear).norm(),
                                 std::abs(after.angular[0] - before.angular[0])});
    }
    EXPECT_GE(watch.lowest, -kTolerance) << "mu = " << mu;
    EXPECT_LE(watch.gained, kNoGain) << "mu = " << mu;
    EXPECT_LT(watch.balance, 1e-12) << "mu = " << mu;
    EXPECT_LT(momentum_error, 1e-14) << "mu = " << mu;
    EXPECT_EQ(watch.halved, 0) << "mu = " << mu;
    EXPECT_GT(watch.renewed, 1000) << "mu = " << mu;
    if (mu == 0) {
      EXPECT_GT(plain_gains, 30) << "plain PEG gains energy";
    }
  }
}

TEST(Relinearised, PilesOfPolygonsNeverOverlapAndNeverGainEnergy) {
  for (int seed = 1; seed <= 2; ++seed) {
    PolygonBox box = polygon_box(seed);
    Stepper<2> stepper(exact(.01, .1), "peg");
    Watch watch;
    double fastest = 0;
    for (int i = 0; i < 300; ++i) {
      let_in(box);
      watch.look(box.world, stepper.step(box.world));
      for (const Body<2>& body : box.world.bodies)
        fastest = std::max(fastest, body.velocity.head<2>().norm());
    }
    EXPECT_GE(watch.lowest, -kTolerance) << "seed " << seed;
    EXPECT_LE(watch.gained, 1e-11) << "seed " << seed;
    EXPECT_LE(fastest, 6);
    EXPECT_LE(watch.halved, 3);
    EXPECT_GT(watch.renewed, 300);
  }
}

TEST(Relinearised, TheTriangleDropConvergesToTheSameMotion) {
  const Vec<3> truth(3.726979, -2.234137, 1.038937);  // by events
  for (double h : {.001, .002, .004, .008, .016}) {
    World<2> world = triangle_drop();
    Stepper<2> stepper(exact(h, 10 * h), "peg");
    Watch watch;
    for (long i = 0; i < std::lround(1.5 / h); ++i) watch.look(world, stepper.step(world));
    // The last step may end up to half a step beside 1.5 s: the body falls at 15 m/s.
    const double time_error = std::abs(world.time - 1.5);
    EXPECT_LT((triangle_state(world) - truth).norm(), 8 * h + 15 * time_error) << "h = " << h;
    EXPECT_GE(watch.lowest, -kTolerance);
    EXPECT_LE(watch.gained, kNoGain);
  }
}

TEST(Relinearised, TheSlidingBoxTipsOffAsBefore) {
  for (double h : {.002, .005, .01, .02}) {
    World<2> world = slide_off<2>();
    Stepper<2> stepper(exact(h, std::min(10 * h, .15)), "peg");
    Watch watch;
    for (long i = 0; i < std::lround(1 / h); ++i) watch.look(world, stepper.step(world));
    EXPECT_NEAR(world.bodies[1].position.x(), .8371, 2e-4) << "h = " << h;
    EXPECT_GE(watch.lowest, -kTolerance);
  }
}

TEST(Relinearised, TheTurningBlocksOfTheThesisDoNotOverlap) {
  for (double h : {.01, .1, .2}) {
    World<2> world = turning_blocks();
    Stepper<2> stepper(exact(h, 2 * h), "peg");
    const StepReport<2> report = stepper.step(world);
    ASSERT_EQ(report.status, StepStatus::done) << report.message;
    EXPECT_GE(lowest_gap(world), -kTolerance) << "h = " << h;
    EXPECT_LE(report.balance.kinetic, kNoGain);
  }
}

TEST(Relinearised, DropsInSpaceNeverOverlap) {
  Watch watch;
  for (int seed = 1; seed <= 12; ++seed) {
    Random random(seed);
    World<3> world;
    world.gravity = {0, 0, -9.81};
    add_body<3>(world, "fixed", make_box<3>(Vec<3>::Ones()), {}, BodyKind::fixed);
    add_body<3>(world, "falling", make_box<3>({.8, .6, .5}),
                {random.rotation_matrix<3>(), {random.uniform(-.4, .4), random.uniform(-.4, .4), 1.4}});
    for (int i = 3; i < 6; ++i) world.bodies[1].velocity[i] = random.uniform(-2, 2);
    Stepper<3> stepper(exact(.01, .1), "peg");
    for (int i = 0; i < 80 && !testing::Test::HasFatalFailure(); ++i) watch.look(world, stepper.step(world));
  }
  EXPECT_GE(watch.lowest, -kTolerance);
  EXPECT_LE(watch.gained, kNoGain);
  EXPECT_GT(watch.renewed, 100);
  std::printf("%ld steps, %ld halved, %ld contacts renewed\n", watch.steps, watch.halved, watch.renewed);
}

}  // namespace
}  // namespace touchstone::support
