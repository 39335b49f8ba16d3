#pragma once
// A state of a run from which it can go on with the same bits [docs/recording.md].

#include <cstdint>
#include <vector>

#include "touchstone/stepping/world.h"

namespace touchstone {

/// Everything that the next step depends on and that changes while a scene runs. It holds every body of
/// the scene, also bodies that appear later.
template <int D>
struct Checkpoint {
  double time = 0;                  ///< [s]
  std::int64_t steps = 0;           ///< made so far
  std::int64_t bodies_present = 0;  ///< the others appear later
  std::vector<Vec<D>> position;     ///< [m] of centres of mass
  std::vector<Attitude<D>> attitude;
  std::vector<Twist<D>> velocity;
  std::vector<double> joint_value;  ///< [m or rad] of all joints, one behind the other
  bool asks_for_sticking = false;   ///< some law of friction does
  BodyPairs sticking;               ///< that stuck in the last step, as in World
  std::vector<double> tallies;      ///< what the runner has counted; always of the same length
  std::uint64_t hash = 0;           ///< state_hash() of the world

  // Where the recording stood; filled in by it.
  std::int64_t frames = 0, contacts = 0, events = 0;
};

/// `cast` holds every body and joint of the scene, `world` the bodies and joints that have appeared.
template <int D>
Checkpoint<D> take_checkpoint(const World<D>& world, const World<D>& cast);

/// Puts the bodies and joints of a world where they were. The world is that of the same scene, with the same
/// bodies present; false where it is not, or where the hash does not fit.
template <int D>
bool restore(const Checkpoint<D>& checkpoint, const World<D>& cast, World<D>& world);

}  // namespace touchstone
