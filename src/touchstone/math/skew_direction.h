#pragma once
// A direction with which no scene is aligned. It breaks ties between points or normals by where they are, not
// by their numbers.

#include <cmath>

#include "touchstone/math/vec.h"

namespace touchstone {

template <int D>
Vec<D> skew_direction() {
  Vec<D> skew;
  for (int i = 0; i < D; ++i) skew[i] = std::sqrt(2 + 3 * i);
  return skew;
}

}  // namespace touchstone
