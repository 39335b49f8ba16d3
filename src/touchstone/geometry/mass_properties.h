#pragma once

#include <span>

#include "touchstone/geometry/polytope.h"
#include "touchstone/geometry/shapes.h"
#include "touchstone/math/pose.h"

namespace touchstone {

/// Volume (2D: area), centre and second moments of the uniform solid of density 1.
/// `second_moment` is the integral of (x-c)(x-c)^T; the inertia about the centre follows from it.
template <int D>
struct MassProperties {
  double volume = 0;                      ///< [m^D]
  Vec<D> centre = Vec<D>::Zero();         ///< [m]
  Mat<D> second_moment = Mat<D>::Zero();  ///< [m^(D+2)], about the centre, in the axes of the input

  /// Inertia for a given mass: tr(M) 1 - M in space, tr(M) in the plane, scaled to the mass [kg m^2].
  Eigen::Matrix<double, kSpinSize<D>, kSpinSize<D>> inertia(double mass) const;
};

template <int D>
MassProperties<D> find_mass_properties(const Polytope<D>& P);

/// A part of a body, and what it is made of.
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
