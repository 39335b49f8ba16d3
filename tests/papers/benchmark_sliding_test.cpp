// Closed-form benchmarks of sliding [Checked 6]: B1 block on an incline, B3 ball that slides until it
// rolls, B9 three feet. While a body slides, Coulomb's force is constant, so that the scheme has its velocity
// exactly; ways are sums of velocities at the ends of steps and of first order.

#include <cmath>
#include <numbers>

#include "support/dimensions.h"
#include "support/orders.h"
#include "support/trace.h"

namespace touchstone::support {
namespace {

constexpr double kG = 9.81;          // [m/s^2]
constexpr double kRoundOff = 1e-11;  // of sums of a thousand steps of size 1
constexpr int kSizes = 4;            // of steps
constexpr FrictionLaw kCones[] = {FrictionLaw::linear, FrictionLaw::quadratic};

// ---- B1
// ----------------------------------------------------------------------------------------------------

constexpr double kIncline = 20 * std::numbers::pi / 180;

template <class T>
struct BenchmarkB1 : testing::Test {
  static constexpr int D = T::D;
  const Benchmark benchmark{"B1", D};
  const Vec<2> up{std::cos(kIncline), std::sin(kIncline)};
  const Vec<2> normal{-std::sin(kIncline), std::cos(kIncline)};

  /// A block of 1 x 0.5 m on a plane that rises towards +x.
  World<D> incline(const Surface& surface, double speed_up) const {
    World<D> world;
    set_surface(world, surface);
    world.gravity = lifted<D>({0, -kG});
    Vec<D> sides = Vec<D>::Ones();
    sides[1] = 0.5;
    add_box<D>(world, sides);
    add_half_space<D>(world, normal);
    place(world.bodies[0], 0.25 * normal, kIncline);
    set_velocity(world.bodies[0], speed_up * up, 0);
    return world;
  }
  /// The way up the incline.
  Trace slide(const Surface& surface, double speed_up, double h, double end) const {
    World<D> world = incline(surface, speed_up);
    return trace<D>(world, h, end, [&](const World<D>& now, const StepReport<D>&) {
      const Body<D>& block = now.bodies[0];
      return Sample{0, up.dot(planar<D>(block.position)), up.dot(planar_velocity(block))};
    });
  }
};
TYPED_TEST_SUITE(BenchmarkB1, Dimensions, DimensionNames);

TYPED_TEST(BenchmarkB1, ABlockSlidesDownAnInclineWithTheAccelerationOfCoulomb) {
  for (const FrictionLaw law : kCones) {
    const std::string with = name_of(law) + ": ";
    const auto slide = [&](double h) { return this->slide(friction(law, 0.2), 0, h, 1).last(); };
    expect_exact(this->benchmark, {with + "speed after 1 s [m/s]", 1.511540684042858, kRoundOff},
                 -slide(0.01).rate);
    expect_orders(this->benchmark, {{with + "way down in 1 s [m]", 0.755770342021429, 0.8}},
                  {halved(0.01, kSizes)}, [&](double h) { return std::vector<double>{-slide(h).x}; });
  }
}

TYPED_TEST(BenchmarkB1, ABlockSentUphillStopsAndComesBack) {
  const double stop = 0.3846971676816827, back = 1.098148858881372;
  const auto slide = [&](double h) {
    return this->slide(friction(FrictionLaw::linear, 0.2), 2, h, back + 5 * h);
  };
  expect_exact(this->benchmark, {"uphill: stops at [s]", stop, kRoundOff}, slide(0.01).turning().time);
  expect_orders(this->benchmark,
                {{"uphill: highest point [m]", stop, 1.2},
                 {"uphill: back at the start at [s]", back, 1.2},
                 {"uphill: speed when back [m/s]", 1.078411257347512, 2.5}},
                {phased(stop, 0.008, kSizes)}, [&](double h) {
                  const Trace way = slide(h);
                  const Sample start = way.reaching(0);
                  return std::vector<double>{way.turning().x, start.time, -start.rate};
                });
}

TYPED_TEST(BenchmarkB1, ABlockThatIsRoughEnoughStopsAndStays) {
  const double stop = 0.2511171602610271;
  const auto slide = [&](double h) { return this->slide(friction(FrictionLaw::linear, 0.5), 2, h, 0.5); };
  expect_exact(this->benchmark, {"mu .5, uphill: stops at [s]", stop, kRoundOff}, slide(0.01).turning().time);
  expect_orders(this->benchmark, {{"mu .5, uphill: comes to rest at [m]", stop, 1.2}},
                {phased(stop, 0.008, kSizes)}, [&](double h) {
                  const Trace way = slide(h);
                  EXPECT_NEAR(way.last().rate, 0, kRoundOff);
                  EXPECT_NEAR(way.last().x, way.at(stop + h).x, kRoundOff) << "it stays";
                  return std::vector<double>{way.last().x};
                });
}

TYPED_TEST(BenchmarkB1, ABlockSticksIfAndOnlyIfMuIsAtLeastTheSlope) {
  for (const double excess : {-1e-6, 1e-6}) {
    const Surface surface = friction(FrictionLaw::linear, std::tan(kIncline) * (1 + excess));
    const double rate = this->slide(surface, 0, 0.01, 0.5).last().rate;
    const double expected = 0.5 * std::min(0., kG * std::sin(kIncline) * excess);
    EXPECT_NEAR(rate, expected, kRoundOff);
  }
}

/// The same slide on the top of a fixed block instead of a half-space, by models with a contact of their own
/// for each corner, and by every formulation.
TYPED_TEST(BenchmarkB1, ABlockSlidesAlikeWhateverTheModelOfContactAndTheFormulation) {
  constexpr int D = TypeParam::D;
  constexpr double mu = 0.2, end = 0.5;  // [s]
  const double down = kG * (std::sin(kIncline) - mu * std::cos(kIncline));
  for (const std::string_view model : {"plane", "peg", "manifold", "standard"}) {
    for (const FormulationEntry& formulation : formulations()) {
      World<D> world = this->incline(friction(FrictionLaw::linear, mu), 0);
      world.bodies.pop_back(), world.shapes.pop_back();
      Vec<D> sides = Vec<D>::Constant(4);
      sides[1] = 2;
      const int ground = add_box<D>(world, sides);
      world.bodies[ground].kind = BodyKind::fixed;
      place(world.bodies[ground], -this->normal, kIncline);
      StepSettings settings = with_step(0.01);
      choose_formulation(formulation.name, settings.formulation);
      if (settings.formulation.form == Form::choices) continue;  // of models that choose between contacts
      // Both ask for gaps at the end of a step, which are no part of Anitescu and Potra's scheme.
      const bool of_ends = model == "plane" || model == "peg";
      if (of_ends && settings.formulation.scheme != Scheme::stewart_trinkle) continue;
      Stepper<D> stepper(settings, model);
      for (int i = 0; i < 50; ++i) ASSERT_EQ(stepper.step(world).status, StepStatus::done);
      EXPECT_NEAR(this->up.dot(planar_velocity(world.bodies[0])), -end * down, kRoundOff)
          << model << " " << formulation.name;
    }
  }
}

// ---- B3
// ----------------------------------------------------------------------------------------------------

template <class T>
struct BenchmarkB3 : testing::Test {
  static constexpr int D = T::D;
  static constexpr double radius = 0.5;  // [m]

  /// Thrown with 2 m/s and a spin [rad/s] that is positive if it rolls along.
  static World<D> ball(double spin, FrictionLaw law) {
    World<D> world;
    set_surface(world, friction(law, 0.1));
    world.gravity = lifted<D>({0, -kG});
    add_ball<D>(world, radius, {1, 0.4 * radius * radius});
    add_half_space<D>(world, {0, 1});
    place(world.bodies[0], {0, radius}, 0);
    set_velocity(world.bodies[0], {2, 0}, -spin);
    return world;
  }
  struct Rolling {
    Trace way;   ///< of the centre
    Trace slip;  ///< the rate is the sliding speed
  };
  static Rolling roll(World<D> world, double h, double end) {
    const auto way = [](const World<D>& now, const StepReport<D>&) {
      return Sample{0, now.bodies[0].position.x(), planar_velocity(now.bodies[0]).x()};
    };
    const auto slip = [](const World<D>& now, const StepReport<D>&) {
      const Body<D>& ball = now.bodies[0];
      return Sample{0, 0, planar_velocity(ball).x() + radius * planar_spin(ball)};
    };
    const auto both = traces<D>(world, h, end, {way, slip});
    return {both[0], both[1]};
  }
};
TYPED_TEST_SUITE(BenchmarkB3, Dimensions, DimensionNames);

struct Throw {
  double spin, time, speed, way;
};

TYPED_TEST(BenchmarkB3, ABallSlidesUntilItRolls) {
  const Throw plain{0, 0.582495995340032, 10. / 7, 0.9985645634400549};
  const Throw back_spin{-12, 2.329983981360128, -2. / 7, 1.99712912688011};
  const Benchmark benchmark{"B3", TypeParam::D};
  for (const Throw& thrown : {plain, back_spin}) {
    for (const FrictionLaw law : kCones) {
      const std::string with = (thrown.spin == 0 ? "w0 0, " : "w0 -12, ") + name_of(law) + ": ";
      const auto roll = [&](double h) {
        return this->roll(this->ball(thrown.spin, law), h, thrown.time + 20 * h);
      };
      const auto found = roll(0.01);
      EXPECT_NEAR(found.slip.last().rate, 0, kRoundOff) << "it rolls";
      expect_exact(benchmark, {with + "rolls from [s]", thrown.time, kRoundOff}, found.slip.turning().time);
      expect_exact(benchmark, {with + "then rolls with [m/s]", thrown.speed, kRoundOff},
                   found.way.last().rate);
      expect_orders(benchmark, {{with + "way until it rolls [m]", thrown.way, 1.2}},
                    {dividing(thrown.time, 0.01, kSizes)},
                    [&](double h) { return std::vector<double>{roll(h).way.at(thrown.time).x}; });
    }
  }
}

// ---- B9, three feet only
// -----------------------------------------------------------------------------------

/// A tripod of radius 1 m with the moment of a disc, 1/2 m R^2, that spins about z with 10 rad/s.
World<3> tripod(const Surface& surface) {
  World<3> world;
  set_surface(world, surface);
  world.gravity = {0, 0, -kG};
  constexpr double kHeight = 0.2;
  const int body = add_solid<3>(world, make_prism(make_regular_polygon(3, 1), kHeight), {1, 0.5});
  world.bodies[body].position.z() = 0.5 * kHeight;
  world.bodies[body].velocity = twist<3>(Vec<3>::Zero(), Vec<3>(0, 0, 10));
  add_half_space<3>(world, Plane<3>{});
  return world;
}

double stop_of_spin(World<3> world, double h) {
  const Trace spin = trace<3>(world, h, 5.8, [](const World<3>& now, const StepReport<3>&) {
    return Sample{0, 0, now.bodies[0].velocity[5]};
  });
  EXPECT_NEAR(spin.last().rate, 0, kRoundOff) << "it has stopped";
  return spin.turning().time;
}

constexpr double kStopOfTripod = 5.09683995922528;  // [s] I w0 / (mu m g rho)

TEST(BenchmarkB9, ATripodThatSpinsIsBrakedByItsFeet) {
  double worst = kStopOfTripod;
  for (const double h : {0.04, 0.02, 0.01, 0.005}) {
    const double stop = stop_of_spin(tripod(friction(FrictionLaw::quadratic, 0.1)), h);
    if (std::abs(stop - kStopOfTripod) >= std::abs(worst - kStopOfTripod)) worst = stop;
  }
  expect_exact({"B9", 3}, {"three feet, round cone: stops at [s]", kStopOfTripod, kRoundOff}, worst);
}

/// A pyramid of n sides, n a multiple of 3, brakes by (n/pi) sin(pi/n) of the cone's torque in the mean of a
/// turn: its force is up to pi/n askew.
TEST(BenchmarkB9, TheStopOfATripodConvergesWithTheSidesOfThePyramid) {
  expect_orders({"B9", 3}, {{"three feet, pyramid of 1/h sides: stops at [s]", kStopOfTripod, 10, 2}},
                {{1. / 6, 1. / 12, 1. / 24, 1. / 48}}, [](double inverse) {
                  Surface surface = friction(FrictionLaw::linear, 0.1);
                  surface.directions = static_cast<int>(std::round(1 / inverse));
                  return std::vector<double>{stop_of_spin(tripod(surface), 0.02)};
                });
}

}  // namespace
}  // namespace touchstone::support
