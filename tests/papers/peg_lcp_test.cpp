// The mixed LCP of [Thesis eq. 4.50, columns corrected] and its sizes [eq. 4.52-4.55].

#include <cmath>

#include "support/peg_run.h"
#include "touchstone/dynamics/peg_lcp.h"

namespace touchstone::support {
namespace {

StepSettings lcp_settings(double h, const char* solver) {
  StepSettings settings = peg_settings(h, 10 * h);
  settings.solver = solver;
  choose_formulation("peg-lcp", settings.formulation);
  return settings;
}

TEST(PegLcp, SizesAreThoseOfTheThesis) {
  for (int contacts = 2; contacts <= 30; ++contacts) {
    for (int listed = 0; listed <= contacts; ++listed) {
      if (listed == 1) continue;
      constexpr int kBodies = 4, kJoints = 3, kDirections = 8;
      const PegSizes sizes = peg_sizes({6 * kBodies, kJoints, contacts, listed, kDirections});
      const int u = contacts, s = listed, d = kDirections, common = 6 * kBodies + kJoints;
      EXPECT_EQ(sizes.standard, common + u + u * d + u) << "eq. 4.52";
      EXPECT_EQ(sizes.peg, common + (u - s) + (u - s) * d + (u - s) + s + s / 2 * d + s / 2) << "eq. 4.53";
      EXPECT_EQ(sizes.most, common + (u - 2) + (u - 2) * d + (u - 2) + 2 + d + 1) << "eq. 4.54";
      EXPECT_EQ(sizes.least, common + u + u / 2 * d + u / 2) << "eq. 4.55";
      EXPECT_LE(sizes.peg, sizes.standard);
      EXPECT_GE(sizes.peg, sizes.least);
      if (listed > 0) {
        EXPECT_LE(sizes.peg, sizes.most);
      }
    }
  }
  const PegSizes smooth = peg_sizes({6, 0, 10, 6, 0});
  EXPECT_EQ(smooth.peg, smooth.standard) << "without friction both are equal";
}

TEST(PegLcp, LemkeSlidesTheBoxOffTheTable) {
  for (double h : {.002, .005, .01, .02}) {
    World<2> world = slide_off<2>();
    StepSettings settings = lcp_settings(h, "lemke");
    settings.margin = std::min(10 * h, .15);
    run_steps(world, settings, "peg", 1);
    EXPECT_NEAR(world.bodies[1].position.x(), .8371, 1e-4) << "h = " << h;
  }
}

TEST(PegLcp, WhichWayTheTriangleFallsDependsOnTheSolver) {
  const Vec<3> truth(3.7273, -2.2347, 1.0389);
  const auto end = [](double h, const char* solver) {
    World<2> world = triangle_drop();
    Stepper<2> stepper(lcp_settings(h, solver), "peg");
    for (long i = 0; i < std::lround(1.5 / h); ++i) stepper.step(world);
    return triangle_state(world);
  };
  EXPECT_LT((end(.004, "lemke") - truth).norm(), .05);
  EXPECT_GT((end(.008, "lemke") - truth).norm(), .5) << "the primary contact was the wrong one [PEG 3.1]";
  EXPECT_GT((end(.004, "fischer-newton") - truth).norm(), .5);
}

TEST(PegLcp, SolutionsSatisfyEveryListInPiles) {
  PolygonBox box = polygon_box(1);
  Stepper<2> lcp(lcp_settings(.01, "lemke"), "peg"), selection(peg_settings(.01, .1), "peg");
  int lists = 0, unsolved = 0;
  for (int i = 0; i < 150; ++i) {
    let_in(box);
    World<2> copy = box.world;
    const StepReport<2> report = lcp.step(copy);
    unsolved += report.status != StepStatus::done;
    selection.step(box.world);
    if (report.status != StepStatus::done) continue;
    for (const auto* all : {&report.set.inter_contact, &report.set.cross_contact}) {
      for (const auto& members : *all) {
        double most_open = -INFINITY;
        for (int k : members) {
          const Contact<2>& c = report.set.contacts[k];
          const auto speed = [&](int b) {
            // The velocities are those that the step found; the levers those of its start.
            const Vec<2> r = c.point - (copy.bodies[b].position - .01 * copy.bodies[b].velocity.head<2>());
            return point_velocity<2>(copy.bodies[b].velocity, r);
          };
          most_open = std::max(most_open, c.offset + .01 * c.normal.dot(speed(c.body_A) - speed(c.body_B)));
        }
        EXPECT_GT(most_open, -1e-8) << "step " << i;
        ++lists;
      }
    }
  }
  EXPECT_GT(lists, 100);
  EXPECT_LE(unsolved, 3);
}

}  // namespace
}  // namespace touchstone::support
