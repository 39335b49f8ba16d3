#pragma once
// Joints and controllers of a scene file. Private to scene/.

#include "touchstone/scene/fields.h"
#include "touchstone/scene/scene.h"

namespace touchstone {

/// The joints of the list; positions and axes are those of the bodies' poses at the start.
template <int D>
void read_joints(const Field& list, World<D>& world);

template <int D>
void read_controllers(const Field& list, RunContent<D>& content);

}  // namespace touchstone
