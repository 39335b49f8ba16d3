#pragma once
// The tilting-plane lemma's left-hand side, by linear programming [Plane 1]: how far apart a plane that
// may tilt can keep two sets of points after a small motion. It knows nothing of faces, shadows or overlays.

#include <optional>
#include <vector>

#include "touchstone/math/vec.h"

namespace touchstone {

/// A vertex of a body: where it stands across n, and how high along n after the (linearised) motion.
template <int D>
struct LiftedPoint {
  Eigen::Matrix<double, D - 1, 1> across;
  double height;
};

/// max t  such that a plane z = d + s.x (d, s free) has all of A at least t above it and all of B below it;
/// nothing where t has no limit. Solved by trying every vertex of the feasible set of its dual.
template <int D>
std::optional<double> widest_slab(const std::vector<LiftedPoint<D>>& A, const std::vector<LiftedPoint<D>>& B);

}  // namespace touchstone
