#pragma once
// From features to contact normals and back to points. Private to proximity/. All in the frame of A;
// normals point from B to A.

#include <vector>

#include "touchstone/proximity/gap.h"
#include "touchstone/proximity/penetration.h"
#include "touchstone/proximity/polytope_parts.h"
#include "touchstone/proximity/separation.h"

namespace touchstone {

/// The unit normal that a pair of closest features gives: that of the facet, the cross product of the edges,
/// or else the direction `apart` from B's closest point to A's, whichever is known best.
template <int D>
Vec<D> feature_normal(const PairInFrameA<D>& pair, const FeaturePair& features, const Vec<D>& apart);

/// Looks among the directions that the features around the closest ones suggest for one that separates
/// better than `gap.normal`, and takes it with its separation as `gap.lower`. For bodies that are so close
/// that the difference of their closest points says little about the direction between them.
template <int D>
void refine_normal(const PairInFrameA<D>& pair, Gap<D>& gap);

/// Do these features touch where no other normal is possible: a vertex further than `margin` [m] inside the
/// border of a facet, or edges that cross at an angle, that far from their ends?
template <int D>
bool is_interior_contact(const PairInFrameA<D>& pair, const Gap<D>& gap, double margin);

/// Of the axes that tie, the one to report: that nearest to the line of centres, so that swapping or moving
/// the bodies does not change the choice.
template <int D>
SeparatingAxis<D> choose_axis(const PairInFrameA<D>& pair, const Penetration<D>& penetration);

/// Points of A and B that show the separation along an axis.
template <int D>
void find_witnesses(const PairInFrameA<D>& pair, const SeparatingAxis<D>& axis, Gap<D>& gap);

}  // namespace touchstone
