#pragma once
// Which features of two disjoint bodies may be the closest? All vertex-facet and edge-edge pairs are tried
// unless they lie behind a separating plane by more than a known distance.

#include <vector>

#include "touchstone/proximity/placed.h"

namespace touchstone::oracle {

struct ClosestCandidate {
  enum class Kind { vertex_facet, facet_vertex, edges } kind;
  int a, b;
};

/// Known before the search: a separating direction, from B to A.
template <int D>
struct ClosestQuery {
  Vec<D> normal;  ///< s(normal) > 0 or nearly so
  double slack;   ///< [m] pairs within this of the smallest distance are listed
};

template <int D>
std::vector<ClosestCandidate> search_closest(const Placed<D>& A, const Placed<D>& B,
                                             const ClosestQuery<D>& query);

}  // namespace touchstone::oracle
