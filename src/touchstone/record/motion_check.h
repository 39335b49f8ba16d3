#pragma once
// The motion of a recording held against what it says moved the bodies, by code that no simulation uses. The
// sources of `touchstone check`, beside certificate.h, which looks at shapes.

#include "touchstone/record/recording_details.h"

namespace touchstone {

/// The worst of a kind, and where it was met.
struct WorstCase {
  double value = 0;
  std::size_t frame = 0;
  int item = -1;  ///< body or joint; -1: none

  void see(double other, std::size_t at_frame, int of_item) {
    if (!(other > value) && !(other != other)) return;  // NaN is the worst of all
    value = other, frame = at_frame, item = of_item;
  }
};

struct MotionCertificate {
  bool has_works = false;  ///< false: a recording of version 1, or of another program
  /// Between the change of a body's kinetic energy and the sum of the works on it; relative to the energies
  /// of the step, beyond the energy that moves the body by 1e-9 m within it.
  WorstCase sum_error;
  /// Between the work of gravity and the way of a body down; likewise.
  WorstCase gravity_error;
  /// [J] What contacts gave to the bodies of an island in a step, beyond what the tolerance of gaps explains,
  /// as a share of the largest energies that these bodies had so far. `item` is one of them.
  WorstCase contact_gain;
  /// [m or rad] How far the frames of a joint are apart, across the ways that the joint leaves them.
  WorstCase joint_opening;
  /// As recorded, relative.
  WorstCase momentum_error;
};

/// Of a recording that tells works; others have an empty certificate. Throws BadRecording, also where steps
/// or contacts are missing or make no sense.
MotionCertificate check_motion(const RecordingDetails& recording);

}  // namespace touchstone
