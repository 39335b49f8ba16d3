#pragma once
// Random numbers that are the same on every machine: the standard fixes its engines, not its distributions.

#include <cassert>
#include <cmath>
#include <cstdint>
#include <random>

#include "touchstone/math/vec.h"

namespace touchstone {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t bits() { return engine_(); }
  /// Uniform in [0, 1), with 53 random bits.
  double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  double uniform(double low, double high) { return low + (high - low) * unit(); }
  /// Uniform in 0 .. n-1.
  int index(int n) {
    assert(n > 0);
    return static_cast<int>(unit() * n);
  }
  double log_uniform(double low, double high) {
    assert(low > 0 && high > 0);
    return low * std::pow(high / low, unit());
  }

  /// Uniform on the unit sphere (in 2D: the unit circle).
  template <int D>
  Vec<D> direction() {
    for (;;) {
      Vec<D> x;
      for (int i = 0; i < D; ++i) x[i] = uniform(-1, 1);
      const double length = x.norm();
      if (length <= 1 && length > 0.01) return x / length;
    }
  }

  /// Uniform over all rotations.
  template <int D>
  Mat<D> rotation_matrix() {
    if constexpr (D == 2) {
      const Vec<2> c = direction<2>();
      return (Mat<2>() << c.x(), -c.y(), c.y(), c.x()).finished();
    } else {
      const Vec<4> q = direction<4>();
      return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
    }
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace touchstone
