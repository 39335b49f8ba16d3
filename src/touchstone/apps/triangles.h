#pragma once
// Shapes as triangles with normals, for programs that draw.

#include <array>
#include <vector>

#include "touchstone/geometry/shapes.h"
#include "touchstone/math/pose.h"

namespace touchstone {

/// Three corners after each other are one triangle, counter-clockwise seen from outside.
struct Triangles {
  std::vector<std::array<float, 3>> corners;  ///< [m]
  std::vector<std::array<float, 3>> normals;  ///< unit, one per corner
};

/// How half-spaces, which have no end, and polygons, which have no depth, are drawn.
struct TriangleSettings {
  double reach = 10;  ///< [m] after which a half-space ends
  double depth = 1;   ///< [m] of shapes of the plane, half of it to either side
};

/// Adds a shape placed in the body frame.
template <int D>
void add_triangles(Triangles& triangles, const Shape<D>& shape, const Pose<D>& X_BS,
                   const TriangleSettings& settings);

}  // namespace touchstone
