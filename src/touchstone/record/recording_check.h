#pragma once
// A recording held against its own shapes: what `touchstone check` does, without a screen.

#include <functional>

#include "touchstone/record/certificate.h"
#include "touchstone/record/recording.h"

namespace touchstone {

/// Looks at every frame. `progress`, if given, is called now and then with the frames done; when it returns
/// false the check ends there. Throws BadRecording.
Certificate check_recording(const RecordingReader& recording,
                            const std::function<bool(std::size_t frames)>& progress = nullptr);

}  // namespace touchstone
