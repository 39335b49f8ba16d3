#include "touchstone/geometry/kinds.h"

#include <cassert>
#include <numbers>
#include <utility>

#include "touchstone/geometry/support_hierarchy.h"

namespace touchstone {
namespace {

constexpr double kPi = std::numbers::pi;

/// A matrix is a rotation to round-off only, and so is a centre where it should be: balls are grown by this
/// much [radius + distance from the origin] so that they truly hold the body.
constexpr double kRoundOff = 16 * std::numeric_limits<double>::epsilon();

template <int D>
Box<D> everywhere() {
  const Vec<D> end = Vec<D>::Constant(std::numeric_limits<double>::infinity());
  return {-end, end};
}

/// The vertices that lie furthest against and along the direction.
template <int D>
std::pair<int, int> ends_along(const Polytope<D>& P, const Vec<D>& direction) {
  const SupportHierarchy<D>& hierarchy = *P.hierarchy();
  if (hierarchy.scanned) return hierarchy.blocks.extent(direction);
  return {find_extremal<D>(P, -direction), find_extremal<D>(P, direction)};
}

template <int D>
Box<D> box_of_ball(const Vec<D>& centre, double radius) {
  assert(radius >= 0);
  return Box<D>{centre, centre}.grown(radius);
}

}  // namespace

// ---- polytopes -------------------------------------------------------------------------------------------

template <int D>
Box<D> KindRow<Polytope<D>>::box(const Polytope<D>& P, const Pose<D>& X_WB) {
  Box<D> box;
  for (int k = 0; k < D; ++k) {
    const Vec<D> axis = X_WB.R.row(k).transpose();  // axis k of the world in the frame of the body
    const auto [lowest, highest] = ends_along(P, axis);
    box.high[k] = (X_WB * P.vertex(highest))[k];
    box.low[k] = (X_WB * P.vertex(lowest))[k];
  }
  assert(!(box.low.array() > box.high.array()).any());
  return box;
}

/// The boxes of the ball about the centre, in which the body turns.
template <int D>
Box<D> KindRow<Polytope<D>>::turning_box(const Polytope<D>& P, const Pose<D>& from, const Pose<D>& to) {
  const Vec<D> start = from * P.centre(), end = to * P.centre();
  const double size = P.radius() + P.centre().norm() + std::max(start.norm(), end.norm());
  return box_of_ball<D>(start, P.radius()).joined(box_of_ball<D>(end, P.radius())).grown(kRoundOff * size);
}

// ---- spheres ---------------------------------------------------------------------------------------------

template <int D>
Box<D> KindRow<Sphere<D>>::box(const Sphere<D>& S, const Pose<D>& X_WB) {
  return box_of_ball<D>(X_WB.p, S.radius);
}

template <int D>
Box<D> KindRow<Sphere<D>>::turning_box(const Sphere<D>& S, const Pose<D>& from, const Pose<D>& to) {
  return box(S, from).joined(box(S, to));
}

/// pi r^2, and pi r^4/4 per axis.
template <>
MassProperties<2> KindRow<Sphere<2>>::mass(const Sphere<2>& disc) {
  const double r = disc.radius;
  assert(r > 0);
  return {kPi * r * r, Vec<2>::Zero(), Mat<2>::Identity() * (kPi * r * r * r * r / 4)};
}
/// 4/3 pi r^3, and 4/15 pi r^5 per axis.
template <>
MassProperties<3> KindRow<Sphere<3>>::mass(const Sphere<3>& ball) {
  const double r = ball.radius;
  assert(r > 0);
  return {4 * kPi / 3 * r * r * r, Vec<3>::Zero(), Mat<3>::Identity() * (4 * kPi / 15 * r * r * r * r * r)};
}

// ---- half-spaces -----------------------------------------------------------------------------------------

/// Bounded on one side if the normal lies along an axis, else everywhere.
template <int D>
Box<D> KindRow<HalfSpace<D>>::box(const HalfSpace<D>& H, const Pose<D>& X_WB) {
  const Plane<D> plane = X_WB * H.plane;
  Box<D> box = everywhere<D>();
  if ((plane.normal.array() != 0).count() != 1) return box;
  int axis = 0;
  plane.normal.cwiseAbs().maxCoeff(&axis);
  (plane.normal[axis] > 0 ? box.high : box.low)[axis] = plane.offset / plane.normal[axis];
  return box;
}

template <int D>
Box<D> KindRow<HalfSpace<D>>::turning_box(const HalfSpace<D>&, const Pose<D>&, const Pose<D>&) {
  return everywhere<D>();
}

template struct KindRow<Polytope<2>>;
template struct KindRow<Polytope<3>>;
template struct KindRow<Sphere<2>>;
template struct KindRow<Sphere<3>>;
template struct KindRow<HalfSpace<2>>;
template struct KindRow<HalfSpace<3>>;

}  // namespace touchstone
