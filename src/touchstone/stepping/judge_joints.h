#pragma once
// Are the joints still closed where a step ends, and what did closing them give? Inside stepping only.

#include <optional>
#include <string>

#include "touchstone/stepping/attempt.h"

namespace touchstone {

/// What is wrong with the joints at the end of the attempt's paths, or nothing.
///
/// A joint may be open by `joint_tolerance` of the radius of gyration of its bodies (of an angle: that many
/// radians), or by what it was at the start. Its row asks for the error of the last step to be taken back
/// within this one, and p C/h of that is given to the bodies: at most kGiven of an island's kinetic energy,
/// unless the step is divided into very short parts already. What a scene starts with open is closed in its
/// first step, whatever that gives.
template <int D>
std::optional<std::string> trouble_with_joints(const World<D>& world, const Attempt<D>& attempt,
                                               const StepSettings& settings);

}  // namespace touchstone
