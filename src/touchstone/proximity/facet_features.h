#pragma once
// Which features of A and B make a facet of A - B? Private to proximity/.

#include <array>

#include "touchstone/proximity/penetration.h"
#include "touchstone/proximity/separation.h"

namespace touchstone {

/// The vertices of A and B whose differences are three corners of the facet.
using FacetCorners = std::array<SupportPair, 3>;

/// The axis of a facet of A - B, whose normal was computed from its corners, expressed by features of the
/// bodies: a face of A, a face of B, or a pair of edges. Each candidate is measured; the first one that
/// separates as well as the given normal is the answer.
SeparatingAxis<3> name_facet(const PairInFrameA<3>& pair, const FacetCorners& corners,
                             const SeparatingAxis<3>& computed);

}  // namespace touchstone
