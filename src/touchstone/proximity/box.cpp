#include "touchstone/proximity/box.h"

#include <limits>

#include "touchstone/geometry/extremal.h"

namespace touchstone {
namespace {

/// A matrix is a rotation to round-off only, and so is a centre where it should be: balls are grown by this
/// much [radius + distance from the origin] so that they truly hold the body.
constexpr double kRoundOff = 16 * std::numeric_limits<double>::epsilon();

template <int D>
Box<D> everywhere() {
  const Vec<D> end = Vec<D>::Constant(std::numeric_limits<double>::infinity());
  return {-end, end};
}

template <int D>
Box<D> about(const Vec<D>& centre, double radius) {
  return Box<D>{centre, centre}.grown(radius);
}

template <int D>
Box<D> tight_box(const Polytope<D>& P, const Pose<D>& X_WB) {
  Box<D> box;
  for (int k = 0; k < D; ++k) {
    const Vec<D> axis = X_WB.R.row(k).transpose();  // axis k of the world in the frame of the body
    box.high[k] = (X_WB * P.vertex(find_extremal<D>(P, axis)))[k];
    box.low[k] = (X_WB * P.vertex(find_extremal<D>(P, -axis)))[k];
  }
  return box;
}

template <int D>
Box<D> tight_box(const Sphere<D>& sphere, const Pose<D>& X_WB) {
  return about<D>(X_WB.p, sphere.radius);
}

/// Bounded on one side if the normal lies along an axis, else everywhere.
template <int D>
Box<D> tight_box(const HalfSpace<D>& below, const Pose<D>& X_WB) {
  const Plane<D> plane = X_WB * below.plane;
  Box<D> box = everywhere<D>();
  if ((plane.normal.array() != 0).count() != 1) return box;
  int axis = 0;
  plane.normal.cwiseAbs().maxCoeff(&axis);
  (plane.normal[axis] > 0 ? box.high : box.low)[axis] = plane.offset / plane.normal[axis];
  return box;
}

/// The boxes of the ball about the centre, in which the body turns.
template <int D>
Box<D> turning_box(const Polytope<D>& P, const Pose<D>& from, const Pose<D>& to) {
  const Vec<D> start = from * P.centre(), end = to * P.centre();
  const double size = P.radius() + P.centre().norm() + std::max(start.norm(), end.norm());
  return about<D>(start, P.radius()).joined(about<D>(end, P.radius())).grown(kRoundOff * size);
}

template <int D>
Box<D> turning_box(const Sphere<D>& sphere, const Pose<D>& from, const Pose<D>& to) {
  return tight_box(sphere, from).joined(tight_box(sphere, to));
}

template <int D>
Box<D> turning_box(const HalfSpace<D>&, const Pose<D>&, const Pose<D>&) {
  return everywhere<D>();
}

}  // namespace

template <int D>
Box<D> bounding_box(const Shape<D>& shape, const Pose<D>& X_WB, double margin) {
  return std::visit([&](const auto& s) { return tight_box(s, X_WB); }, shape).grown(margin);
}

template <int D>
Box<D> swept_box(const Shape<D>& shape, const Pose<D>& from, const Pose<D>& to, double margin) {
  const auto sweep = [&](const auto& s) {
    if (from.R != to.R) return turning_box(s, from, to);
    return tight_box(s, from).joined(tight_box(s, to));
  };
  return std::visit(sweep, shape).grown(margin);
}

template Box<2> bounding_box(const Shape<2>&, const Pose<2>&, double);
template Box<3> bounding_box(const Shape<3>&, const Pose<3>&, double);
template Box<2> swept_box(const Shape<2>&, const Pose<2>&, const Pose<2>&, double);
template Box<3> swept_box(const Shape<3>&, const Pose<3>&, const Pose<3>&, double);

}  // namespace touchstone
