#pragma once
// Distances of points and segments. Private to record/.

#include <algorithm>
#include <cassert>

#include "touchstone/math/vec.h"

namespace touchstone {

template <int D>
double point_to_segment(const Vec<D>& x, const Vec<D>& a, const Vec<D>& b) {
  const Vec<D> d = b - a;
  assert(d.squaredNorm() > 0);
  const double t = std::clamp(d.dot(x - a) / d.squaredNorm(), 0.0, 1.0);
  return (x - (a + t * d)).norm();
}

/// The segments from a to b and from c to d. Either both feet lie inside, or an end is one of them.
inline double segment_to_segment(const Vec<3>& a, const Vec<3>& b, const Vec<3>& c, const Vec<3>& d) {
  double least = std::min({point_to_segment<3>(a, c, d), point_to_segment<3>(b, c, d),
                           point_to_segment<3>(c, a, b), point_to_segment<3>(d, a, b)});
  const Vec<3> u = b - a, v = d - c, w = a - c;
  const double uu = u.dot(u), uv = u.dot(v), vv = v.dot(v), wu = w.dot(u), wv = w.dot(v);
  const double det = uu * vv - uv * uv;
  if (!(det > 0)) return least;
  const double s = (uv * wv - vv * wu) / det, t = (uu * wv - uv * wu) / det;
  const bool inside = s > 0 && s < 1 && t > 0 && t < 1;
  return inside ? std::min(least, (w + s * u - t * v).norm()) : least;
}

}  // namespace touchstone
