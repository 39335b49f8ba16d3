// Two polygons of a million corners, the most that may be asked for: searches that grow with the square of it
// would take hours, and this test would run out of its time.

#include <gtest/gtest.h>

#include <cmath>

#include "touchstone/geometry/shapes.h"
#include "touchstone/proximity/contact_data.h"

namespace touchstone {
namespace {

TEST(LargePolygon, TwoOfAMillionCornersShareTheLensOfTheirCircles) {
  const Shape<2> P = make_regular_polygon(1'000'000, 1);
  const Vec<2> offset(0.5, 0.3);
  const double d = offset.norm(), lens = 2 * std::acos(d / 2) - d / 2 * std::sqrt(4 - d * d);
  const auto found = find_contact_data<2>({&P, {}}, {&P, {Mat<2>::Identity(), offset}});
  EXPECT_NEAR(found.overlap, lens, 1e-10);
  EXPECT_NEAR(found.gap.gap, d - 2, 1e-10);
}

}  // namespace
}  // namespace touchstone
