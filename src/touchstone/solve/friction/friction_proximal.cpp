#include "touchstone/solve/friction/friction_proximal.h"

#include <algorithm>
#include <cassert>

#include "touchstone/solve/friction/nsgs.h"
#include "touchstone/solve/friction/semismooth_newton.h"

namespace touchstone {
namespace {

/// Of W's diagonal: the first is solved in a few Newton steps. Two contacts of one body that cannot both
/// stick, because their gaps close by a little more or less, make an impulse between them grow by that little
/// over the share until one of them slides: with the last share a gap of round-off is enough.
constexpr double kFirstShare = 1e-2, kLastShare = 1e-10, kShareFactor = 0.1;
constexpr int kOuterSteps = 30;
/// An inner problem is solved to this share of the residual at its start: the outer steps are no better.
constexpr double kInnerReduction = 1e-3;
constexpr int kInnerIterations = 2000;

/// Sweeps between two attempts of Newton's method: at first, and at most; they double when it fails.
constexpr int kFirstSweeps = 10, kMostSweeps = 640;
constexpr int kNewtonSteps = 30;

}  // namespace

template <int D>
void alternate(const FrictionBlocks<D>& blocks, const FrictionLimits& limits, FrictionIterate& iterate) {
  assert(iterate.r.size() == blocks.size() && limits.iterations >= 0);
  const int last = iterate.iterations + limits.iterations;
  for (int sweeps = kFirstSweeps; iterate.iterations < last && !iterate.reached(limits);) {
    sweep_nsgs<D>(blocks, {limits.tolerance, std::min(sweeps, last - iterate.iterations)}, iterate);
    const double before = iterate.best_residual;
    step_newton<D>(blocks, {limits.tolerance, std::min(kNewtonSteps, last - iterate.iterations)}, iterate);
    if (iterate.best_residual < 0.5 * before || iterate.reached(limits)) continue;
    sweeps = std::min(2 * sweeps, kMostSweeps);
    step_newton<D>(blocks, {limits.tolerance, std::min(kNewtonSteps, last - iterate.iterations)}, iterate,
                   linearise_alart_curnier<D>);
  }
}

template <int D>
void step_proximal(const FrictionBlocks<D>& blocks, const FrictionLimits& limits, FrictionIterate& iterate) {
  VectorX u(blocks.size());
  iterate.r = iterate.best;
  double share = kFirstShare, least = kLastShare;
  for (int k = 0; k < kOuterSteps && !iterate.reached(limits) && iterate.iterations < limits.last; ++k) {
    const FrictionBlocks<D> lifted = blocks.lifted(share, iterate.r);
    FrictionIterate inner = start_at<D>(lifted, iterate.r);
    const double goal = std::max(0.1 * limits.tolerance, kInnerReduction * inner.best_residual);
    alternate<D>(lifted, {goal, iterate.next(limits, kInnerIterations).iterations}, inner);
    iterate.iterations += inner.iterations;
    iterate.r = inner.best;
    take_note<D>(blocks, iterate, u);
    if (!inner.reached({goal, 0})) least = share / kShareFactor;
    if (least > kFirstShare)
      return;  // a problem of full rank was not solved: one that lacks rank will not be
    share = std::max(least, share * kShareFactor);
  }
}

template void alternate<2>(const FrictionBlocks<2>&, const FrictionLimits&, FrictionIterate&);
template void alternate<3>(const FrictionBlocks<3>&, const FrictionLimits&, FrictionIterate&);
template void step_proximal<2>(const FrictionBlocks<2>&, const FrictionLimits&, FrictionIterate&);
template void step_proximal<3>(const FrictionBlocks<3>&, const FrictionLimits&, FrictionIterate&);

}  // namespace touchstone
