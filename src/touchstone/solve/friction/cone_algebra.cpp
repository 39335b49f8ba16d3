#include "touchstone/solve/friction/cone_algebra.h"

#include <algorithm>
#include <cmath>

namespace touchstone {

template <int D>
double cone_determinant(const ContactVector<D>& x) {
  const double length = x.template tail<D - 1>().norm();
  return (x[0] - length) * (x[0] + length);  // x_0^2 - |x_1|^2 would lose digits near the boundary
}

template <int D>
ContactVector<D> cone_product(const ContactVector<D>& x, const ContactVector<D>& y) {
  ContactVector<D> product;
  product << x.dot(y), x[0] * y.template tail<D - 1>() + y[0] * x.template tail<D - 1>();
  return product;
}

template <int D>
ContactVector<D> cone_quotient(const ContactVector<D>& l, const ContactVector<D>& y) {
  const ContactVector<D - 1> l1 = l.template tail<D - 1>(), y1 = y.template tail<D - 1>();
  const double first = (l[0] * y[0] - l1.dot(y1)) / cone_determinant<D>(l);
  ContactVector<D> quotient;
  quotient << first, (y1 - first * l1) / l[0];
  return quotient;
}

template <int D>
double cone_step(const ContactVector<D>& x, const ContactVector<D>& dx, double most) {
  // det(x + t dx) = a t^2 + 2 b t + c has its first positive root where the cone is left.
  const double a = cone_determinant<D>(dx), c = cone_determinant<D>(x);
  const double b = x[0] * dx[0] - x.template tail<D - 1>().dot(dx.template tail<D - 1>());
  double step = most;
  if (dx[0] < 0) step = std::min(step, -x[0] / dx[0]);
  const double discriminant = b * b - a * c;
  if (discriminant < 0) return step;
  // Without cancellation: one root is p / a, the other c / p.
  const double p = -(b + std::copysign(std::sqrt(discriminant), b));
  for (const double root : {p / a, c / p}) {
    if (root > 0) step = std::min(step, root);
  }
  return step;
}

template <int D>
ContactMatrix<D> cone_scaling(const ContactVector<D>& z, const ContactVector<D>& s) {
  constexpr int T = D - 1;
  const double det_z = cone_determinant<D>(z), det_s = cone_determinant<D>(s);
  ContactVector<D> z_bar = z / std::sqrt(det_z);
  const ContactVector<D> s_bar = s / std::sqrt(det_s);
  const double gamma = std::sqrt(0.5 * (1 + z_bar.dot(s_bar)));
  z_bar.template tail<T>() *= -1;
  const ContactVector<D> w = (s_bar + z_bar) / (2 * gamma);
  const ContactVector<T> w1 = w.template tail<T>();
  ContactMatrix<D> V;
  V(0, 0) = w[0];
  V.template topRightCorner<1, T>() = w1.transpose();
  V.template bottomLeftCorner<T, 1>() = w1;
  V.template bottomRightCorner<T, T>() = ContactMatrix<T>::Identity() + w1 * w1.transpose() / (1 + w[0]);
  return std::pow(det_s / det_z, 0.25) * V;
}

template double cone_determinant<2>(const ContactVector<2>&);
template double cone_determinant<3>(const ContactVector<3>&);
template ContactVector<2> cone_product<2>(const ContactVector<2>&, const ContactVector<2>&);
template ContactVector<3> cone_product<3>(const ContactVector<3>&, const ContactVector<3>&);
template ContactVector<2> cone_quotient<2>(const ContactVector<2>&, const ContactVector<2>&);
template ContactVector<3> cone_quotient<3>(const ContactVector<3>&, const ContactVector<3>&);
template double cone_step<2>(const ContactVector<2>&, const ContactVector<2>&, double);
template double cone_step<3>(const ContactVector<3>&, const ContactVector<3>&, double);
template ContactMatrix<2> cone_scaling<2>(const ContactVector<2>&, const ContactVector<2>&);
template ContactMatrix<3> cone_scaling<3>(const ContactVector<3>&, const ContactVector<3>&);

}  // namespace touchstone
