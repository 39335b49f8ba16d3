#pragma once
// A step that was refused is made in two parts, and these in two again. Only the bodies that need it take
// shorter steps: islands (bodies that may meet on their paths, directly or through others, or are joined) are
// tried in ever smaller groups, in which all other bodies rest untouched; an island that is refused alone is
// divided by itself.
//
//     whole step refused:   island 1  |----------------|        holds as a whole
//                           island 2  |-------|---|----|        in three parts
//
// Groups whose bodies turn out to meet on the paths found are made again together. Inside stepping only.

#include "touchstone/stepping/attempt.h"

namespace touchstone {

/// `refused`: the attempt at the whole step. False: it cannot be made in parts either; the world is as it was
/// and the report says why.
template <int D>
bool divide_step(const Attempt<D>& refused, const Stages<D>& stages, World<D>& world, StepMemory<D>& memory,
                 StepReport<D>& report);

}  // namespace touchstone
