#pragma once
// Small questions about the features of one polytope, in its own frame. Private to proximity/.

#include <cassert>

#include "touchstone/proximity/placed.h"

namespace touchstone {

/// Some vertex of the feature.
template <int D>
int vertex_of(const Polytope<D>& P, const Feature& feature) {
  if (feature.kind == FeatureKind::vertex) return feature.index;
  return feature.kind == FeatureKind::edge ? P.edge(feature.index).tail : P.facet_vertices(feature.index)[0];
}

/// From the tail of edge e to its head.
template <int D>
Vec<D> edge_direction(const Polytope<D>& P, int e) {
  return P.vertex(P.edge(e).head) - P.vertex(P.edge(e).tail);
}

/// The edge that joins two vertices; -1 if none does.
template <int D>
int edge_between(const Polytope<D>& P, int v, int w) {
  const auto neighbours = P.neighbours(v);
  for (std::size_t i = 0; i < neighbours.size(); ++i) {
    if (neighbours[i] == w) return P.vertex_edges(v)[i];
  }
  return -1;
}

/// Does facet f, seen along its normal, cover x?
inline bool covers(const Polytope<3>& P, int f, const Vec<3>& x) {
  const auto loop = P.facet_vertices(f);
  assert(loop.size() >= 3);
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vec<3>& p = P.vertex(loop[i]);
    const Vec<3> d = P.vertex(loop[i + 1 < loop.size() ? i + 1 : 0]) - p;
    if (P.plane(f).normal.cross(d).dot(x - p) < 0) return false;
  }
  return true;
}

}  // namespace touchstone
