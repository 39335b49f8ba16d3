#pragma once
// The sums over simplices from which volume, centre and second moments follow. Private to geometry/.

#include <cassert>
#include <span>

#include "touchstone/geometry/clip.h"
#include "touchstone/math/checks.h"

namespace touchstone {

/// Moments of the simplices (0, x_1 .. x_D) with determinant det, by which a solid is summed up:
///   2D: V += det/2,  S += det/6  (a+b),    Q += det/24  (s s^T + a a^T + b b^T),          s = a+b
///   3D: V += det/6,  S += det/24 (a+b+c),  Q += det/120 (s s^T + a a^T + b b^T + c c^T),  s = a+b+c
/// [Checked 4, "moments"]. The simplices hang at a point of the solid, not at the origin of
/// its frame, so that nothing is lost by a frame that is far away.
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

  /// `origin` is the point at which the simplices hang. A body without volume has no properties: all zero.
  MassProperties<D> properties(const Vec<D>& origin) const {
    if (!(V > 0)) return {};
    assert(is_self_adjoint(Q));
    const Vec<D> c = S / V;
    return {V, origin + c, Q - V * c * c.transpose()};
  }
};

/// Adds the cone from `origin` over a facet to the moments; returns the integrals over the facet itself,
/// about `origin`. The loop runs counter-clockwise seen from outside (2D: the two ends of the edge).
template <int D>
SurfaceSum<D> add_facet(std::span<const Vec<D>> loop, const Vec<D>& origin, Moments<D>& moments);

}  // namespace touchstone
