#pragma once
// Motions of scripted bodies. Private to scene/.

#include "touchstone/dynamics/body.h"
#include "touchstone/scene/fields.h"

namespace touchstone {

/// The motion that the field tells, of a body that stands at `start` at time 0.
template <int D>
std::function<Pose<D>(double)> read_script(const Field& field, const Body<D>& start);

}  // namespace touchstone
