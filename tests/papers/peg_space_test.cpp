// PEG in space [Thesis 4.4; PEG 5].

#include <cmath>

#include "support/peg_run.h"
#include "support/random_worlds.h"
#include "touchstone/math/random.h"
#include "touchstone/proximity/gap.h"

namespace touchstone::support {
namespace {

TEST(PegInSpace, ACubeSlidesOffAsTheSquareDoes) {
  for (double h : {.005, .01}) {
    const StepSettings settings = peg_settings(h, std::min(10 * h, .15));
    World<2> square = slide_off<2>();
    World<3> cube = slide_off<3>();
    Stepper<2> planar(settings, "peg");
    double worst = 0;
    const ChoiceTally tally = run_steps(cube, settings, "peg", 1, [&](const World<3>& w) {
      planar.step(square);
      const Vec<3>& x = w.bodies[1].position;
      const Vec<2>& y = square.bodies[1].position;
      worst = std::max({worst, std::abs(x.x() - y.x()), std::abs(x.y()), std::abs(x.z() - y.y())});
    });
    EXPECT_LT(worst, 1e-13) << "h = " << h;
    EXPECT_NEAR(cube.bodies[1].position.x(), .83709, 5e-4);
    EXPECT_EQ(tally.relaxed + tally.backtracks, 0);
    EXPECT_GT(tally.guards, 0);
  }
}

TEST(PegInSpace, ATetrahedronRestsOnItsTwinOfTheSameSize) {
  World<3> world = tetrahedron_on_twin();
  const double z = world.bodies[1].position.z();
  const ChoiceTally tally = run_steps(world, peg_settings(.01, .05), "peg", 2);
  EXPECT_EQ(tally.steps, 200);
  EXPECT_NEAR(world.bodies[1].position.z(), z, 1e-13);
  EXPECT_LT(world.bodies[1].velocity.tail<3>().norm(), 1e-14);
  EXPECT_EQ(tally.relaxed + tally.backtracks, 0);
}

TEST(PegInSpace, ATetrahedronPushedOnItsTwinSlidesFreely) {
  World<3> world = tetrahedron_on_twin();
  world.bodies[1].velocity.head<2>() = Vec<2>(.3, .1);
  const Vec<3> start = world.bodies[1].position;
  run_steps(world, peg_settings(.01, .05), "peg", 1.5);
  EXPECT_LT((world.bodies[1].position - start - Vec<3>(.45, .15, 0)).norm(), 1e-12);
}

TEST(PegInSpace, TetrahedraAndCubesDropOnACubeWithoutFailure) {
  int contacts = 0;
  double deepest = 0;
  ChoiceTally all;
  for (int seed = 1; seed <= 12; ++seed) {
    Random random(seed);
    World<3> world;
    world.gravity = {0, 0, -9.81};
    add_body<3>(world, "fixed", make_box<3>(Vec<3>::Ones()), {}, BodyKind::fixed);
    std::vector<Vec<3>> corners = {{.6, 0, 0}, {-.3, .5, 0}, {-.3, -.5, 0}, {0, 0, .8}};
    const Shape<3> shape =
        seed % 2 ? Shape<3>(make_box<3>(Vec<3>::Constant(.8))) : Shape<3>(Polytope<3>::hull(corners));
    add_body<3>(world, "falling", shape,
                {random.rotation_matrix<3>(), {random.uniform(-.4, .4), random.uniform(-.4, .4), 1.4}});
    for (int i = 3; i < 6; ++i) world.bodies[1].velocity[i] = random.uniform(-1, 1);
    Stepper<3> stepper(peg_settings(.01, .1), "peg");
    for (int i = 0; i < 80; ++i) {
      const StepReport<3> report = stepper.step(world);
      ASSERT_EQ(report.status, StepStatus::done) << report.message << ", seed " << seed << ", step " << i;
      all.add(report);
      contacts += report.contacts > 0;
      const auto placed = [&](int b) {
        return Placed<3>{&std::get<Polytope<3>>(*world.shapes[b].shape),
                         world.bodies[b].X_WC() * world.shapes[b].X_CS};
      };
      deepest = std::min(deepest, find_gap(placed(0), placed(1)).gap);
    }
  }
  EXPECT_EQ(all.relaxed, 0);
  EXPECT_GT(contacts, 200);
  EXPECT_GT(deepest, -6e-3) << "the error of rotation";
  std::printf("deepest %.2g m, guards %ld, flips %ld, backtracks %ld, most solves %d\n", deepest, all.guards,
              all.flips, all.backtracks, all.most_solves);
}

/// Ten random polyhedra enter a box of 1 x 1 m, one every 0.4 s [Thesis 5.2.4, smaller].
TEST(PegInSpace, PolyhedraPouredIntoABoxPileUp) {
  for (int seed = 1; seed <= 2; ++seed) {
    Random random(seed);
    World<3> world;
    world.gravity = {0, 0, -9.81};
    const auto add_wall = [&](const Vec<3>& sides, const Vec<3>& at) {
      add_body<3>(world, "wall", make_box<3>(sides), {Mat<3>::Identity(), at}, BodyKind::fixed);
    };
    add_wall({2, 2, .5}, {0, 0, -.25});
    for (int side : {-1, 1})
      add_wall({.5, 2, 3}, {.75 * side, 0, 1.5}), add_wall({1, .5, 3}, {0, .75 * side, 1.5});
    Stepper<3> stepper(peg_settings(.01, .1), "peg");
    ChoiceTally tally;
    double fastest = 0;
    for (int i = 0; i < 400; ++i) {
      if (i % 40 == 0) {
        std::vector<Vec<3>> points;
        for (int k = 0; k < 10; ++k)
          points.emplace_back(random.uniform(-.25, .25), random.uniform(-.25, .25),
                              random.uniform(-.25, .25));
        const Vec<3> at(random.uniform(-.2, .2), random.uniform(-.2, .2), 2.2);
        add_body<3>(world, "polyhedron", Polytope<3>::hull(points), {Mat<3>::Identity(), at});
      }
      const StepReport<3> report = stepper.step(world);
      ASSERT_EQ(report.status, StepStatus::done) << report.message << ", seed " << seed << ", step " << i;
      tally.add(report);
      for (const Body<3>& body : world.bodies) fastest = std::max(fastest, body.velocity.head<3>().norm());
    }
    for (std::size_t b = 5; b < world.bodies.size(); ++b) {
      const Vec<3>& x = world.bodies[b].position;
      EXPECT_TRUE(x.z() > 0 && std::abs(x.x()) < .5 && std::abs(x.y()) < .5)
          << "polyhedron " << b - 5 << " is out";
    }
    EXPECT_EQ(tally.relaxed, 0) << "seed " << seed;
    EXPECT_LT(fastest, 7) << "seed " << seed;
    EXPECT_LT(tally.illegal, 40) << "seed " << seed;
    std::printf("seed %d: %.1f solves a step, at most %d, flips %ld, illegal %ld, %.2f m/s\n", seed,
                static_cast<double>(tally.solves) / static_cast<double>(tally.steps), tally.most_solves,
                tally.flips, tally.illegal, fastest);
  }
}

}  // namespace
}  // namespace touchstone::support
