#pragma once
// The gap from the explicit Minkowski difference: the hull of all differences of vertices, by qhull; the gap
// is the signed distance of the origin from its surface [ContactData V-A]. It shares nothing with
// signed_distance.h but the arithmetic of points.

#include <optional>

#include "touchstone/proximity/placed.h"

namespace touchstone::oracle {

/// In the world, in long double from the exact differences of vertices; the choice of facets is qhull's,
/// which merges those that are flat within its round-off. Empty where qhull finds no hull.
template <int D>
std::optional<long double> minkowski_distance(const Placed<D>& A, const Placed<D>& B);

}  // namespace touchstone::oracle
