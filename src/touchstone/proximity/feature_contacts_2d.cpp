#include "touchstone/proximity/feature_query.h"

namespace touchstone {

Vec<2> nearest_on_facet(const Polytope<2>& P, int facet, const Vec<2>& c) {
  const Edge& edge = P.edge(facet);
  return nearest_on_segment<2>(P.vertex(edge.tail), P.vertex(edge.head), c).point;
}

void append_edge_edge_contacts(const FeatureQuery<2>&, std::vector<FeatureContact<2>>&) {}

}  // namespace touchstone
