#include "touchstone/dynamics/body.h"

#include <cassert>

#include "touchstone/math/checks.h"

namespace touchstone {

SpinMat<2> world_inertia(const Body<2>& body) { return body.inertia; }

SpinMat<3> world_inertia(const Body<3>& body) {
  assert(is_self_adjoint(body.inertia));
  const Mat<3> R = body.attitude.matrix();
  return R * body.inertia * R.transpose();
}

Spin<2> angular_momentum(const Body<2>& body, const Spin<2>& w) { return body.inertia * w; }

Spin<3> angular_momentum(const Body<3>& body, const Spin<3>& w) {
  const Mat<3> R = body.attitude.matrix();
  return R * (body.inertia * (R.transpose() * w));
}

}  // namespace touchstone
