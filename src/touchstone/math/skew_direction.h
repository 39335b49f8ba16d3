#pragma once
// A direction that nothing is aligned with: it tells apart what is tied, by where it is and not by its
// number.

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
