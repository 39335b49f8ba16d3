#include "touchstone/solve/friction/semismooth_newton.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "touchstone/solve/friction/semismooth_system.h"

namespace touchstone {
namespace {

/// The share of W's diagonal that the derivative is lifted by: at first, and the least and the most. The
/// least is enough to divide by where W lacks rank, and too little to be felt where it does not; the most
/// makes a step about as short as a sweep's.
constexpr double kFirstLift = 1e-6, kLeastLift = 1e-10, kMostLift = 1e-2;
/// A full step that leads down lowers the lift by this factor; a step that fails raises it.
constexpr double kLiftChange = 10;
/// A line search halves the step at most this often: shorter steps lead nowhere.
constexpr int kMaxHalvings = 3;
/// A step must take this share of its length off the defect.
constexpr double kSufficientDecrease = 0.1;

template <int D>
class Newton {
 public:
  Newton(const FrictionBlocks<D>& blocks, FrictionIterate& iterate, Linearisation<D> linearise)
      : blocks_(blocks),
        iterate_(iterate),
        linearise_(linearise),
        system_(blocks),
        now_(blocks.contacts()),
        tried_(blocks.contacts()),
        dr_(blocks.size()),
        u_(blocks.size()) {
    defect_ = linearise_(blocks_, iterate_.r, now_);
  }

  /// False when no step leads down any more.
  bool advance() {
    while (!step()) {
      if (lift_ >= kMostLift) return false;
      lift_ *= kLiftChange * kLiftChange;
    }
    take_note<D>(blocks_, iterate_, u_);
    return true;
  }

 private:
  bool step() {
    ++iterate_.iterations;
    if (!system_.solve(now_, iterate_.r, lift_, dr_)) return false;
    double length = 1;
    for (int halving = 0; halving <= kMaxHalvings; ++halving, length /= 2) {
      trial_ = iterate_.r + length * dr_;
      const double defect = linearise_(blocks_, trial_, tried_);
      if (!(defect <= (1 - kSufficientDecrease * length) * defect_)) continue;
      std::swap(now_, tried_);
      iterate_.r.swap(trial_);
      defect_ = defect;
      if (length == 1) lift_ = std::max(kLeastLift, lift_ / kLiftChange);
      return true;
    }
    return false;
  }

  const FrictionBlocks<D>& blocks_;
  FrictionIterate& iterate_;
  Linearisation<D> linearise_;
  SemismoothSystem<D> system_;
  std::vector<ContactEquation<D>> now_, tried_;
  VectorX dr_, u_, trial_;
  double defect_ = 0, lift_ = kFirstLift;
};

}  // namespace

template <int D>
void step_newton(const FrictionBlocks<D>& blocks, const FrictionLimits& limits, FrictionIterate& iterate,
                 Linearisation<D> linearise) {
  assert(iterate.r.size() == blocks.size());
  Newton<D> newton(blocks, iterate, linearise);
  for (int k = 0; k < limits.iterations && !iterate.reached(limits); ++k) {
    if (!newton.advance()) return;
  }
}

template void step_newton<2>(const FrictionBlocks<2>&, const FrictionLimits&, FrictionIterate&,
                             Linearisation<2>);
template void step_newton<3>(const FrictionBlocks<3>&, const FrictionLimits&, FrictionIterate&,
                             Linearisation<3>);

}  // namespace touchstone
