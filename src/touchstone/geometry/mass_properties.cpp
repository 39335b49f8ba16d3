#include "touchstone/geometry/mass_properties.h"

namespace touchstone {

// Moments of the simplex (0, x_1 .. x_D) with determinant det, by which a solid is summed up:
//   2D: V += det/2,  S += det/6  (a+b),    Q += det/24  (s s^T + a a^T + b b^T),          s = a+b
//   3D: V += det/6,  S += det/24 (a+b+c),  Q += det/120 (s s^T + a a^T + b b^T + c c^T),  s = a+b+c
// [papers-checked section 4, "moments"]. Coordinates are taken from a vertex of the solid, so that nothing
// is lost by a frame that is far away.
namespace {

template <int D>
struct Moments {
  double V = 0;
  Vec<D> S = Vec<D>::Zero();
  Mat<D> Q = Mat<D>::Zero();

  void add(const Mat<D>& corners, double det) {
    constexpr double kFactorial = D == 2 ? 2 : 6;
    const Vec<D> s = corners.rowwise().sum();
    V += det / kFactorial;
    S += det / (kFactorial * (D + 1)) * s;
    Q += det / (kFactorial * (D + 1) * (D + 2)) * (s * s.transpose() + corners * corners.transpose());
  }

  MassProperties<D> properties(const Vec<D>& origin) const {
    const Vec<D> c = S / V;
    return {V, origin + c, Q - V * c * c.transpose()};
  }
};

}  // namespace

template <>
MassProperties<2> find_mass_properties(const Polytope<2>& P) {
  Moments<2> moments;
  const Vec<2> origin = P.vertex(0);
  for (const Edge& e : P.edges()) {
    const Mat<2> corners = (Mat<2>() << P.vertex(e.tail) - origin, P.vertex(e.head) - origin).finished();
    moments.add(corners, cross(corners.col(0), corners.col(1)));
  }
  return moments.properties(origin);
}

template <>
MassProperties<3> find_mass_properties(const Polytope<3>& P) {
  Moments<3> moments;
  const Vec<3> origin = P.vertex(0);
  for (int f = 0; f < P.facet_count(); ++f) {
    const auto loop = P.facet_vertices(f);
    Mat<3> corners;
    corners.col(0) = P.vertex(loop[0]) - origin;
    for (std::size_t i = 1; i + 1 < loop.size(); ++i) {
      corners.col(1) = P.vertex(loop[i]) - origin;
      corners.col(2) = P.vertex(loop[i + 1]) - origin;
      moments.add(corners, corners.col(0).dot(corners.col(1).cross(corners.col(2))));
    }
  }
  return moments.properties(origin);
}

template <>
Eigen::Matrix<double, 1, 1> MassProperties<2>::inertia(double mass) const {
  return Eigen::Matrix<double, 1, 1>(mass / volume * second_moment.trace());
}

template <>
Mat<3> MassProperties<3>::inertia(double mass) const {
  return mass / volume * (second_moment.trace() * Mat<3>::Identity() - second_moment);
}

}  // namespace touchstone
