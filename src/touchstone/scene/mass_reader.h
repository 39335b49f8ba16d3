#pragma once
// What a body of a scene file weighs. Private to scene/.

#include "touchstone/dynamics/body.h"
#include "touchstone/geometry/mass_properties.h"
#include "touchstone/scene/fields.h"

namespace touchstone {

/// A part, and whether the scene gives its density.
template <int D>
struct WeighedPart {
  MassPart<D> mass;
  bool density_known = false;
};

/// Sets mass, com and inertia from the keys of a dynamic body and from its parts.
template <int D>
void read_mass(const Field& field, std::span<const WeighedPart<D>> parts, Body<D>& body);

/// A number in the plane, three in space: spins and torques.
template <int D>
Spin<D> read_spin(const Field& field, const std::string& what);
template <>
Spin<2> read_spin<2>(const Field& field, const std::string& what);
template <>
Spin<3> read_spin<3>(const Field& field, const std::string& what);

}  // namespace touchstone
