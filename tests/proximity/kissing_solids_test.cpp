// Named solids that kiss to the last round-off: a vertex of one on the widest face of the other, in both
// orders, cold and remembered from a pose nearby. Round-off alone says whether such a vertex lies above the
// face or below it, and neither may change the answer.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>

#include "support/facing_pair.h"
#include "support/gap_judge.h"

namespace touchstone {
namespace {

constexpr double kGaps[] = {0,      1e-17,  1e-16, -1e-16, 2e-16, 3e-16,
                            -3e-16, -1e-15, 1e-15, 2e-15,  3e-15};  ///< [sizes]
constexpr int kKisses = 33;                                         ///< of each solid on each

struct Solid {
  std::string name;
  Polytope<3> body;
};

std::vector<Solid> named_solids() {
  std::vector<Solid> solids;
  const auto add = [&](const char* name, Polytope<3> body) { solids.push_back({name, std::move(body)}); };
  add("box", make_box<3>({1, 2, 3}));
  add("cube", make_cube(1));
  add("tetrahedron", make_tetrahedron(1));
  add("octahedron", make_octahedron(1));
  add("dodecahedron", make_dodecahedron(1));
  add("icosahedron", make_icosahedron(1));
  add("cylinder", make_cylinder(1, 2, 32));
  add("cone", make_cone(1, 2, 32));
  add("pyramid", make_cone(1, 1, 4));
  add("prism", make_prism(make_regular_polygon(7, 1), 0.5));
  add("tessellated sphere", make_tessellated_sphere(100, 1));
  add("random hull", make_random_hull<3>(50, 3));
  return solids;
}

/// The face with the most corners: the base of a cone, the end of a cylinder.
Feature widest_face(const Polytope<3>& P) {
  int widest = 0;
  for (int f = 1; f < P.facet_count(); ++f) {
    if (P.facet_vertices(f).size() > P.facet_vertices(widest).size()) widest = f;
  }
  return {FeatureKind::face, widest};
}

struct Tally {
  int judged = 0, wrong = 0;
};

void judge(const Placed<3>& A, const Placed<3>& B, const Gap<3>& gap, Tally& tally) {
  ++tally.judged;
  const auto verdict = support::judge_gap<3>(A, B, gap);
  tally.wrong += !verdict.complaints.empty();
  for (const std::string& complaint : verdict.complaints) {
    if (tally.wrong < 4) ADD_FAILURE() << complaint << "\n" << support::text_of<3>(A, B);
  }
}

void judge_cold_and_warm(const Placed<3>& A, const Placed<3>& B, Random& random, Tally& tally) {
  judge(A, B, find_gap<3>(A, B), tally);
  GapMemory<3> memory;
  Placed<3> nearby = A;
  nearby.X_WB.p += 0.01 * random.unit() * random.direction<3>();
  find_gap<3>(nearby, B, &memory);
  judge(A, B, find_gap<3>(A, B, &memory), tally);
}

TEST(KissingSolids, TouchWhereverRoundOffPutsTheVertex) {
  const std::vector<Solid> solids = named_solids();
  std::map<std::string, Tally> tallies;
  Random random(78);
  for (const Solid& base : solids) {
    for (const Solid& tip : solids) {
      Tally &lying = tallies[base.name + " below " + tip.name],
            &standing = tallies[tip.name + " on " + base.name];
      for (int i = 0; i < kKisses; ++i) {
        const Feature vertex{FeatureKind::vertex, random.index(tip.body.vertex_count())};
        const double size = std::max(base.body.size(), tip.body.size());
        const support::FacingPair<3> pair(base.body, tip.body, {widest_face(base.body), vertex},
                                          kGaps[i % std::size(kGaps)] * size, random);
        judge_cold_and_warm(pair.A, pair.B, random, lying);
        judge_cold_and_warm(pair.B, pair.A, random, standing);
      }
    }
  }
  EXPECT_EQ(tallies.size(), 2 * solids.size() * solids.size());
  for (const auto& [name, tally] : tallies) {
    EXPECT_EQ(tally.judged, 2 * kKisses) << name;
    EXPECT_EQ(tally.wrong, 0) << name;
  }
}

Placed<3> placed(const Polytope<3>& P, const std::array<double, 9>& rows, const Vec<3>& p) {
  return {&P, {Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(rows.data()), p}};
}

void expect_right(const Placed<3>& A, const Placed<3>& B) {
  for (const auto& [first, second] : {std::pair{A, B}, std::pair{B, A}}) {
    GapMemory<3> memory;
    for (int query : {1, 2}) {
      const auto verdict = support::judge_gap<3>(first, second, find_gap<3>(first, second, &memory));
      for (const std::string& complaint : verdict.complaints) ADD_FAILURE() << query << ": " << complaint;
    }
    const auto cold = support::judge_gap<3>(first, second, find_gap<3>(first, second));
    EXPECT_TRUE(cold.judged_uniqueness);
    for (const std::string& complaint : cold.complaints) ADD_FAILURE() << "cold: " << complaint;
  }
}

/// Edge to edge at nine tenths of the touching tolerance: of the four normals that tie, the expanding
/// polytope finds two.
TEST(KissingSolids, HaveAllTheirNormals) {
  const Polytope<3> cone = make_cone(1, 2, 32), wedge = make_cylinder(1, 1, 3);
  const std::array<double, 9> R{-0.062901941452507826, -0.39852868108823547, 0.91499630387864228,
                                0.9030944910366635,    -0.41297270992513613, -0.11778744040142353,
                                0.4248101764561848,    0.81891906267173975,  0.38588584163208728};
  expect_right(placed(cone, R, {-1.515344350073822, 0.76004837272784442, -0.67488297525108876}),
               placed(wedge, R, {-1.9259963509991622, -1.0504611606951848, -1.5495204569158889}));
}

/// An edge along a side of a cylinder: the walk to the points at which they would part goes in a circle.
TEST(KissingSolids, AreShownByPointsOfBoth) {
  const Polytope<3> pyramid = make_cone(1, 1, 4), cylinder = make_cylinder(1, 2, 32);
  expect_right(placed(pyramid,
                      {0.084052141781241138, -0.78472696943288722, 0.61411629265690515, 0.91186275069578171,
                       0.30907883950957349, 0.27014180509676228, -0.4017979110890304, 0.5372837745661867,
                       0.74154203133227958},
                      {-2.6097960247493712, 1.1938956128137042, 0.46992427459922226}),
               placed(cylinder,
                      {-0.50513604729573047, 0.83309417169900835, -0.22537008409189621, -0.86041999424284721,
                       -0.5064600689570391, 0.056352746687006419, -0.067193803505859767, 0.22237873017259135,
                       0.97264211976309234},
                      {-1.1067541812504151, 0.47186703011192987, -0.60122420039173607}));
}

}  // namespace
}  // namespace touchstone
