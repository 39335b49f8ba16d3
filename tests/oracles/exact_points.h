#pragma once
// Exact-enough arithmetic for the oracles: placed points, facet normals and s(n) in any real type.

#include <cmath>
#include <span>
#include <vector>

#include "touchstone/proximity/placed.h"

namespace touchstone::oracle {

template <class Real, int D>
using RealVec = Eigen::Matrix<Real, D, 1>;

/// A square root in any type that has + - * /, from the one of long double by Newton's iteration.
template <class Real>
Real root(const Real& x) {
  if (!(x > Real(0))) return Real(0);
  Real y = Real(std::sqrt(static_cast<long double>(x)));
  for (int i = 0; i < 2; ++i) y = (y + x / y) / Real(2);
  return y;
}

template <class Real, int D>
Real product(const RealVec<Real, D>& x, const RealVec<Real, D>& y) {
  Real sum = x[0] * y[0];
  for (int k = 1; k < D; ++k) sum += x[k] * y[k];
  return sum;
}

template <class Real, int D>
Real length(const RealVec<Real, D>& x) {
  return root(product<Real, D>(x, x));
}

template <class Real, int D>
RealVec<Real, D> widened(const Vec<D>& x) {
  RealVec<Real, D> y;
  for (int k = 0; k < D; ++k) y[k] = Real(x[k]);
  return y;
}

template <class Real>
RealVec<Real, 3> cross_product(const RealVec<Real, 3>& u, const RealVec<Real, 3>& v) {
  return {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
}

/// R x + offset, and R (x - y), with the entries of R as they are.
template <class Real, int D>
RealVec<Real, D> turned(const Mat<D>& R, const RealVec<Real, D>& x) {
  RealVec<Real, D> y;
  for (int i = 0; i < D; ++i) {
    y[i] = Real(R(i, 0)) * x[0];
    for (int k = 1; k < D; ++k) y[i] += Real(R(i, k)) * x[k];
  }
  return y;
}

/// A body of the pair; its points are relative to the position of A, which is taken off exactly.
template <class Real, int D>
class ExactBody {
 public:
  ExactBody(const Placed<D>& body, const Vec<D>& origin) : polytope_(*body.polytope), R_(body.X_WB.R) {
    const RealVec<Real, D> offset = widened<Real, D>(body.X_WB.p) - widened<Real, D>(origin);
    for (const Vec<D>& x : polytope_.vertices()) {
      points_.push_back(turned<Real, D>(R_, widened<Real, D>(x)) + offset);
    }
  }

  const RealVec<Real, D>& point(int v) const { return points_[v]; }
  const std::vector<RealVec<Real, D>>& points() const { return points_; }
  const Polytope<D>& polytope() const { return polytope_; }

  /// From vertex v to w, with the local difference taken first: short edges keep their digits.
  RealVec<Real, D> between(int v, int w) const {
    return turned<Real, D>(R_, widened<Real, D>(polytope_.vertex(w)) - widened<Real, D>(polytope_.vertex(v)));
  }
  RealVec<Real, D> along(int edge) const {
    return between(polytope_.edge(edge).tail, polytope_.edge(edge).head);
  }

 private:
  const Polytope<D>& polytope_;
  Mat<D> R_;
  std::vector<RealVec<Real, D>> points_;
};

/// The outward unit normal of a facet, from its vertices.
template <class Real>
RealVec<Real, 2> facet_normal(const ExactBody<Real, 2>& body, int f) {
  const auto loop = body.polytope().facet_vertices(f);
  const RealVec<Real, 2> e = body.between(loop[0], loop[1]);
  const RealVec<Real, 2> n(e[1], -e[0]);
  return n / length<Real, 2>(n);
}

template <class Real>
RealVec<Real, 3> facet_normal(const ExactBody<Real, 3>& body, int f) {
  const auto loop = body.polytope().facet_vertices(f);
  RealVec<Real, 3> area(Real(0), Real(0), Real(0));
  for (std::size_t i = 1; i + 1 < loop.size(); ++i) {
    area += cross_product<Real>(body.between(loop[0], loop[i]), body.between(loop[0], loop[i + 1]));
  }
  return area / length<Real, 3>(area);
}

/// How far the vertices of a facet are from lying in one plane with normal n.
template <class Real, int D>
Real unevenness(const ExactBody<Real, D>& body, int f, const RealVec<Real, D>& n) {
  Real low(0), high(0);
  const auto loop = body.polytope().facet_vertices(f);
  for (int v : loop) {
    const Real h = product<Real, D>(n, body.between(loop[0], v));
    low = h < low ? h : low;
    high = h > high ? h : high;
  }
  return high - low;
}

template <class Real, int D>
Real lowest(const ExactBody<Real, D>& body, const RealVec<Real, D>& n) {
  Real best = product<Real, D>(n, body.point(0));
  for (const auto& x : body.points()) {
    const Real h = product<Real, D>(n, x);
    if (h < best) best = h;
  }
  return best;
}

/// s(n) for a unit n.
template <class Real, int D>
Real exact_separation(const ExactBody<Real, D>& A, const ExactBody<Real, D>& B, const RealVec<Real, D>& n) {
  return lowest<Real, D>(A, n) + lowest<Real, D>(B, -n);
}

}  // namespace touchstone::oracle
