#pragma once
// The experiments of the thesis's chapter 5, with the numbers of [PEG 3].

#include "touchstone/stepping/step.h"

namespace touchstone::support {

/// Settings of [PEG 3]: frictionless, a margin that the experiment names.
StepSettings peg_settings(double h, double margin);

/// 5.2.1: a triangle falls on the right side of a larger one that is fixed. Body 1 falls.
World<2> triangle_drop();
/// x, y of the centre and the angle of the falling triangle.
Vec<3> triangle_state(const World<2>& world);

/// 5.2.2: ten unit squares over each other, 0.25 m apart, the first one fixed.
World<2> box_stack();

/// 5.2.3: an open container of three fixed boxes, and polygons that enter it one by one.
struct PolygonBox {
  World<2> world;                ///< floor, left wall, right wall
  std::vector<Body<2>> waiting;  ///< body i enters at 0.25 i seconds
  std::vector<ContactShape<2>> shapes;
};
PolygonBox polygon_box(std::uint64_t seed);
/// Adds the bodies whose time has come.
void let_in(PolygonBox& box);
/// The sum of the areas that pairs of bodies share [m^2].
double total_overlap(const World<2>& world);

/// 5.3: a block of 1.0 x 0.5 on one of 2.0 x 0.5, both turning with 1 rad/s, no gravity.
World<2> turning_blocks();

/// 5.4: five squares in a row, the first one strikes.
World<2> row_of_squares();

/// [PEG 3.6] a unit square (cube) slides off a fixed table of 4 x 1 (x 4) whose top edge ends at x = 0.
template <int D>
World<D> slide_off();

/// [PEG 5] a tetrahedron of side 2 rests, face on face, on its fixed mirror image.
World<3> tetrahedron_on_twin();

}  // namespace touchstone::support
