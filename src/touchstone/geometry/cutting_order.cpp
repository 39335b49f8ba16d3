#include "touchstone/geometry/cutting_order.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <vector>

#include "touchstone/math/random.h"

namespace touchstone {
namespace {

constexpr std::uint64_t kSeed = 1;  // of the rounds; any does
constexpr int kAxisBits = 16;       // of each coordinate of a direction: finer than a million facets lie
constexpr int kMostRounds = 31;     // together 2^31 planes
constexpr double kCurve = 0x1p48;   // positions on the curve: three times kAxisBits

/// The bits of the coordinates of a direction in turn: its position on Morton's curve.
std::uint64_t curve_position(const Vec<3>& direction) {
  std::uint64_t position = 0;
  for (int i = 0; i < 3; ++i) {
    const double cell = std::clamp((direction[i] + 1) / 2, 0.0, 1.0) * ((1 << kAxisBits) - 1);
    const auto bits = static_cast<std::uint64_t>(cell);
    for (int b = 0; b < kAxisBits; ++b) position |= (bits >> b & 1) << (3 * b + i);
  }
  return position;
}

double rank_of(const Plane<2>& plane, Random&) { return std::atan2(plane.normal.y(), plane.normal.x()); }

double rank_of(const Plane<3>& plane, Random& random) {
  const int round = kMostRounds - std::min(kMostRounds, std::countr_zero(random.bits()));
  return round * kCurve + static_cast<double>(curve_position(plane.normal));
}

}  // namespace

template <int D>
std::span<const int> cutting_order(std::span<const Plane<D>> planes) {
  thread_local std::vector<double> ranks;
  thread_local std::vector<int> order;  // both kept for the next call
  Random random(kSeed);
  ranks.clear();
  order.clear();
  for (const Plane<D>& plane : planes) {
    order.push_back(static_cast<int>(order.size()));
    ranks.push_back(rank_of(plane, random));
  }
  std::stable_sort(order.begin(), order.end(), [&](int i, int j) { return ranks[i] < ranks[j]; });
  assert(order.size() == planes.size());
  return order;
}

template std::span<const int> cutting_order<2>(std::span<const Plane<2>>);
template std::span<const int> cutting_order<3>(std::span<const Plane<3>>);

}  // namespace touchstone
