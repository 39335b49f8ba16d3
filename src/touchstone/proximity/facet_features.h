#pragma once
// Which features of A and B make a facet of A - B? Private to proximity/.

#include <array>

#include "touchstone/proximity/penetration.h"
#include "touchstone/proximity/separation.h"

namespace touchstone {

/// The vertices of A and B whose differences are three corners of the facet.
using FacetCorners = std::array<SupportPair, 3>;

/// The axis of a facet of A - B, known so far by a normal that was computed from its corners and by what that
/// separates. It is known better from the bodies: as that of a face of A or B, or as the cross product of two
/// edges. Each is measured; the first that separates as well counts, and names its features.
SeparatingAxis<3> name_facet(const PairInFrameA<3>& pair, const FacetCorners& corners,
                             const SeparatingAxis<3>& computed);

}  // namespace touchstone
