#pragma once

#include "touchstone/math/vec.h"

namespace touchstone {

/// A ball that holds a part: in the frame of the part, or in the world.
template <int D>
struct Ball {
  Vec<D> centre = Vec<D>::Zero();
  double radius = 0;  ///< [m]; infinite about a half-space
};

}  // namespace touchstone
