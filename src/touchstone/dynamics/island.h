#pragma once
// Bodies that can feel each other within a step form an island; islands are solved apart, in parallel.

#include <vector>

#include "touchstone/dynamics/equations.h"

namespace touchstone {

template <int D>
struct Island {
  StepEquations<D> equations;
  // Where its bodies, rows and groups stand in the whole.
  std::vector<int> bodies, bilateral, unilateral, tangent, groups;

  bool operator==(const Island&) const = default;  ///< to the bit
};

/// Islands in the order of their first body. Bodies without any row are no island: they move freely.
template <int D>
std::vector<Island<D>> find_islands(const StepEquations<D>& whole);

/// The island's part of impulses of the whole, and back.
template <int D>
StepImpulses<D> part_of(const StepImpulses<D>& whole, const Island<D>& island);
template <int D>
void put_back(const StepImpulses<D>& part, const Island<D>& island, StepImpulses<D>& whole);

}  // namespace touchstone
