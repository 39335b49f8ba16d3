#pragma once
// Materials and what their surfaces do to each other. Private to scene/.

#include <optional>
#include <string>
#include <vector>

#include "touchstone/dynamics/material.h"
#include "touchstone/scene/fields.h"

namespace touchstone {

/// Material 0 has no name: it is that of bodies that name none.
struct Materials {
  std::vector<std::string> names{""};
  std::vector<std::optional<double>> density{std::nullopt};  ///< [kg/m^D]
  SurfaceTable surfaces;
};

/// From the keys `contact`, `materials` and `pairs` of a scene of this dimension.
Materials read_materials(const Field& scene, int dimension);

/// The index of the material that the field names.
int read_material(const Field& field, const Materials& materials);

}  // namespace touchstone
