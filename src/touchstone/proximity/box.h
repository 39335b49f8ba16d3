#pragma once
// Axis-aligned boxes about placed shapes.

#include "touchstone/math/box.h"
#include "touchstone/math/path.h"
#include "touchstone/proximity/placed.h"

namespace touchstone {

/// The tightest box of a shape at a pose, grown by `margin` [m] on each side.
template <int D>
Box<D> bounding_box(const Shape<D>& shape, const Pose<D>& X_WB, double margin = 0);

/// A box that holds a part throughout a step in which its body follows the path; `from` and `to` are the
/// part's poses at its start and end. Grown by `margin` [m].
template <int D>
Box<D> swept_box(const Shape<D>& shape, const Path<D>& path, const Pose<D>& from, const Pose<D>& to,
                 double margin = 0);

}  // namespace touchstone
