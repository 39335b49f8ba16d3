#pragma once
// Points and lengths as they stand in messages. Private to geometry/.

#include <cstdio>
#include <string>

#include "touchstone/math/vec.h"

namespace touchstone {

inline std::string text_of(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", x);
  return text;
}

template <int D>
std::string text_of(const Vec<D>& x) {
  std::string text = "(";
  for (int k = 0; k < D; ++k) text += (k ? ", " : "") + text_of(x[k]);
  return text + ")";
}

}  // namespace touchstone
