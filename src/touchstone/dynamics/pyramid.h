#pragma once
// The friction groups as complementarity rows [Thesis eq. 2.21, corrected]. Inside dynamics only.
//
//     0 <= G_f^T V + E s      _|_  p_f >= 0
//     0 <= U p_n - E^T p_f    _|_  s   >= 0
//
// where a constant bound stands for U p_n if there is no normal.
// A group of one orthogonal direction (the plane's friction, a motor) becomes the two directions +d and -d.

#include <cassert>

#include "touchstone/dynamics/equations.h"

namespace touchstone {

struct PyramidSide {
  int row;      ///< tangent row
  double sign;  ///< +1 or -1: which way along it
  int group;
};

template <int D>
std::vector<PyramidSide> pyramid_sides(const StepEquations<D>& equations) {
  std::vector<PyramidSide> sides;
  for (int g = 0; g < static_cast<int>(equations.groups.size()); ++g) {
    const FrictionGroup& group = equations.groups[g];
    assert(group.first >= 0 && group.first + group.count <= static_cast<int>(equations.tangent.size()));
    for (int i = group.first; i < group.first + group.count; ++i) {
      sides.push_back({i, +1, g});
      if (group.round) sides.push_back({i, -1, g});
    }
  }
  return sides;
}

/// Is there a cone that a pyramid does not describe exactly?
template <int D>
bool has_round_cone(const StepEquations<D>& equations) {
  for (const FrictionGroup& group : equations.groups) {
    if (group.round && group.count > 1) return true;
  }
  return false;
}

}  // namespace touchstone
