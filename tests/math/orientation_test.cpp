#include "touchstone/math/orientation.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "touchstone/math/exact_sum.h"
#include "touchstone/math/random.h"

namespace touchstone {
namespace {

using Wide = __int128;

int sign_of(Wide x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

TEST(ExactSum, WhatRoundOffSwallowsIsKept) {
  ExactSum sum;
  for (double x : {1e30, 1.0, -1e30, 1e-30}) sum.add(x);
  EXPECT_EQ(sum.value(), 1.0);
  sum.add(-1.0);
  EXPECT_EQ(sum.value(), 1e-30);
  EXPECT_EQ(sum.sign(), 1);
  sum.add(-1e-30);
  EXPECT_EQ(sum.sign(), 0);
}

TEST(ExactSum, ProductsAreThoseOfIntegers) {
  Random random(1);
  for (int i = 0; i < 10000; ++i) {
    const auto a = static_cast<long long>(random.bits() >> 11),
               b = static_cast<long long>(random.bits() >> 11);
    const TwoPart product = exact_product(static_cast<double>(a), -static_cast<double>(b));
    EXPECT_TRUE(static_cast<Wide>(product.head) + static_cast<Wide>(product.tail) ==
                -static_cast<Wide>(a) * b);
    EXPECT_EQ(product.head, product.head + product.tail);
  }
}

TEST(ExactSum, SumsOfManyProductsAreThoseOfIntegers) {
  Random random(2);
  for (int trial = 0; trial < 200; ++trial) {
    ExactSum sum;
    Wide exact = 0;
    for (int i = 0; i < 50; ++i) {
      const auto a = static_cast<long long>(random.bits() >> 13),
                 b = static_cast<long long>(random.bits() >> 13);
      const int sign = random.index(2) ? 1 : -1;
      sum.add_product({static_cast<double>(a), 0}, {static_cast<double>(b), 0}, sign);
      exact += sign * (static_cast<Wide>(a) * b);
    }
    EXPECT_EQ(sum.sign(), sign_of(exact));
    EXPECT_NEAR(sum.value() / static_cast<double>(exact), 1, 4e-16);
  }
}

TEST(Orientation, TheSidesAreNamedAsPromised) {
  EXPECT_EQ(orientation(Vec<2>(0, 0), Vec<2>(1, 0), Vec<2>(0, 1)), 1);
  EXPECT_EQ(orientation(Vec<2>(0, 0), Vec<2>(0, 1), Vec<2>(1, 0)), -1);
  EXPECT_EQ(orientation(Vec<3>(0, 0, 0), Vec<3>(1, 0, 0), Vec<3>(0, 1, 0), Vec<3>(5, 5, 1)), 1);
  EXPECT_EQ(orientation(Vec<3>(0, 0, 0), Vec<3>(1, 0, 0), Vec<3>(0, 1, 0), Vec<3>(5, 5, -1)), -1);
  EXPECT_EQ(orientation(Vec<3>(0, 0, 0), Vec<3>(1, 0, 0), Vec<3>(0, 1, 0), Vec<3>(5, 5, 0)), 0);
}

TEST(Orientation, EveryBitOfAPointNearADiagonalCounts) {
  // (0.5, 0.5) moved by single units in the last place, against the line through (12, 12) and (24, 24).
  const double unit = 0x1p-53;
  for (int i = 0; i < 64; ++i) {
    for (int j = 0; j < 64; ++j) {
      const Vec<2> p(0.5 + i * unit, 0.5 + j * unit);
      EXPECT_EQ(orientation(p, Vec<2>(12, 12), Vec<2>(24, 24)), sign_of(j - i));
    }
  }
}

TEST(Orientation, PointsNearALineAreThereWhereIntegersSay) {
  Random random(3);
  std::array<int, 3> met{};
  for (int i = 0; i < 20000; ++i) {
    // Coordinates of 50 bits; c near the line of a and b, or on it.
    const auto coordinate = [&] { return static_cast<long long>(random.bits() >> 14); };
    std::array<long long, 6> x{coordinate() / 4, coordinate() / 4, 0, 0, 0, 0};
    const long long dx = coordinate() >> 8, dy = coordinate() >> 8, t = random.index(100);
    x[2] = x[0] + dx;
    x[3] = x[1] + dy;
    x[4] = x[0] + t * dx + random.index(3) - 1;
    x[5] = x[1] + t * dy + random.index(3) - 1;
    const Wide det =
        static_cast<Wide>(x[2] - x[0]) * (x[5] - x[1]) - static_cast<Wide>(x[3] - x[1]) * (x[4] - x[0]);
    const auto at = [&](int k) { return Vec<2>(std::ldexp(x[k], -50), std::ldexp(x[k + 1], -50)); };
    EXPECT_EQ(orientation(at(0), at(2), at(4)), sign_of(det));
    ++met[sign_of(det) + 1];
  }
  for (int count : met) EXPECT_GT(count, 1000);
}

TEST(Orientation, PointsNearAPlaneAreThereWhereIntegersSay) {
  Random random(4);
  std::array<int, 3> met{};
  for (int i = 0; i < 20000; ++i) {
    // Differences of 38 bits about an origin of 50: their products fit into 128 bits.
    std::array<std::array<long long, 3>, 4> x;
    const long long s = random.index(8), t = random.index(8);
    for (int k = 0; k < 3; ++k) {
      const auto difference = [&] { return static_cast<long long>(random.bits() >> 29) - (1ll << 34); };
      x[0][k] = static_cast<long long>(random.bits() >> 14);
      x[1][k] = x[0][k] + difference();
      x[2][k] = x[0][k] + difference();
      x[3][k] = x[0][k] + s * (x[1][k] - x[0][k]) + t * (x[2][k] - x[0][k]) +
                (k == i % 3 ? random.index(3) - 1 : 0);
    }
    Wide det = 0;
    for (int k = 0; k < 3; ++k) {
      const int l = (k + 1) % 3, m = (k + 2) % 3;
      const auto d = [&](int p, int axis) { return static_cast<Wide>(x[p][axis] - x[0][axis]); };
      det += d(3, k) * (d(1, l) * d(2, m) - d(1, m) * d(2, l));
    }
    std::array<Vec<3>, 4> p;
    for (int v = 0; v < 4; ++v) {
      for (int k = 0; k < 3; ++k) p[v][k] = std::ldexp(static_cast<double>(x[v][k]), -50);
    }
    EXPECT_EQ(orientation(p[0], p[1], p[2], p[3]), sign_of(det));
    EXPECT_EQ(orientation(p[1], p[0], p[2], p[3]), -sign_of(det));
    EXPECT_EQ(orientation(p[1], p[2], p[3], p[0]), -sign_of(det));
    ++met[sign_of(det) + 1];
  }
  for (int count : met) EXPECT_GT(count, 1000);
}

TEST(Orientation, NumbersOfAllSizesGetAlong) {
  // The point lies above the plane by 1e-80 of its lever.
  const Vec<3> a(1, 0, 0), b(0, 1, 0), c(-1, -1, 0);
  EXPECT_EQ(orientation(a, b, c, Vec<3>(0.1, 0.1, 1e-80)), 1);
  EXPECT_EQ(orientation(a, b, c, Vec<3>(1e15, -1e15, -1e-80)), -1);
  EXPECT_EQ(orientation(Vec<2>(0, 0), Vec<2>(1e80, 1e80), Vec<2>(1e-80, 1e-80)), 0);
}

}  // namespace
}  // namespace touchstone
