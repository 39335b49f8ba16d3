#pragma once
// When do two parts first touch within a step? Every part of the step is proved clear, or made shorter.

#include <atomic>
#include <optional>
#include <utility>
#include <vector>

#include "touchstone/proximity/gap.h"
#include "touchstone/stepping/events/step_view.h"

namespace touchstone {

/// [m] Parts that overlap by more touch; what is less is round-off.
inline constexpr double kOverlap = 1e-12;

struct ContactSearch {
  long proofs = 0, gaps = 0;                ///< made
  const std::atomic<bool>* stop = nullptr;  ///< becomes true: the search ends without an answer
};

/// The first time in [begin, end] at which the gap of the pair is below -kOverlap; what the phase holds is
/// exempt.
template <int D>
std::optional<double> first_contact(const StepView<D>& view, std::pair<int, int> parts, double end,
                                    ContactSearch& effort);

/// Can the parts meet in the step at all, by their distance and speed [TrueRigidity eq. 4]?
template <int D>
bool may_meet(const StepView<D>& view, const std::vector<Moving<D>>& begin, std::pair<int, int> parts,
              double end);

}  // namespace touchstone
