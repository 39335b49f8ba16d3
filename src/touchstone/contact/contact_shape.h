#pragma once

#include <cstdint>
#include <memory>

#include "touchstone/geometry/shapes.h"
#include "touchstone/proximity/placed.h"

namespace touchstone {

/// A convex part of a body, as contact sees it. A body may have several.
template <int D>
struct ContactShape {
  std::shared_ptr<const Shape<D>> shape;
  int body = 0;
  Pose<D> X_CS;  ///< in the body's frame at its centre of mass
  int material = 0;
  std::uint32_t group = 1;       ///< which groups it belongs to (bits)
  std::uint32_t collides = ~0u;  ///< which groups it may touch; both must agree
};

}  // namespace touchstone
