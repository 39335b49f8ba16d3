#include "touchstone/solve/lcp/proximal_steps.h"

#include <gtest/gtest.h>

#include <vector>

namespace touchstone {
namespace {

constexpr double kHard = 1e-6;
constexpr ProximalRange kRange{kSoft, kHard, 10};

/// The softness of each step, where the steps ask for these paces one after the other and then to stop.
std::vector<double> softness_of(const std::vector<Pace>& paces, const ProximalRange& range = kRange) {
  std::vector<double> seen;
  make_proximal_steps(
      range, [] { return true; },
      [&](double softness) {
        seen.push_back(softness);
        return seen.size() <= paces.size() ? paces[seen.size() - 1] : Pace::stop;
      });
  return seen;
}

TEST(ProximalSteps, HardenAsTheStepsAskFor) {
  const auto seen = softness_of({Pace::same, Pace::harder, Pace::much_harder, Pace::softer});
  const std::vector<double> expected = {1e-3, 1e-3, 1e-4, 1e-6, 4e-6};
  ASSERT_EQ(seen.size(), expected.size());
  for (std::size_t k = 0; k < seen.size(); ++k) EXPECT_DOUBLE_EQ(seen[k], expected[k]) << k;
}

TEST(ProximalSteps, StayAtTheHardestToTheLastBitSoThatTheirFactorsCanStay) {
  const auto seen = softness_of({Pace::much_harder, Pace::much_harder, Pace::harder});
  ASSERT_EQ(seen.size(), 4u);
  EXPECT_EQ(seen[2], kHard);
  EXPECT_EQ(seen[3], kHard);
}

TEST(ProximalSteps, AreNeverSofterThanTheSoftest) {
  const auto seen = softness_of(std::vector<Pace>(6, Pace::softer));
  EXPECT_EQ(seen.back(), kSoftest);
}

TEST(ProximalSteps, EndAtTheirNumberOrWhenNothingIsLeftToDo) {
  EXPECT_EQ(softness_of(std::vector<Pace>(50, Pace::same)).size(), 10u);
  int steps = 0;
  make_proximal_steps(
      kRange, [&] { return steps < 3; },
      [&](double) {
        ++steps;
        return Pace::harder;
      });
  EXPECT_EQ(steps, 3);
}

}  // namespace
}  // namespace touchstone
