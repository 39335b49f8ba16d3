#include "touchstone/math/orientation.h"

#include <array>
#include <cassert>
#include <limits>

#include "touchstone/math/exact_sum.h"

namespace touchstone {
namespace {

// Each answer is sought in double, then in extended precision, then exactly. A rounded determinant whose
// size exceeds its error bound has the right sign. With u the unit round-off and `terms` the sum of the
// products' absolute values, the error is below 4u terms for 2x2 and 8u terms for 3x3 [Shewchuk 1997, 4.3],
// doubled here for the round-off of the bound itself.
template <class Real>
constexpr Real kError2 = 4 * std::numeric_limits<Real>::epsilon();
template <class Real>
constexpr Real kError3 = 8 * std::numeric_limits<Real>::epsilon();

constexpr int kUndecided = 2;

template <class Real>
int decided_sign(Real determinant, Real error) {
  assert(error >= 0);
  if (determinant > error) return 1;
  if (-determinant > error) return -1;
  return error == 0 ? 0 : kUndecided;
}

template <class Real>
int rounded_orientation(const Vec<2>& a, const Vec<2>& b, const Vec<2>& c) {
  const Real left = (Real(b.x()) - a.x()) * (Real(c.y()) - a.y());
  const Real right = (Real(b.y()) - a.y()) * (Real(c.x()) - a.x());
  return decided_sign<Real>(left - right, kError2<Real> * (std::abs(left) + std::abs(right)));
}

int exact_orientation(const Vec<2>& a, const Vec<2>& b, const Vec<2>& c) {
  ExactSum sum;
  sum.add_product(exact_difference(b.x(), a.x()), exact_difference(c.y(), a.y()), 1);
  sum.add_product(exact_difference(b.y(), a.y()), exact_difference(c.x(), a.x()), -1);
  return sum.sign();
}

template <class Real>
int rounded_orientation(const Vec<3>& a, const Vec<3>& b, const Vec<3>& c, const Vec<3>& d) {
  using Real3 = Eigen::Matrix<Real, 3, 1>;
  const Real3 origin = a.cast<Real>();
  const Real3 u = b.cast<Real>() - origin, v = c.cast<Real>() - origin, w = d.cast<Real>() - origin;
  Real determinant = 0, terms = 0;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const Real forth = u[j] * v[k], back = u[k] * v[j];
    determinant += w[i] * (forth - back);
    terms += std::abs(w[i]) * (std::abs(forth) + std::abs(back));
  }
  return decided_sign<Real>(determinant, kError3<Real> * terms);
}

int exact_orientation(const Vec<3>& a, const Vec<3>& b, const Vec<3>& c, const Vec<3>& d) {
  std::array<TwoPart, 3> u, v, w;
  for (int i = 0; i < 3; ++i) {
    u[i] = exact_difference(b[i], a[i]);
    v[i] = exact_difference(c[i], a[i]);
    w[i] = exact_difference(d[i], a[i]);
  }
  ExactSum sum;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const TwoPart minus{-w[i].head, -w[i].tail};
    sum.add_product(u[j], v[k], w[i]);
    sum.add_product(u[k], v[j], minus);
  }
  return sum.sign();
}

}  // namespace

int orientation(const Vec<2>& a, const Vec<2>& b, const Vec<2>& c) {
  assert(a.allFinite() && b.allFinite() && c.allFinite());
  if (const int sign = rounded_orientation<double>(a, b, c); sign != kUndecided) return sign;
  if (const int sign = rounded_orientation<long double>(a, b, c); sign != kUndecided) return sign;
  return exact_orientation(a, b, c);
}

int orientation(const Vec<3>& a, const Vec<3>& b, const Vec<3>& c, const Vec<3>& d) {
  assert(a.allFinite() && b.allFinite() && c.allFinite() && d.allFinite());
  if (const int sign = rounded_orientation<double>(a, b, c, d); sign != kUndecided) return sign;
  if (const int sign = rounded_orientation<long double>(a, b, c, d); sign != kUndecided) return sign;
  return exact_orientation(a, b, c, d);
}

}  // namespace touchstone
