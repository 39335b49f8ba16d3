#pragma once
// Is an answer of find_gap right? Judged against the oracle, wherever the oracle can tell.

#include <string>
#include <vector>

#include "oracles/signed_distance.h"
#include "touchstone/proximity/gap.h"

namespace touchstone::support {

/// Bounds that an answer must keep, all in sizes of the larger body.
inline constexpr double kGapBound = 1e-14;     ///< |gap - truth|; also of the bounds and the witnesses
inline constexpr double kNormalBound = 2e-14;  ///< how much of the gap the normal may miss: gap - s(normal)
inline constexpr double kStatusMargin =
    1e-14;                                 ///< the status is judged when |gap| is this far from the limit
inline constexpr double kTieMargin = 0.1;  ///< axes are (no) ties when their difference is this part of the
                                           ///<   touching tolerance below (above) it
inline constexpr double kGross = 1e-9;     ///< an error beyond this is no round-off

struct Verdict {
  double error = 0;  ///< |gap - truth| [sizes]
  bool gross = false;
  bool judged_status = false, judged_uniqueness = false;
  std::vector<std::string> complaints;  ///< empty: right
};

template <int D>
Verdict judge_gap(const Placed<D>& A, const Placed<D>& B, const Gap<D>& answer);

/// The pair as C++ that can be pasted into a test: positions and rotations with 17 digits.
template <int D>
std::string text_of(const Placed<D>& A, const Placed<D>& B);

}  // namespace touchstone::support
