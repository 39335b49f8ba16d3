#pragma once
// Are the forces that users set on joints those of an unstable controller?

#include <array>
#include <string>
#include <vector>

#include "touchstone/stepping/world.h"

namespace touchstone {

/// An explicit controller that is stiffer than its step allows overshoots by more in every step: its force
/// changes sign each time and grows; or, where it is not much too stiff, every other step. A motion that is
/// merely fast does so in no two steps in a row, and one that a step can follow does not swing within a few
/// steps.
template <int D>
class ForceWatch {
 public:
  /// To be called before each step, with all forces set. The name of a joint whose force has swung so for
  /// many steps; empty: none.
  std::string watch(const World<D>& world);

 private:
  static constexpr std::size_t kForcesSeen = 24;
  struct Swing {
    double last = 0;                         ///< force of the step before [N or N m]
    double factor = 0;                       ///< by which it grew then, with the other sign
    int steps = 0;                           ///< in a row in which it grew so
    int steady = 0;                          ///< in a row in which it grew by the same factor
    std::array<double, kForcesSeen> seen{};  ///< the last forces, the newest last

    void add(double force);
    bool is_unstable() const;
    bool bursts(std::size_t third) const;
  };
  std::vector<Swing> swings_;  ///< of all values of all joints
};

}  // namespace touchstone
