#pragma once
// How close pairs are where a step ends, seen by the model that made it.

#include <limits>
#include <utility>
#include <vector>

namespace touchstone {

/// Exact, at the very poses of the end. Pairs are of parts (i < j).
struct EndCloseness {
  double lowest = std::numeric_limits<double>::infinity();  ///< [m] of all pairs that were looked at
  std::pair<int, int> closest = {-1, -1};                   ///< the pair of that gap
  std::vector<std::pair<int, int>> overlapping;             ///< all that do
  double clearance = 0;  ///< [m] pairs that were not looked at are further apart than this
};

}  // namespace touchstone
