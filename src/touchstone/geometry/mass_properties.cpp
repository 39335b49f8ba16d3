#include "touchstone/geometry/mass_properties.h"

#include <cassert>

#include "touchstone/geometry/moments.h"
#include "touchstone/math/checks.h"

namespace touchstone {

template <>
SurfaceSum<2> add_facet(std::span<const Vec<2>> loop, const Vec<2>& origin, Moments<2>& moments) {
  assert(loop.size() == 2);
  const Vec<2> a = loop[0] - origin, b = loop[1] - origin;
  const Vec<2> normal_area = right_of(loop[1] - loop[0]);
  moments.add((Mat<2>() << a, b).finished(), a.dot(normal_area));
  return {normal_area.norm(), normal_area, moment<2>((a + b) / 2, normal_area)};
}

template <>
SurfaceSum<3> add_facet(std::span<const Vec<3>> loop, const Vec<3>& origin, Moments<3>& moments) {
  assert(loop.size() >= 3);
  SurfaceSum<3> sum;
  Mat<3> corners;
  corners.col(0) = loop[0] - origin;
  for (std::size_t i = 1; i + 1 < loop.size(); ++i) {
    corners.col(1) = loop[i] - origin;
    corners.col(2) = loop[i + 1] - origin;
    const Vec<3> twice = (loop[i] - loop[0]).cross(loop[i + 1] - loop[0]);
    moments.add(corners, corners.col(0).dot(twice));
    sum.normal_area += twice / 2;
    // The integral of r over a triangle is its area times its centroid, exactly.
    sum.moment += (corners.rowwise().sum() / 3).cross(twice / 2);
  }
  sum.area = sum.normal_area.norm();
  return sum;
}

template <int D>
MassProperties<D> find_mass_properties(const Polytope<D>& P) {
  Moments<D> moments;
  std::vector<Vec<D>> loop;
  for (int f = 0; f < P.facet_count(); ++f) {
    loop.clear();
    for (int v : P.facet_vertices(f)) loop.push_back(P.vertex(v));
    add_facet<D>(loop, P.vertex(0), moments);
  }
  return moments.properties(P.vertex(0));
}

template <>
Eigen::Matrix<double, 1, 1> MassProperties<2>::inertia(double mass) const {
  assert(volume > 0 && mass >= 0);
  return Eigen::Matrix<double, 1, 1>(mass / volume * second_moment.trace());
}

template <>
Mat<3> MassProperties<3>::inertia(double mass) const {
  assert(volume > 0 && mass >= 0 && is_self_adjoint(second_moment));
  return mass / volume * (second_moment.trace() * Mat<3>::Identity() - second_moment);
}

template MassProperties<2> find_mass_properties(const Polytope<2>&);
template MassProperties<3> find_mass_properties(const Polytope<3>&);

}  // namespace touchstone
