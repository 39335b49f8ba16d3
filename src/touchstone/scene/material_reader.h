#pragma once
// Materials and what their surfaces do to each other. Private to scene/.

#include <optional>
#include <string>
#include <vector>

#include "touchstone/dynamics/material.h"
#include "touchstone/scene/fields.h"
#include "touchstone/stepping/world.h"

namespace touchstone {

/// A surface as it is written: its law may be left to its coefficient.
struct WrittenSurface {
  Surface surface;
  bool law_given = false, directions_given = false;
};

/// Material 0 has no name: it is that of bodies that name none.
struct Materials {
  std::vector<std::string> names{""};
  std::vector<std::optional<double>> density{std::nullopt};  ///< [kg/m^D]
  SurfaceTable surfaces;
  std::vector<WrittenSurface> written;  ///< of each material on those of no higher index
};

/// From the keys `contact`, `materials` and `pairs` of a scene of this dimension.
Materials read_materials(const Field& scene, int dimension);

/// Those of `pairs` that name bodies, into the table of the world.
template <int D>
void read_body_surfaces(const Field& scene, const Materials& materials, World<D>& world);

/// The index of the material that the field names.
int read_material(const Field& field, const Materials& materials);

}  // namespace touchstone
