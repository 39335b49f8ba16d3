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

/// What a run has recorded about its steps; nothing is computed anew.
struct RecordedTrouble {
  double energy_gained = 0;  ///< [J] sum over the steps
  double largest_gain = 0;   ///< [J] of one step
  double energy_scale = 0;   ///< [J] the largest kinetic energy, or change of potential energy
  double energy_slack = 0;   ///< [J] to move all bodies by 1e-9 m within a step: less is round-off
  double joint_error = 0;    ///< [m, rad] the worst step
  double joint_time = 0;     ///< [s] when that was
};
/// Zeros where the recording does not tell, as those of other programs.
RecordedTrouble recorded_trouble(const RecordingReader& recording);

}  // namespace touchstone
