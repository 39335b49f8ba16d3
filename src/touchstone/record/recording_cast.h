#pragma once
// The parts of a recording that do not change while it runs: bodies, shapes, joints. Private to record/.

#include "touchstone/record/recording.h"
#include "touchstone/store/array_file.h"

namespace touchstone {

template <int D>
void write_cast(ArrayFile& file, const RecordingCast<D>& cast);

}  // namespace touchstone
