#pragma once
// Shapes of rigid-ipc's bodies as convex parts. Private to scene/.

#include <filesystem>
#include <vector>

#include "touchstone/scene/fields.h"

namespace touchstone {

/// A body's shape, scaled, in the frame that its pose places.
template <int D>
struct IpcShape {
  std::vector<std::vector<Vec<D>>> parts;  ///< corners of convex parts [m]
  Vec<D> middle = Vec<D>::Zero();          ///< mean of all points [m]
  int flat_axis = -1;                      ///< the axis across a sheet without thickness; -1: it is solid
};

/// [m] What a sheet without thickness gets: an open mesh such as plane.obj, a line in the plane. It is solid
/// on the side where no body moves, so that the surface which others touch stays where it is.
inline constexpr double kSheetThickness = 0.01;

/// Reads "mesh" (OBJ and the like, looked for in the folder `meshes` of this one and those above it) or
/// "vertices" with "polygons" or "edges", and "scale" or "dimensions". Throws BadField for shapes that
/// are not convex.
template <int D>
IpcShape<D> read_ipc_shape(const Field& body, const std::filesystem::path& folder);

/// Makes the sheet solid, towards +axis or -axis.
template <int D>
void thicken(IpcShape<D>& sheet, bool towards_positive);

}  // namespace touchstone
