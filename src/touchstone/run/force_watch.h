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
    double first = 0;  ///< force with which it began [N or N m]
    double last = 0;   ///< force of the step before
    int steps = 0;     ///< in a row
  };
  std::vector<Swing> swings_;  ///< of all values of all joints
};

}  // namespace touchstone
