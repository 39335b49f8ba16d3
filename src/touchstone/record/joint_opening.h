#pragma once
// How far is a joint open? By its two frames alone, with code that no simulation uses. Private to record/.

#include <string>

#include "touchstone/math/pose.h"

namespace touchstone {

/// [m or rad] The largest way or angle between the frames on A and on B that a joint of this kind does not
/// allow; 0 for a kind that is not known. dynamics/joint.h lists the kinds.
template <int D>
double joint_opening(const std::string& kind, const Pose<D>& X_WA, const Pose<D>& X_WB);

}  // namespace touchstone
