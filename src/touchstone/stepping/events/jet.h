#pragma once
// Numbers and vectors with their first and second derivatives in time, for exact derivatives along a motion.

#include <cmath>

#include "touchstone/stepping/events/flight.h"

namespace touchstone {

/// A number (1 x 1) or a vector that depends on time.
template <class T>
struct Jet {
  T value, rate, bend;  ///< itself, d/dt, d2/dt2
};

template <class T>
Jet<T> operator+(const Jet<T>& a, const Jet<T>& b) {
  return {a.value + b.value, a.rate + b.rate, a.bend + b.bend};
}
template <class T>
Jet<T> operator-(const Jet<T>& a, const Jet<T>& b) {
  return {a.value - b.value, a.rate - b.rate, a.bend - b.bend};
}
/// By the rule of products, for any product that is linear in both.
template <class A, class B, class Product>
auto product(const Jet<A>& a, const Jet<B>& b, const Product& of) {
  using R = std::decay_t<decltype(of(a.value, b.value))>;
  return Jet<R>{of(a.value, b.value), R(of(a.rate, b.value) + of(a.value, b.rate)),
                R(of(a.bend, b.value) + 2 * of(a.rate, b.rate) + of(a.value, b.bend))};
}
template <int N>
Jet<double> dot(const Jet<Eigen::Matrix<double, N, 1>>& a, const Jet<Eigen::Matrix<double, N, 1>>& b) {
  return product(a, b, [](const auto& x, const auto& y) { return x.dot(y); });
}
template <int N>
Jet<Eigen::Matrix<double, N, 1>> operator*(const Jet<double>& s, const Jet<Eigen::Matrix<double, N, 1>>& a) {
  return product(s, a, [](double x, const auto& y) { return Eigen::Matrix<double, N, 1>(x * y); });
}
inline Jet<double> operator*(const Jet<double>& a, const Jet<double>& b) {
  return product(a, b, [](double x, double y) { return x * y; });
}
inline Jet<Vec<3>> cross(const Jet<Vec<3>>& a, const Jet<Vec<3>>& b) {
  return product(a, b, [](const Vec<3>& x, const Vec<3>& y) { return Vec<3>(x.cross(y)); });
}
/// f of a number, of which f, f' and f'' are given.
inline Jet<double> chain(const Jet<double>& x, double f, double df, double ddf) {
  return {f, df * x.rate, df * x.bend + ddf * x.rate * x.rate};
}
inline Jet<double> inverse(const Jet<double>& x) {
  const double i = 1 / x.value;
  return chain(x, i, -i * i, 2 * i * i * i);
}
inline Jet<double> square_root(const Jet<double>& x) {
  const double r = std::sqrt(x.value);
  return chain(x, r, 0.5 / r, -0.25 / (r * x.value));
}
inline Jet<double> constant(double x) { return {x, 0, 0}; }

/// A direction that a body carries, given in its frame; without the accelerations that forces cause.
template <int D>
Jet<Vec<D>> carried(const Moving<D>& body, const Vec<D>& local) {
  const Spin<D> w = angular<D>(body.V);
  const Vec<D> r = body.R * local, turn = spin_velocity<D>(w, r);
  return {r, turn, Vec<D>(spin_velocity<D>(w, turn) + spin_velocity<D>(angular<D>(body.given), r))};
}
/// A point that a body carries, likewise.
template <int D>
Jet<Vec<D>> carried_point(const Moving<D>& body, const Vec<D>& local) {
  return carried<D>(body, local) + Jet<Vec<D>>{body.x, linear<D>(body.V), linear<D>(body.given)};
}

}  // namespace touchstone
