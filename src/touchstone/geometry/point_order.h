#pragma once
// The order in which points are sorted: by x, then y, then z. Private to geometry/.

#include <algorithm>

#include "touchstone/math/vec.h"

namespace touchstone {

template <int D>
bool lexicographic(const Vec<D>& a, const Vec<D>& b) {
  return std::lexicographical_compare(a.data(), a.data() + D, b.data(), b.data() + D);
}

}  // namespace touchstone
