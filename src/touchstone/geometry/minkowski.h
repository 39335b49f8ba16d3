#pragma once

#include "touchstone/geometry/polytope.h"
#include "touchstone/math/pose.h"

namespace touchstone {

/// The Minkowski difference A - B = {a - b}, built explicitly as the hull of all differences of vertices,
/// with B placed in the frame of A by X_AB. The bodies overlap where it holds the origin, and the signed
/// distance of the origin from its surface is their gap [ContactData V-A]. Slow: V_A V_B points.
template <int D>
Polytope<D> minkowski_difference(const Polytope<D>& A, const Polytope<D>& B, const Pose<D>& X_AB);

}  // namespace touchstone
