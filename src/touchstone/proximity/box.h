#pragma once
// Axis-aligned boxes about placed shapes.

#include "touchstone/math/box.h"
#include "touchstone/proximity/placed.h"

namespace touchstone {

/// The tightest box of a shape at a pose, grown by `margin` [m] on each side.
template <int D>
Box<D> bounding_box(const Shape<D>& shape, const Pose<D>& X_WB, double margin = 0);

/// A box that holds the shape throughout a step: the centre of mass moves straight from one pose to the
/// other while the shape turns about it in any way; equal rotations mean that it does not turn at all.
/// Grown by `margin` [m].
template <int D>
Box<D> swept_box(const Shape<D>& shape, const Pose<D>& from, const Pose<D>& to, double margin = 0);

}  // namespace touchstone
