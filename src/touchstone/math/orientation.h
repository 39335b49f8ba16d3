#pragma once
// On which side of a line or plane lies a point? The sign is exact, so that a surface which is built on these
// answers never contradicts itself. Differences of coordinates must lie between 1e-90 and 1e90, or be zero.

#include "touchstone/math/vec.h"

namespace touchstone {

/// 1: a, b, c turn to the left; -1: to the right; 0: they lie on one line.
int orientation(const Vec<2>& a, const Vec<2>& b, const Vec<2>& c);

/// 1: d lies above the plane of a, b, c, seen from where these turn to the left; -1: below; 0: in the plane.
int orientation(const Vec<3>& a, const Vec<3>& b, const Vec<3>& c, const Vec<3>& d);

}  // namespace touchstone
