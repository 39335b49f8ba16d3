#include "touchstone/math/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace touchstone {
namespace {

TEST(Random, IsTheSameOnEveryMachine) {
  // The standard fixes the 10 000th number of the engine with its default seed.
  Random random(5489);
  std::uint64_t last = 0;
  for (int i = 0; i < 10000; ++i) last = random.bits();
  EXPECT_EQ(last, 9981545732273789042u);
  Random a(7), b(7), c(8);
  EXPECT_EQ(a.bits(), b.bits());
  EXPECT_NE(a.bits(), c.bits());
}

TEST(Random, UnitFillsTheIntervalWithoutItsEnd) {
  Random random(1);
  double sum = 0, squares = 0;
  const int n = 100000;
  for (int i = 0; i < n; ++i) {
    const double x = random.unit();
    ASSERT_GE(x, 0);
    ASSERT_LT(x, 1);
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / n, 0.5, 0.005);  // 5 standard deviations
  EXPECT_NEAR(squares / n, 1.0 / 3, 0.005);
}

TEST(Random, IndexMeetsEachNumberAboutEquallyOften) {
  Random random(2);
  std::vector<int> met(7, 0);
  for (int i = 0; i < 70000; ++i) ++met.at(random.index(7));
  for (int count : met) EXPECT_NEAR(count, 10000, 500);
}

TEST(Random, LogUniformMeetsEachDecadeEquallyOften) {
  Random random(3);
  std::vector<int> met(6, 0);
  for (int i = 0; i < 60000; ++i) {
    const double x = random.log_uniform(1e-3, 1e3);
    ASSERT_GE(x, 1e-3);
    ASSERT_LE(x, 1e3);
    ++met.at(static_cast<int>(std::floor(std::log10(x) + 3)));
  }
  for (int count : met) EXPECT_NEAR(count, 10000, 500);
}

template <int D>
void expect_even_directions() {
  Random random(4);
  Vec<D> mean = Vec<D>::Zero();
  Mat<D> spread = Mat<D>::Zero();
  const int n = 50000;
  for (int i = 0; i < n; ++i) {
    const Vec<D> x = random.direction<D>();
    ASSERT_NEAR(x.norm(), 1, 4e-16);
    mean += x / n;
    spread += x * x.transpose() / n;
  }
  EXPECT_LE(mean.norm(), 0.02);
  EXPECT_LE((spread - Mat<D>::Identity() / D).cwiseAbs().maxCoeff(), 0.01);
}

TEST(Random, DirectionsFavourNone) {
  expect_even_directions<2>();
  expect_even_directions<3>();
}

template <int D>
void expect_even_rotations() {
  Random random(5);
  Mat<D> mean = Mat<D>::Zero();
  const int n = 20000;
  for (int i = 0; i < n; ++i) {
    const Mat<D> R = random.rotation_matrix<D>();
    ASSERT_LE((R * R.transpose() - Mat<D>::Identity()).cwiseAbs().maxCoeff(), 4e-15);
    ASSERT_NEAR(R.determinant(), 1, 4e-15);
    mean += R / n;
  }
  EXPECT_LE(mean.cwiseAbs().maxCoeff(), 0.03);
}

TEST(Random, RotationsAreProperAndFavourNone) {
  expect_even_rotations<2>();
  expect_even_rotations<3>();
}

}  // namespace
}  // namespace touchstone
