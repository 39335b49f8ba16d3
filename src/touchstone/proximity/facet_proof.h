#pragma once
// The depth of bodies that overlap a little, proved from a single facet of A - B. Private to proximity/.
//
// clang-format off
//     ___________________    a facet of A - B at the distance d from the origin: the depth is at most d
//     \       |d        /
//      \      o        /     o: the origin, where a point of A meets one of B
//       \             /
//        \           /       The cone over the facet with its tip at q, the difference of the centres,
//         \         /        lies in A - B. If its sides are further than d from o, so does the ball of
//             q              radius d about o: the depth is at least d.
// clang-format on
//
// If they are further by a margin, no other direction separates nearly as well: the normal is unique. This is
// the rule for shallow overlaps, and much cheaper than an expansion (expansion.h); where it fails, that is
// next.

#include <optional>

#include "touchstone/proximity/penetration.h"
#include "touchstone/proximity/separation.h"

namespace touchstone {

/// The separation along the normal that the features of an earlier answer give now; along `otherwise`, where
/// they are no facet of A - B. A vertex among the features is moved on if it is no longer the supporting one.
template <int D>
SeparatingAxis<D> follow_axis(const PairInFrameA<D>& pair, const FeaturePair& features,
                              const Vec<D>& otherwise);

/// The proved answer from an axis that is near the best one, or none. `tie` as in PenetrationSettings; an
/// answer has no ties. In the plane never any: there the test of all axes costs no more.
template <int D>
std::optional<Penetration<D>> prove_near_facet(const PairInFrameA<D>& pair, const SeparatingAxis<D>& near,
                                               double tie);

}  // namespace touchstone
