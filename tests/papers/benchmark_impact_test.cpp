// Closed-form benchmarks of impacts [Checked 6]: B4 bouncing ball, B7 rocking block, B8 Painleve's
// rod, B13 and B14 a cube that falls on its corner.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/dimensions.h"
#include "support/orders.h"
#include "support/trace.h"

namespace touchstone::support {
namespace {

constexpr double kG = 9.81;          // [m/s^2]
constexpr double kRoundOff = 1e-12;  // of an impact
constexpr FrictionLaw kCones[] = {FrictionLaw::linear, FrictionLaw::quadratic};

// ---- B4
// ----------------------------------------------------------------------------------------------------

template <class T>
struct BenchmarkB4 : testing::Test {
  static constexpr int D = T::D;
  static constexpr double radius = 0.1;

  const Benchmark benchmark{"B4", D};

  static World<D> ball(double bounce, Restitution law, double height) {
    World<D> world;
    Surface surface;
    surface.bounce = bounce, surface.restitution = law;
    set_surface(world, surface);
    add_ball<D>(world, radius, {1, 0.004});
    add_half_space<D>(world, {0, 1});
    place(world.bodies[0], {0, radius + height}, 0);
    return world;
  }
  /// Height of the lowest point.
  static Trace drop(double bounce, Restitution law, double h, double end) {
    World<D> world = ball(bounce, law, 1);
    world.gravity = lifted<D>({0, -kG});
    return trace<D>(world, h, end, [](const World<D>& now, const StepReport<D>&) {
      return Sample{0, now.bodies[0].position.y() - radius, planar_velocity(now.bodies[0]).y()};
    });
  }
  static int bounces(const Trace& height) {
    int count = 0;
    for (std::size_t i = 1; i < height.samples().size(); ++i) {
      count += height.samples()[i - 1].rate < 0 && height.samples()[i].rate > 0;
    }
    return count;
  }
  /// When the ball is at rest for good.
  static double rest(const Trace& height) {
    double since = height.last().time;
    for (auto s = height.samples().rbegin(); s != height.samples().rend() && std::abs(s->rate) < 1e-9; ++s) {
      since = s->time;
    }
    return since;
  }
};
TYPED_TEST_SUITE(BenchmarkB4, Dimensions, DimensionNames);

TYPED_TEST(BenchmarkB4, ABallBouncesAtTheTimesOfTheGeometricSeries) {
  for (const Restitution law : {Restitution::newton, Restitution::poisson}) {
    const std::string with = law == Restitution::newton ? "Newton: " : "Poisson: ";
    const int order = law == Restitution::newton ? 2 : 1;  // Poisson's impulse has what falls within the step
    expect_orders(this->benchmark,
                  {{with + "bounce 1 at [s]", 0.4515236409857309, 1},
                   {with + "bounce 2 at [s]", 1.1739614665629, 4, order},
                   {with + "bounce 3 at [s]", 1.751911727024636, 5, order}},
                  {halved(0.004, 4), 8}, [&](double h) {
                    const Trace height = this->drop(0.8, law, h, 1.8);
                    return std::vector<double>{height.striking(0, 1).time, height.striking(0, 2).time,
                                               height.striking(0, 3).time};
                  });
  }
}

/// The scheme cannot make infinitely many bounces: those slower than two steps of fall are none. Each one
/// made is wrong by a share of a step, so that the end is wrong by h times their number, which grows like
/// log(1/h).
TYPED_TEST(BenchmarkB4, ABallComesToRestAtTheEndOfItsInfinitelyManyBounces) {
  const double end = 4.063712768871578;
  expect_orders(this->benchmark, {{"at rest from [s], error per bounce made", end, 3}},
                {halved(0.004, 4), 12}, [&](double h) {
                  const Trace height = this->drop(0.8, Restitution::newton, h, 4.5);
                  EXPECT_NEAR(height.last().x, 0, kRoundOff);
                  return std::vector<double>{end + (this->rest(height) - end) / this->bounces(height)};
                });
}

TYPED_TEST(BenchmarkB4, ABallThatDoesNotBounceRestsWhereItFell) {
  const double end = 0.4515236409857309;
  expect_orders(this->benchmark, {{"e 0: at rest from [s]", end, 2}}, {phased(end, 0.004, 4)}, [&](double h) {
    const Trace height = this->drop(0, Restitution::newton, h, 0.6);
    EXPECT_NEAR(height.last().x, 0, kRoundOff);
    return std::vector<double>{this->rest(height)};
  });
}

TYPED_TEST(BenchmarkB4, NewtonAndPoissonThrowABallBackAlike) {
  for (const double bounce : {0., 0.3, 0.8, 1.}) {
    for (const double gap : {0., 0.013}) {
      for (const Restitution law : {Restitution::newton, Restitution::poisson}) {
        auto world = this->ball(bounce, law, gap);
        set_velocity(world.bodies[0], {0, -2}, 0);
        step_once(world, 0.01);
        // Without bounce the step ends where the ball touches; the speed that is left goes with the next.
        if (bounce == 0) step_once(world, 0.01);
        EXPECT_NEAR(planar_velocity(world.bodies[0]).y(), 2 * bounce, kRoundOff) << bounce << " " << gap;
      }
    }
  }
}

// ---- B7
// ----------------------------------------------------------------------------------------------------

template <class T>
struct BenchmarkB7 : testing::Test {
  static constexpr int D = T::D;
  static constexpr double b = 0.25, half_height = 1;  // [m]

  const Benchmark benchmark{"B7", D};

  /// Turned counter-clockwise about its left lower edge, which lies at the origin.
  static World<D> block(double tilt, double rate) {
    World<D> world;
    set_surface(world, friction(FrictionLaw::linear, 1));
    Vec<D> sides = Vec<D>::Ones();
    sides.template head<2>() << 2 * b, 2 * half_height;
    add_box<D>(world, sides);
    add_half_space<D>(world, {0, 1});
    const Vec<2> r = rotation(tilt) * Vec<2>(b, half_height);
    place(world.bodies[0], r, tilt);
    set_velocity(world.bodies[0], rate * Vec<2>(-r.y(), r.x()), rate);
    return world;
  }
};
TYPED_TEST_SUITE(BenchmarkB7, Dimensions, DimensionNames);

TYPED_TEST(BenchmarkB7, ARockingBlockKeepsTheShareOfItsSpinThatItsSlendernessAllows) {
  auto world = this->block(0, -2);
  step_once(world, 0.01);
  expect_exact(this->benchmark, {"w+/w- of an impact", 0.9117647058823529, kRoundOff},
               planar_spin(world.bodies[0]) / -2);
}

TYPED_TEST(BenchmarkB7, ABlockRocksFromEdgeToEdge) {
  constexpr int D = TypeParam::D;
  expect_orders(this->benchmark,
                {{"impact 1 at [s]", 0.4185486604621036, 0.7},
                 {"impact 2 at [s]", 1.124033190294284, 15},
                 {"impact 3 at [s]", 1.733445711733421, 40},
                 {"impact 4 at [s]", 2.267647207090573, 60},
                 {"rate before impact 1 [rad/s]", 0.5258033392646013, 1.2},
                 {"rate before impact 2 [rad/s]", 0.4794089269765482, 8}},
                {halved(0.002, 4), 4}, [&](double h) {
                  World<D> world = this->block(0.1, 0);
                  world.gravity = lifted<D>({0, -kG});
                  const Trace tilt = trace<D>(world, h, 2.4, [](const World<D>& now, const StepReport<D>&) {
                    return Sample{0, planar_angle(now.bodies[0]), planar_spin(now.bodies[0])};
                  });
                  std::vector<double> found;
                  for (int n = 1; n <= 4; ++n) found.push_back(tilt.striking(0, n).time);
                  for (int n = 1; n <= 2; ++n) found.push_back(std::abs(tilt.striking(0, n).rate));
                  return found;
                });
}

// ---- B8
// ----------------------------------------------------------------------------------------------------

template <class T>
struct BenchmarkB8 : testing::Test {
  static constexpr int D = T::D;

  const Benchmark benchmark{"B8", D};

  /// A rod of 2 m whose end stands on the floor, below and to the left of its centre, at an angle over the
  /// floor; it slides to the left with 1 m/s.
  static World<D> rod(double angle, const Surface& surface) {
    World<D> world;
    set_surface(world, surface);
    world.gravity = lifted<D>({0, -kG});
    add_rod<D>(world, 2);
    add_half_space<D>(world, {0, 1});
    place(world.bodies[0], {std::cos(angle), std::sin(angle)}, angle - std::numbers::pi / 2);
    set_velocity(world.bodies[0], {-1, 0}, 0);
    return world;
  }
  static Vec<2> impulse(const StepReport<D>& report) {
    Vec<2> sum = Vec<2>::Zero();
    for (const ContactForce<D>& force : report.forces) sum += planar<D>(force.impulse);
    return sum;
  }
};
TYPED_TEST_SUITE(BenchmarkB8, Dimensions, DimensionNames);

TYPED_TEST(BenchmarkB8, PainlevesRodSlidesWhileItsEquationsAreConsistent) {
  constexpr double h = 1e-3;
  for (const FrictionLaw law : kCones) {
    auto gentle = this->rod(std::numbers::pi / 4, friction(law, 1));
    expect_exact(this->benchmark, {name_of(law) + ", 45 deg, mu 1: N [N]", 9.81, kRoundOff / h},
                 this->impulse(step_once(gentle, h)).y() / h);
    auto steep = this->rod(std::atan(2.), friction(law, 1.2));
    expect_exact(this->benchmark, {name_of(law) + ", atan 2, mu 1.2: N [N]", 61.3125, 10 * kRoundOff / h},
                 this->impulse(step_once(steep, h)).y() / h);
  }
}

/// With mu 1.6 no force keeps the rod on the floor: an impulse must stop the sliding end. With K the inverse
/// mass at the end, p = -K^-1 (v_P + h g); its limit is that of the table.
TYPED_TEST(BenchmarkB8, PainlevesRodIsStoppedByAnImpulseWhereItsEquationsAreInconsistent) {
  const Mat<2> inverse_K = (Mat<2>() << 0.4, 0.3, 0.3, 0.85).finished();
  for (const FrictionLaw law : kCones) {
    const std::string with = name_of(law) + ", atan 2, mu 1.6: ";
    expect_orders(this->benchmark,
                  {{with + "impulse along the floor [N s]", 0.4, 10},
                   {with + "impulse upwards [N s]", 0.3, 10},
                   {with + "spin after [rad/s]", 0.6708203932499369, 10},
                   {with + "speed along the floor after [m/s]", -0.6, 10},
                   {with + "speed upwards after [m/s]", 0.3, 10}},
                  {halved(1e-3, 4)}, [&](double h) {
                    auto world = this->rod(std::atan(2.), friction(law, 1.6));
                    const Vec<2> p = this->impulse(step_once(world, h));
                    EXPECT_LT((p - inverse_K * Vec<2>(1, h * kG)).norm(), 10 * kRoundOff);
                    const Vec<2> v = planar_velocity(world.bodies[0]);
                    return std::vector<double>{p.x(), p.y(), planar_spin(world.bodies[0]), v.x(), v.y()};
                  });
  }
}

/// At rest against turning, the rod slides on below mu_P = (1 + 3 cos^2)/(3 sin cos) and is stopped above;
/// mu_P is least, 4/3, where the tangent is 2.
TYPED_TEST(BenchmarkB8, PainlevesRodIsStoppedFromTheCriticalFrictionOn) {
  constexpr double h = 1e-4;
  for (const double angle : {std::numbers::pi / 4, std::atan(2.), 1.3}) {
    const double c = std::cos(angle), s = std::sin(angle), critical = (1 + 3 * c * c) / (3 * s * c);
    EXPECT_GE(critical, 4. / 3 - kRoundOff);
    for (const double share : {0.99, 1.01}) {
      auto world = this->rod(angle, friction(FrictionLaw::linear, share * critical));
      step_once(world, h);
      const Vec<2> r(-c, -s), v = planar_velocity(world.bodies[0]);
      const double slide = v.x() - planar_spin(world.bodies[0]) * r.y();
      EXPECT_EQ(std::abs(slide) > kRoundOff, share < 1) << angle << " " << share << " " << slide;
    }
  }
}

// ---- B13, B14
// ----------------------------------------------------------------------------------------------

/// The unit cube on its lowest corner, which is `r` from its centre; no gravity.
struct CornerDrop {
  World<3> world;
  Vec<3> r;

  explicit CornerDrop(const Surface& surface) {
    set_surface(world, surface);
    const int cube = add_box<3>(world, Vec<3>::Ones());
    add_half_space<3>(world, Plane<3>{});
    const Mat<3> R = rotation(Vec<3>(Vec<3>::UnitZ()), 0.3) * rotation(Vec<3>(Vec<3>::UnitY()), 0.5) *
                     rotation(Vec<3>(Vec<3>::UnitX()), 0.4);
    world.bodies[cube].attitude = Attitude<3>::from(R);
    r = R * Vec<3>(0.5, -0.5, -0.5);  // the lowest corner
    world.bodies[cube].position = {0, 0, -r.z()};
    world.bodies[cube].velocity = twist<3>({0.5, 0, -2}, {1, 2, 3});
  }
  Vec<3> spin() const { return angular<3>(world.bodies[0].velocity); }
};

Vec<3> impulse_of(const StepReport<3>& report) {
  Vec<3> sum = Vec<3>::Zero();
  for (const ContactForce<3>& force : report.forces) sum += force.impulse;
  return sum;
}

void expect_vector(const std::string& quantity, const Vec<3>& value, const Vec<3>& found) {
  const char* axes[] = {", x", ", y", ", z"};
  for (int i = 0; i < 3; ++i) expect_exact({"B13", 3}, {quantity + axes[i], value[i], kRoundOff}, found[i]);
}

TEST(BenchmarkB13, ACubeStrikesAFloorWithoutFrictionWithItsCorner) {
  CornerDrop drop(friction(FrictionLaw::none));
  EXPECT_LT((drop.r - Vec<3>(0.1976407982797299, -0.2171114352437436, -0.8147396759344379)).norm(), 1e-15);
  const double before = energy(drop.world).kinetic;
  const StepReport<3> report = step_once(drop.world, 0.01);
  expect_vector("frictionless: J [N s]", {0, 0, 1.721856493614434}, impulse_of(report));
  expect_vector("frictionless: w+ [rad/s]", {-1.243008407674338, -0.04185455152656109, 3}, drop.spin());
  expect_exact({"B14", 3}, {"frictionless: energy lost [J]", 2.249082952841723, kRoundOff},
               before - report.energy.kinetic);
}

TEST(BenchmarkB13, ACubeStrikesAFloorWithoutSlipWithItsCorner) {
  const Vec<3> J(-0.285700037927002, 0.1534072301934267, 2.011105328387234);
  EXPECT_NEAR(J.head<2>().norm() / J.z(), 0.1612452540657887, 1e-15);
  for (const FrictionLaw law : {FrictionLaw::no_slip, FrictionLaw::linear, FrictionLaw::quadratic}) {
    // Any cone that holds F/N = .161 makes the corner stick.
    CornerDrop drop(friction(law, 0.5));
    const double before = energy(drop.world).kinetic;
    const StepReport<3> report = step_once(drop.world, 0.01);
    const std::string with = name_of(law) + ": ";
    expect_vector(with + "J [N s]", J, impulse_of(report));
    expect_vector(with + "w+ [rad/s]", {-0.8698820435522037, 1.011768162728185, 2.809744692922727},
                  drop.spin());
    expect_exact({"B14", 3}, {with + "energy lost [J]", 2.450622974479623, kRoundOff},
                 before - report.energy.kinetic);
  }
}

/// Two cubes in free flight, corner against face, rough: what one loses the other gains.
TEST(BenchmarkB14, MomentumIsKeptInEveryStepOfACollisionInFreeFlight) {
  for (const FrictionLaw law :
       {FrictionLaw::none, FrictionLaw::linear, FrictionLaw::quadratic, FrictionLaw::no_slip}) {
    CornerDrop drop(friction(law, 0.3));
    World<3>& world = drop.world;
    world.shapes.pop_back(), world.bodies.pop_back();
    const int other = add_box<3>(world, Vec<3>(2, 2, 1));
    world.bodies[other].position = {0.3, -0.2, -0.52};
    world.bodies[other].velocity = twist<3>({0, 0.1, 0.3}, {0.2, -0.3, 0.1});
    Momentum<3> before = momentum(world);
    double worst = 0, kinetic = energy(world).kinetic;
    int touching = 0;
    run<3>(world, with_step(0.005), 1, [&](const World<3>& now, const StepReport<3>& report) {
      const Momentum<3> after = momentum(now);
      worst =
          std::max({worst, (after.linear - before.linear).norm(), (after.angular - before.angular).norm()});
      before = after;
      touching += impulse_of(report).norm() > 0;
      EXPECT_LE(report.energy.kinetic, kinetic + report.balance.work - report.balance.contact + kRoundOff);
      kinetic = report.energy.kinetic;
      return true;
    });
    EXPECT_GT(touching, 0) << "they met";
    expect_exact({"B14", 3}, {name_of(law) + ": change of momentum in a step [N s, N m s]", 0, kRoundOff},
                 worst);
  }
}

}  // namespace
}  // namespace touchstone::support
