#pragma once
// Where do two parts touch at an instant? The rows of contact of a pair.

#include <vector>

#include "touchstone/proximity/gap.h"
#include "touchstone/stepping/events/contact_row.h"

namespace touchstone {

/// [m] Parts nearer than this touch.
inline constexpr double kTouchingGap = 2e-11;

template <int D>
PlacedShape<D> placed(const ContactShape<D>& part, const Moving<D>& body) {
  return {part.shape.get(), body.pose() * part.X_CS};
}

template <int D>
Gap<D> gap_of(const World<D>& world, const std::vector<Moving<D>>& bodies, std::pair<int, int> parts,
              GapMemory<D>* memory = nullptr);

/// The rows of a pair that touches, in the order of its features; empty where it does not. Where several
/// normals serve, the plane is that which the motion crosses last, and `ambiguous` is set if even that leaves
/// several. `reach` [m]: nearer points touch.
template <int D>
std::vector<ContactRow<D>> touching_rows(const World<D>& world, const std::vector<Moving<D>>& bodies,
                                         std::pair<int, int> parts, bool& ambiguous,
                                         double reach = kTouchingGap);

}  // namespace touchstone
