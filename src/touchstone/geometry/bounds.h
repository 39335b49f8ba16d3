#pragma once
// Every question about one shape whose answer depends on its kind: how large is it, which ball or box holds
// it, which of its points lies furthest in a direction, what does it weigh, what is it called? Nobody else
// asks a shape for its kind: the answers stand in kinds.h, one row per kind. Pairs of kinds:
// proximity/pair_table.h.

#include <cmath>

#include "touchstone/geometry/kinds.h"
#include "touchstone/math/pose.h"

namespace touchstone {

/// "polytope", "sphere" or "half-space": as recordings and the viewer write it.
template <int D>
const char* name_of(const Shape<D>& shape) {
  return ask_row<D>(shape, [](auto row, const auto&) { return row.kName; });
}

/// Has the shape a smooth surface, which touches in one point and looks the same however it turns there?
template <int D>
bool is_round(const Shape<D>& shape) {
  return ask_row<D>(shape, [](auto row, const auto&) { return row.kRound; });
}

/// The shape as flat facets, edges and vertices that can be numbered; null if it has none.
template <int D>
const Polytope<D>* polytope_of(const Shape<D>& shape) {
  return ask_row<D>(shape, [](auto row, const auto& kind) { return row.polytope(kind); });
}

/// The only plane of a shape that is all below it, a half-space; null for every other.
template <int D>
const Plane<D>* plane_of(const Shape<D>& shape) {
  return ask_row<D>(shape, [](auto row, const auto& kind) { return row.plane(kind); });
}

/// A ball that holds the shape, in its frame; of infinite radius for a half-space.
template <int D>
Ball<D> ball_about(const Shape<D>& shape) {
  return ask_row<D>(shape, [](auto row, const auto& kind) { return row.ball(kind); });
}

template <int D>
bool is_bounded(const Shape<D>& shape) {
  return std::isfinite(ball_about(shape).radius);
}

/// The diameter of a ball, or 0 for one that is infinite.
template <int D>
double diameter_of(const Ball<D>& ball) {
  return std::isfinite(ball.radius) ? 2 * ball.radius : 0;
}

/// [m] The length that tolerances are relative to: the diameter of the ball about the shape; 0 for a
/// half-space, of which all others are the larger.
template <int D>
double size_of(const Shape<D>& shape) {
  return diameter_of(ball_about(shape));
}

/// [m] A ball of this diameter fits into the shape, so that it is nowhere thinner: of boxes and spheres the
/// least width, of others at least a half (in the plane two thirds) of it; infinite for a half-space.
template <int D>
double thickness_of(const Shape<D>& shape) {
  return ask_row<D>(shape, [](auto row, const auto& kind) { return row.thickness(kind); });
}

/// [m] No point of a shape that sits at X_CS on its body is further from the body's point C; 0 for a
/// half-space, which moves rigidly with a body that does not turn.
template <int D>
double reach_of(const Shape<D>& shape, const Pose<D>& X_CS) {
  const Ball<D> ball = ball_about(shape);
  return std::isfinite(ball.radius) ? (X_CS * ball.centre).norm() + ball.radius : 0;
}

/// The point of the shape that lies furthest in a direction (of any length but 0), in its frame. Of a
/// half-space there is none but along its normal.
template <int D>
Vec<D> furthest_point(const Shape<D>& shape, const Vec<D>& direction) {
  return ask_row<D>(shape, [&](auto row, const auto& kind) { return row.furthest(kind, direction); });
}

/// The tightest box of the shape at a pose; sides at infinity where it has no end.
template <int D>
Box<D> box_about(const Shape<D>& shape, const Pose<D>& X_WB) {
  return ask_row<D>(shape, [&](auto row, const auto& kind) { return row.box(kind, X_WB); });
}

/// A box that holds the shape while the centre of its ball moves straight from one pose to the other and the
/// shape turns about that centre in any way.
template <int D>
Box<D> box_about_turning(const Shape<D>& shape, const Pose<D>& from, const Pose<D>& to) {
  return ask_row<D>(shape, [&](auto row, const auto& kind) { return row.turning_box(kind, from, to); });
}

/// Volume, centre and second moments of the uniform solid; all zero of a half-space, which has no end.
template <int D>
MassProperties<D> find_mass_properties(const Shape<D>& shape) {
  return ask_row<D>(shape, [](auto row, const auto& kind) { return row.mass(kind); });
}

}  // namespace touchstone
