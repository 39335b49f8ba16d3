#pragma once
// Where a friction solver stands, and the measure by which all of them stop.

#include <algorithm>
#include <atomic>
#include <cassert>
#include <limits>

#include "touchstone/solve/friction/friction_blocks.h"

namespace touchstone {

/// When to stop.
struct FrictionLimits {
  double tolerance = 0;                        ///< of the residual
  int iterations = 0;                          ///< of this stage
  int last = std::numeric_limits<int>::max();  ///< iteration of all stages together
  const std::atomic<bool>* stop = nullptr;     ///< as in SolveSettings
};

/// The impulses now, and the best there were. Solvers hand it on to each other.
struct FrictionIterate {
  VectorX r;                 ///< now
  VectorX best;              ///< the impulses with the least residual
  double best_residual = 0;  ///< as residual.h has it
  int iterations = 0;

  /// True also where nobody waits for more.
  bool reached(const FrictionLimits& limits) const {
    return best_residual <= limits.tolerance || (limits.stop && limits.stop->load(std::memory_order_relaxed));
  }
  /// `wanted` iterations, or as many as are left.
  FrictionLimits next(const FrictionLimits& limits, int wanted) const {
    assert(wanted >= 0);
    return {limits.tolerance, std::min(wanted, std::max(0, limits.last - iterations)), limits.last,
            limits.stop};
  }
};

/// |natural map| / |q| at r; `u` is made on the way.
template <int D>
double residual_of(const FrictionBlocks<D>& blocks, const VectorX& r, VectorX& u);

/// Starts at r.
template <int D>
FrictionIterate start_at(const FrictionBlocks<D>& blocks, const VectorX& r);

/// Takes notice of where it is now. Returns the residual; `u` is made on the way.
template <int D>
double take_note(const FrictionBlocks<D>& blocks, FrictionIterate& iterate, VectorX& u);

}  // namespace touchstone
