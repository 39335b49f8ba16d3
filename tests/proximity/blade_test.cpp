// Bodies as thin as a blade, whose facets have nearly opposite normals: which way their edge points is told
// by neither of these nor by their sum.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "touchstone/math/random.h"
#include "touchstone/proximity/gap.h"

namespace touchstone {
namespace {

/// Round-offs of the vertices and of the gap [sizes].
constexpr double kRoundOff = 1e-14;

/// A blade with its edge along x and a wedge, fat or thin, that presses onto it with an edge of its own. The
/// plane between them is tilted by `lean` against the upper side of the blade, about its edge.
///
///        \ wedge /
///         \     /
///     -----\---/----.
///      blade `-'     > edge
///     --------------'
struct Crossing {
  double thickness, lean, depth;  ///< [m], [rad], [m]
  double angle;                   ///< [rad] between the edges
  double width;                   ///< [m] of the wedge
  Mat<3> turned;                  ///< both bodies: their vertices are rounded as any are

  Polytope<3> blade() const {
    const double t = thickness / 2;
    return hull({{-1, 0, 0}, {1, 0, 0}, {0.1, -1, t}, {-0.1, -1, -t}});
  }
  Polytope<3> wedge() const {
    // n points from the wedge to the blade.
    const Vec<3> n(0, -std::sin(lean), -std::cos(lean)), along(0, -std::cos(lean), std::sin(lean));
    const Vec<3> e = std::cos(angle) * Vec<3>::UnitX() + std::sin(angle) * along, side = n.cross(e);
    const Vec<3> lowest = depth * n, back = lowest - n;
    return hull({lowest - 0.6 * e, lowest + 0.7 * e, back + width * side, back - width * side});
  }

 private:
  Polytope<3> hull(std::vector<Vec<3>> corners) const {
    for (Vec<3>& x : corners) x = turned * x;
    return Polytope<3>::hull(corners);
  }
};

Crossing random_crossing(Random& random) {
  Crossing c;
  c.thickness = std::pow(10, random.uniform(-10, -4));
  c.lean = std::pow(c.thickness, random.uniform(0.05, 1));  // at least as the sides of the blade do
  c.depth = std::pow(10, random.uniform(-14, -2));
  c.angle = random.uniform(0.5, 2.5);
  c.width = std::pow(10, random.uniform(-9, 0));
  c.turned = rotation(Eigen::Quaterniond(random.direction<4>()));
  return c;
}

TEST(Blade, IsPressedByAnEdgeAsDeepAsTheirEdgesCross) {
  Random random(11);
  int undecided_by_sum = 0;
  double worst = 0;
  for (int i = 0; i < 4000; ++i) {
    const Crossing c = random_crossing(random);
    undecided_by_sum += c.thickness * c.lean < 1e-16;
    const Polytope<3> blade = c.blade(), wedge = c.wedge();
    const Placed<3> A{&blade, {}}, B{&wedge, {}};
    GapMemory<3> memory;
    for (int repeat = 0; repeat < 2; ++repeat) {
      const Gap<3> gap = find_gap(A, B, &memory);
      worst = std::max(worst, std::abs(gap.gap + c.depth));
      ASSERT_NEAR(gap.gap, -c.depth, kRoundOff) << "case " << i << ", look " << repeat;
    }
    ASSERT_NEAR(find_gap(A, B).gap, -c.depth, kRoundOff) << "case " << i;
    ASSERT_NEAR(find_gap(B, A).gap, -c.depth, kRoundOff) << "case " << i;
  }
  EXPECT_GT(undecided_by_sum, 200);
  std::printf("%d of 4000 are not told by the sum of normals; the worst gap is wrong by %.2g\n",
              undecided_by_sum, worst);
}

}  // namespace
}  // namespace touchstone
