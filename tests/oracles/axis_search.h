#pragma once
// Which facets of A - B may be the nearest to the origin? Found in double with room to spare; the caller
// judges them in extended precision.

#include <vector>

#include "touchstone/proximity/placed.h"

namespace touchstone::oracle {

enum class AxisKind { facet_of_A, facet_of_B, edges };

struct AxisCandidate {
  AxisKind kind;
  int a = -1, b = -1;     ///< facets or edges; the one that is not used is -1
  double sign = 1;        ///< edges: n = sign (e_a x e_b)
  double separation = 0;  ///< [m] s(n) in double
};

/// All axes whose separation is within `slack` of the largest one [m].
template <int D>
std::vector<AxisCandidate> search_axes(const Placed<D>& A, const Placed<D>& B, double slack);

}  // namespace touchstone::oracle
