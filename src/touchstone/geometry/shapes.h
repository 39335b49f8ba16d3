#pragma once
// Shapes by name. All are centred at the origin of their frame; lengths in metres.

#include <cstdint>
#include <variant>
#include <vector>

#include "touchstone/geometry/polytope.h"

namespace touchstone {

/// A round body about the origin of its frame.
template <int D>
struct Sphere {
  double radius = 1;  ///< [m]
};

/// Everything below a plane, without end.
template <int D>
struct HalfSpace {
  Plane<D> plane;
};

template <int D>
using Shape = std::variant<Polytope<D>, Sphere<D>, HalfSpace<D>>;

/// Most vertices or corners that a name may ask for: a hull of these takes ten seconds and a gigabyte.
/// More are refused with BadShape, and so are shapes without size.
inline constexpr int kMostVertices = 1'000'000;

/// Full side lengths.
template <int D>
Polytope<D> make_box(const Vec<D>& sides);
/// n corners on a circle, the first on the x axis.
Polytope<2> make_regular_polygon(int corners, double radius);

/// The five Platonic solids, by circumscribed radius.
Polytope<3> make_tetrahedron(double radius);
Polytope<3> make_cube(double radius);
Polytope<3> make_octahedron(double radius);
Polytope<3> make_dodecahedron(double radius);
Polytope<3> make_icosahedron(double radius);

/// Round bodies with n corners around; the axis is z, the middle of the height at the origin.
Polytope<3> make_cylinder(double radius, double height, int corners);
Polytope<3> make_cone(double radius, double height, int corners);
/// A polygon in x, y drawn out along z, half of the height to either side.
Polytope<3> make_prism(const Polytope<2>& base, double height);

/// n vertices spread evenly (Fibonacci spiral) on a sphere.
Polytope<3> make_tessellated_sphere(int vertices, double radius);
/// The hull of n points on the unit sphere (2D: circle) by a seed; every point is a vertex.
template <int D>
Polytope<D> make_random_hull(int vertices, std::uint64_t seed);

/// All vertices multiplied by a positive factor per axis.
template <int D>
Polytope<D> scaled(const Polytope<D>& P, const Vec<D>& factors);

}  // namespace touchstone
