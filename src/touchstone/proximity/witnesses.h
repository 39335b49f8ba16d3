#pragma once
// Where do two bodies touch, or would they first? The answer that contact models take for every pair of
// kinds, unless they know a better one for two polytopes (an overlay, all feature contacts).

#include <vector>

#include "touchstone/proximity/gap.h"

namespace touchstone {

/// In what form two bodies touch, by their kinds.
enum class ContactForm {
  features,       ///< two polytopes: in vertices, edges and facets of both
  vertices_of_A,  ///< B is a half-space: in any vertices of the polytope A
  vertices_of_B,  ///< ... the other way round
  point,          ///< one is round: in the one point of the gap
  none            ///< two half-spaces: there is no gap to speak of
};
template <int D>
ContactForm contact_form(const Shape<D>& A, const Shape<D>& B);

/// A place at which the bodies touch or are near.
template <int D>
struct Witness {
  /// Where a force between them acts, in the world: at the vertex over a half-space, else halfway.
  Vec<D> point;
  Vec<D> normal;            ///< unit, in the world, from B to A
  double gap = 0;           ///< [m] along the normal, negative when overlapping
  FeaturePair features;     ///< of a half-space: its face 0
  Vec<D> point_A, point_B;  ///< on A and on B: normal . (point_A - point_B) = gap
};

/// Appends the witnesses whose gap is at most `reach` [m]: the corners of the manifold of two polytopes, each
/// vertex near a half-space, the nearest points where one body is round, none of two half-spaces. `memory`
/// may be null.
template <int D>
void find_witnesses(const PlacedShape<D>& A, const PlacedShape<D>& B, double reach,
                    std::vector<Witness<D>>& found, GapMemory<D>* memory = nullptr);

}  // namespace touchstone
