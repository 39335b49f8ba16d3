#pragma once
// Are the forces that users set on joints those of an unstable controller?

#include <string>
#include <vector>

#include "touchstone/stepping/world.h"

namespace touchstone {

/// An explicit controller that is stiffer than its step allows overshoots by more in every step: its force
/// changes sign each time and grows. A motion that is merely fast does so in no two steps in a row.
template <int D>
class ForceWatch {
 public:
  /// To be called before each step, with all forces set. The name of a joint whose force has swung so for
  /// many steps; empty: none.
  std::string watch(const World<D>& world);

 private:
  struct Swing {
    double last = 0;    ///< force of the step before [N or N m]
    double factor = 0;  ///< by which it grew then, with the other sign
    int steps = 0;      ///< in a row in which it grew so
    int steady = 0;     ///< in a row in which it grew by the same factor
  };
  std::vector<Swing> swings_;  ///< of all values of all joints
};

}  // namespace touchstone
