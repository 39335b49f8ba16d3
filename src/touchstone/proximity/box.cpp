#include "touchstone/proximity/box.h"

#include <cassert>

#include "touchstone/geometry/bounds.h"

namespace touchstone {

template <int D>
Box<D> bounding_box(const Shape<D>& shape, const Pose<D>& X_WB, double margin) {
  assert(margin >= 0);
  return box_about(shape, X_WB).grown(margin);
}

template <int D>
Box<D> swept_box(const Shape<D>& shape, const Path<D>& path, const Pose<D>& from, const Pose<D>& to,
                 double margin) {
  assert(margin >= 0);
  if (path.fastest_turn() == 0) {
    const Box<D> start = box_about(shape, from);
    const bool rests = from.R == to.R && from.p == to.p;
    return (rests ? start : start.joined(box_about(shape, to))).grown(margin + path.bow(0));
  }
  // The ball about a part that sits off the centre of mass moves on an arc.
  const double lever = (from * ball_about(shape).centre - path.centre).norm();
  return box_about_turning(shape, from, to).grown(margin + path.bow(lever));
}

template Box<2> bounding_box(const Shape<2>&, const Pose<2>&, double);
template Box<3> bounding_box(const Shape<3>&, const Pose<3>&, double);
template Box<2> swept_box(const Shape<2>&, const Path<2>&, const Pose<2>&, const Pose<2>&, double);
template Box<3> swept_box(const Shape<3>&, const Path<3>&, const Pose<3>&, const Pose<3>&, double);

}  // namespace touchstone
