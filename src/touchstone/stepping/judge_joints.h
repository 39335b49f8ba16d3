#pragma once
// Are the joints still closed where a step ends? Inside stepping only.

#include <optional>
#include <string>

#include "touchstone/stepping/attempt.h"

namespace touchstone {

/// What is wrong with the joints at the end of the attempt's paths, or nothing.
///
/// A joint may be open by `joint_tolerance` of the radius of gyration of its bodies (of an angle: that many
/// radians), or by what it was at the start. In very short parts of a step joints are not judged.
template <int D>
std::optional<std::string> trouble_with_joints(const World<D>& world, const Attempt<D>& attempt,
                                               const StepSettings& settings);

}  // namespace touchstone
