#pragma once
// The parts of a recording that do not change while it runs: bodies, shapes, joints. Private to record/.

#include "touchstone/record/recording.h"
#include "touchstone/store/array_file.h"

namespace touchstone {

template <int D>
void write_cast(ArrayFile& file, const RecordingCast<D>& cast);

/// Are these the bodies of the file, and the shapes, to the last bit?
template <int D>
bool holds_cast(const ArrayFile& file, const World<D>& world);

}  // namespace touchstone
