#pragma once
// How close do bodies come? The exact gap of the closest pair, and the volume that bodies share, at the
// present poses.
//
// The gaps are those of find_gap() at these poses, never the offsets of the contacts that a step used, which
// are of its start. Who calls find_gap() differs: a model that measures the end of its step by itself, as
// `plane` does, hands over its closest pair (EndCloseness), and where that pair is closer than the model's
// clearance of the rest, the watch believes it and does not look again. Otherwise the watch searches all
// pairs. A test compares both answers in every step of some scenes, and `touchstone check` certifies a
// recording by code of its own.

#include <limits>
#include <optional>
#include <vector>

#include "touchstone/contact/end_closeness.h"
#include "touchstone/contact/pair_memory.h"
#include "touchstone/proximity/broad_phase.h"
#include "touchstone/stepping/world.h"

namespace touchstone {

struct Closeness {
  double min_gap = std::numeric_limits<double>::infinity();  ///< [m]; infinite when no two may touch
  int body_A = -1, body_B = -1;                              ///< the closest pair
  double overlap = 0;                                        ///< [m^D] shared volume, summed over all pairs
};

/// [m] that bodies may overlap by where a run starts or they appear: numbers of a file are rounded.
inline constexpr double kLargestOverlap = 1e-9;

struct OverlappingPair {
  int body_A, body_B;
  double gap;  ///< [m], negative
};

/// Every pair of bodies that may touch and overlaps by more than `depth` [m], in order of the bodies.
template <int D>
std::vector<OverlappingPair> find_overlaps(const World<D>& world, double depth);

/// Measures one world again and again as it moves; its memory only makes it faster. Parts may be
/// added to the world, behind the others.
template <int D>
class GapWatch {
 public:
  /// `ends`: gaps that the step measured at these very poses; they are not measured again.
  Closeness measure(const World<D>& world, const std::optional<EndCloseness>& ends = {});

 private:
  /// Finds the pairs that may touch and whose boxes come within `reach` [m] of each other.
  void find_pairs(const World<D>& world, double reach);
  Closeness look(const World<D>& world, double reach);
  Closeness search(const World<D>& world);

  std::vector<Box<D>> boxes_;          ///< of the parts
  std::optional<BroadPhase<D>> tree_;  ///< of the same boxes, grown
  std::vector<std::pair<int, int>> pairs_;
  PairMemory<D> memory_;
  double last_gap_ = 0;  ///< [m]
};

}  // namespace touchstone
