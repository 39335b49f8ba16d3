#pragma once
// Where bodies were, of any origin, and how far one motion lies from another.

#include <string>
#include <vector>

#include "touchstone/record/recording.h"

namespace touchstone {

/// The poses of some bodies at some times.
template <int D>
struct Trajectory {
  std::vector<std::string> bodies;
  std::vector<double>
      sizes;  ///< [m] per body: the largest distance of its points from its frame; 0: not known
  std::vector<double> times;   ///< [s] rising
  std::vector<Pose<D>> poses;  ///< of all bodies at the first time, then at the second, ...

  const Pose<D>& pose(std::size_t time, std::size_t body) const { return poses[time * bodies.size() + body]; }
};

/// Of the bodies of a recording that forces move. Throws BadRecording.
template <int D>
Trajectory<D> trajectory_of(const RecordingReader& recording);

/// How far a motion lies from another: distances of positions plus angles times the size of the body, of the
/// worst body at each time that both know.
struct Deviation {
  std::string trouble;         ///< why they cannot be compared; empty: they were
  std::vector<double> times;   ///< [s]
  std::vector<double> errors;  ///< [m]
  double worst = 0;            ///< [m]
  double worst_time = 0;       ///< [s]
  std::string worst_body;

  double last() const { return errors.empty() ? 0 : errors.back(); }
};

/// Bodies are found by name, times are the same within `same_time` [s], sizes are those of the reference.
/// Nothing behind the time `until` [s] is looked at.
template <int D>
Deviation deviation(const Trajectory<D>& reference, const Trajectory<D>& motion, double until,
                    double same_time = 1e-9);

}  // namespace touchstone
