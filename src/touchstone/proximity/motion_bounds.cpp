#include "touchstone/proximity/motion_bounds.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "touchstone/math/checks.h"

namespace touchstone {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// [m] By how much a way lengthens the chain within T.
double extension(const ChainLink& link, double T) {
  return link.slides ? std::max(std::abs(link.value), std::abs(link.value) + std::abs(link.rate) * T) : 0;
}

}  // namespace

template <int D>
double advancement_step(const Vec<D>& d, const EvenMotion<D>& A, const EvenMotion<D>& B) {
  const double distance = d.norm();
  assert(distance > 0);
  const Vec<D> n = d / distance;
  double closing = -n.dot(linear<D>(A.V) - linear<D>(B.V));
  for (const EvenMotion<D>* body : {&A, &B})
    closing += spin_velocity<D>(angular<D>(body->V), n).norm() * body->radius;
  return closing > 0 ? distance / closing : kNever;
}

double height_bend(const Pace& V, const Pace& E, double rho, double reach) {
  return V.a + E.a + (V.alpha + V.w * V.w) * rho + 2 * E.w * (V.v + E.v + V.w * rho) +
         (E.alpha + E.w * E.w) * reach;
}

double plane_step(double h, double rate, double K, double tolerance) {
  assert(K >= 0 && tolerance >= 0);
  const double room = h + tolerance;
  if (room < 0) return 0;
  if (K == 0) return rate < 0 ? room / -rate : kNever;
  // The root of room + rate t - K t^2/2, in the form that does not cancel.
  const double root = std::sqrt(rate * rate + 2 * K * room);
  return rate < 0 ? 2 * room / (root - rate) : (rate + root) / K;
}

double edge_bend(const EdgePace& p) {
  assert(p.sine > 0);
  const double W = p.turn, s = p.sine;
  return ((p.turning + W * W) / s + 3 * W * W / (s * s)) * p.distance + 2 * W * p.speed / s + p.acceleration;
}

double lean_step(const Vec<3>& u, const Vec<3>& m, const Vec<3>& w_A, const Vec<3>& w_B) {
  assert(is_unit(u) && is_unit(m));
  const double lean = std::asin(std::min(1., std::abs(u.dot(m))));
  const double turn = w_A.norm() + w_B.norm();
  return turn > 0 ? lean / turn : kNever;
}

double chain_rate(const Chain& chain, const Vec<3>& d, double T) {
  assert(is_unit(d) && T >= 0);
  double beyond = 0, sum = 0;  // G_j, from the last joint to the first
  for (auto link = chain.links.rbegin(); link != chain.links.rend(); ++link) {
    beyond += extension(*link, T) + std::abs(link->length);
    sum += link->slides ? std::abs(link->rate) : std::abs(link->rate) * beyond;
  }
  const Vec<3> w = angular<3>(chain.base);
  return std::abs(d.dot(linear<3>(chain.base))) + w.norm() * (std::abs(chain.offset) + beyond) + sum;
}

double chain_step(const Chain& chain, const Vec<3>& d, double distance, double T) {
  assert(distance >= 0);
  const double rate = chain_rate(chain, d, T);
  return rate > 0 ? std::min(T, distance / rate) : T;
}

template double advancement_step(const Vec<2>&, const EvenMotion<2>&, const EvenMotion<2>&);
template double advancement_step(const Vec<3>&, const EvenMotion<3>&, const EvenMotion<3>&);

}  // namespace touchstone
