#pragma once
// Coherent motion: what a simulator asks, step after step, of the same two bodies.

#include "pose_set.h"

namespace touchstone::bench {

/// How the bodies lie while they move.
enum class Regime {
  disjoint,    ///< a fifth of the way apart
  shallow,     ///< in and out of touch by a thousandth of their size
  kissing,     ///< the gap is zero to round-off: bodies that rest, slide and roll on each other
  overlapping  ///< deep in each other
};

inline constexpr Regime kRegimes[] = {Regime::disjoint, Regime::shallow, Regime::kissing,
                                      Regime::overlapping};

std::string regime_name(Regime regime);

/// Consecutive poses of one pair.
using Motion = std::vector<JudgedQuery>;

/// The same paths in each regime: `[regime][pair]`. Per step the bodies turn by 0.01 rad against each other
/// (where the family lets them) and shift by about 0.01 of their size.
struct MotionSize {
  int pairs, steps;
};
std::vector<std::vector<Motion>> make_motions(PairMaker& maker, const MotionSize& size);

}  // namespace touchstone::bench
