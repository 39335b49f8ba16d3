#include "touchstone/geometry/loop_plane.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>

#include "touchstone/math/exact_sum.h"

namespace touchstone {
namespace {

using Long3 = Eigen::Matrix<long double, 3, 1>;

/// A sliver of length 1 and width w has a normal that is off by a round-off over w. Polygons thinner than
/// this (twice the area over the squared length) are summed exactly; the others keep 1/64 of a double's
/// round-off.
constexpr long double kThin =
    64 * std::numeric_limits<long double>::epsilon() / std::numeric_limits<double>::epsilon();

Vec<3> exact_area_vector(std::span<const Vec<3>> points, std::span<const int> loop) {
  using Lever = std::array<TwoPart, 3>;
  const auto lever = [&](int v) {
    Lever r;
    for (int k = 0; k < 3; ++k) r[k] = exact_difference(points[v][k], points[loop[0]][k]);
    return r;
  };
  std::array<ExactSum, 3> sum;
  Lever u = lever(loop[1]);
  for (std::size_t i = 2; i < loop.size(); ++i) {
    const Lever v = lever(loop[i]);
    for (int k = 0; k < 3; ++k) {
      const int l = (k + 1) % 3, m = (k + 2) % 3;
      sum[k].add_product(u[l], v[m], 1);
      sum[k].add_product(u[m], v[l], -1);
    }
    u = v;
  }
  return Vec<3>(sum[0].value(), sum[1].value(), sum[2].value()) / 2;
}

}  // namespace

Vec<3> area_vector(std::span<const Vec<3>> points, std::span<const int> loop) {
  assert(loop.size() >= 3);
  const Long3 origin = points[loop[0]].cast<long double>();
  Long3 sum = Long3::Zero(), u = points[loop[1]].cast<long double>() - origin;
  long double longest = u.squaredNorm();
  for (std::size_t i = 2; i < loop.size(); ++i) {
    const Long3 v = points[loop[i]].cast<long double>() - origin;
    sum += u.cross(v);
    longest = std::max(longest, v.squaredNorm());
    u = v;
  }
  if (sum.norm() < kThin * longest) return exact_area_vector(points, loop);
  return (sum / 2).cast<double>();
}

Plane<3> plane_of_loop(std::span<const Vec<3>> points, std::span<const int> loop) {
  const Vec<3> normal = area_vector(points, loop).stableNormalized();
  const Long3 n = normal.cast<long double>();
  long double offset = n.dot(points[loop[0]].cast<long double>());
  for (int v : loop) offset = std::max(offset, n.dot(points[v].cast<long double>()));
  return {normal, static_cast<double>(offset)};
}

}  // namespace touchstone
