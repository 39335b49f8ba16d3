#include "touchstone/geometry/mass_properties.h"

#include <gtest/gtest.h>

#include <numbers>

#include "polytope_check.h"
#include "touchstone/geometry/shapes.h"
#include "touchstone/math/random.h"

namespace touchstone {
namespace {

constexpr double kPi = std::numbers::pi;

TEST(MassProperties, ABoxHasATwelfthOfItsSquaredSides) {
  const Vec<3> s(1, 2, 3);
  const auto mass = find_mass_properties(make_box<3>(s));
  EXPECT_DOUBLE_EQ(mass.volume, 6);
  EXPECT_LE(mass.centre.norm(), 1e-15);
  const Mat<3> expected = (6.0 / 12 * s.cwiseProduct(s)).asDiagonal();
  EXPECT_LE((mass.second_moment - expected).cwiseAbs().maxCoeff(), 1e-14);
  const Vec<3> inertia = Vec<3>(4 + 9, 1 + 9, 1 + 4) * 10 / 12;  // for 10 kg
  EXPECT_LE((mass.inertia(10) - Mat<3>(inertia.asDiagonal())).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(MassProperties, ARectangleHasATwelfthOfItsSquaredDiagonal) {
  const auto mass = find_mass_properties(make_box<2>({1, 2}));
  EXPECT_DOUBLE_EQ(mass.volume, 2);
  EXPECT_NEAR(mass.inertia(3)(0, 0), 3 * (1 + 4) / 12.0, 1e-15);
}

TEST(MassProperties, TheUnitTetrahedron) {
  const auto P = Polytope<3>::hull(std::vector<Vec<3>>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
  const auto mass = find_mass_properties(P);
  EXPECT_NEAR(mass.volume, 1.0 / 6, 1e-16);
  EXPECT_LE((mass.centre - Vec<3>::Constant(0.25)).norm(), 1e-16);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      EXPECT_NEAR(mass.second_moment(i, j), i == j ? 1.0 / 160 : -1.0 / 480,
                  1e-17);  // [Checked 4]
    }
  }
}

TEST(MassProperties, TheUnitTriangle) {
  const auto P = Polytope<2>::hull(std::vector<Vec<2>>{{0, 0}, {1, 0}, {0, 1}});
  const auto mass = find_mass_properties(P);
  EXPECT_NEAR(mass.volume, 0.5, 1e-16);
  EXPECT_LE((mass.centre - Vec<2>::Constant(1.0 / 3)).norm(), 1e-16);
  EXPECT_NEAR(mass.second_moment(0, 0), 1.0 / 36, 1e-17);
  EXPECT_NEAR(mass.second_moment(0, 1), -1.0 / 72, 1e-17);
}

TEST(MassProperties, ARegularPolygonTurnsLikeTwiceItsAxes) {
  // About the centre: I/m = r^2/6 (2 + cos(2 pi/n)), and the same about every axis in the plane.
  for (int n : {3, 4, 5, 6, 17, 1000}) {
    const auto mass = find_mass_properties(make_regular_polygon(n, 2));
    const double inertia = 4.0 / 6 * (2 + std::cos(2 * kPi / n));
    EXPECT_NEAR(mass.inertia(1)(0, 0), inertia, 1e-13);
    EXPECT_NEAR(mass.second_moment(0, 0) / mass.volume, inertia / 2, 1e-13);
    EXPECT_NEAR(mass.second_moment(1, 1) / mass.volume, inertia / 2, 1e-13);
    EXPECT_NEAR(mass.second_moment(0, 1) / mass.volume, 0, 1e-13);
  }
}

TEST(MassProperties, ThePlatonicSolidsTurnAlikeAboutEveryAxis) {
  for (const auto& P :
       {make_tetrahedron(1), make_cube(1), make_octahedron(1), make_dodecahedron(1), make_icosahedron(1)}) {
    const auto mass = find_mass_properties(P);
    EXPECT_LE((mass.second_moment - mass.second_moment(0, 0) * Mat<3>::Identity()).cwiseAbs().maxCoeff(),
              1e-15);
  }
  // Solid octahedron of side a: I/m = a^2/10.
  EXPECT_NEAR(find_mass_properties(make_octahedron(1)).inertia(1)(0, 0), 2.0 / 10, 1e-15);
}

TEST(MassProperties, ACylinderOfManyCornersIsNearlyRound) {
  const auto mass = find_mass_properties(make_cylinder(0.5, 3, 2000));
  EXPECT_NEAR(mass.volume, kPi / 4 * 3, 1e-5);
  EXPECT_NEAR(mass.inertia(1)(2, 2), 0.125, 1e-6);
  EXPECT_NEAR(mass.inertia(1)(0, 0), (3 * 0.25 + 9) / 12, 1e-6);
}

/// Sums over the simplices that join an outside point to the facets, in coordinates of the frame: another
/// decomposition and other formulas (midpoints of edges integrate squares exactly) than the library's.
template <int D>
struct Sums {
  long double volume = 0;
  Eigen::Matrix<long double, D, 1> first = Eigen::Matrix<long double, D, 1>::Zero();
  Eigen::Matrix<long double, D, D> second = Eigen::Matrix<long double, D, D>::Zero();

  using Point = Eigen::Matrix<long double, D, 1>;

  /// A simplex of D+1 corners: the mean of x x^T is (sum of all x_i + x_j over i <= j, squared) /
  /// ((D+1)(D+2)).
  void add(const std::vector<Point>& corners) {
    Eigen::Matrix<long double, D, D> sides;
    for (int i = 0; i < D; ++i) sides.col(i) = corners[i + 1] - corners[0];
    const long double v = sides.determinant() / (D == 2 ? 2 : 6);
    volume += v;
    Eigen::Matrix<long double, D, D> mean = Eigen::Matrix<long double, D, D>::Zero();
    for (int i = 0; i <= D; ++i) {
      first += v / (D + 1) * corners[i];
      for (int j = 0; j <= D; ++j) mean += (i == j ? 2 : 1) * corners[i] * corners[j].transpose();
    }
    second += v / ((D + 1) * (D + 2)) * mean;
  }
  MassProperties<D> properties() const {
    const Point c = first / volume;
    const Eigen::Matrix<long double, D, D> about = second - volume * c * c.transpose();
    return {static_cast<double>(volume), c.template cast<double>(), about.template cast<double>()};
  }
};

MassProperties<3> by_outside_point(const Polytope<3>& P, const Vec<3>& from) {
  Sums<3> sums;
  const auto at = [&](int v) -> Sums<3>::Point { return P.vertex(v).cast<long double>(); };
  for (int f = 0; f < P.facet_count(); ++f) {
    const auto loop = P.facet_vertices(f);
    for (std::size_t i = 1; i + 1 < loop.size(); ++i) {
      sums.add({from.cast<long double>(), at(loop[0]), at(loop[i]), at(loop[i + 1])});
    }
  }
  return sums.properties();
}

MassProperties<2> by_outside_point(const Polytope<2>& P, const Vec<2>& from) {
  Sums<2> sums;
  for (const Edge& e : P.edges()) {
    sums.add({from.cast<long double>(), P.vertex(e.tail).cast<long double>(),
              P.vertex(e.head).cast<long double>()});
  }
  return sums.properties();
}

template <int D>
void expect_near(const MassProperties<D>& a, const MassProperties<D>& b, double size, double tolerance) {
  const double volume = std::abs(b.volume);
  EXPECT_NEAR(a.volume, b.volume, tolerance * volume);
  EXPECT_LE((a.centre - b.centre).norm(), tolerance * size);
  EXPECT_LE((a.second_moment - b.second_moment).cwiseAbs().maxCoeff(), tolerance * volume * size * size);
}

TEST(MassProperties, AgreeWithSumsAboutAnyOtherPoint) {
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    const auto P = make_random_hull<3>(4 + random.index(60), random.bits());
    expect_near(find_mass_properties(P), by_outside_point(P, 3 * random.direction<3>()), P.size(), 1e-14);
    const auto Q = make_random_hull<2>(3 + random.index(60), random.bits());
    expect_near(find_mass_properties(Q), by_outside_point(Q, 3 * random.direction<2>()), Q.size(), 1e-14);
  }
}

TEST(MassProperties, ADistantFrameLosesNoMoreThanTheDigitsOfThePoints) {
  Random random(2);
  for (int i = 0; i < 50; ++i) {
    // Coordinates of 26 bits, so that the shift by 2^26 is exact: the far body is the same body.
    auto points = points_of(make_random_hull<3>(30, random.bits()));
    for (Vec<3>& x : points) x = x.unaryExpr([](double c) { return std::round(c * 0x1p24) * 0x1p-24; });
    const auto near = Polytope<3>::hull(points);
    const Vec<3> shift(0x1p26, -0x1p25, 0x1p26);
    for (Vec<3>& x : points) x += shift;
    const auto far = Polytope<3>::hull(points);
    const auto a = find_mass_properties(near), b = find_mass_properties(far);
    EXPECT_NEAR(a.volume, b.volume, 1e-14);
    EXPECT_LE((a.second_moment - b.second_moment).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_LE((b.centre - shift - a.centre).norm(), 1e-7);  // a round-off of the shift
  }
}

TEST(MassProperties, TurnWithTheBody) {
  Random random(3);
  for (int i = 0; i < 50; ++i) {
    const auto P = make_random_hull<3>(20, random.bits());
    const Mat<3> R = random.rotation_matrix<3>();
    auto points = points_of(P);
    for (Vec<3>& x : points) x = R * x;
    const auto a = find_mass_properties(P), b = find_mass_properties(Polytope<3>::hull(points));
    EXPECT_NEAR(a.volume, b.volume, 1e-14);
    EXPECT_LE((R * a.second_moment * R.transpose() - b.second_moment).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_LE((R * a.inertia(2) * R.transpose() - b.inertia(2)).cwiseAbs().maxCoeff(), 1e-14);
  }
}

TEST(MassProperties, ThinBodiesKeepTheirDigits) {
  const auto mass = find_mass_properties(make_box<3>({1, 1, 1e-9}));
  EXPECT_NEAR(mass.volume / 1e-9, 1, 1e-14);
  EXPECT_NEAR(mass.second_moment(0, 0) / (1e-9 / 12), 1, 1e-14);
  EXPECT_NEAR(mass.second_moment(2, 2) / (1e-27 / 12), 1, 1e-14);
}

}  // namespace
}  // namespace touchstone
