#include "support/ray_exit.h"

#include <Eigen/LU>
#include <limits>

namespace touchstone::support {
namespace {

/// Relative improvement below which a column does not enter.
constexpr double kOptimal = 1e-12;
constexpr int kMaxPivots = 1000;

template <int D>
Vec<D> highest(const std::vector<Vec<D>>& points, const Vec<D>& n) {
  const Vec<D>* best = &points[0];
  for (const Vec<D>& x : points) {
    if (n.dot(x) > n.dot(*best)) best = &x;
  }
  return *best;
}

/// D points around the ray, near the origin: inside the hull, so they may stand for columns at the start.
template <int D>
Mat<D> first_basis(const Vec<D>& u, double inner) {
  int skipped = 0;
  u.cwiseAbs().maxCoeff(&skipped);
  Mat<D> W;
  Vec<D> sum = Vec<D>::Zero();
  for (int k = 0, column = 1; k < D; ++k) {
    if (k == skipped) continue;
    const Vec<D> across = Vec<D>::Unit(k) - u * u[k];
    W.col(column++) = u + across;
    sum += across;
  }
  W.col(0) = u - sum;
  return W * (inner / W.colwise().norm().maxCoeff());
}

/// The column that leaves for w: the first whose weight in u drops to zero.
template <int D>
int leaving(const Vec<D>& weights, const Vec<D>& change) {
  int out = -1;
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < D; ++k) {
    if (change[k] <= 0) continue;
    const double ratio = weights[k] / change[k];
    if (ratio < least) {
      least = ratio;
      out = k;
    }
  }
  return out;
}

}  // namespace

template <int D>
RayExit<D> find_ray_exit(const RayQuery<D>& query) {
  const Vec<D>& u = query.direction;
  Mat<D> W = first_basis<D>(u, query.inner);
  Vec<D> n = u;
  for (int pivots = 0; pivots < kMaxPivots; ++pivots) {
    const auto lu = W.fullPivLu();
    n = W.transpose().fullPivLu().solve(Vec<D>::Ones().eval());  // the plane n.w = 1 through the columns
    const Vec<D> w = highest<D>(query.b, n) - highest<D>(query.a, -n);
    if (n.dot(w) <= 1 + kOptimal) break;
    const int out = leaving<D>(lu.solve(u), lu.solve(w));
    if (out < 0) break;
    W.col(out) = w;
  }
  return {1 / n.dot(u), n.normalized()};
}

template RayExit<2> find_ray_exit(const RayQuery<2>&);
template RayExit<3> find_ray_exit(const RayQuery<3>&);

}  // namespace touchstone::support
