#pragma once
// The loop of the proximal-point iteration, which proximal_newton.cpp, gram_newton.cpp and pyramid_newton.cpp
// share. A proximal step solves the problem with M + R in place of M, R a positive diagonal, around the
// point that the step before it reached. R is `softness` times the sizes of the rows. The first steps are
// soft, because few steps of Newton's method solve a soft problem and its support is nearly the right one;
// later steps are harder, until R is no more than a guard against singular matrices. Inside solve only.

#include <algorithm>
#include <cassert>

namespace touchstone {

/// What a step asks of the next one.
enum class Pace { stop, same, harder, much_harder, softer };

/// The softness of the first step, and the factors of Pace. `much_harder` is for a support that was right at
/// once, `softer` for a step whose equations were not solved.
inline constexpr double kSoft = 1e-3, kHarder = 0.1, kMuchHarder = 0.01, kSofter = 4, kSoftest = 1;
/// A step of the hardest kind must lessen the residual at least to this part.
inline constexpr double kWorthwhile = 0.7;

struct ProximalRange {
  double first = kSoft, hardest = 0;  ///< softness
  int most_steps = 0;
};

inline double next_softness(double softness, Pace pace, double hardest) {
  switch (pace) {
    case Pace::harder:
      return std::clamp(softness * kHarder, hardest, kSoftest);
    case Pace::much_harder:
      return std::clamp(softness * kMuchHarder, hardest, kSoftest);
    case Pace::softer:
      return std::clamp(softness * kSofter, hardest, kSoftest);
    default:
      return softness;
  }
}

/// Makes steps until `goes_on()` is false or a step says Pace::stop. `step(softness)` makes one: it may keep
/// the factorisation of the last where the softness is the same.
template <class GoesOn, class Step>
void make_proximal_steps(const ProximalRange& range, const GoesOn& goes_on, const Step& step) {
  assert(0 < range.hardest && range.hardest <= range.first && range.first <= kSoftest);
  double softness = range.first;
  for (int k = 0; k < range.most_steps && goes_on(); ++k) {
    const Pace pace = step(softness);
    if (pace == Pace::stop) return;
    softness = next_softness(softness, pace, range.hardest);
  }
}

}  // namespace touchstone
