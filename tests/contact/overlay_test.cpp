// The tilting-plane lemma [Plane 1; docs/contact-models.md], checked by linear programming.

#include "touchstone/contact/overlay.h"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <limits>
#include <vector>

#include "oracles/tilting_plane.h"
#include "support/dimensions.h"
#include "touchstone/geometry/shapes.h"
#include "touchstone/math/random.h"
#include "touchstone/math/twist.h"

namespace touchstone {
namespace {

template <class T>
class Overlay : public testing::Test {};
TYPED_TEST_SUITE(Overlay, support::Dimensions, support::DimensionNames);

template <int D>
Polytope<D> small_body(Random& random) {
  if (random.index(3) == 0) return make_box<D>(Vec<D>::Constant(random.uniform(0.5, 1)));
  return make_random_hull<D>(D + 1 + random.index(5), random.bits());
}

/// Two bodies, A somewhere above B along n, and the twist of A against B.
template <int D>
struct Case {
  Polytope<D> A, B;
  Pose<D> X_A, X_B;
  Vec<D> n;
  Twist<D> V;

  explicit Case(Random& random)
      : A(small_body<D>(random)), B(small_body<D>(random)), X_B{random.rotation_matrix<D>(), Vec<D>::Zero()} {
    n = random.direction<D>();
    X_A.R = random.rotation_matrix<D>();
    if (random.index(4) == 0) n = Vec<D>::Unit(D - 1), X_A.R = X_B.R = Mat<D>::Identity();  // face on face
    X_A.p = random.uniform(1, 3) * n + random.uniform(0, 1.8) * random.direction<D>();
    for (int i = 0; i < kDof<D>; ++i) V[i] = random.uniform(-1, 1);
  }
  double lift(const Vec<D>& x) const { return n.dot(point_velocity<D>(V, x)); }
  /// Right-hand side: the least of height + lift at the corners of the overlay.
  double least_corner() const {
    OverlayFinder<D> overlay;
    const double everything = std::numeric_limits<double>::infinity();
    double least = everything;
    for (const OverlayPoint<D>& corner : overlay.find({&A, X_A}, {&B, X_B}, n, {everything, 1e-12})) {
      least = std::min(least, corner.height + lift(corner.point_A));
    }
    return least;
  }
  std::vector<LiftedPoint<D>> lifted(const Polytope<D>& P, const Pose<D>& X, double share) const {
    const Mat<D> basis = Eigen::HouseholderQR<Vec<D>>(n).householderQ() * Mat<D>::Identity();
    std::vector<LiftedPoint<D>> points;
    for (int v = 0; v < P.vertex_count(); ++v) {
      const Vec<D> x = X * P.vertex(v);
      points.push_back({basis.template rightCols<D - 1>().transpose() * x, n.dot(x) + share * lift(x)});
    }
    return points;
  }
};

TYPED_TEST(Overlay, ItsLeastCornerIsTheWidestSlabThatATiltingPlaneLeaves) {
  constexpr int D = TypeParam::D;
  Random random(7);
  int apart = 0, open = 0, closed = 0;
  for (int i = 0; i < 600; ++i) {
    const Case<D> c(random);
    const auto slab = widest_slab<D>(c.lifted(c.A, c.X_A, 1), c.lifted(c.B, c.X_B, 0));
    const double corner = c.least_corner();
    if (!slab) {
      ++apart;
      EXPECT_EQ(corner, std::numeric_limits<double>::infinity()) << "case " << i << ": shadows do not meet";
      continue;
    }
    (*slab > 0 ? open : closed) += 1;
    EXPECT_NEAR(corner, *slab, 1e-9) << "case " << i;
  }
  EXPECT_GT(apart, 30);
  EXPECT_GT(open, 100);
  EXPECT_GT(closed, 50);
}

/// A body stands on the floor and 2.5e-9 m inside a wall, whose lower edge lies on a sloping face of the
/// body, 2e-9 m deep and about as far from two of its vertices. These touch the wall's lower face, and stand
/// for the edge's ends only as far as a tolerance in breadth tells, not in height. (Of a pile that did not
/// settle.)
TEST(Overlay, HasTheLowestCornerAlsoWhereAVertexIsNear) {
  const Polytope<3> wall = make_box<3>({0.5, 3, 8});
  const Pose<3> X_wall{Mat<3>::Identity(), {1.25, 0, 4}};
  const double x = 1 + 2.5e-9, z = -8e-14;
  const Polytope<3> body = Polytope<3>::hull(std::vector<Vec<3>>{{0.768769, 0.373364, 0.096601},
                                                                 {0.532316, 0.559004, 0.001047},
                                                                 {0.807026, 0.430351, 0.188753},
                                                                 {0.524945, 0.624246, z},
                                                                 {x, 0.461347, z},
                                                                 {0.803227, 0.788251, 0.211029},
                                                                 {x, 0.781, z}});
  const Pose<3> X_body;
  OverlayFinder<3> overlay;
  int checked = 0;
  for (int f = 0; f < body.facet_count(); ++f) {
    const Vec<3>& n = body.plane(f).normal;
    const auto holds = [&](double y) {
      return std::abs(n.dot(Vec<3>(x, y, z)) - body.plane(f).offset) < 1e-12;
    };
    if (!holds(0.461347) || !holds(0.781) || n.z() < 0) continue;  // the face that looks at the wall's edge
    const double edge = n.dot(Vec<3>(1, 0.6, 0)) - body.plane(f).offset;
    double least = 1;
    for (const auto& c : overlay.find({&wall, X_wall}, {&body, X_body}, n, {1, 1e-8}))
      least = std::min(least, c.height);
    EXPECT_LT(edge, -1e-9);
    EXPECT_NEAR(least, edge, 2e-10);
    ++checked;
  }
  EXPECT_EQ(checked, 1);
}

TEST(Overlay, OfBoxesThatCoincideHasOneCornerForEachOfTheirs) {
  const Polytope<2> square = make_box<2>(Vec<2>::Ones());
  const Polytope<3> cube = make_box<3>(Vec<3>::Ones());
  OverlayFinder<2> in_plane;
  OverlayFinder<3> in_space;
  const Vec<2> up2 = Vec<2>::UnitY();
  const Vec<3> up3 = Vec<3>::UnitZ();
  // Beside each other by round-off, in any direction, as in a stack that was simulated.
  for (const double off : {0., 1e-16, -3e-16, 1e-13}) {
    const Pose<2> X2{Mat<2>::Identity(), Vec<2>(off, 1)};
    const Pose<3> X3{Mat<3>::Identity(), Vec<3>(off, -2 * off, 1)};
    EXPECT_EQ(in_plane.find({&square, X2}, {&square, {}}, up2, {1, 1e-9}).size(), 2u) << off;
    EXPECT_EQ(in_space.find({&cube, X3}, {&cube, {}}, up3, {1, 1e-9}).size(), 4u) << off;
  }
  // A quarter of the side apart they cross: two vertices of each.
  const Pose<3> aside{Mat<3>::Identity(), Vec<3>(0.25, 0, 1)};
  EXPECT_EQ(in_space.find({&cube, aside}, {&cube, {}}, up3, {1, 1e-9}).size(), 4u);
  const Pose<3> turned{rotation(Vec<3>(Vec<3>::UnitZ()), 0.7853981633974483), Vec<3>(0, 0, 1)};
  EXPECT_EQ(in_space.find({&cube, turned}, {&cube, {}}, up3, {1, 1e-9}).size(), 8u) << "eight crossings";
}

}  // namespace
}  // namespace touchstone
