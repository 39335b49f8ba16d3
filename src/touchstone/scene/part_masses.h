#pragma once
// Mass, centre and inertia of a body from its parts. Private to scene/.

#include <span>

#include "touchstone/geometry/mass_properties.h"
#include "touchstone/geometry/shapes.h"
#include "touchstone/math/pose.h"

namespace touchstone {

template <int D>
struct MassPart {
  const Shape<D>* shape;  ///< not a half-space, whose mass has no end
  Pose<D> X_BS;
  double density = 1;  ///< [kg/m^D]
};

/// Of all parts together, in the body frame; `volume` is the mass [kg] and moments are weighted likewise.
/// Where parts overlap, both count.
template <int D>
MassProperties<D> sum_masses(std::span<const MassPart<D>> parts);

}  // namespace touchstone
