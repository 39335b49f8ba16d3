#include "touchstone/solve/friction/cone.h"

#include <cassert>
#include <cmath>

namespace touchstone {
namespace {

enum class ConeRegion { inside, apex, side };

/// Where the projection of x lies: x itself, the apex (x in the polar cone), or the side.
template <int D>
ConeRegion region_of(const ContactVector<D>& x, double length_t, double mu) {
  // Without friction the cone is a ray, and 0 <= 0 x_n holds on both sides of its tip.
  if (x[0] >= 0 && length_t <= mu * x[0]) return ConeRegion::inside;
  if (mu * length_t <= -x[0]) return ConeRegion::apex;
  return ConeRegion::side;
}

}  // namespace

template <int D>
ContactVector<D> project_on_cone(const ContactVector<D>& x, double mu) {
  assert(mu >= 0);
  const double length_t = x.template tail<D - 1>().norm();
  switch (region_of<D>(x, length_t, mu)) {
    case ConeRegion::inside:
      return x;
    case ConeRegion::apex:
      return ContactVector<D>::Zero();
    case ConeRegion::side:
      break;
  }
  const double normal = (x[0] + mu * length_t) / (1 + mu * mu);
  ContactVector<D> side;
  side[0] = normal;
  side.template tail<D - 1>() = x.template tail<D - 1>() * (mu * normal / length_t);
  return side;
}

template <int D>
ContactMatrix<D> cone_projection_derivative(const ContactVector<D>& x, double mu) {
  assert(mu >= 0);
  const double length_t = x.template tail<D - 1>().norm();
  switch (region_of<D>(x, length_t, mu)) {
    case ConeRegion::inside:
      return ContactMatrix<D>::Identity();
    case ConeRegion::apex:
      return ContactMatrix<D>::Zero();
    case ConeRegion::side:
      break;
  }
  // P = s (1, mu d) with s = (x_n + mu |x_t|) / (1 + mu^2) and d = x_t / |x_t|.
  if (length_t == 0) return ContactVector<D>::Unit(0) * ContactVector<D>::Unit(0).transpose();  // mu = 0
  const ContactVector<D - 1> d = x.template tail<D - 1>() / length_t;
  const double s = (x[0] + mu * length_t) / (1 + mu * mu);
  ContactVector<D> ray;
  ray << 1, mu * d;
  ContactMatrix<D> derivative = ray * ray.transpose() / (1 + mu * mu);
  const ContactMatrix<D - 1> across = ContactMatrix<D - 1>::Identity() - d * d.transpose();
  derivative.template bottomRightCorner<D - 1, D - 1>() += (mu * s / length_t) * across;
  return derivative;
}

template <int D>
ContactVector<D> augmented_velocity(const ContactVector<D>& u, double mu) {
  ContactVector<D> augmented = u;
  augmented[0] += mu * u.template tail<D - 1>().norm();
  return augmented;
}

template <int D>
ContactVector<D> natural_map(const ContactVector<D>& r, const ContactVector<D>& u, double mu, double rho) {
  assert(mu >= 0 && rho > 0);
  const ContactVector<D> step = rho * augmented_velocity<D>(u, mu);
  const ContactVector<D> x = r - step;
  // Inside the cone the map is the step itself: r - (r - step) would lose the digits that r has before it.
  if (region_of<D>(x, x.template tail<D - 1>().norm(), mu) == ConeRegion::inside) return step;
  return r - project_on_cone<D>(x, mu);
}

template ContactVector<2> project_on_cone<2>(const ContactVector<2>&, double);
template ContactVector<3> project_on_cone<3>(const ContactVector<3>&, double);
template ContactMatrix<2> cone_projection_derivative<2>(const ContactVector<2>&, double);
template ContactMatrix<3> cone_projection_derivative<3>(const ContactVector<3>&, double);
template ContactVector<2> augmented_velocity<2>(const ContactVector<2>&, double);
template ContactVector<3> augmented_velocity<3>(const ContactVector<3>&, double);
template ContactVector<2> natural_map<2>(const ContactVector<2>&, const ContactVector<2>&, double, double);
template ContactVector<3> natural_map<3>(const ContactVector<3>&, const ContactVector<3>&, double, double);

}  // namespace touchstone
